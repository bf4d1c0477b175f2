#include "support/markup.h"

#include "support/printed.h"

namespace fluorite {

namespace {

std::string behind_space(const std::string &attributes) { return attributes.empty() ? "" : " " + attributes; }

} // namespace

std::string escaped_markup(std::string_view text) {
    std::string result;
    for (const char c : text) {
        switch (c) {
        case '&':
            result += "&amp;";
            break;
        case '<':
            result += "&lt;";
            break;
        case '>':
            result += "&gt;";
            break;
        case '"':
            result += "&quot;";
            break;
        default:
            result += c;
        }
    }
    return result;
}

std::string svg_picture(double width, double height, const std::string &attributes, const std::string &background,
                        const std::string &shapes) {
    return printed("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\"",
                   width, height, width, height) +
           behind_space(attributes) + ">\n<rect width=\"100%\" height=\"100%\" fill=\"" + background + "\"/>\n" +
           shapes + "</svg>\n";
}

std::string svg_rectangle(double x, double y, double width, double height, const std::string &attributes) {
    return printed("<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"", x, y, width, height) +
           behind_space(attributes) + "/>\n";
}

std::string svg_line(double x1, double y1, double x2, double y2, const std::string &attributes) {
    return printed("<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"", x1, y1, x2, y2) + behind_space(attributes) +
           "/>\n";
}

std::string svg_text(double x, double y, SvgAnchor anchor, std::string_view text, const std::string &attributes) {
    const char *where = anchor == SvgAnchor::Start ? "start" : anchor == SvgAnchor::Middle ? "middle" : "end";
    return printed("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\"", x, y, where) + behind_space(attributes) + ">" +
           escaped_markup(text) + "</text>\n";
}

} // namespace fluorite
