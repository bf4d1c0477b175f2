#pragma once
// Loops over the blocks and threads of a GPU, as the applications' schedules need them again and again. Compiles
// against Fluorite and against the peer.

#include <Halide.h>

namespace apps {

/// The loops that gpu_tiles() makes beside those that it is given; stages are computed at them by these names. Inner
/// ones first: gpu_lane() (a vector), gpu_row() (unrolled), gpu_x() and gpu_y() (threads), then the blocks.
inline Halide::Var gpu_lane() { return Halide::Var("lane"); }
inline Halide::Var gpu_row() { return Halide::Var("row"); }
inline Halide::Var gpu_x() { return Halide::Var("thread_x"); }
inline Halide::Var gpu_y() { return Halide::Var("thread_y"); }

/// The threads of a block, and what one of them computes: `lanes` elements of each of `rows` rows.
///
/// By default a block beyond the edge is guarded, so that nothing is computed there. Shifted inwards it is as full as
/// any other, and what its threads store for themselves has constant sizes: for outputs, which are larger than a block.
/// Rounded up it computes elements that nobody reads: for Funcs that read no other Func of that size.
struct GpuTile {
    int x = 32, y = 8, lanes = 1, rows = 1;
    Halide::TailStrategy tail = Halide::TailStrategy::GuardWithIf;
};

/// Two by two elements: those of pyramids and of filters with few inputs were computed in .75 to .85 of the time on an
/// NVIDIA H200, as a thread has more loads under way, and shares some of them.
constexpr GpuTile gpu_patch = {32, 8, 2, 2};

inline GpuTile shifted(GpuTile tile) {
    tile.tail = Halide::TailStrategy::ShiftInwards;
    return tile;
}
inline GpuTile rounded(GpuTile tile) {
    tile.tail = Halide::TailStrategy::RoundUp;
    return tile;
}

/// Makes the loops x and y those over blocks, with loops over threads inside, for a Func or a Stage.
template <typename Stage>
Stage &gpu_tiles(Stage &stage, const Halide::Var &x, const Halide::Var &y, const GpuTile &tile = {}) {
    using namespace Halide;
    const Var lane = gpu_lane(), row = gpu_row(), tx = gpu_x(), ty = gpu_y();
    std::vector<VarOrRVar> order = {tx, ty, x, y};
    if (tile.rows > 1) {
        stage.split(y, y, row, tile.rows, tile.tail).unroll(row);
        order.insert(order.begin(), row);
    }
    if (tile.lanes > 1) {
        stage.split(x, x, lane, tile.lanes, tile.tail).vectorize(lane);
        order.insert(order.begin(), lane);
    }
    stage.split(x, x, tx, tile.x, tile.tail).split(y, y, ty, tile.y, tile.tail).reorder(order);
    stage.gpu_blocks(x, y).gpu_threads(tx, ty);
    return stage;
}

/// Along one dimension.
template <typename Stage> Stage &gpu_row_of(Stage &stage, const Halide::Var &x, int threads = 64) {
    stage.split(x, x, gpu_x(), threads, Halide::TailStrategy::GuardWithIf).gpu_blocks(x).gpu_threads(gpu_x());
    return stage;
}

/// For a Func that is computed at a loop over blocks, which a block's threads share: they take its elements by turns,
/// so that a block is not larger than for its output.
template <typename Stage>
Stage &gpu_turns(Stage &stage, const Halide::Var &x, const Halide::Var &y, int threads_x = 32, int threads_y = 8) {
    const Halide::Var tx = gpu_x(), ty = gpu_y();
    const auto guarded = Halide::TailStrategy::GuardWithIf;
    stage.split(x, x, tx, threads_x, guarded).split(y, y, ty, threads_y, guarded).reorder(x, y, tx, ty);
    stage.gpu_threads(tx, ty);
    return stage;
}

} // namespace apps
