#pragma once
// One step of segmentation without edges (Chan and Vese, 2001): the contour is where phi is 0, inside it is positive.
// phi moves so that brightness inside and outside become uniform and the contour stays short. The host iterates.
// Outside the picture the edge of phi repeats.

#include "apps/common/gpu.h"
#include "apps/common/schedule.h"

#include <Halide.h>

namespace apps {

struct LevelSet {
    Halide::ImageParam input{Halide::Float(32), 2, "input"}, phi{Halide::Float(32), 2, "phi"};
    Halide::Param<float> step{"step", 0.5f}, length{"length", 0.2f}; ///< of time; weight of the contour's length
    Halide::Func output{"level_set"};

    explicit LevelSet(Schedule schedule) {
        using namespace Halide;
        Var x("x"), y("y"), yi("yi"), lane("lane");
        // Sums of brightness and of pixels, inside and outside: 16 interleaved parts of each row, then rows, then all.
        const int lanes = 16;
        Func part("part"), row("row"), all("all");
        RDom r(0, (input.width() + lanes - 1) / lanes, "r"), l(0, lanes, "l"), rows(0, input.height(), "rows");
        const Expr at = r * lanes + lane, safe = min(at, input.width() - 1);
        const Expr here = select(at < input.width(), 1.0f, 0.0f), inside = select(phi(safe, y) > 0.0f, here, 0.0f);
        part(lane, y) = Tuple(0.0f, 0.0f, 0.0f, 0.0f);
        part(lane, y) = Tuple(part(lane, y)[0] + inside * input(safe, y), part(lane, y)[1] + inside,
                              part(lane, y)[2] + (here - inside) * input(safe, y), part(lane, y)[3] + (here - inside));
        row(y) = Tuple(0.0f, 0.0f, 0.0f, 0.0f);
        row(y) = Tuple(row(y)[0] + part(l, y)[0], row(y)[1] + part(l, y)[1], row(y)[2] + part(l, y)[2],
                       row(y)[3] + part(l, y)[3]);
        all() = Tuple(0.0f, 0.0f, 0.0f, 0.0f);
        all() =
            Tuple(all()[0] + row(rows)[0], all()[1] + row(rows)[1], all()[2] + row(rows)[2], all()[3] + row(rows)[3]);
        Func means("means");
        means() = Tuple(all()[0] / max(all()[1], 1.0f), all()[2] / max(all()[3], 1.0f));

        const Func p = BoundaryConditions::repeat_edge(phi);
        const auto norm = [](Expr a, Expr b) { return sqrt(a * a + b * b + 1e-6f); };
        Func along_x("along_x"), along_y("along_y");
        const Expr right = p(x + 1, y) - p(x, y), down = p(x, y + 1) - p(x, y);
        along_x(x, y) = right / norm(right, 0.5f * (p(x, y + 1) - p(x, y - 1)));
        along_y(x, y) = down / norm(0.5f * (p(x + 1, y) - p(x - 1, y)), down);
        const Expr curvature = along_x(x, y) - along_x(x - 1, y) + along_y(x, y) - along_y(x, y - 1);
        const Expr to_inside = input(x, y) - means()[0], to_outside = input(x, y) - means()[1];
        const Expr delta = 0.31830989f / (1.0f + phi(x, y) * phi(x, y));
        output(x, y) =
            phi(x, y) + step * delta * (length * curvature - to_inside * to_inside + to_outside * to_outside);

        part.compute_root();
        row.compute_root();
        all.compute_root();
        means.compute_root();
        if (is_by_hand(schedule)) {
            const int vector = get_jit_target_from_environment().natural_vector_size<float>();
            part.bound(lane, 0, lanes).vectorize(lane).parallel(y);
            part.update().reorder(lane, r, y).vectorize(lane).parallel(y);
            output.split(y, y, yi, 32).parallel(y).vectorize(x, vector);
            along_x.compute_at(output, yi).vectorize(x, vector);
            along_y.store_at(output, y).compute_at(output, yi).vectorize(x, vector).compute_with(along_x, x);
        }
        if (is_on_gpu(schedule)) {
            // The sum of all rows has one order, so the host adds them up.
            auto parts = part.update(), row_sums = row.update();
            gpu_tiles(part.bound(lane, 0, lanes), lane, y, {lanes, 8});
            gpu_tiles(parts.reorder(r, lane, y), lane, y, {lanes, 8});
            gpu_row_of(row, y);
            gpu_row_of(row_sums.reorder(l, y), y);
            gpu_tiles(output, x, y, shifted({32, 8, 1, 2}));
            for (Func f : {along_x, along_y}) {
                f.compute_at(output, gpu_x()).unroll(x).unroll(y);
            }
        }
    }
};

} // namespace apps
