#pragma once
// Harris and Stephens' corner response of a colour picture: the structure tensor of the luminance's Sobel gradients,
// summed over 3x3 pixels; determinant minus k times the squared trace. Outside the picture its edge repeats.

#include "apps/common/gpu.h"
#include "apps/common/schedule.h"

#include <Halide.h>

namespace apps {

struct Harris {
    Halide::ImageParam input{Halide::Float(32), 3, "input"};
    Halide::Param<float> k{"k", 0.04f};
    Halide::Func output{"harris"};

    explicit Harris(Schedule schedule) {
        using namespace Halide;
        Var x("x"), y("y"), yi("yi"), line("line");
        const Func source = BoundaryConditions::repeat_edge(input);
        Func gray("gray"), dx("dx"), dy("dy");
        gray(x, y) = 0.299f * source(x, y, 0) + 0.587f * source(x, y, 1) + 0.114f * source(x, y, 2);
        dx(x, y) = (gray(x + 1, y - 1) - gray(x - 1, y - 1)) + 2.0f * (gray(x + 1, y) - gray(x - 1, y)) +
                   (gray(x + 1, y + 1) - gray(x - 1, y + 1));
        dy(x, y) = (gray(x - 1, y + 1) - gray(x - 1, y - 1)) + 2.0f * (gray(x, y + 1) - gray(x, y - 1)) +
                   (gray(x + 1, y + 1) - gray(x + 1, y - 1));
        const auto sum = [&](const Func &a, const Func &b) {
            Func total("sum_" + a.name() + b.name());
            Expr value = 0.0f;
            for (int i = 0; i < 9; i++) {
                const Expr u = x + i % 3 - 1, v = y + i / 3 - 1;
                value += a(u, v) * b(u, v);
            }
            total(x, y) = value;
            return total;
        };
        const Func xx = sum(dx, dx), yy = sum(dy, dy), xy = sum(dx, dy);
        const Expr trace = xx(x, y) + yy(x, y);
        output(x, y) = xx(x, y) * yy(x, y) - xy(x, y) * xy(x, y) - k * trace * trace;
        if (is_by_hand(schedule)) {
            // Two rows at a time share their gradients; both gradients of a row come from the same loads.
            const int lanes = get_jit_target_from_environment().natural_vector_size<float>();
            output.split(y, y, yi, 32).split(yi, yi, line, 2).reorder(line, x, yi, y).unroll(line);
            output.parallel(y).vectorize(x, lanes);
            for (Func f : {gray, dx, dy}) {
                f.store_at(output, y).compute_at(output, yi).vectorize(x, lanes);
            }
            dy.compute_with(dx, x);
        }
        if (is_on_gpu(schedule)) {
            // Blocks share luminances; a thread has the gradients around its four rows in registers.
            gpu_tiles(output, x, y, shifted({32, 8, 2, 4}));
            gpu_turns(gray.compute_at(output, x), x, y);
            for (Func f : {dx, dy}) {
                f.compute_at(output, gpu_x()).unroll(x).unroll(y);
            }
        }
    }
};

} // namespace apps
