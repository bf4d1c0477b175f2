// The published model's terms against figures worked out by hand, what it aligns, and the searches over it.
#include "autoschedule/polymage/polymage_cost.h"

#include "autoschedule/grouping/group_search.h"
#include "autoschedule/grouping/recurrence.h"

#include <gtest/gtest.h>

#include <sstream>

namespace fluorite::autoschedule::polymage_cost_test {
namespace {

StageNode node(const std::string &name, std::vector<LoopExtent> loops, std::vector<Read> reads) {
    StageNode node;
    node.name = name;
    node.loops = std::move(loops);
    node.reads = std::move(reads);
    return node;
}

/// Three points in x, then three in y.
StageGraph two_blurs(int64_t width = 1024, int64_t height = 1024) {
    StageGraph graph;
    graph.inputs.push_back({"image", {width, height}, 4});
    const std::vector<LoopExtent> loops = {{"x", width}, {"y", height}};
    graph.stages.push_back(node("first", loops, {{true, 0, {Footprint::affine(0, -1, 1), Footprint::affine(1)}, 3}}));
    graph.stages.push_back(node("second", loops, {{false, 0, {Footprint::affine(0), Footprint::affine(1, -1, 1)}, 3}}));
    graph.stages[1].is_output = true;
    return graph;
}

PolymageMachine four_cores(LiveTerm live) {
    PolymageMachine machine;
    machine.cores = 4;
    machine.live_term = live;
    return machine;
}

TEST(StageGraph, Prints) {
    std::ostringstream text;
    text << two_blurs();
    EXPECT_EQ(text.str(), "input image(1024, 1024) 4 bytes\n"
                          "stage first(x < 1024, y < 1024) 4 bytes, 1 operations\n"
                          "  reads image(x[-1..1], y) 3 loads\n"
                          "output second(x < 1024, y < 1024) 4 bytes, 1 operations\n"
                          "  reads first(x, y[-1..1]) 3 loads\n");
}

// Two buffers of 4 MiB; a tile has min(8 MiB / 4, 32 KiB) = 32 KiB, so 4096 points of both: 256 in x, 16 in y. The
// first stage has 18 rows: 2 * 256 * 4 = 2048 bytes of overlap, 1/16 of the tile. Live are 258 * 18 * 4 = 18576 bytes
// in, 4096 * 4 = 16384 out, for 8192 points. 256 tiles on 4 cores: (256 + 3) mod 4 = 3.
TEST(PolymageCost, OfAFusedGroupIsWhatTheTextSays) {
    const StageGraph graph = two_blurs();
    const PolymageCost cost(graph, four_cores(LiveTerm::OneTile));
    const PolymageTerms terms = cost.terms({0, 1}).value();
    EXPECT_EQ(terms.tiles, 256);
    ASSERT_EQ(terms.tile.size(), 2u);
    EXPECT_EQ(terms.tile[0] * terms.tile[1], 4096);
    EXPECT_EQ(std::max(terms.tile[0], terms.tile[1]), 256);
    EXPECT_TRUE(terms.is_for_first_cache);
    EXPECT_DOUBLE_EQ(terms.live, 34960.0 / 8192);
    EXPECT_DOUBLE_EQ(terms.cleanup, 3);
    EXPECT_DOUBLE_EQ(terms.overlap, 1.0 / 16);
    EXPECT_DOUBLE_EQ(terms.extents, 0);
    // 4.267578125 - 100 * 3 + 46875 / 16 = 2633.955078125, in units of 1/65536
    EXPECT_EQ(cost.of({0, 1}), 172'618'880);
}

// Alone, each stage has tiles of 8192 points, 256 * 32: 258 * 32 * 4 = 33024 or 256 * 34 * 4 = 34816 bytes in, 32768
// out, and 128 tiles.
TEST(PolymageCost, CostsSingleStagesLikeGroups) {
    const StageGraph graph = two_blurs();
    const PolymageCost cost(graph, four_cores(LiveTerm::OneTile));
    EXPECT_DOUBLE_EQ(cost.terms({0})->live, 65792.0 / 8192);
    EXPECT_DOUBLE_EQ(cost.terms({1})->live, 67584.0 / 8192);
    EXPECT_EQ(cost.of({0}), static_cast<Cost>((8.03125 - 300) * 65536)); // below zero, which is no sentinel
    EXPECT_LT(cost.of({1}), 0);
}

// With the live data of one tile the weights never pay for overlap; with that of all tiles, large images are fused,
// small ones not.
TEST(PolymageCost, FusesLargeImagesByTheDataOfAllTiles) {
    const StageGraph small = two_blurs(), large = two_blurs(8192, 8192);
    const PolymageCost one(large, four_cores(LiveTerm::OneTile)), all(large, four_cores(LiveTerm::AllTiles));
    const PolymageCost all_small(small, four_cores(LiveTerm::AllTiles));
    EXPECT_EQ(to_text(search_grouping(precedence_of(large), one).grouping), "{0} {1}");
    EXPECT_EQ(to_text(search_grouping(precedence_of(large), all).grouping), "{0 1}");
    EXPECT_EQ(to_text(search_grouping(precedence_of(small), all_small).grouping), "{0} {1}");
}

// Bytes instead of floats: tiles of four times as many points, 256 * 64 of both stages.
TEST(PolymageCost, KnowsTheSizesOfElements) {
    StageGraph graph = two_blurs();
    graph.stages[0].bytes = graph.stages[1].bytes = 1;
    const PolymageTerms terms = PolymageCost(graph, four_cores(LiveTerm::OneTile)).terms({0, 1}).value();
    EXPECT_EQ(terms.tile[0] * terms.tile[1], 256 * 64);
    EXPECT_DOUBLE_EQ(terms.overlap, 2.0 * 256 / 32768);
}

// half(x, y) reads full(2x + 0..1, y), twice(x, y) reads half(x/2, y): both run at scale 2, full and twice at 1, and
// full is computed one point to the right of the tile.
TEST(Alignment, ScalesThroughHalvingAndDoubling) {
    StageGraph graph;
    graph.stages.push_back(node("full", {{"x", 512}, {"y", 64}}, {}));
    graph.stages.push_back(node("half", {{"x", 256}, {"y", 64}},
                                {{false, 0, {Footprint::affine(0, 0, 1, {2, 1}), Footprint::affine(1)}, 2}}));
    graph.stages.push_back(node("twice", {{"x", 512}, {"y", 64}},
                                {{false, 1, {Footprint::affine(0, 0, 0, {1, 2}), Footprint::affine(1)}, 1}}));
    const Alignment alignment = align(graph, {0, 1, 2}).value();
    EXPECT_EQ(alignment.extents.size(), 2u);
    const size_t x = alignment.innermost;
    EXPECT_EQ(alignment.stages[0].loops[0].scale, 1);
    EXPECT_EQ(alignment.stages[1].loops[0].scale, 2);
    EXPECT_EQ(alignment.stages[2].loops[0].scale, 1);
    EXPECT_EQ(alignment.stages[0].high[x], 1);
    EXPECT_EQ(alignment.stages[0].low[x], 0);
    EXPECT_EQ(alignment.extents[x], 512);
    // Extents 512, 256, 512: mean 426.67, deviation sqrt((2 * 85.33^2 + 170.67^2) / 3) = 120.68.
    const PolymageCost cost(graph, {});
    EXPECT_NEAR(cost.terms({0, 1, 2})->extents, 120.68, 0.01);
}

TEST(Alignment, RefusesWhatHasNoConstantDistance) {
    StageGraph graph;
    const std::vector<LoopExtent> loops = {{"x", 64}, {"y", 64}};
    const Footprint x = Footprint::affine(0), y = Footprint::affine(1);
    graph.stages.push_back(node("f", loops, {}));
    graph.stages.push_back(node("transposed too", loops, {{false, 0, {x, y}, 1}, {false, 0, {y, x}, 1}}));
    graph.stages.push_back(node("by value", loops, {{false, 0, {Footprint::unbounded(), y}, 1}}));
    graph.stages.push_back(
        node("at two scales", loops, {{false, 0, {x, y}, 1}, {false, 0, {Footprint::affine(0, 0, 0, {2, 1}), y}, 1}}));
    graph.stages.push_back(node("transposed", loops, {{false, 0, {y, x}, 1}}));
    EXPECT_FALSE(align(graph, {0, 1}));
    EXPECT_FALSE(align(graph, {0, 2}));
    EXPECT_FALSE(align(graph, {0, 3}));
    EXPECT_TRUE(align(graph, {0, 4}));
    const PolymageCost cost(graph, {});
    EXPECT_TRUE(cost.is_hopeless({0, 1}));
    EXPECT_TRUE(cost.of({1}).has_value());
    EXPECT_FALSE(cost.is_hopeless({0, 4}));
}

TEST(PolymageCost, LeavesReductionsAlone) {
    StageGraph graph = two_blurs();
    graph.stages[0].updates = 3;
    const PolymageCost cost(graph, {});
    EXPECT_EQ(cost.of({0, 1}), std::nullopt);
    EXPECT_TRUE(cost.of({0}).has_value());
}

TEST(PolymageCost, SearchesAgreeOnIt) {
    StageGraph graph = two_blurs(4096, 4096);
    for (int stage = 0; stage < 6; ++stage) {
        const size_t last = graph.stages.size() - 1;
        graph.stages.push_back(
            node("s" + std::to_string(stage), {{"x", 4096}, {"y", 4096}},
                 {{false, last, {Footprint::affine(0, -stage, stage), Footprint::affine(1, -1, 1)}, 3},
                  {false, last - 1, {Footprint::affine(0), Footprint::affine(1)}, 1}}));
    }
    const PolymageCost cost(graph, {});
    const RecurrenceResult wanted = group_by_recurrence(precedence_of(graph), cost);
    const SearchResult found = search_grouping(precedence_of(graph), cost);
    EXPECT_EQ(found.price, wanted.price);
    EXPECT_EQ(found.grouping, wanted.grouping);
}

} // namespace
} // namespace fluorite::autoschedule::polymage_cost_test
