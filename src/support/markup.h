#pragma once
// Markup: texts in HTML and XML, and pictures in SVG from shapes. Who draws decides on the layout.

#include <string>
#include <string_view>

namespace fluorite {

/// The text as it stands in HTML, XML or SVG, between tags or in quotes: without the characters that have a meaning
/// there.
std::string escaped_markup(std::string_view text);

// ---- SVG. Coordinates have one decimal; `attributes` are further ones, as in `fill="none" stroke="#888"`.

/// A whole picture without external references. The background is a colour; `attributes` hold for all shapes.
std::string svg_picture(double width, double height, const std::string &attributes, const std::string &background,
                        const std::string &shapes);

std::string svg_rectangle(double x, double y, double width, double height, const std::string &attributes);

std::string svg_line(double x1, double y1, double x2, double y2, const std::string &attributes);

/// A line of text at the left end, in the middle, or at the right end of which the point is. The text is escaped.
enum class SvgAnchor : unsigned char { Start, Middle, End };
std::string svg_text(double x, double y, SvgAnchor anchor, std::string_view text, const std::string &attributes = "");

} // namespace fluorite
