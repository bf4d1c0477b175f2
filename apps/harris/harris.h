#pragma once
// Harris and Stephens' corner response of a colour picture: the structure tensor of the luminance's Sobel gradients, summed
// over 3x3 pixels; determinant minus k times the squared trace. Outside the picture its edge repeats.

#include "apps/common/schedule.h"

#include <Halide.h>

namespace apps {

struct Harris {
    Halide::ImageParam input{Halide::Float(32), 3, "input"};
    Halide::Param<float> k{"k", 0.04f};
    Halide::Func output{"harris"};

    explicit Harris(Schedule schedule) {
        using namespace Halide;
        Var x("x"), y("y"), yi("yi");
        const Func source = BoundaryConditions::repeat_edge(input);
        Func gray("gray"), dx("dx"), dy("dy");
        gray(x, y) = 0.299f * source(x, y, 0) + 0.587f * source(x, y, 1) + 0.114f * source(x, y, 2);
        dx(x, y) = (gray(x + 1, y - 1) - gray(x - 1, y - 1)) + 2.0f * (gray(x + 1, y) - gray(x - 1, y)) +
                   (gray(x + 1, y + 1) - gray(x - 1, y + 1));
        dy(x, y) = (gray(x - 1, y + 1) - gray(x - 1, y - 1)) + 2.0f * (gray(x, y + 1) - gray(x, y - 1)) +
                   (gray(x + 1, y + 1) - gray(x + 1, y - 1));
        const auto sum = [&](const Func &a, const Func &b) {
            Func product(a.name() + b.name()), total("sum_" + a.name() + b.name());
            product(x, y) = a(x, y) * b(x, y);
            Expr value = 0.0f;
            for (int i = 0; i < 9; i++) {
                value += product(x + i % 3 - 1, y + i / 3 - 1);
            }
            total(x, y) = value;
            return total;
        };
        const Func xx = sum(dx, dx), yy = sum(dy, dy), xy = sum(dx, dy);
        const Expr trace = xx(x, y) + yy(x, y);
        output(x, y) = xx(x, y) * yy(x, y) - xy(x, y) * xy(x, y) - k * trace * trace;
        if (schedule == Schedule::Hand) {
            output.split(y, y, yi, 32).parallel(y).vectorize(x, 16);
            gray.store_at(output, y).compute_at(output, yi).vectorize(x, 16);
            dx.store_at(output, y).compute_at(output, yi).vectorize(x, 16);
            dy.store_at(output, y).compute_at(output, yi).vectorize(x, 16);
        }
    }
};

} // namespace apps
