// Scatter plots as SVG.
//
// Axes end at the least and the greatest value of a panel, and have a line at each 1, 2 and 5 times a power of ten.
#include "scatter.h"

#include "support/markup.h"
#include "support/printed.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace fluorite::model {

namespace {

constexpr double side = 260, left = 64, top = 40, gap = 90;
constexpr size_t panels_in_a_row = 3;

struct Axis {
    double least = 1, most = 10;
    /// From 0 at the least value to 1 at the greatest.
    double at(double value) const { return std::log(value / least) / std::log(most / least); }
    std::vector<double> ticks() const {
        std::vector<double> found;
        for (double power = std::pow(10, std::floor(std::log10(least))); power <= most; power *= 10) {
            for (const double step : {1.0, 2.0, 5.0}) {
                if (step * power >= least && step * power <= most) {
                    found.push_back(step * power);
                }
            }
        }
        return found;
    }
};

Axis axis_of(const std::vector<Sample> &samples, const std::function<double(const Sample &)> &value) {
    Axis axis{value(samples[0]), value(samples[0])};
    for (const Sample &sample : samples) {
        axis.least = std::min(axis.least, value(sample));
        axis.most = std::max(axis.most, value(sample));
    }
    return {axis.least / 1.1, axis.most * 1.1};
}

std::string draw_panel(const Panel &panel, double x0, double y0) {
    std::string svg = svg_text(x0, y0 - 12, SvgAnchor::Start, panel.title, "font-weight=\"bold\"");
    svg += svg_rectangle(x0, y0, side, side, "fill=\"none\" stroke=\"#888\"");
    const Axis across = axis_of(panel.samples, [](const Sample &sample) { return sample.predicted; });
    const Axis up = axis_of(panel.samples, [](const Sample &sample) { return sample.measured; });
    for (const double tick : across.ticks()) {
        const double x = x0 + side * across.at(tick);
        svg += svg_line(x, y0, x, y0 + side, "stroke=\"#ddd\"") +
               svg_text(x, y0 + side + 15, SvgAnchor::Middle, printed("%g", tick));
    }
    for (const double tick : up.ticks()) {
        const double y = y0 + side * (1 - up.at(tick));
        svg += svg_line(x0, y, x0 + side, y, "stroke=\"#ddd\"") +
               svg_text(x0 - 6, y + 4, SvgAnchor::End, printed("%g", tick));
    }
    for (const Sample &sample : panel.samples) {
        const bool is_own = &sample == &panel.samples[0];
        svg += printed("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=\"#0050c8\" fill-opacity=\".55\"%s>",
                       x0 + side * across.at(sample.predicted), y0 + side * (1 - up.at(sample.measured)),
                       is_own ? 5.0 : 3.0, is_own ? " stroke=\"#c00020\" stroke-width=\"2\"" : "") +
               "<title>" + escaped_markup(sample.label) + "</title></circle>\n";
    }
    return svg;
}

} // namespace

std::string draw(const std::vector<Panel> &panels, const std::string &caption) {
    const size_t columns = std::min(panels_in_a_row, std::max<size_t>(1, panels.size()));
    const size_t rows = (panels.size() + columns - 1) / columns;
    const double width = left + static_cast<double>(columns) * (side + gap);
    const double height = top + static_cast<double>(rows) * (side + gap) + 20;
    std::string svg;
    for (size_t i = 0; i < panels.size(); i++) {
        svg += draw_panel(panels[i], left + static_cast<double>(i % columns) * (side + gap),
                          top + static_cast<double>(i / columns) * (side + gap));
    }
    svg += svg_text(left, height - 14, SvgAnchor::Start, caption, "fill=\"#666\"");
    return svg_picture(width, height, "font-family=\"sans-serif\" font-size=\"12\" fill=\"#222\"", "white", svg);
}

} // namespace fluorite::model
