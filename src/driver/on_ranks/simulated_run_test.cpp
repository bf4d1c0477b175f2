// Plans of pipelines on ranks that are not there, against those that ranks make; measured costs.
#include "distributed/simulated_run.h"
#include "driver/on_ranks/load_for_ranks.h"

#include "driver/on_ranks/test_images.h"
#include "ranks/replay/replay_actions.h"

#include <cstring>

namespace fluorite::simulated_run_test {
namespace {

using namespace driver::testing;
using distributed::SimulatedImage;
using distributed::SimulatedRun;

/// A blur of rows of an ImageParam, whose parts are exchanged.
struct BlurOfParam {
    ImageParam input{Int(32), 2, "input"};
    Var x{"x"}, y{"y"};
    Func clamped{"clamped"}, blur_x{"blur_x"}, blur_y{"blur_y"};

    BlurOfParam() {
        clamped = BoundaryConditions::repeat_edge(input);
        blur_x(x, y) = (clamped(x - 1, y) + clamped(x, y) + clamped(x + 1, y)) / 3;
        blur_y(x, y) = (blur_x(x, y - 1) + blur_x(x, y) + blur_x(x, y + 1)) / 3;
        blur_x.compute_root().distribute(y);
        blur_y.distribute(y);
    }
};

SimulatedImage rows_of(int w, int h) {
    distribute::Placement rows;
    rows.kind = distribute::Placement::Kind::Blocks;
    rows.dimensions = {1};
    return {{{0, w}, {0, h}}, rows};
}

TEST(SimulatedRun, HasTheMessagesOfRanks) {
    BlurOfParam blur;
    const auto code = driver::load_for_any_images(blur.blur_y.pipeline(), get_jit_target_from_environment());
    for (const int count : {1, 3, 7}) {
        const SimulatedRun run(*code, {{"input", rows_of(12, 30)}}, {rows_of(12, 30)}, count);
        const distribute::PlannedRanks planned = distribute::plan_all_ranks(run.program(), run.domains(), count, {});
        const distribute::ReplayResult replay = distribute::replay_ranks(planned.ranks, 1, {});
        std::atomic<int64_t> messages = 0, bytes = 0;
        DistributedImage<int> input(blur.input, {12, 30}), output(12, 30, "output");
        for (DistributedImage<int> *image : {&input, &output}) {
            image->set_domain(blur.x, blur.y);
            image->placement().distribute(blur.y);
        }
        run_on_ranks(count, [&] {
            input.allocate();
            output.allocate();
            const RankReport report = explain_ranks(blur.blur_y, output);
            messages += report.messages;
            bytes += report.bytes_sent;
        });
        EXPECT_EQ(replay.messages, messages) << count << " ranks";
        EXPECT_EQ(replay.bytes, bytes) << count << " ranks";
    }
}

TEST(SimulatedRun, IsOfAnyNumberOfRanksAndAnySize) {
    BlurOfParam blur;
    const auto code = driver::load_for_any_images(blur.blur_y.pipeline(), get_jit_target_from_environment());
    const SimulatedRun run(*code, {{"input", rows_of(1000000, 1000000)}}, {rows_of(1000000, 1000000)}, 4096);
    const distribute::PlannedRanks planned = distribute::plan_all_ranks(run.program(), run.domains(), 4096, {});
    const distribute::ReplayResult replay = distribute::replay_ranks(planned.ranks, 1, {});
    EXPECT_EQ(replay.messages, 2 * 4095); // a row of blur_x to each side
    EXPECT_EQ(replay.bytes, int64_t{2} * 4095 * 1000000 * 4);
    EXPECT_EQ(replay.points, int64_t{1000000} * (1000000 + 1000002));
}

TEST(SimulatedRun, IsMeasured) {
    BlurOfParam blur;
    const auto code = driver::load_for_any_images(blur.blur_y.pipeline(), get_jit_target_from_environment());
    const SimulatedRun large(*code, {{"input", rows_of(300, 200)}}, {rows_of(300, 200)}, 1);
    const SimulatedRun small(*code, {{"input", rows_of(30, 20)}}, {rows_of(30, 20)}, 1);
    int filled = 0;
    const auto costs = distributed::measured_costs(large, small, [&](const std::string &name, const auto &view) {
        EXPECT_EQ(name, "input");
        std::memset(view.data, 1, static_cast<size_t>(volume(view.box) * view.bytes));
        filled++;
    });
    EXPECT_EQ(filled, 2);
    ASSERT_EQ(costs.size(), 2U);
    EXPECT_EQ(costs[0].name, "blur_x");
    EXPECT_GT(costs[0].point, 0);
    EXPECT_GE(costs[1].call, 0);
    distribute::DistributedProgram program = large.program();
    distributed::set_costs(program, {{"blur_x", 6e-9, 4e-6}, {"blur_y", 2e-9, 0}}, 2e-9);
    EXPECT_DOUBLE_EQ(program.segments[0].cost, 3);
    EXPECT_DOUBLE_EQ(program.segments[0].call_cost, 2000);
    EXPECT_DOUBLE_EQ(program.segments[1].cost, 1);
}

// A level of a pyramid with two parts is cut in the middle, though the one above it, which reads it, is twice as large.
TEST(SimulatedRun, CutsLevelsOfPyramidsInTheMiddle) {
    ImageParam input(Int(32), 2, "input");
    Var x("x"), y("y");
    Func fine("fine"), coarse("coarse"), coarser("coarser"), up("up"), top("top");
    fine = BoundaryConditions::repeat_edge(input);
    coarse(x, y) = fine(x, 2 * y) + fine(x, 2 * y + 1);
    coarser(x, y) = coarse(x, 2 * y) + coarse(x, 2 * y + 1);
    up(x, y) = coarse(x, y) + coarser(x, y / 2);
    top(x, y) = input(x, y) + up(x, y / 2) + up(x, (y + 1) / 2);
    for (Func *func : {&coarse, &coarser, &up}) {
        func->compute_root().distribute(y);
    }
    top.distribute(y);
    const auto code = driver::load_for_any_images(top.pipeline(), get_jit_target_from_environment());
    for (const int count : {2, 3, 4}) {
        const int h = 48 * count;
        const SimulatedRun run(*code, {{"input", rows_of(10, h)}}, {rows_of(10, h)}, count);
        const distribute::PlannedRanks planned = distribute::plan_all_ranks(run.program(), run.domains(), count, {});
        EXPECT_LE(distribute::replay_ranks(planned.ranks, 1, {}).bytes, 10 * 4 * 8 * count) << count << " ranks";
    }
}

} // namespace
} // namespace fluorite::simulated_run_test
