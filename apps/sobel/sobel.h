#pragma once
// Strength of edges in 8-bit pixels: the sum of the magnitudes of both Sobel responses, at most 255. Outside the picture
// it is mirrored about its edge pixels.

#include "apps/common/schedule.h"

#include <Halide.h>

namespace apps {

struct Sobel {
    Halide::ImageParam input{Halide::UInt(8), 2, "input"};
    Halide::Func output{"sobel"};

    explicit Sobel(Schedule schedule) {
        using namespace Halide;
        Var x("x"), y("y"), yi("yi");
        const Func source = BoundaryConditions::mirror_interior(input);
        Func wide("wide"), across("across"), down("down");
        wide(x, y) = cast<int16_t>(source(x, y));
        across(x, y) = wide(x + 1, y - 1) - wide(x - 1, y - 1) + 2 * (wide(x + 1, y) - wide(x - 1, y)) +
                       wide(x + 1, y + 1) - wide(x - 1, y + 1);
        down(x, y) = wide(x - 1, y + 1) - wide(x - 1, y - 1) + 2 * (wide(x, y + 1) - wide(x, y - 1)) +
                     wide(x + 1, y + 1) - wide(x + 1, y - 1);
        output(x, y) = cast<uint8_t>(min(abs(across(x, y)) + abs(down(x, y)), 255));
        if (schedule == Schedule::Hand) {
            output.split(y, y, yi, 64).parallel(y).vectorize(x, 32);
        }
    }
};

} // namespace apps
