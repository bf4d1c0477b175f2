// Lines and pages that loops around blocks fetch again, against figures worked out by hand.
#include "autoschedule/roofline/refetch.h"

#include "autoschedule/roofline/read_traffic.h"
#include "autoschedule/roofline/reduction_traffic.h"
#include "autoschedule/roofline/test_stages.h"

#include <gtest/gtest.h>

namespace fluorite::autoschedule::refetch_test {
namespace {

TEST(Refetch, GrowsBoxesLoopByLoop) {
    const LoopBoxes around = loops_around({8, 2}, std::vector<int64_t>{64, 11}, {0, 1});
    EXPECT_EQ(around.boxes, (std::vector<std::vector<int64_t>>{{8, 2}, {64, 2}, {64, 11}}));
    EXPECT_EQ(around.counts, (std::vector<double>{8, 6}));
}

TEST(Refetch, SharesWhatIsHeld) {
    const std::vector<double> touched = {4, 16, 16}, counts = {8, 5};
    EXPECT_EQ(fetched(touched, counts, [](size_t) { return true; }), 16);
    EXPECT_EQ(fetched(touched, counts, [](size_t) { return false; }), 4 * 8 * 5);
    EXPECT_EQ(fetched(touched, counts, [](size_t level) { return level == 0; }), 16 * 5);
}

// 16 rows, of which each block reads a part of a line. L1 has 64 sets of 8 ways: rows that are a page apart share one
// set, in which three quarters of 8 lines stay; L2 has 8 such sets.
TEST(Refetch, DisplacesRowsThatShareASet) {
    const machine::CacheModel caches;
    const std::vector<double> counts = {16};
    const auto again = [&](int64_t pitch) { return refetch_cycles({{16, 16}, {4, 64}, pitch}, counts, caches); };
    EXPECT_EQ(again(4096)[0], (16 * 16 - 16) * 64 / caches.l2_rate);
    EXPECT_EQ(again(4096)[1], 0);
    EXPECT_EQ(again(4096 + 64)[0], 0);
}

TEST(Refetch, LooksUpPagesBeyondTheBuffers) {
    const machine::CacheModel caches; // 64 and 1536 entries
    const auto cycles = [&](const std::vector<double> &pages) {
        return lookup_cycles(pages, std::vector<double>{10}, caches);
    };
    EXPECT_EQ(cycles({32, 32}), 0);
    EXPECT_EQ(cycles({32, 320}), 320 * caches.stlb_cycles);
    EXPECT_EQ(cycles({128, 128}), 128 * 10 * caches.stlb_cycles);
    EXPECT_EQ(cycles({2000, 2000}), 2000 * 10 * (caches.stlb_cycles + caches.page_walk_cycles));
}

TEST(ReadTraffic, CountsRowsAndPages) {
    const StageGraph graph = testing::two_blurs();
    const Read &read = graph.stages[0].reads[0];
    const std::vector<int64_t> box = {64, 8};
    EXPECT_EQ(read_bytes(graph, read, box), 66 * 8 * 4);
    EXPECT_EQ(row_bytes_of(graph, read, box), 66 * 4);
    EXPECT_EQ(rows_of(graph, read, box), 8);
    const Group group = describe_group(graph, {0}, 0);
    EXPECT_EQ(read_pages(group, {}, read, box, 4096), 8); // rows of 1024 floats
    EXPECT_EQ(read_pages(group, {}, read, box, 8192), 4);
}

// L1 keeps what a block of 8 x 4 points reads, so a row of blocks reads its four rows of `a` once. All of `scaled`, 64
// KB, is beyond L1 and within L2: each of 32 rows of blocks reads it again.
TEST(ReductionTraffic, ReadsAgainWhatDoesNotStay) {
    const StageGraph graph = testing::scaled_product(128);
    const machine::CacheModel caches;
    const LoopBoxes rows = loops_around({8, 4}, std::vector<int64_t>{128, 128}, {0, 1});
    EXPECT_EQ(reread_cycles(graph, 1, rows, caches), (32 - 1) * 128 * 128 * 4 / caches.l2_rate);
    // Of a product that fits, nothing is read again.
    const StageGraph small = testing::scaled_product(16);
    EXPECT_EQ(reread_cycles(small, 1, loops_around({8, 4}, std::vector<int64_t>{16, 16}, {0, 1}), caches), 0);
}

} // namespace
} // namespace fluorite::autoschedule::refetch_test
