#include "heat_map.h"

#include "support/markup.h"
#include "support/printed.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace fluorite::view {

namespace {

constexpr double cell_width = 46, cell_height = 26, left = 74, top = 62;

struct Colour {
    double red, green, blue;
};

/// From slow (0), dark, to fast (1), light: lightness rises steadily, so that the map can be read without colours, too.
Colour colour_of(double speed) {
    constexpr std::array<Colour, 5> stops = {
        {{38, 16, 74}, {100, 32, 110}, {188, 55, 84}, {244, 136, 40}, {252, 238, 150}}};
    const double at = std::clamp(speed, 0.0, 1.0) * (stops.size() - 1);
    const auto k = std::min(static_cast<size_t>(at), stops.size() - 2);
    const double part = at - static_cast<double>(k);
    const auto mix = [&](double a, double b) { return a + (b - a) * part; };
    return {mix(stops[k].red, stops[k + 1].red), mix(stops[k].green, stops[k + 1].green),
            mix(stops[k].blue, stops[k + 1].blue)};
}

std::string fill(double speed) {
    const Colour colour = colour_of(speed);
    return printed("fill=\"rgb(%.0f,%.0f,%.0f)\"", colour.red, colour.green, colour.blue);
}

/// The position of a value in a list.
std::optional<size_t> index_of(const std::vector<int> &values, const std::optional<int> &value) {
    const auto found = value ? std::find(values.begin(), values.end(), *value) : values.end();
    return found == values.end() ? std::nullopt : std::optional(static_cast<size_t>(found - values.begin()));
}

std::string ratio_text(const TileMap &map, const Beside &beside) {
    const double best = map.seconds[map.best()];
    return printed("%.2f ms, %.1f GB/s, %.2f of the best tile's speed", beside.seconds * 1e3,
                   map.gigabytes / beside.seconds, best / beside.seconds);
}

std::string best_text(const TileMap &map) {
    const size_t best = map.best(), i = best % map.xs.size(), j = best / map.xs.size();
    return printed("best tile: %d x %d, %.2f ms, %.1f GB/s", map.xs[i], map.ys[j], map.seconds[best] * 1e3,
                   map.gigabytes / map.seconds[best]);
}

} // namespace

size_t TileMap::best() const {
    return static_cast<size_t>(std::min_element(seconds.begin(), seconds.end()) - seconds.begin());
}

std::string draw(const TileMap &map) {
    const auto columns = static_cast<double>(map.xs.size()), rows = static_cast<double>(map.ys.size());
    const double right = left + columns * cell_width, low = top + rows * cell_height;
    const double line = 18, width = std::max(right + 140, 640.0);
    const double height = low + 56 + line * static_cast<double>(1 + map.beside.size() + map.notes.size());
    const double least = map.seconds[map.best()], most = *std::max_element(map.seconds.begin(), map.seconds.end());
    const double slow = 1 / most, fast = 1 / least;
    const auto level = [&](double seconds) { return fast > slow ? (1 / seconds - slow) / (fast - slow) : 1; };
    std::string svg = svg_text(left, 22, SvgAnchor::Start, map.title, "font-size=\"14\" font-weight=\"bold\"") +
                      svg_text((left + right) / 2, 42, SvgAnchor::Middle, "width of a tile (x)");
    svg += printed("<text transform=\"translate(20 %.1f) rotate(-90)\" text-anchor=\"middle\">height of a tile "
                   "(y)</text>\n",
                   (top + low) / 2);
    for (size_t i = 0; i < map.xs.size(); i++) {
        svg += svg_text(left + (static_cast<double>(i) + .5) * cell_width, top - 6, SvgAnchor::Middle,
                        std::to_string(map.xs[i]));
    }
    for (size_t j = 0; j < map.ys.size(); j++) {
        const double y = top + static_cast<double>(j) * cell_height;
        svg += svg_text(left - 8, y + cell_height / 2 + 4, SvgAnchor::End, std::to_string(map.ys[j]));
        for (size_t i = 0; i < map.xs.size(); i++) {
            const double x = left + static_cast<double>(i) * cell_width, seconds = map.at(i, j);
            svg +=
                "<g><title>" +
                printed("%d x %d: %.3f ms, %.1f GB/s", map.xs[i], map.ys[j], seconds * 1e3, map.gigabytes / seconds) +
                "</title>" + svg_rectangle(x, y, cell_width, cell_height, fill(level(seconds)) + " stroke=\"white\"");
            svg += svg_text(x + cell_width / 2, y + cell_height / 2 + 4, SvgAnchor::Middle,
                            printed("%.1f", map.gigabytes / seconds),
                            level(seconds) > .6 ? "font-size=\"11\"" : "font-size=\"11\" fill=\"white\"") +
                   "</g>\n";
        }
    }
    const auto frame = [&](size_t i, size_t j, double inwards, const char *look) {
        svg += svg_rectangle(left + static_cast<double>(i) * cell_width + inwards,
                             top + static_cast<double>(j) * cell_height + inwards, cell_width - 2 * inwards,
                             cell_height - 2 * inwards, std::string("fill=\"none\" ") + look);
    };
    const size_t best = map.best();
    frame(best % map.xs.size(), best / map.xs.size(), 0, "stroke=\"#0050c8\" stroke-width=\"3\"");
    // The scale.
    for (int k = 0; k < 50; k++) {
        svg += svg_rectangle(right + 24, low - (k + 1) * (low - top) / 50, 16, (low - top) / 50 + .5, fill(k / 49.0));
    }
    svg += svg_text(right + 46, top + 10, SvgAnchor::Start, printed("%.1f GB/s", map.gigabytes / least)) +
           svg_text(right + 46, low, SvgAnchor::Start, printed("%.1f GB/s", map.gigabytes / most));
    double y = low + 28;
    svg += svg_rectangle(left, y - 11, 14, 12, "fill=\"none\" stroke=\"#0050c8\" stroke-width=\"3\"") +
           svg_text(left + 22, y, SvgAnchor::Start, best_text(map));
    for (const Beside &beside : map.beside) {
        y += line;
        const auto i = index_of(map.xs, beside.x), j = index_of(map.ys, beside.y);
        if (i && j) {
            const char *look = "stroke=\"#0a7a2f\" stroke-width=\"2\" stroke-dasharray=\"4 2\"";
            frame(*i, *j, 3, look);
            svg += svg_rectangle(left, y - 11, 14, 12, std::string("fill=\"none\" ") + look);
        }
        svg += svg_text(left + 22, y, SvgAnchor::Start, beside.name + ": " + ratio_text(map, beside));
    }
    for (const std::string &note : map.notes) {
        y += line;
        svg += svg_text(left + 22, y, SvgAnchor::Start, note, "fill=\"#666\"");
    }
    return svg_picture(width, height, "font-family=\"sans-serif\" font-size=\"12\" fill=\"#222\"", "white", svg);
}

std::string table(const TileMap &map) {
    std::string text = map.title + "\nGB/s by width (across) and height (down) of a tile\n" + printed("%8s", "");
    for (const int x : map.xs) {
        text += printed("%8d", x);
    }
    text += "\n";
    for (size_t j = 0; j < map.ys.size(); j++) {
        text += printed("%8d", map.ys[j]);
        for (size_t i = 0; i < map.xs.size(); i++) {
            text += printed("%8.1f", map.gigabytes / map.at(i, j));
        }
        text += "\n";
    }
    text += best_text(map) + "\n";
    for (const Beside &beside : map.beside) {
        text += beside.name + ": " + ratio_text(map, beside) + "\n";
    }
    for (const std::string &note : map.notes) {
        text += note + "\n";
    }
    return text;
}

} // namespace fluorite::view
