// Efficiency over the number of ranks as a picture: a line for each program, ranks by doubling from left to right.

#include "ranks/replay/replay.h"

#include "support/check.h"
#include "support/markup.h"
#include "support/printed.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace fluorite::distribute {

namespace {

constexpr double width = 640, height = 360, left = 56, top = 40, bottom = 44, right = 170;
constexpr std::array line_colours = {"#3b78b8", "#c8502a", "#2f8a46", "#7a4bb0", "#b7791f",
                                     "#00838f", "#ad1457", "#5d6d1e", "#555555", "#1a1a1a"};

std::string words_at(double x, double y, SvgAnchor anchor, const std::string &text, const char *colour = "#333") {
    return svg_text(x, y, anchor, text, printed("fill=\"%s\"", colour));
}

} // namespace

std::string draw(const std::vector<ScalingLine> &lines, const std::string &title) {
    double most_ranks = 2, most = 1;
    for (const ScalingLine &line : lines) {
        for (const ScalingRow &row : line.rows) {
            most_ranks = std::max(most_ranks, static_cast<double>(row.ranks));
            most = std::max(most, row.efficiency);
        }
    }
    most = std::ceil(most * 5 - 1e-9) / 5; // steps of 20 %
    const double right_edge = width - right, low_edge = height - bottom;
    const auto at_x = [&](double ranks) {
        return left + (right_edge - left) * std::log2(ranks) / std::log2(most_ranks);
    };
    const auto at_y = [&](double efficiency) { return low_edge - (low_edge - top) * efficiency / most; };
    std::string svg = words_at(left, 22, SvgAnchor::Start, title);
    for (int step = 0; step <= static_cast<int>(std::lround(most * 5)); step++) {
        const double y = at_y(step / 5.0);
        svg += svg_line(left, y, right_edge, y, "stroke=\"#ddd\"");
        svg += words_at(left - 6, y + 4, SvgAnchor::End, printed("%d %%", step * 20));
    }
    for (double ranks = 1; ranks <= most_ranks; ranks *= 4) {
        svg += words_at(at_x(ranks), low_edge + 18, SvgAnchor::Middle, printed("%.0f", ranks));
    }
    svg += words_at((left + right_edge) / 2, height - 8, SvgAnchor::Middle, "ranks");
    // Names beside the ends of lines, from the highest end down, so far apart that they can be read.
    std::vector<size_t> order;
    for (size_t i = 0; i < lines.size(); i++) {
        if (!lines[i].rows.empty()) {
            order.push_back(i);
        }
    }
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
        return lines[a].rows.back().efficiency > lines[b].rows.back().efficiency;
    });
    double free = top;
    for (const size_t i : order) {
        const char *colour = line_colours[i % line_colours.size()];
        std::string points;
        for (const ScalingRow &row : lines[i].rows) {
            points += printed("%.1f,%.1f ", at_x(static_cast<double>(row.ranks)), at_y(row.efficiency));
        }
        svg +=
            printed("<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" points=\"", colour) + points + "\"/>\n";
        const ScalingRow &last = lines[i].rows.back();
        const double y = std::max(free, at_y(last.efficiency) + 4);
        free = y + 14;
        svg += words_at(right_edge + 8, y, SvgAnchor::Start, lines[i].name + printed(" %.1f %%", 100 * last.efficiency),
                        colour);
    }
    return svg_picture(width, height, "font-family=\"sans-serif\" font-size=\"12\"", "white", svg);
}

} // namespace fluorite::distribute
