#pragma once
// Strength of edges in 8-bit pixels: the sum of the magnitudes of both Sobel responses, at most 255. Outside the
// picture it is mirrored about its edge pixels.

#include "apps/common/gpu.h"
#include "apps/common/schedule.h"

#include <Halide.h>

namespace apps {

struct Sobel {
    Halide::ImageParam input{Halide::UInt(8), 2, "input"};
    Halide::Func output{"sobel"};

    explicit Sobel(Schedule schedule) {
        using namespace Halide;
        Var x("x"), y("y"), yi("yi"), row("row");
        const Func source = BoundaryConditions::mirror_interior(input);
        // Each row of pixels has one difference and one sum, which the responses of three rows share.
        Func wide("wide"), difference("difference"), sum("sum"), across("across"), down("down");
        wide(x, y) = cast<int16_t>(source(x, y));
        difference(x, y) = wide(x + 1, y) - wide(x - 1, y);
        sum(x, y) = wide(x - 1, y) + 2 * wide(x, y) + wide(x + 1, y);
        across(x, y) = difference(x, y - 1) + 2 * difference(x, y) + difference(x, y + 1);
        down(x, y) = sum(x, y + 1) - sum(x, y - 1);
        output(x, y) = cast<uint8_t>(min(abs(across(x, y)) + abs(down(x, y)), 255));
        if (is_by_hand(schedule)) {
            output.split(y, y, yi, 64).parallel(y).vectorize(x, 32);
            output.split(yi, yi, row, 4).reorder(row, x).unroll(row);
        }
        if (is_on_gpu(schedule)) {
            gpu_tiles(output, x, y, shifted({32, 2, 4, 8})); // rows share their pixels in registers
        }
    }
};

} // namespace apps
