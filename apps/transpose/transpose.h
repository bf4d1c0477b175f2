#pragma once
// Transposes 16-bit pixels block by block: 32 rows of 16 pixels are read in vectors, turned, and written as whole lines
// of the caches.
// Reads no pixel outside the picture.

#include "apps/common/gpu.h"
#include "apps/common/schedule.h"

#include <Halide.h>

namespace apps {

struct Transpose {
    Halide::ImageParam input{Halide::UInt(16), 2, "input"};
    Halide::Func output{"transpose"};

    explicit Transpose(Schedule schedule) {
        using namespace Halide;
        Var x("x"), y("y"), xi("xi"), yi("yi"), xo("xo"), yo("yo"), tile("tile");
        Func block("block"), turned("turned");
        block(x, y) = input(x, y);
        turned(x, y) = block(y, x);
        output(x, y) = turned(x, y);
        if (is_by_hand(schedule)) {
            output.tile(x, y, xi, yi, 32, 16).vectorize(xi).unroll(yi);
            output.tile(x, y, xo, yo, x, y, 8, 64, TailStrategy::GuardWithIf).fuse(xo, yo, tile).parallel(tile);
            block.compute_at(output, x).vectorize(x).unroll(y);
            turned.compute_at(output, x).vectorize(y).unroll(x);
        }
        if (is_on_gpu(schedule)) {
            // Squares are turned in the block's memory, where 33 words are from row to row: columns share no banks.
            gpu_tiles(output, x, y, shifted({32, 8, 2, 8}));
            block.compute_at(output, x).align_storage(x, 66).split(x, x, gpu_lane(), 2).vectorize(gpu_lane());
            gpu_turns(block, x, y);
        }
    }
};

} // namespace apps
