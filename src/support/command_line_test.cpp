#include "support/command_line.h"

#include <gtest/gtest.h>

namespace fluorite::command_line_test {
namespace {

struct Options {
    bool loud = false;
    int count = 7;
    std::string file, phase = "none";
    std::vector<std::string> operands;
    std::vector<CommandOption> rows() {
        return {flag("--loud", "says more", loud), number_option("--count", "3", "of all", count, 1, 20),
                text_option("--file", "FILE", "where it goes;\nto the standard output without it", file),
                text_option("--verify", "[PHASE]", "in a phase", phase)};
    }
};

Options parsed(const std::vector<std::string> &words) {
    Options options;
    parse_command_line(words, options.rows(), [&](const std::string &word) { options.operands.push_back(word); });
    return options;
}

std::string refused(const std::vector<std::string> &words) {
    try {
        parsed(words);
    } catch (const BadCommandLine &error) {
        return error.what();
    }
    return "accepted";
}

TEST(CommandLine, OptionsAndOperands) {
    const Options options = parsed({"a", "--count", "12", "--loud", "--file=b=c", "-", "--verify", "d"});
    EXPECT_TRUE(options.loud);
    EXPECT_EQ(options.count, 12);
    EXPECT_EQ(options.file, "b=c");
    EXPECT_EQ(options.phase, "");
    EXPECT_EQ(options.operands, (std::vector<std::string>{"a", "-", "d"}));
    EXPECT_EQ(parsed({"--verify=flat"}).phase, "flat");
    EXPECT_EQ(parsed({"--file", "--loud"}).file, "--loud") << "a value may look like an option";
}

TEST(CommandLine, WhatCannotBeUsed) {
    EXPECT_EQ(refused({"--lout"}), "'--lout' is not known; --help lists the options; use one of them");
    EXPECT_EQ(refused({"--loud=1"}), "--loud is given a value; it has none; leave it out");
    EXPECT_EQ(refused({"--file"}), "--file is given no value; it takes one, as in `--file FILE`; add it");
    EXPECT_EQ(refused({"--count", "21"}), "--count is '21'; it is a whole number from 1 to 20; give one");
    for (const char *text : {"", "x", "1x", " 1", "1.5", "-1", "99999999999999999999"}) {
        EXPECT_NE(refused({"--count", text}), "accepted") << text;
    }
    Options options;
    EXPECT_THROW(parse_command_line({"word"}, options.rows()), BadCommandLine) << "there are no operands";
}

TEST(CommandLine, Values) {
    EXPECT_EQ(extents_in("--size", "64x48"), (std::vector<int64_t>{64, 48}));
    EXPECT_THROW(extents_in("--size", "64x"), BadCommandLine);
    EXPECT_THROW(extents_in("--size", "64x0"), BadCommandLine);
    EXPECT_EQ(decimal_number("--gap", "2.5"), 2.5);
    EXPECT_THROW(decimal_number("--gap", "inf"), BadCommandLine);
    EXPECT_EQ(split_text("a,,b", ','), (std::vector<std::string>{"a", "", "b"}));
}

TEST(CommandLine, Help) {
    Options options;
    EXPECT_EQ(options_help(options.rows()), "  --loud                says more\n"
                                            "  --count 3             of all\n"
                                            "  --file FILE           where it goes;\n"
                                            "                        to the standard output without it\n"
                                            "  --verify[=PHASE]      in a phase\n");
}

} // namespace
} // namespace fluorite::command_line_test
