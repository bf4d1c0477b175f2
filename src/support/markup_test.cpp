#include "support/markup.h"

#include <gtest/gtest.h>

namespace fluorite::markup_test {
namespace {

TEST(Markup, WhatHasAMeaningIsEscaped) {
    EXPECT_EQ(escaped_markup("a < b && c > \"d\""), "a &lt; b &amp;&amp; c &gt; &quot;d&quot;");
    EXPECT_EQ(escaped_markup("&lt;"), "&amp;lt;");
    EXPECT_EQ(escaped_markup(""), "");
}

TEST(Markup, Shapes) {
    EXPECT_EQ(svg_rectangle(1, 2.25, 30, 4, "fill=\"none\""),
              "<rect x=\"1.0\" y=\"2.2\" width=\"30.0\" height=\"4.0\" fill=\"none\"/>\n");
    EXPECT_EQ(svg_line(0, 1, 2, 3, ""), "<line x1=\"0.0\" y1=\"1.0\" x2=\"2.0\" y2=\"3.0\"/>\n");
    EXPECT_EQ(svg_text(5, 6, SvgAnchor::End, "a<b", "fill=\"#333\""),
              "<text x=\"5.0\" y=\"6.0\" text-anchor=\"end\" fill=\"#333\">a&lt;b</text>\n");
    EXPECT_EQ(svg_picture(40, 20.4, "font-size=\"12\"", "white", svg_line(0, 0, 1, 1, "stroke=\"red\"")),
              "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"40\" height=\"20\" viewBox=\"0 0 40 20\" "
              "font-size=\"12\">\n"
              "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
              "<line x1=\"0.0\" y1=\"0.0\" x2=\"1.0\" y2=\"1.0\" stroke=\"red\"/>\n"
              "</svg>\n");
}

TEST(Markup, LongTextsAreWhole) {
    const std::string text(2000, 'x');
    EXPECT_NE(svg_text(0, 0, SvgAnchor::Start, text).find(text), std::string::npos);
}

} // namespace
} // namespace fluorite::markup_test
