#pragma once
// Non-local means (Buades, Coll, Morel, 2005): each pixel becomes the mean of those in a window around it, weighted by
// how alike the patches around both are. Outside the picture its edge repeats.

#include "apps/common/gpu.h"
#include "apps/common/schedule.h"

#include <Halide.h>

namespace apps {

struct NlMeans {
    Halide::ImageParam input{Halide::Float(32), 3, "input"};
    Halide::Param<float> sigma{"sigma", 0.12f};
    Halide::Func output{"nl_means"};

    /// Sides of the patches and of the search window, in pixels, odd.
    explicit NlMeans(Schedule schedule, int patch = 7, int window = 7) {
        using namespace Halide;
        Var x("x"), y("y"), c("c"), dx("dx"), dy("dy"), xi("xi"), yi("yi");
        const Func source = BoundaryConditions::repeat_edge(input);
        Func distance("distance"), columns("columns"), weight("weight"), total("total");
        Expr squares = 0.0f;
        for (int channel = 0; channel < 3; channel++) {
            const Expr difference = source(x, y, channel) - source(x + dx, y + dy, channel);
            squares += difference * difference;
        }
        distance(x, y, dx, dy) = squares;
        Expr column = 0.0f, row = 0.0f;
        for (int i = -(patch / 2); i <= patch / 2; i++) {
            column += distance(x, y + i, dx, dy);
        }
        columns(x, y, dx, dy) = column;
        for (int i = -(patch / 2); i <= patch / 2; i++) {
            row += columns(x + i, y, dx, dy);
        }
        weight(x, y, dx, dy) = fast_exp(row * (-1.0f / (sigma * sigma * static_cast<float>(patch * patch))));
        RDom s(-(window / 2), window, -(window / 2), window, "s");
        total(x, y, c) = 0.0f;
        total(x, y, c) += weight(x, y, s.x, s.y) * select(c == 3, 1.0f, source(x + s.x, y + s.y, min(c, 2)));
        output(x, y, c) = clamp(total(x, y, c) / total(x, y, 3), 0.0f, 1.0f);

        if (is_by_hand(schedule)) {
            // Weights stay in registers. Longer vectors than the machine's hide the latency of the exponential, but
            // cost the peer more than they gain.
            const int lanes = schedule == Schedule::HandPeer ? 8 : 16;
            output.bound(c, 0, 3).tile(x, y, xi, yi, 64, 32).reorder(xi, yi, c, x, y).parallel(y).vectorize(xi, lanes);
            total.compute_at(output, x).bound(c, 0, 4).vectorize(x, lanes);
            total.update().reorder(c, x, y, s.x, s.y).unroll(c).vectorize(x, lanes);
            weight.compute_at(total, x).vectorize(x, lanes);
            for (Func f : {columns, distance}) {
                f.compute_at(total, s.x).vectorize(x, lanes);
            }
        } else if (is_on_gpu(schedule)) {
            // For each shift a thread has the sums of its columns in registers, which its four rows share.
            output.bound(c, 0, 3).reorder(c, x, y).unroll(c);
            gpu_tiles(output, x, y, shifted({32, 8, 1, 4}));
            total.compute_at(output, gpu_x()).bound(c, 0, 4).reorder(c, x, y).unroll(c).unroll(y);
            total.update().reorder(c, y, x, s.x, s.y).unroll(c).unroll(y);
            for (Func f : {weight, columns, distance}) {
                f.compute_at(total, s.x).unroll(x).unroll(y);
            }
        } else {
            columns.compute_root(); // inline, each pixel would visit whole patches for every shift
        }
    }
};

} // namespace apps
