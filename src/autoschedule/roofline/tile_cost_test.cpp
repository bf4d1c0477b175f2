// The parts of a tile's cost, each from plain numbers, and what evaluate() makes of them.
#include "autoschedule/roofline/tile_cost.h"

#include "autoschedule/costs.h"
#include "autoschedule/roofline/block_choice.h"
#include "autoschedule/roofline/compute_cost.h"
#include "autoschedule/roofline/memory_cost.h"
#include "autoschedule/roofline/test_stages.h"

#include <gtest/gtest.h>

namespace fluorite::autoschedule::tile_cost_test {
namespace {

using testing::eight_lanes, testing::scaled_product, testing::two_blurs;

constexpr double mebibyte = 1024 * 1024;

TEST(RunTime, HidesAPartOfTheFasterRoofs) {
    const double inside = 100 + costs::unhidden_across_loops * 50;
    EXPECT_EQ(overlapped_cycles({100, 50, 10}, true), inside + costs::unhidden_in_one_loop * 10);
    EXPECT_EQ(overlapped_cycles({50, 100, 10}, false), inside + costs::unhidden_across_loops * 10);
    EXPECT_EQ(overlapped_cycles({1, 1, 1000}, true),
              1000 + costs::unhidden_in_one_loop * (1 + costs::unhidden_across_loops));
}

TEST(RunTime, IsSharedByThreadsInRounds) {
    const RooflineMachine machine = eight_lanes();
    const double task = machine.caches.task_cycles;
    EXPECT_EQ(elapsed_cycles(100, 1, machine), 100);
    EXPECT_EQ(elapsed_cycles(100, 4, machine), 100 * (1 + costs::last_task_excess) / 4 + task * 2);
    EXPECT_EQ(elapsed_cycles(100, 5, machine), 100 * (2 + costs::last_task_excess) / 5 + task * 3);
    RooflineMachine alone = machine;
    alone.threads = 1; // tiles are no tasks
    EXPECT_EQ(elapsed_cycles(100, 5, alone), 100);
}

TEST(CacheCost, IsThatOfTheLevelThatHolds) {
    const RooflineMachine machine = eight_lanes(); // 32 KiB, 256 KiB, 8 MiB of four threads
    EXPECT_EQ(hand_over_rate(16 * 1024, machine), 0);
    EXPECT_EQ(hand_over_rate(100 * 1024, machine), machine.caches.l2_rate);
    EXPECT_EQ(hand_over_rate(2 * mebibyte, machine), machine.caches.llc_rate);
    EXPECT_EQ(hand_over_rate(2 * mebibyte + 1, machine), machine.caches.memory_rate);
}

TEST(MemoryCost, ReadsEachByteOnceFromWhereItIs) {
    const machine::CacheModel caches; // the last-level cache has 8 MiB
    const ReadCycles once = read_cycles({16 * mebibyte, 100}, 16 * mebibyte, false, caches);
    EXPECT_EQ(once.bytes, 16 * mebibyte / caches.memory_rate);
    EXPECT_EQ(once.starts, 100 * caches.stream_cycles);
    const ReadCycles twice = read_cycles({32 * mebibyte, 100}, 16 * mebibyte, false, caches);
    EXPECT_EQ(twice.bytes, once.bytes + 16 * mebibyte / caches.llc_rate);
    const ReadCycles small = read_cycles({mebibyte, 100}, mebibyte, false, caches);
    EXPECT_EQ(small.bytes, mebibyte / caches.llc_rate);
    EXPECT_EQ(small.starts, 0);
    const ReadCycles gathered = read_cycles({1000 * mebibyte, 100}, 16 * mebibyte, true, caches);
    EXPECT_EQ(gathered.bytes, once.bytes + (caches.gathered_lines - 1) * 16 * mebibyte / caches.llc_rate);
    EXPECT_EQ(gathered.starts, 0);
}

TEST(MemoryCost, ReadsLinesBeforeTheyAreWritten) {
    const machine::CacheModel caches;
    const StoredResult result{16 * mebibyte, 10};
    EXPECT_EQ(write_cycles(result, caches).bytes, 2 * 16 * mebibyte / caches.memory_rate);
    EXPECT_EQ(write_cycles(result, caches).starts, 10 * caches.stream_cycles);
    const StoredResult streamed{16 * mebibyte, 10, true, true};
    EXPECT_EQ(write_cycles(streamed, caches).bytes, 16 * mebibyte / caches.memory_rate);
    EXPECT_EQ(write_cycles(streamed, caches).starts, 0);
}

TEST(MemoryCost, StreamsWholeLinesOrSingleRows) {
    StageNode last = two_blurs().stages[1];
    last.bytes = 1;
    const machine::CacheModel caches; // lines of 64 bytes, one streamed row
    EXPECT_TRUE(may_stream_blocks(last, {1, 1}, 0, 16, BlockOrder::AlongRows, caches));
    EXPECT_FALSE(may_stream_blocks(last, {1, 2}, 0, 16, BlockOrder::AlongRows, caches));
    EXPECT_TRUE(may_stream_blocks(last, {4, 2}, 0, 16, BlockOrder::AlongRows, caches));
    EXPECT_TRUE(may_stream_blocks(last, {}, 0, 16, BlockOrder::AlongRows, caches));
    EXPECT_FALSE(may_stream_blocks(last, {}, 0, 16, BlockOrder::AlongColumns, caches));
    EXPECT_TRUE(may_stream_blocks(last, {4, 1}, 0, 16, BlockOrder::AlongColumns, caches));
    last.blocks = {{{1, 1}, 1, {}, 0, 1}}; // values of 32 bits, narrowed to bytes
    EXPECT_FALSE(may_stream_blocks(last, {4, 2}, 0, 16, BlockOrder::AlongRows, caches));
    EXPECT_TRUE(may_stream_blocks(last, {4, 1}, 0, 16, BlockOrder::AlongRows, caches));
}

TEST(MemoryCost, SharesWhatStaysWithinATask) {
    const StageGraph graph = two_blurs();
    RooflineMachine machine = eight_lanes();
    machine.threads = 1;
    const RooflineCost cost(graph, machine);
    const GroupModel model(cost, {1}, 1);
    TilePlan plan;
    plan.last = 1;
    plan.tile = {256, 1}; // four tiles of each row; a row is a task
    EXPECT_EQ(first_task_loop(graph.stages[1], plan.tile, 4), 1u);
    const LiveIn live = model.live_in(model.footprint(plan.tile, {}));
    const SourceTraffic traffic = source_traffic(model, plan, live, live.bytes + 1024);
    EXPECT_EQ(traffic.sources[0].bytes, 3 * 1024.0 * 4 * 1024); // three rows for each row: in different tasks
    EXPECT_EQ(traffic.from_l2, 0);
}

TEST(ComputeCost, CountsWholeVectorsAndRows) {
    const RooflineMachine machine = eight_lanes();
    const VectorRows rows = vector_rows(std::vector<int64_t>{100, 7}, 0, 8);
    EXPECT_EQ(rows.points, 700);
    EXPECT_EQ(rows.rows, 7);
    EXPECT_EQ(rows.vectors, 7 * 13);
    const double besides = 91 * costs::iteration_cycles + 7 * machine.caches.row_cycles;
    EXPECT_EQ(row_cycles(rows, 8, {10, 0, 0}, machine), 91 * 10 / 2.0 + besides);
    EXPECT_EQ(row_cycles(rows, 8, {10, 4, 0}, machine), 91 * 10 / 2.0 + besides + 700 * 4 / 2.0);
    EXPECT_EQ(row_cycles(rows, 8, {10, 4, 5000}, machine), 91 * 10 / 2.0 + besides + 5000);
}

TEST(ComputeCost, LoadsNothingFromRegisters) {
    StageNode node = two_blurs().stages[1];
    node.blocks = {{{1, 1}, 4, {{false, 0, 1.5}}, 0, 1}};
    EXPECT_EQ(point_work(node, {}, false), 5.5);
    EXPECT_EQ(point_work(node, {0}, false), 4);
}

TEST(ComputeCost, StoresLanesThatLieApartOneByOne) {
    StageNode last = testing::stage_node("out", {{"c", 3}, {"x", 100}}, {});
    last.is_output = true;
    const machine::CacheModel caches;
    EXPECT_EQ(scattered_store_cycles(last, 1, {1, 1}, caches), caches.gathered_cycles);
    EXPECT_EQ(scattered_store_cycles(last, 1, {3, 1}, caches), 0);
    EXPECT_EQ(scattered_store_cycles(last, 0, {1, 1}, caches), 0);
}

// A step of 2 x 4 vectors: two operations for each, one load for each column and one for each row.
TEST(ReductionCost, LoadsSharedOperandsOnce) {
    const UpdateWork update = scaled_product(64).stages[1].sums[0];
    const StepWork work = work_of_step(update, {2, 4}, 0, 1);
    EXPECT_EQ(work.operations, 16);
    EXPECT_EQ(work.loads, 2 + 4);
    EXPECT_EQ(work.addresses, 4);
    EXPECT_EQ(work.registers, costs::operand_registers + 2);
}

TEST(ReductionCost, WaitsForTheTermBefore) {
    const StageGraph graph = scaled_product(64);
    const RooflineMachine machine = eight_lanes();
    const SumShape shape{graph, machine, 1, 8, 0};
    const std::vector<int64_t> widths = {64, 64};
    const auto cycles = [&](const std::vector<int64_t> &block) {
        return sum_cycles(shape, widths, block, ReductionLoops::Inside);
    };
    const double besides = costs::spill_cycles + costs::sum_block_cycles;
    EXPECT_EQ(cycles({1, 1}), 8 * 64 * (64 * machine.caches.sum_cycles + besides));
    EXPECT_LT(cycles({2, 4}), cycles({1, 1}) / 3);
    const SumPlan best = find_sum_plan(shape, widths, ReductionLoops::Inside, false);
    EXPECT_EQ(best.cycles, cycles(best.block));
    EXPECT_LE(best.cycles, cycles({2, 4}));
    EXPECT_EQ(find_sum_plan(shape, widths, ReductionLoops::Around, false).block, (std::vector<int64_t>{1, 1}));
}

TEST(TileCost, CountsWhatOverlappingTilesComputeAgain) {
    const StageGraph graph = two_blurs();
    const RooflineCost cost(graph, eight_lanes());
    const GroupModel model(cost, {0, 1}, 1);
    TilePlan plan;
    plan.last = 1;
    plan.tile = {64, 8};
    evaluate(model, plan);
    EXPECT_EQ(plan.tiles, 16 * 128);
    EXPECT_EQ(plan.recomputed, (10 + 8) / 16.0 - 1);
    EXPECT_GT(plan.arithmetic, 0);
    EXPECT_GT(plan.memory, 0);
    TilePlan slides = plan;
    slides.sliding = 1;
    evaluate(model, slides);
    EXPECT_LT(slides.tile_bytes, plan.tile_bytes);
}

TEST(BlockChoice, KeepsOnlyWhatIsReadInItsLanes) {
    StageGraph graph = two_blurs();
    graph.stages[0].blocks = {{{1, 1}, 4, {}, 0, 1}};
    EXPECT_TRUE(may_stay_in_registers(describe_group(graph, {0, 1}, 1), 0, {}));
    EXPECT_FALSE(may_stay_in_registers(describe_group(graph, {0, 1}, 1), 1, {}));
    graph.stages[1].reads[0].footprint[0] = Footprint::affine(0, -1, 1);
    EXPECT_FALSE(may_stay_in_registers(describe_group(graph, {0, 1}, 1), 0, {}));
}

TEST(TileSearch, FindsNoWorseThanTheTilesThatItBeginsWith) {
    const StageGraph graph = two_blurs();
    const RooflineCost cost(graph, eight_lanes());
    const TilePlan best = *cost.plan({0, 1});
    EXPECT_LE(best.cycles, cost.plain_plan({0, 1}, 1, {1024, 1024}).cycles);
    EXPECT_LE(best.cycles, cost.plain_plan({0, 1}, 1, {64, 32}).cycles);
}

} // namespace
} // namespace fluorite::autoschedule::tile_cost_test
