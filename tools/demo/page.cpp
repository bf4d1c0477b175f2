// The HTML page: one file, without scripts except a few lines for the slider, with pictures at reduced size as data
// URIs.

#include "report.h"

#include "fluorite/image_io.h"
#include "support/markup.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

namespace fluorite::demo {
namespace {

constexpr const char *style = R"(
:root { color-scheme: light dark; --line: #8884; --soft: #8882; --accent: #2f7d6b; --bad: #c0392b; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 0 auto; padding: 2rem 1.25rem 4rem; }
h1 { font-size: 1.9rem; margin: 0 0 .25rem; } h2 { margin: 3rem 0 .25rem; font-size: 1.35rem; }
p { max-width: 46rem; margin: .4rem 0 1rem; } .quiet { opacity: .75; font-size: .9rem; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: .35rem .75rem .35rem 0; border-bottom: 1px solid var(--line); white-space: nowrap; }
.n { text-align: right; } tr.first td { border-bottom-color: transparent; } .bad { color: var(--bad); font-weight: 600; }
.bar { display: inline-block; height: .6rem; background: var(--accent); border-radius: 2px; vertical-align: baseline; }
.compare { position: relative; line-height: 0; border: 1px solid var(--line); border-radius: 4px; overflow: hidden; }
.compare img { width: 100%; display: block; } .compare .after { position: absolute; inset: 0; clip-path: inset(0 0 0 var(--cut, 50%)); }
.compare::after { content: ""; position: absolute; top: 0; bottom: 0; left: var(--cut, 50%); width: 2px; margin-left: -1px; background: #fff; box-shadow: 0 0 3px #000; }
.compare input { position: absolute; inset: 0; width: 100%; height: 100%; margin: 0; opacity: 0; cursor: ew-resize; }
.compare b { position: absolute; bottom: .6rem; padding: .1rem .5rem; font: 13px/1.5 system-ui, sans-serif; background: #000a; color: #fff; border-radius: 3px; pointer-events: none; }
.details { display: flex; gap: 1rem; flex-wrap: wrap; margin: 1rem 0; } figure { margin: 0; flex: 1 1 20rem; }
.details img { width: 100%; display: block; border: 1px solid var(--line); border-radius: 4px; image-rendering: pixelated; }
figcaption { font-size: .9rem; opacity: .75; } details { margin: .5rem 0; } summary { cursor: pointer; }
pre { background: var(--soft); padding: .75rem 1rem; border-radius: 4px; overflow-x: auto; font-size: .85rem; }
a { color: var(--accent); }
)";

std::string base64(const std::string &bytes) {
    constexpr const char *digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string result;
    for (size_t i = 0; i < bytes.size(); i += 3) {
        uint32_t group = 0;
        for (size_t k = 0; k < 3; k++) {
            group = group << 8 | (i + k < bytes.size() ? static_cast<uint8_t>(bytes[i + k]) : 0u);
        }
        for (size_t k = 0; k < 4; k++) {
            result += i + k <= bytes.size() ? digits[group >> (18 - 6 * k) & 63] : '=';
        }
    }
    return result;
}

/// The picture as a data URI, in the format of the extension.
std::string data_uri(const Picture &picture, const std::string &extension) {
    const auto path = std::filesystem::temp_directory_path() /
                      ("fluorite-demo-" + std::to_string(std::random_device()()) + "." + extension);
    SaveOptions options;
    options.jpeg_quality = 88;
    save_image(picture, path.string(), options);
    std::ifstream file(path, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    std::filesystem::remove(path);
    return "data:image/" + std::string(extension == "jpg" ? "jpeg" : extension) + ";base64," + base64(bytes);
}

/// The mean of factor x factor pixels; incomplete blocks at the right and lower edge are omitted.
Picture reduced(const Picture &picture, int factor) {
    Picture result(picture.width() / factor, picture.height() / factor, picture.channels());
    result.for_each_element([&](int x, int y, int c) {
        int sum = factor * factor / 2;
        for (int dy = 0; dy < factor; dy++) {
            for (int dx = 0; dx < factor; dx++) {
                sum += picture(x * factor + dx, y * factor + dy, c);
            }
        }
        result(x, y, c) = static_cast<uint8_t>(sum / (factor * factor));
    });
    return result;
}

/// A piece right of and below the middle, which shows part of the house in the landscape.
Picture detail_of(const Picture &picture) {
    const int width = std::min(360, picture.width()), height = std::min(240, picture.height());
    const int left = std::min(picture.width() * 61 / 100, picture.width() - width);
    const int top = std::min(picture.height() * 62 / 100, picture.height() - height);
    return Picture(picture.cropped({{left, width}, {top, height}, {0, picture.channels()}})).copy();
}

int reduction_for(const Picture &picture) { return std::max(1, (picture.width() + 1151) / 1152); }

std::string table_row(const Report &report, const Result &result, Schedule schedule, double fastest) {
    const Measurement &m = result.of(schedule);
    const bool is_default = schedule == Schedule::Default;
    const double rate = report.megapixels() / m.run_seconds;
    char bar[96];
    std::snprintf(bar, sizeof bar, "<span class=bar style=\"width:%.2frem\"></span>",
                  std::max(0.05, 12 * rate / fastest));
    const std::string verdict =
        m.different == 0 ? "yes" : "<span class=bad>no, " + std::to_string(m.different) + " differ</span>";
    return std::string("<tr") + (is_default ? " class=first" : "") + "><td>" +
           (is_default ? "<a href=\"#" + result.example->file + "\">" + escaped_markup(result.example->title) + "</a>"
                       : "") +
           "<td>" + name_of(schedule) + "<td class=n>" + three_digits(m.compile_seconds * 1e3) + "<td class=n>" +
           three_digits(m.run_seconds * 1e3) + "<td class=n>" + three_digits(rate) + "<td>" + bar + "<td class=n>" +
           (is_default ? "1" : three_digits(result.speed_up(schedule))) + "<td>" + verdict + "\n";
}

std::string table(const Report &report) {
    double fastest = 0;
    for (const Result &result : report.results) {
        for (const Measurement &measurement : result.schedules) {
            fastest = std::max(fastest, report.megapixels() / measurement.run_seconds);
        }
    }
    std::string text = "<div class=scroll><table><tr><th>pipeline<th>schedule<th class=n>compile ms<th class=n>run ms"
                       "<th class=n>MP/s<th><th class=n>speed-up<th>equal to the interpreter\n";
    for (const Result &result : report.results) {
        for (const Schedule schedule : all_schedules) {
            text += table_row(report, result, schedule, fastest);
        }
    }
    return text + "</table></div>\n";
}

std::string compare(const std::string &before, const std::string &after, const std::string &title) {
    return "<div class=compare><img alt=\"before\" src=\"" + before + "\"><img class=after alt=\"after: " + title +
           "\" src=\"" + after +
           "\"><b style=\"left:.6rem\">before</b><b style=\"right:.6rem\">after</b>"
           "<input type=range min=0 max=100 step=0.1 value=50 aria-label=\"before and after\" "
           "oninput=\"this.parentNode.style.setProperty('--cut', this.value + '%')\"></div>\n";
}

std::string loop_nest(const Measurement &measurement, const std::string &name) {
    return "<details><summary>Loops of the " + name + " schedule</summary><pre>" +
           escaped_markup(measurement.loop_nest) + "</pre></details>\n";
}

std::string section(const Report &report, const Result &result, const std::string &before,
                    const std::string &before_detail) {
    const Example &example = *result.example;
    const std::string title = escaped_markup(example.title);
    std::string text = "<h2 id=\"" + example.file + "\">" + title + "</h2>\n<p>" + escaped_markup(example.about) +
                       "<br><span class=quiet>The good schedule: " + escaped_markup(example.good) + ".</span></p>\n";
    text += compare(before, data_uri(reduced(result.output(), reduction_for(report.input)), "jpg"), title);
    text +=
        "<div class=details><figure><img alt=\"detail before\" src=\"" + before_detail +
        "\"><figcaption>before, a piece pixel by pixel</figcaption></figure><figure><img alt=\"detail after\" src=\"" +
        data_uri(detail_of(result.output()), "png") + "\"><figcaption>after; <a href=\"" + example.file +
        ".png\">the whole picture at full size</a></figcaption></figure></div>\n";
    for (const Schedule schedule : all_schedules) {
        text += loop_nest(result.of(schedule), name_of(schedule));
    }
    return text;
}

} // namespace

std::string html_page(const Report &report) {
    char facts[160];
    std::snprintf(facts, sizeof facts, "%d x %d pixels (%s megapixels), %d channel%s", report.input.width(),
                  report.input.height(), three_digits(report.megapixels()).c_str(), report.input.channels(),
                  report.input.channels() == 1 ? "" : "s");
    std::string page =
        "<!doctype html>\n<html lang=en><meta charset=utf-8><title>Fluorite demo</title>\n"
        "<meta name=viewport content=\"width=device-width, initial-scale=1\"><style>" +
        std::string(style) +
        "</style>\n<h1>Fluorite demo</h1>\n<p>Each pipeline is one algorithm that runs "
        "under three schedules: what a program without directives gets, a good one, and one that the library finds. "
        "Schedules change the time, never the bits: all are compared with each other everywhere, and with the "
        "interpreter on "
        "pieces at the corners and in the middle.</p>\n<p class=quiet>Input: " +
        escaped_markup(report.source) + ", " + facts + ", <a href=\"input.png\">at full size</a>. Compiled for " +
        escaped_markup(report.machine) + ". Times are the fastest of several runs.</p>\n";
    page += table(report);
    const std::string before = data_uri(reduced(report.input, reduction_for(report.input)), "jpg");
    const std::string before_detail = data_uri(detail_of(report.input), "png");
    for (const Result &result : report.results) {
        page += section(report, result, before, before_detail);
    }
    return page + "</html>\n";
}

} // namespace fluorite::demo
