// Scatter plots as SVG.
//
// Axes end at the least and the greatest value of a panel, and have a line at each 1, 2 and 5 times a power of ten.
#include "scatter.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <functional>

namespace fluorite::model {

namespace {

constexpr double side = 260, left = 64, top = 40, gap = 90;
constexpr size_t panels_in_a_row = 3;

template <typename... Values> std::string printed(const char *pattern, const Values &...values) {
    std::array<char, 400> buffer{};
    std::snprintf(buffer.data(), buffer.size(), pattern, values...);
    return buffer.data();
}

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

std::string words_at(double x, double y, const char *anchor, const std::string &text, const char *more = "") {
    return printed("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" %s>", x, y, anchor, more) + text + "</text>\n";
}

std::string draw_panel(const Panel &panel, double x0, double y0) {
    std::string svg = words_at(x0, y0 - 12, "start", panel.title, "font-weight=\"bold\"");
    svg += printed("<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"none\" stroke=\"#888\"/>\n", x0,
                   y0, side, side);
    const Axis across = axis_of(panel.samples, [](const Sample &sample) { return sample.predicted; });
    const Axis up = axis_of(panel.samples, [](const Sample &sample) { return sample.measured; });
    for (const double tick : across.ticks()) {
        const double x = x0 + side * across.at(tick);
        svg += printed("<path d=\"M%.1f %.1fv%.1f\" stroke=\"#ddd\"/>\n", x, y0, side) +
               words_at(x, y0 + side + 15, "middle", printed("%g", tick));
    }
    for (const double tick : up.ticks()) {
        const double y = y0 + side * (1 - up.at(tick));
        svg += printed("<path d=\"M%.1f %.1fh%.1f\" stroke=\"#ddd\"/>\n", x0, y, side) +
               words_at(x0 - 6, y + 4, "end", printed("%g", tick));
    }
    for (const Sample &sample : panel.samples) {
        const bool is_own = &sample == &panel.samples[0];
        svg += printed("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=\"#0050c8\" fill-opacity=\".55\"%s>",
                       x0 + side * across.at(sample.predicted), y0 + side * (1 - up.at(sample.measured)),
                       is_own ? 5.0 : 3.0, is_own ? " stroke=\"#c00020\" stroke-width=\"2\"" : "") +
               "<title>" + sample.label + "</title></circle>\n";
    }
    return svg;
}

} // namespace

std::string draw(const std::vector<Panel> &panels, const std::string &caption) {
    const size_t columns = std::min(panels_in_a_row, std::max<size_t>(1, panels.size()));
    const size_t rows = (panels.size() + columns - 1) / columns;
    const double width = left + static_cast<double>(columns) * (side + gap);
    const double height = top + static_cast<double>(rows) * (side + gap) + 20;
    std::string svg = printed("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
                              "font-family=\"sans-serif\" font-size=\"12\" fill=\"#222\">\n"
                              "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
                              width, height);
    for (size_t i = 0; i < panels.size(); i++) {
        svg += draw_panel(panels[i], left + static_cast<double>(i % columns) * (side + gap),
                          top + static_cast<double>(i / columns) * (side + gap));
    }
    return svg + words_at(left, height - 14, "start", caption, "fill=\"#666\"") + "</svg>\n";
}

} // namespace fluorite::model
