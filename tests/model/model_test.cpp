// Rank correlations, and fluorite_model as a user runs it: exit codes, the table, the picture. The program is two
// folders above the one that ctest passes to this test.
#include "tools/model/rank_correlation.h"

#include "support/test_process.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <string>
#include <vector>

namespace model_test {

namespace {

namespace fs = std::filesystem;
using fluorite::model::rank_correlation;
using fluorite::model::Sample;

using Outcome = fluorite::ProcessOutcome;

Outcome model(const std::string &arguments) { return fluorite::run_process("../../fluorite_model " + arguments); }

size_t count(const std::string &text, const std::string &part) {
    size_t found = 0;
    for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
        found++;
    }
    return found;
}

std::vector<Sample> samples(const std::vector<double> &predicted, const std::vector<double> &measured) {
    std::vector<Sample> all;
    for (size_t i = 0; i < predicted.size(); i++) {
        all.push_back({predicted[i], measured[i], ""});
    }
    return all;
}

TEST(RankCorrelation, IsThatOfRanks) {
    EXPECT_DOUBLE_EQ(rank_correlation(samples({1, 2, 30, 4}, {1, 4, 900, 16})), 1);
    EXPECT_DOUBLE_EQ(rank_correlation(samples({1, 2, 3}, {3, 2, 1})), -1);
    // Differences of the ranks: 1, 1, 1, 1, 0; 1 - 6 * 4 / (5 * 24).
    EXPECT_DOUBLE_EQ(rank_correlation(samples({1, 2, 3, 4, 5}, {2, 1, 4, 3, 5})), 0.8);
    // The middle two share the rank 1.5.
    EXPECT_NEAR(rank_correlation(samples({1, 2, 2, 3}, {1, 2, 3, 4})), 0.9486832980505138, 1e-12);
    EXPECT_EQ(rank_correlation(samples({1, 1}, {1, 2})), 0);
    EXPECT_EQ(rank_correlation({}), 0);
}

class Model : public testing::Test {
  protected:
    void SetUp() override {
        ASSERT_TRUE(fs::exists("../../fluorite_model"))
            << "build the target fluorite_model, and start this in a folder two below it, as ctest does";
    }
};

TEST_F(Model, DrawsAPointForEachGrouping) {
    fs::remove("model.svg");
    const Outcome seen = model("--app harris,blur --count 3 --shrink 32 --rounds 1 --print --svg model.svg");
    EXPECT_EQ(seen.code, 0) << seen.text;
    EXPECT_EQ(seen.text.find("DIFFERS"), std::string::npos) << seen.text;
    EXPECT_NE(seen.text.find("\n| harris | 3 | "), std::string::npos) << seen.text;
    EXPECT_NE(seen.text.find("\n| blur | 2 | "), std::string::npos) << "two stages have two groupings\n" << seen.text;
    EXPECT_EQ(count(seen.text, "\ngroup of across: alone\n"), 1U) << seen.text;
    std::ifstream file("model.svg");
    const std::string svg{std::istreambuf_iterator<char>(file), {}};
    EXPECT_EQ(svg.find("<svg xmlns=\"http://www.w3.org/2000/svg\""), 0U);
    EXPECT_EQ(count(svg, "<circle"), 5U);
    EXPECT_EQ(count(svg, "stroke=\"#c00020\""), 2U) << "a ring for what the search finds";
    EXPECT_EQ(count(svg, "<text"), count(svg, "</text>"));
    EXPECT_EQ(count(svg, "nan") + count(svg, "inf"), 0U);
    EXPECT_EQ(count(svg, "href"), 0U) << "the picture needs no other file";
}

TEST_F(Model, RefusesWhatItCannotDo) {
    const auto refused = [](const std::string &arguments, const std::string &text) {
        const Outcome seen = model(arguments);
        EXPECT_EQ(seen.code, 2) << arguments;
        EXPECT_EQ(seen.text, "fluorite_model: " + text + "\n");
    };
    refused("--app blurr", "blurr: no such application; benchmarks/auto_cases.h has their names");
    refused("--count 0", "--count is '0'; it is a whole number from 1 to 1000000; give one");
    refused("--count many", "--count is 'many'; it is a whole number from 1 to 1000000; give one");
    refused("--count", "--count is given no value; it takes one, as in `--count 40`; add it");
    refused("--fast", "'--fast' is not known; --help lists the options; use one of them");
}

} // namespace

} // namespace model_test
