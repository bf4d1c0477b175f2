#pragma once
// Box blur of 3x3 16-bit pixels: the mean of three in a row, then of three such in a column. Outside the picture its
// edge repeats.

#include "apps/common/gpu.h"
#include "apps/common/schedule.h"

#include <Halide.h>

namespace apps {

struct Blur {
    Halide::ImageParam input{Halide::UInt(16), 2, "input"};
    Halide::Func output{"blur"};

    explicit Blur(Schedule schedule) {
        using namespace Halide;
        Var x("x"), y("y"), yi("yi"), row("row");
        const Func source = BoundaryConditions::repeat_edge(input);
        Func across("across");
        const auto mean = [](Expr a, Expr b, Expr c) {
            return cast<uint16_t>((cast<uint32_t>(a) + cast<uint32_t>(b) + cast<uint32_t>(c)) / 3);
        };
        across(x, y) = mean(source(x - 1, y), source(x, y), source(x + 1, y));
        output(x, y) = mean(across(x, y - 1), across(x, y), across(x, y + 1));
        if (is_by_hand(schedule)) {
            output.split(y, y, yi, 64).parallel(y).vectorize(x, 32);
            // Four rows at a time need six of `across`, which stay in registers.
            output.split(yi, yi, row, 4).reorder(row, x).unroll(row);
            across.compute_at(output, x).vectorize(x, 32).unroll(y);
        }
        if (is_on_gpu(schedule)) {
            // A thread keeps the six rows of `across` that its four rows need in registers.
            gpu_tiles(output, x, y, shifted({32, 8, 2, 4}));
            across.compute_at(output, gpu_x()).vectorize(x, 2).unroll(y);
        }
    }
};

} // namespace apps
