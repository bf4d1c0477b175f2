// Stages that a run does not need are skipped: the conditions under which they are, and that values, effects and events
// do not change.
#include "driver/compiled.h"
#include "fluorite/fluorite.h"
#include "ir/print.h"
#include "language/pipeline_contents.h"

#include <functional>
#include <gtest/gtest.h>
#include <sstream>
#include <string>

namespace fluorite::skip_stages_test {
namespace {

class SkipStages : public testing::Test {
  protected:
    Var x{"x"}, y{"y"}, yo{"yo"}, yi{"yi"};
    Param<int> p{"p", 1};
    Func g{"g"}, h{"h"}, f{"f"};

    // The branches around the statement that produces the Func, outermost first, as one text.
    std::string branches_around(const std::string &func) {
        std::ostringstream text;
        text << ir::with_tasks_in_place(
            driver::lower_for(*Pipeline(f).contents(), get_jit_target_from_environment(), "f"));
        std::string found, line;
        std::vector<std::pair<size_t, std::string>> open;
        for (std::istringstream lines(text.str()); std::getline(lines, line);) {
            const size_t depth = line.find_first_not_of(' ');
            while (!open.empty() && open.back().first >= depth) {
                open.pop_back();
            }
            if (line.find("produce " + func) != std::string::npos) {
                for (const auto &branch : open) {
                    found += (found.empty() ? "" : ", ") + branch.second;
                }
                return found;
            }
            if (depth != std::string::npos && line.compare(depth, 3, "if ") == 0) {
                open.emplace_back(depth, line.substr(depth + 3, line.find(" {") - depth - 3));
            }
        }
        return "no such line in " + text.str();
    }

    void expect_values(const std::function<int(int, int)> &expected, int width = 21, int height = 17) {
        const Buffer<int> seen = f.realize({width, height});
        int wrong = 0;
        seen.for_each_element([&](int i, int j) { wrong += seen(i, j) != expected(i, j); });
        EXPECT_EQ(wrong, 0);
    }
};

TEST_F(SkipStages, OfTheBranchThatIsNotTaken) {
    g(x, y) = x * 3 + y;
    h(x, y) = g(x, y) - g(x + 1, y);
    f(x, y) = select(p > 0, g(x, y) * 2, 5) + select(p > 10, h(x, y), 1);
    g.compute_root();
    h.compute_root();
    EXPECT_NE(branches_around("h").find("11 <= p"), std::string::npos) << branches_around("h");
    EXPECT_NE(branches_around("g").find("1 <= p"), std::string::npos) << branches_around("g");
    for (int value : {-3, 0, 1, 11}) {
        p.set(value);
        expect_values([&](int i, int j) { return (value > 0 ? (i * 3 + j) * 2 : 5) + (value > 10 ? -3 : 1); });
    }
}

TEST_F(SkipStages, InIterationsThatDoNotReadIt) {
    g(x, y) = x * 3 + y;
    f(x, y) = select(y < 5, g(x, y), x);
    g.compute_at(f, y);
    f.vectorize(x, 4);
    EXPECT_NE(branches_around("g").find("< 5"), std::string::npos) << branches_around("g");
    expect_values([](int i, int j) { return j < 5 ? i * 3 + j : i; });
    // Later iterations rely on values that a window keeps.
    g.store_root();
    EXPECT_EQ(branches_around("g").find("< 5"), std::string::npos) << branches_around("g");
    expect_values([](int i, int j) { return j < 5 ? i * 3 + j : i; });
    // The iterations of one tile do not agree on the condition.
    f.split(y, yo, yi, 4);
    g.store_at(f, yo).compute_at(f, yo);
    EXPECT_EQ(branches_around("g").find("< 5"), std::string::npos) << branches_around("g");
    expect_values([](int i, int j) { return j < 5 ? i * 3 + j : i; });
}

TEST_F(SkipStages, OfUpdatesUnderTheirPredicate) {
    RDom r(0, 4, "r");
    r.where(p > 2);
    g(x, y) = x - y;
    f(x, y) = 1;
    f(x, y) += g(x + r, y);
    g.compute_root();
    EXPECT_NE(branches_around("g").find("3 <= p"), std::string::npos) << branches_around("g");
    for (int value : {2, 3}) {
        p.set(value);
        expect_values([&](int i, int j) { return value > 2 ? 1 + 4 * (i - j) + 6 : 1; });
    }
}

TEST_F(SkipStages, NotOfWhatHasEffects) {
    g(x, y) = require(p < 100, x + y, "p is large");
    h(x, y) = x * y;
    h.trace_stores();
    f(x, y) = select(p > 0, g(x, y), 0);
    g.compute_root();
    EXPECT_EQ(branches_around("g").find("1 <= p"), std::string::npos) << branches_around("g");
    p.set(0);
    expect_values([](int, int) { return 0; });
    Func traced("traced");
    traced(x, y) = select(p > 0, h(x, y), 0);
    h.compute_root();
    f = traced;
    EXPECT_EQ(branches_around("h").find("1 <= p"), std::string::npos) << branches_around("h");
}

} // namespace
} // namespace fluorite::skip_stages_test
