// Blocks of steps: every access of small cases, in the worst order of blocks that run at once.

#include "runtime/iterate_blocks.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <string>

namespace fluorite_runtime::iterate::iterate_blocks_test {

namespace {

struct Case {
    BlockShape shape;
    int64_t length, extent, reach;
    int32_t steps;
    size_t buffers;
    int64_t reads; // how far steps read in truth
    DomainEnds ends = DomainEnds::Apart;
};

/// Runs blocks on a line whose points hold the number of their state, and counts what is wrong.
class Simulation {
  public:
    explicit Simulation(const Case &c) : case_(c), domain_{-3, -3 + c.length} {
        for (size_t b = 0; b < c.buffers; b++) { // state 0 is in buffer 0, state -1 in the last of three
            const int64_t state = b == 0 ? 0 : b == 2 ? -1 : -100;
            points_.emplace_back(static_cast<size_t>(c.length), state);
        }
    }

    /// `order` turns the blocks of a phase: 0 ascending, 1 descending, 2 step by step through all blocks.
    void run(int order) {
        for (const Phase &phase : phases_of(case_.shape, domain_, case_.extent, case_.steps, case_.reach, case_.ends)) {
            const auto count = phase.size();
            if (order == 2) {
                for (int32_t s = 0; s < case_.steps; s++) {
                    for (const Trapezoid &block : phase) {
                        compute(block, s);
                    }
                }
            }
            for (size_t i = 0; i < count && order < 2; i++) {
                for (int32_t s = 0; s < case_.steps; s++) {
                    compute(phase[order == 0 ? i : count - 1 - i], s);
                }
            }
        }
        const std::vector<int64_t> &result = points_[buffer_of(case_.steps)];
        wrong += std::count_if(result.begin(), result.end(), [&](int64_t state) { return state != case_.steps; });
    }

    int64_t wrong = 0, computed = 0;

  private:
    Case case_;
    Span domain_;
    std::vector<std::vector<int64_t>> points_;

    size_t buffer_of(int64_t state) const {
        const auto count = static_cast<int64_t>(case_.buffers);
        return static_cast<size_t>((state + count) % count);
    }
    int64_t &point(int64_t state, int64_t at) {
        return points_[buffer_of(state)][static_cast<size_t>(at - domain_.begin)];
    }

    /// Whether the point is in the domain; where the ends meet, it is moved there.
    bool find(int64_t &at) const {
        if (case_.ends == DomainEnds::Meet) {
            at = domain_.begin + ((at - domain_.begin) % case_.length + case_.length) % case_.length;
        }
        return at >= domain_.begin && at < domain_.end;
    }

    void compute(const Trapezoid &block, int32_t s) {
        const std::vector<Span> parts = parts_in(block[static_cast<size_t>(s)], domain_);
        for (const Span &part : parts) {
            for (int64_t at = part.begin; at < part.end; at++) {
                for (int64_t by = -case_.reads; by <= case_.reads; by++) {
                    if (int64_t from = at + by; find(from)) {
                        wrong += point(s, from) != s;
                        wrong += case_.buffers == 3 && point(s - 1, from) != s - 1;
                    }
                }
            }
        }
        for (const Span &part : parts) {
            for (int64_t at = part.begin; at < part.end; at++) {
                point(s + 1, at) = s + 1;
                computed++;
            }
        }
    }
};

/// Runs a case in all orders. Domains whose ends meet have no blocks if they are short.
void check(const Case &c) {
    for (const int order : {0, 1, 2}) {
        const std::string what = std::string(c.shape == BlockShape::Diamond ? "diamonds" : "wavefronts") +
                                 (c.ends == DomainEnds::Meet ? " periodic" : "") + ", length " +
                                 std::to_string(c.length) + ", extent " + std::to_string(c.extent) + ", reach " +
                                 std::to_string(c.reach) + ", " + std::to_string(c.steps) + " steps, order " +
                                 std::to_string(order);
        const bool has_none = c.ends == DomainEnds::Meet && c.length < 2 * c.steps * c.reach;
        EXPECT_EQ(phases_of(c.shape, {-3, -3 + c.length}, c.extent, c.steps, c.reach, c.ends).empty(), has_none);
        if (!has_none) {
            Simulation run(c);
            run.run(order);
            EXPECT_EQ(run.wrong, 0) << what;
            EXPECT_EQ(run.computed, c.length * c.steps) << what;
        }
    }
}

TEST(IterateBlocks, EveryStateIsReadBeforeItIsOverwrittenAndComputedOnce) {
    for (const BlockShape shape : {BlockShape::Wavefront, BlockShape::Diamond}) {
        for (const int64_t length : {1, 2, 7, 16, 20, 33}) {
            for (const int64_t extent : {1, 3, 8, 40}) {
                for (const int64_t reach : {0, 1, 2}) {
                    for (const int32_t steps : {2, 3, 5}) {
                        for (const size_t buffers : {2, 3}) {
                            for (const DomainEnds ends : {DomainEnds::Apart, DomainEnds::Meet}) {
                                check({shape, length, extent, reach, steps, buffers, reach, ends});
                            }
                        }
                    }
                }
            }
        }
    }
}

TEST(IterateBlocks, TheSimulationNoticesStepsThatReadFarther) {
    for (const BlockShape shape : {BlockShape::Wavefront, BlockShape::Diamond}) {
        for (const DomainEnds ends : {DomainEnds::Apart, DomainEnds::Meet}) {
            Simulation run({shape, 64, 16, 1, 4, 2, 2, ends});
            run.run(0);
            EXPECT_GT(run.wrong, 0);
        }
    }
}

TEST(IterateBlocks, Spans) {
    const std::vector<Phase> fronts = phases_of(BlockShape::Wavefront, {0, 10}, 4, 3, 1, DomainEnds::Apart);
    ASSERT_EQ(fronts.size(), 3U);
    EXPECT_EQ(fronts[0][0], (Trapezoid{{0, 4}, {0, 3}, {0, 2}}));
    EXPECT_EQ(fronts[1][0], (Trapezoid{{4, 8}, {3, 7}, {2, 6}}));
    EXPECT_EQ(fronts[2][0], (Trapezoid{{8, 10}, {7, 10}, {6, 10}}));
    const std::vector<Phase> pair = phases_of(BlockShape::Diamond, {0, 13}, 4, 3, 1, DomainEnds::Apart);
    ASSERT_EQ(pair.size(), 2U);
    EXPECT_EQ(pair[0], (Phase{{{0, 7}, {0, 6}, {0, 5}}, {{7, 13}, {8, 13}, {9, 13}}})) << "6 points at least";
    EXPECT_EQ(pair[1], (Phase{{{7, 7}, {6, 8}, {5, 9}}}));
}

TEST(IterateBlocks, SpansOnACircle) {
    const std::vector<Phase> fronts = phases_of(BlockShape::Wavefront, {0, 10}, 4, 3, 1, DomainEnds::Meet);
    ASSERT_EQ(fronts.size(), 4U);
    EXPECT_EQ(fronts[0][0], (Trapezoid{{0, 4}, {1, 3}, {2, 2}}));
    EXPECT_EQ(fronts[1][0], (Trapezoid{{4, 8}, {3, 7}, {2, 6}}));
    EXPECT_EQ(fronts[2][0], (Trapezoid{{8, 10}, {7, 9}, {6, 8}}));
    EXPECT_EQ(fronts[3][0], (Trapezoid{{10, 10}, {9, 11}, {8, 12}}));
    const std::vector<Phase> pair = phases_of(BlockShape::Diamond, {0, 13}, 4, 3, 1, DomainEnds::Meet);
    ASSERT_EQ(pair.size(), 2U);
    EXPECT_EQ(pair[0], (Phase{{{0, 7}, {1, 6}, {2, 5}}, {{7, 13}, {8, 12}, {9, 11}}}));
    EXPECT_EQ(pair[1], (Phase{{{0, 0}, {-1, 1}, {-2, 2}}, {{7, 7}, {6, 8}, {5, 9}}}));
    EXPECT_EQ(parts_in({-2, 2}, {0, 13}), (std::vector<Span>{{0, 2}, {11, 13}}));
    EXPECT_EQ(parts_in({8, 12}, {0, 10}), (std::vector<Span>{{0, 2}, {8, 10}}));
    EXPECT_EQ(parts_in({3, 5}, {0, 10}), (std::vector<Span>{{3, 5}}));
    EXPECT_EQ(parts_in({10, 10}, {0, 10}), std::vector<Span>());
}

} // namespace

} // namespace fluorite_runtime::iterate::iterate_blocks_test
