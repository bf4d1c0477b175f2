// Runs fluorite_view as a user does: exit codes, messages, the map. The program is two folders above the one that ctest
// passes to this test.
#include "support/test_process.h"
#include "support/test_text.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <string>

namespace view_test {

namespace {

namespace fs = std::filesystem;

using Outcome = fluorite::ProcessOutcome;

Outcome view(const std::string &arguments) { return fluorite::run_process("../../fluorite_view " + arguments); }

class View : public testing::Test {
  protected:
    void SetUp() override {
        ASSERT_TRUE(fs::exists("../../fluorite_view"))
            << "build the target fluorite_view, and start this in a folder two "
               "below it, as ctest does";
    }
};

TEST_F(View, DrawsACellForEachTile) {
    fs::remove("tiles.svg");
    const Outcome seen = view("--tiles --points 13 --size 130x90 --x 8:40:16 --y 7,20 --rounds 2 --output tiles.svg");
    EXPECT_EQ(seen.code, 0) << seen.text;
    EXPECT_EQ(seen.text.find("mean of 13 points over 130 x 90 floats, in tiles\n"), 0U) << seen.text;
    for (const char *part : {"       8      24      40\n", "\n       7 ", "\n      20 ",
                             "best tile: ", "the model's schedule", "whole rows, not tiled: "}) {
        EXPECT_NE(seen.text.find(part), std::string::npos) << part << " in " << seen.text;
    }
    std::ifstream file("tiles.svg");
    const std::string svg{std::istreambuf_iterator<char>(file), {}};
    EXPECT_EQ(svg.find("<svg xmlns=\"http://www.w3.org/2000/svg\""), 0U);
    EXPECT_EQ(fluorite::count(svg, "<g><title>"), 6U);
    EXPECT_EQ(fluorite::count(svg, "<text"), fluorite::count(svg, "</text>"));
    EXPECT_GE(fluorite::count(svg, "stroke=\"#0050c8\""), 2U) << "the best tile has a frame, which the legend explains";
    EXPECT_EQ(svg.substr(svg.size() - 7), "</svg>\n");
    EXPECT_EQ(fluorite::count(svg, "href"), 0U) << "the picture needs no other file";
}

TEST_F(View, RefusesWhatItCannotDo) {
    const auto refused = [](const std::string &arguments, const std::string &text) {
        const Outcome seen = view(arguments);
        EXPECT_EQ(seen.code, 2) << arguments;
        EXPECT_EQ(seen.text, "fluorite_view: " + text + "\n");
    };
    refused("--points 5", "there is one view, --tiles");
    refused("--tiles --points 7", "--points is 7; it is 5, 9, 13 or 25");
    refused("--tiles --size 100", "--size is '100'; it is WIDTHxHEIGHT");
    refused("--tiles --x 0:10:2", "--x is '0'; it is a whole number from 1 to 1000000; give one");
    refused("--tiles --y 1:100:1", "--y has 100 values; a map has 1 to 64 of them to each side");
    refused("--tiles --rounds", "--rounds is given no value; it takes one, as in `--rounds 5`; add it");
    refused("--tiles --depth 3", "'--depth' is not known; --help lists the options; use one of them");
    const Outcome unwritten = view("--tiles --size 40x40 --x 8 --y 8 --rounds 1 --output nowhere/tiles.svg");
    EXPECT_EQ(unwritten.code, 2);
    EXPECT_NE(
        unwritten.text.find("fluorite_view: nowhere/tiles.svg cannot be written; name a file in a folder that there "
                            "is\n"),
        std::string::npos)
        << unwritten.text;
}

TEST_F(View, TellsHowItIsUsed) {
    EXPECT_EQ(view("").code, 2);
    const Outcome help = view("--help");
    EXPECT_EQ(help.code, 0);
    for (const char *option : {"--points", "--size", "--x", "--y", "--rounds", "--threads", "--output"}) {
        EXPECT_NE(help.text.find(option), std::string::npos) << option;
    }
}

} // namespace

} // namespace view_test
