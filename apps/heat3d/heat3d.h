#pragma once
// Heat in a block: explicit steps in time of the heat equation on a grid in space, with the star of 7 points. The loop
// over time is part of the program: a reduction in which two grids take turns. The block's faces keep their heat.

#include "apps/common/gpu.h"
#include "apps/common/schedule.h"

#include <Halide.h>

namespace apps {

struct Heat3d {
    Halide::ImageParam input{Halide::Float(32), 3, "input"};
    Halide::Param<float> rate{"rate", 0.15f}; ///< diffusivity times step over squared spacing; stable up to 1/6
    Halide::Param<int> steps{"steps", 8};
    Halide::Func output{"heat3d"};

    explicit Heat3d(Schedule schedule) {
        using namespace Halide;
        Var x("x"), y("y"), z("z"), turn("turn");
        // After t steps the heat is in grid t % 2. The faces are in both from the start.
        Func heat("heat");
        RDom r(1, input.dim(0).extent() - 2, 1, input.dim(1).extent() - 2, 1, input.dim(2).extent() - 2, 0, steps, "r");
        heat(x, y, z, turn) = input(x, y, z);
        const auto at = [&](int i, int j, int k) { return heat(r.x + i, r.y + j, r.z + k, r.w % 2); };
        heat(r.x, r.y, r.z, (r.w + 1) % 2) =
            at(0, 0, 0) + rate * (at(-1, 0, 0) + at(1, 0, 0) + at(0, -1, 0) + at(0, 1, 0) + at(0, 0, -1) + at(0, 0, 1) -
                                  6.0f * at(0, 0, 0));
        output(x, y, z) = heat(x, y, z, steps % 2);
        heat.compute_root().bound(turn, 0, 2);
        if (is_by_hand(schedule)) {
            heat.vectorize(x, 16).parallel(z);
            // A step reads one grid and writes the other: its points are independent.
            heat.update().allow_race_conditions().vectorize(r.x, 16).parallel(r.z);
            output.vectorize(x, 16).parallel(z);
        }
        if (is_on_gpu(schedule)) {
            // A kernel for each step.
            RVar block_x("block_x"), block_y("block_y"), thread_x("thread_x"), thread_y("thread_y");
            gpu_tiles(heat, x, y).gpu_blocks(z);
            heat.update().allow_race_conditions().split(r.x, block_x, thread_x, 32).split(r.y, block_y, thread_y, 8);
            heat.update().reorder(thread_x, thread_y, block_x, block_y, r.z, r.w);
            heat.update().gpu_blocks(block_x, block_y, r.z).gpu_threads(thread_x, thread_y);
            gpu_tiles(output, x, y).gpu_blocks(z);
        }
    }
};

} // namespace apps
