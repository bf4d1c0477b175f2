// What tiles need, against figures worked out by hand.
#include "autoschedule/roofline/tile_footprint.h"

#include "autoschedule/roofline/sliding.h"
#include "autoschedule/roofline/test_stages.h"

#include <gtest/gtest.h>

namespace fluorite::autoschedule::tile_footprint_test {
namespace {

using testing::scaled_product, testing::stage_node, testing::two_blurs;
using Widths = std::vector<int64_t>;

constexpr double gathered_lines = 4;

TEST(TileFootprint, AddsOffsetsAlongPaths) {
    const StageGraph graph = two_blurs();
    const Group group = describe_group(graph, {0, 1}, 1);
    const TileFootprint footprint = footprint_of(group, {64, 8}, {});
    EXPECT_EQ(widths_of(group, footprint, 1), (Widths{64, 8}));
    EXPECT_EQ(widths_of(group, footprint, 0), (Widths{64, 10}));
    EXPECT_EQ(widths_of(group.sources[0], footprint), (Widths{66, 10}));
    EXPECT_EQ(widths_of(group, footprint).all, (Widths{64, 10, 64, 8}));
}

TEST(TileFootprint, StaysWithinTheExtents) {
    const StageGraph graph = two_blurs(64, 8);
    const Group group = describe_group(graph, {0, 1}, 1);
    EXPECT_EQ(widths_of(group.sources[0], footprint_of(group, {64, 8}, {})), (Widths{64, 8}));
}

TEST(TileFootprint, FollowsScales) {
    StageGraph graph = two_blurs();
    graph.stages[1].reads[0].footprint[0] = Footprint::affine(0, 0, 1, Rational::of(2));
    graph.stages[1].reads[0].footprint[1] = Footprint::affine(1, 0, 0, Rational::of(1, 2));
    const Group group = describe_group(graph, {0, 1}, 1);
    EXPECT_EQ(widths_of(group, footprint_of(group, {64, 8}, {}), 0), (Widths{128, 4}));
}

TEST(TileFootprint, OfWhatDataDecidesIsWhole) {
    StageGraph graph = two_blurs();
    graph.stages[0].reads[0].footprint[0] = Footprint::unbounded();
    graph.stages[0].reads[0].loads = 1;
    const Group group = describe_group(graph, {0, 1}, 1);
    const TileFootprint footprint = footprint_of(group, {64, 8}, {});
    EXPECT_EQ(widths_of(group.sources[0], footprint), (Widths{1024, 10}));
    // 640 points load an element each, which brings four times its bytes: less than ten rows.
    EXPECT_EQ(live_in_of(group, footprint, gathered_lines).bytes, 640 * 4 * gathered_lines);
    EXPECT_EQ(live_in_of(group, footprint, 100).bytes, 1024 * 10 * 4);
}

TEST(TileFootprint, OfWhatIsComputedForEachStepIsThatOfOneStep) {
    const StageGraph graph = scaled_product(64);
    const Group group = describe_group(graph, {0, 1, 2}, 2);
    EXPECT_EQ(group.step_reductions, StageSet({1}));
    EXPECT_EQ(step_reader(group, 0, {1}), 1u);
    EXPECT_EQ(step_reader(group, 0, {}), std::nullopt);
    EXPECT_EQ(widths_of(group, footprint_of(group, {16, 4}, {}), 0), (Widths{16, 64}));
    const TileFootprint steps = footprint_of(group, {16, 4}, {1});
    EXPECT_EQ(widths_of(group, steps, 0), (Widths{16, 1}));
    // All steps together read all rows.
    EXPECT_EQ(group.sources[0].index, 1u);
    EXPECT_EQ(widths_of(group.sources[0], steps), (Widths{16, 64}));
}

TEST(Group, KnowsWhoReadsItsMembers) {
    const StageGraph graph = scaled_product(64);
    const Group group = describe_group(graph, {0, 1, 2}, 2);
    EXPECT_EQ(group.readers, (std::vector<StageSet>{{1}, {2}, {}}));
    EXPECT_EQ(group.sources.size(), 2u);
    EXPECT_EQ(group.points, 3 * 64 * 64);
    const Group alone = describe_group(graph, {1}, 1);
    EXPECT_EQ(alone.sources.size(), 2u);
    EXPECT_TRUE(alone.step_reductions.empty());
}

TEST(LiveIn, CountsPiecesOfMemory) {
    const StageGraph graph = two_blurs();
    const Group group = describe_group(graph, {0, 1}, 1);
    const LiveIn part = live_in_of(group, footprint_of(group, {64, 8}, {}), gathered_lines);
    EXPECT_EQ(part.bytes, 66 * 10 * 4);
    EXPECT_EQ(part.rows, 10);
    EXPECT_EQ(part.sources[0].pieces, 10);
    // Whole rows continue each other.
    EXPECT_EQ(live_in_of(group, footprint_of(group, {1024, 8}, {}), gathered_lines).sources[0].pieces, 1);
}

TEST(Sliding, MovesAllMembersAtWholeRows) {
    StageGraph graph = two_blurs();
    const Group group = describe_group(graph, {0, 1}, 1);
    EXPECT_TRUE(may_slide(group, 1));
    EXPECT_FALSE(may_slide(group, 0)); // along vectors
    EXPECT_FALSE(may_slide(describe_group(graph, {1}, 1), 1));
    graph.stages[1].reads[0].footprint[1].scale = Rational::of(1, 2);
    EXPECT_FALSE(may_slide(group, 1));
}

TEST(Sliding, TouchesWindowsAndNoBoxes) {
    const StageGraph graph = two_blurs();
    const Group group = describe_group(graph, {0, 1}, 1);
    const StepFootprint slides = footprint_of_step(group, {{64, 1}, 1, true}, {}, gathered_lines);
    // A row of the result, three rows of the window in storage of four, and one row that the newest of them reads.
    EXPECT_EQ(slides.held, 64 * 4 + 4 * 64 * 4 + 66 * 4);
    EXPECT_EQ(slides.loaded, 3 * 64 * 4 + 66 * 4);
    // With the first stage in registers, each row of the result reads three rows of the image.
    const StepFootprint fused = footprint_of_step(group, {{64, 1}, 1, false}, {0}, gathered_lines);
    EXPECT_EQ(fused.held, 64 * 4 + 3 * 66 * 4);
    EXPECT_EQ(fused.loaded, 3 * 66 * 4);
}

} // namespace
} // namespace fluorite::autoschedule::tile_footprint_test
