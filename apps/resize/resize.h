#pragma once
// Resizes a picture by a factor, with a box, linear, cubic or Lanczos filter. Weights are computed once for every
// column and row of the result; when the result is smaller the filter is stretched, so that every pixel of the input
// counts. Outside the picture its edge repeats.

#include "apps/common/gpu.h"
#include "apps/common/schedule.h"

#include <Halide.h>

#include <cmath>

namespace apps {

enum class Filter { Box, Linear, Cubic, Lanczos };

/// How far the filter reaches from its middle.
inline float radius_of(Filter filter) {
    return filter == Filter::Box ? 0.5f : filter == Filter::Linear ? 1.0f : filter == Filter::Cubic ? 2.0f : 3.0f;
}

struct Resize {
    Halide::ImageParam input{Halide::Float(32), 3, "input"};
    Halide::Func output{"resize"};

    explicit Resize(Schedule schedule, Filter filter = Filter::Cubic, float factor = 0.5f) {
        using namespace Halide;
        Var x("x"), y("y"), c("c"), k("k"), xi("xi"), yi("yi");
        const float stretch = std::fmin(factor, 1.0f);
        const int taps = static_cast<int>(std::ceil(2 * radius_of(filter) / stretch)) + 1;
        const Func source = BoundaryConditions::repeat_edge(input);
        Func rows("rows");
        RDom r(0, taps, "r");
        // The first pixel that counts for pixel i of the result, and how much each one from it counts.
        const auto first = [&](Expr i) {
            return cast<int>(ceil((i + 0.5f) / factor - 0.5f - radius_of(filter) / stretch));
        };
        const auto weights = [&](const char *name) {
            Func raw(std::string(name) + "_raw"), total(std::string(name) + "_total"), weight(name);
            const Expr middle = (x + 0.5f) / factor - 0.5f;
            raw(x, k) = value_of(filter, (cast<float>(first(x) + k) - middle) * stretch);
            total(x) = 0.0f;
            total(x) += raw(x, r);
            weight(x, k) = raw(x, k) / total(x);
            raw.compute_root();
            total.compute_root();
            weight.compute_root();
            if (is_by_hand(schedule)) {
                raw.vectorize(x, 8);
                total.vectorize(x, 8).update().reorder(x, r).vectorize(x, 8);
                weight.vectorize(x, 8);
            }
            if (is_on_gpu(schedule)) {
                gpu_tiles(raw, x, k, {32, 4});
                gpu_tiles(weight, x, k, {32, 4});
                gpu_row_of(total, x);
                auto sums = total.update();
                gpu_row_of(sums.reorder(r, x), x);
            }
            return weight;
        };
        const Func across = weights("across"), down = weights("down");
        Func turned("turned"), sum("sum");
        rows(x, y, c) = 0.0f;
        rows(x, y, c) += down(y, r) * source(x, first(y) + r, c);
        sum(x, y, c) = 0.0f;
        turned(x, y, c) = rows(x, y, c);
        sum(x, y, c) += across(x, r) * turned(first(x) + r, y, c);
        output(x, y, c) = clamp(sum(x, y, c), 0.0f, 1.0f);
        if (is_by_hand(schedule)) {
            // Sums along x go down columns of as many rows as a vector has lanes, which lie side by side: neither
            // gathers nor strides. Blocks of 16 columns are turned before and after it in registers.
            const int lanes = get_jit_target_from_environment().natural_vector_size<float>();
            output.tile(x, y, xi, yi, 16, lanes).parallel(y).vectorize(xi).unroll(yi);
            sum.compute_at(output, x).reorder_storage(y, x, c).vectorize(y).unroll(x);
            sum.update().reorder(y, r, x).vectorize(y).unroll(r);
            turned.compute_at(output, y).reorder_storage(y, x, c);
            turned.tile(x, y, xi, yi, 16, lanes).vectorize(xi).unroll(yi);
            rows.compute_at(turned, x).vectorize(x).unroll(y);
            rows.update().reorder(x, r, y).vectorize(x).unroll(r);
        } else if (is_on_gpu(schedule)) {
            gpu_tiles(turned.compute_root(), x, y).gpu_blocks(c);
            rows.compute_at(turned, gpu_x());
            gpu_tiles(output, x, y).gpu_blocks(c);
            sum.compute_at(output, gpu_x());
        } else {
            rows.compute_root();
        }
    }

  private:
    static Halide::Expr value_of(Filter filter, const Halide::Expr &place) {
        using namespace Halide;
        const Expr t = abs(place);
        switch (filter) {
        case Filter::Box:
            return select(t <= 0.5f, 1.0f, 0.0f);
        case Filter::Linear:
            return max(1.0f - t, 0.0f);
        case Filter::Cubic: // Catmull and Rom
            return select(t < 1.0f, (1.5f * t - 2.5f) * t * t + 1.0f,
                          select(t < 2.0f, ((-0.5f * t + 2.5f) * t - 4.0f) * t + 2.0f, 0.0f));
        case Filter::Lanczos:
            break;
        }
        const float pi = 3.14159265f;
        const Expr a = pi * t, safe = max(a, 1e-4f);
        return select(t < 1e-4f, 1.0f, select(t < 3.0f, sin(safe) * sin(safe / 3.0f) * 3.0f / (safe * safe), 0.0f));
    }
};

} // namespace apps
