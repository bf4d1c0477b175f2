#pragma once
// Unsharp mask: what a Gaussian blur takes away from the luminance is added to it again, `strength` times over; the
// colours keep their proportions. Outside the picture its edge repeats.

#include "apps/common/gpu.h"
#include "apps/common/schedule.h"

#include <Halide.h>

namespace apps {

struct Unsharp {
    static constexpr int radius = 3;
    Halide::ImageParam input{Halide::Float(32), 3, "input"};
    Halide::Param<float> sigma{"sigma", 1.5f}, strength{"strength", 1.0f};
    Halide::Func output{"unsharp"};

    explicit Unsharp(Schedule schedule) {
        using namespace Halide;
        Var x("x"), y("y"), c("c"), i("i"), yi("yi");
        const Func source = BoundaryConditions::repeat_edge(input);
        Func weight("weight"), gray("gray"), down("down"), across("across"), ratio("ratio");
        weight(i) = exp(-i * i / (2 * sigma * sigma));
        Expr total = weight(0);
        for (int k = 1; k <= radius; k++) {
            total += 2 * weight(k);
        }
        Func kernel("kernel");
        kernel(i) = weight(i) / total;
        gray(x, y) = 0.299f * source(x, y, 0) + 0.587f * source(x, y, 1) + 0.114f * source(x, y, 2);
        Expr column = kernel(0) * gray(x, y);
        for (int k = 1; k <= radius; k++) {
            column += kernel(k) * (gray(x, y - k) + gray(x, y + k));
        }
        down(x, y) = column;
        Expr row = kernel(0) * down(x, y);
        for (int k = 1; k <= radius; k++) {
            row += kernel(k) * (down(x - k, y) + down(x + k, y));
        }
        across(x, y) = row;
        const Expr sharper = gray(x, y) + strength * (gray(x, y) - across(x, y));
        ratio(x, y) = sharper / max(gray(x, y), 1.0f / 256);
        output(x, y, c) = clamp(ratio(x, y) * input(x, y, c), 0.0f, 1.0f);

        weight.compute_root();
        kernel.compute_root();
        if (is_by_hand(schedule)) {
            // Rows of gray slide; the ratio of a vector stays in registers for its three colours.
            output.bound(c, 0, 3).split(y, y, yi, 32).reorder(c, x, yi, y).unroll(c).parallel(y).vectorize(x, 16);
            gray.store_at(output, y).compute_at(output, yi).vectorize(x, 16);
            down.compute_at(output, yi).vectorize(x, 16);
            ratio.compute_at(output, x).vectorize(x, 16);
        }
        if (is_on_gpu(schedule)) {
            gpu_row_of(weight, i, 8);
            gpu_row_of(kernel, i, 8);
            output.bound(c, 0, 3).reorder(c, x, y).unroll(c);
            gpu_tiles(output, x, y, shifted({32, 8, 2, 4}));
            ratio.compute_at(output, gpu_row());
            gpu_turns(gray.compute_at(output, x), x, y);
            gpu_turns(down.compute_at(output, x), x, y);
        }
    }
};

} // namespace apps
