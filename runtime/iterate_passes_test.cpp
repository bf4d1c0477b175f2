// Which passes make a number of steps, and that no pass writes what a later one still reads.

#include "runtime/iterate_passes.h"

#include <gtest/gtest.h>
#include <set>
#include <string>

namespace fluorite_runtime::iterate::iterate_passes_test {

namespace {

constexpr int64_t large = 1000; // bytes from which on fields are streamed

Tile tile(int32_t steps, bool streams = false, int32_t least_row = 0, BlockShape shape = BlockShape::None) {
    Tile made;
    made.steps = steps;
    made.streams = streams;
    made.least_row = least_row;
    made.shape = shape;
    return made;
}

Iteration iteration(std::vector<Tile> passes, bool has_before = false) {
    Iteration made;
    made.rank = made.fields = 1;
    made.has_before = has_before;
    made.streaming_bytes = large;
    made.passes = std::move(passes);
    return made;
}

/// The steps of each pass, with `s` where it streams and the least row where there is one.
std::string text_of(const std::vector<Pass> &passes) {
    std::string text;
    for (const Pass &pass : passes) {
        text += (text.empty() ? "" : " ") + std::to_string(pass.steps) + (pass.tile->streams ? "s" : "");
        text += pass.tile->least_row > 0 ? "/" + std::to_string(pass.tile->least_row) : "";
    }
    return text;
}

TEST(IteratePasses, TheLongestComeFirst) {
    const Iteration made = iteration({tile(5), tile(2), tile(1)});
    const std::pair<int32_t, const char *> cases[] = {{0, ""},  {1, "1"},     {2, "2"},        {4, "2 2"},
                                                      {5, "5"}, {8, "5 2 1"}, {14, "5 5 2 2"}, {15, "5 5 5"}};
    for (const auto &[steps, expected] : cases) {
        EXPECT_EQ(text_of(passes_of(made, steps, 100, 0)), expected) << steps;
    }
}

TEST(IteratePasses, LargeFieldsAreStreamed) {
    const Iteration made = iteration({tile(4, true), tile(4), tile(1, true), tile(1)});
    EXPECT_EQ(text_of(passes_of(made, 6, 100, large)), "4s 1s 1s");
    EXPECT_EQ(text_of(passes_of(made, 6, 100, large - 1)), "4 1 1");
    // Where only one form was made, it serves both.
    EXPECT_EQ(text_of(passes_of(iteration({tile(1)}), 2, 100, large)), "1 1");
    EXPECT_EQ(text_of(passes_of(iteration({tile(1, true)}), 2, 100, 0)), "1s 1s");
}

TEST(IteratePasses, RowsFillTheVectorsOfAPass) {
    const Iteration made = iteration({tile(4, false, 16), tile(1, false, 16), tile(1, false, 8), tile(1)});
    EXPECT_EQ(text_of(passes_of(made, 5, 16, 0)), "4/16 1/16");
    EXPECT_EQ(text_of(passes_of(made, 2, 15, 0)), "1/8 1/8") << "no pass of four steps is made for such rows";
    EXPECT_EQ(text_of(passes_of(made, 2, 7, 0)), "1 1");
    // To stream counts for more than rows do.
    EXPECT_EQ(text_of(passes_of(iteration({tile(1, false, 16), tile(1, true, 8), tile(1)}), 1, 16, large)), "1s/8");
}

TEST(IteratePasses, BlocksHaveTheStepsThatRemain) {
    const Iteration made = iteration({tile(4, false, 0, BlockShape::Wavefront), tile(1)});
    EXPECT_EQ(text_of(passes_of(made, 10, 100, 0)), "4 4 2");
    EXPECT_EQ(text_of(passes_of(made, 5, 100, 0)), "4 1") << "one step is no block";
}

/// Follows which step each buffer holds: a pass reads the steps that it needs, and writes no buffer that it reads.
void expect_sound(const Iteration &made, int32_t steps) {
    std::vector<int32_t> holds = {0, made.has_before ? -1 : -9, -9, -9};
    ASSERT_EQ(holds.size(), most_buffers);
    int32_t now = 0;
    for (const Pass &pass : passes_of(made, steps, 100, 0)) {
        SCOPED_TRACE(std::to_string(now) + " of " + std::to_string(steps));
        EXPECT_EQ(holds.at(pass.state), now);
        if (made.has_before) {
            EXPECT_EQ(holds.at(pass.before), now - 1);
        }
        std::set<size_t> read = {pass.state};
        if (made.has_before) {
            read.insert(pass.before);
        }
        if (pass.tile->shape != BlockShape::None) {
            ASSERT_EQ(pass.steps_in.size(), static_cast<size_t>(pass.steps));
            EXPECT_EQ(pass.steps_in.back(), pass.next);
            size_t state = pass.state, before = pass.before;
            for (const size_t buffer : pass.steps_in) {
                EXPECT_NE(buffer, state);
                EXPECT_TRUE(!made.has_before || buffer != before);
                EXPECT_EQ(holds.at(state), now);
                holds.at(buffer) = ++now;
                before = state, state = buffer;
            }
            continue;
        }
        now += pass.steps;
        EXPECT_FALSE(read.contains(pass.next));
        holds.at(pass.next) = now;
        if (made.has_before && pass.steps > 1) {
            EXPECT_FALSE(read.contains(pass.next_before));
            EXPECT_NE(pass.next_before, pass.next);
            holds.at(pass.next_before) = now - 1;
        } else {
            EXPECT_EQ(pass.next_before, pass.next);
        }
    }
    EXPECT_EQ(now, steps);
}

TEST(IteratePasses, WriteNothingThatIsStillRead) {
    for (const bool has_before : {false, true}) {
        for (const BlockShape shape : {BlockShape::None, BlockShape::Wavefront, BlockShape::Diamond}) {
            for (const int32_t steps : {1, 2, 3, 7, 12, 13}) {
                expect_sound(iteration({tile(5, false, 0, shape), tile(2), tile(1)}, has_before), steps);
            }
        }
    }
}

TEST(IteratePasses, UseAsFewBuffersAsPossible) {
    const auto buffers = [](const Iteration &made) {
        std::set<size_t> used;
        for (const Pass &pass : passes_of(made, 9, 100, 0)) {
            used.insert({pass.state, pass.next, pass.next_before});
            used.insert(pass.steps_in.begin(), pass.steps_in.end());
        }
        return used.size();
    };
    EXPECT_EQ(buffers(iteration({tile(2), tile(1)})), 2U);
    EXPECT_EQ(buffers(iteration({tile(1)}, true)), 3U);
    EXPECT_EQ(buffers(iteration({tile(2), tile(1)}, true)), 4U);
}

} // namespace

} // namespace fluorite_runtime::iterate::iterate_passes_test
