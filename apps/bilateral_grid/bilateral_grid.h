#pragma once
// Bilateral filter through a grid (Chen, Paris, Durand, 2007): pixels are binned by place and brightness, the grid is
// blurred with 1 4 1 along each axis, and read back by trilinear interpolation at each pixel's place and brightness.
// Outside the picture its edge repeats.

#include "apps/common/gpu.h"
#include "apps/common/schedule.h"

#include <Halide.h>

namespace apps {

struct BilateralGrid {
    static constexpr int cell = 8; ///< pixels along the side of a grid cell
    Halide::ImageParam input{Halide::Float(32), 2, "input"};
    Halide::Param<float> range{"range", 0.1f}; ///< brightness that one cell of the grid spans
    Halide::Func output{"bilateral_grid"};

    explicit BilateralGrid(Schedule schedule) {
        using namespace Halide;
        Var x("x"), y("y"), z("z"), c("c"), yi("yi");
        const Func source = BoundaryConditions::repeat_edge(input);
        RDom r(0, cell, 0, cell, "r");
        const Expr binned = clamp(source(x * cell + r.x - cell / 2, y * cell + r.y - cell / 2), 0.0f, 1.0f);
        Func grid("grid"), along_z("along_z"), along_x("along_x"), along_y("along_y"), between("between"),
            sliced("sliced");
        grid(x, y, z, c) = 0.0f;
        grid(x, y, cast<int>(binned * (1.0f / range) + 0.5f), c) += mux(c, {binned, 1.0f});
        along_z(x, y, z, c) = grid(x, y, z - 1, c) + 4 * grid(x, y, z, c) + grid(x, y, z + 1, c);
        along_x(x, y, z, c) = along_z(x - 1, y, z, c) + 4 * along_z(x, y, z, c) + along_z(x + 1, y, z, c);
        along_y(x, y, z, c) = along_x(x, y - 1, z, c) + 4 * along_x(x, y, z, c) + along_x(x, y + 1, z, c);

        const Expr depth = clamp(input(x, y), 0.0f, 1.0f) * (1.0f / range);
        const Expr zi = cast<int>(depth), zf = depth - zi, xi = x / cell, row = y / cell;
        const Expr xf = cast<float>(x % cell) / cell, yf = cast<float>(y % cell) / cell;
        between(x, y, z, c) = lerp(along_y(x, row, z, c), along_y(x, row + 1, z, c), yf);
        const auto plane = [&](Expr k) { return lerp(between(xi, y, k, c), between(xi + 1, y, k, c), xf); };
        sliced(x, y, c) = lerp(plane(zi), plane(zi + 1), zf);
        output(x, y) = sliced(x, y, 0) / sliced(x, y, 1);

        along_z.compute_root();
        along_x.compute_root();
        if (is_by_hand(schedule)) {
            along_z.reorder(c, z, x, y).bound(c, 0, 2).unroll(c).parallel(y).vectorize(x, 8);
            grid.compute_at(along_z, x).update().reorder(c, r.x, r.y, x, y).unroll(c);
            along_x.reorder(c, x, y, z).bound(c, 0, 2).unroll(c).parallel(z).vectorize(x, 8);
            output.split(y, y, yi, cell).parallel(y).vectorize(x, 8);
            along_y.compute_at(output, y).reorder(c, x, y, z).bound(c, 0, 2).unroll(c).vectorize(x, 8);
            // One row of the grid for each row of pixels: half of the look-ups are left for the pixels.
            between.compute_at(output, yi).vectorize(x, 8);
        } else if (is_on_gpu(schedule)) {
            // A thread bins the pixels of one place into the block's memory: columns of the grid never conflict.
            along_z.reorder(c, z, x, y).bound(c, 0, 2).unroll(c);
            gpu_tiles(along_z, x, y, rounded({16, 8}));
            grid.compute_at(along_z, x).gpu_threads(x, y);
            grid.update().reorder(c, r.x, r.y, x, y).unroll(c).gpu_threads(x, y);
            along_y.compute_root().reorder(c, x, y, z).bound(c, 0, 2).unroll(c);
            gpu_tiles(along_y, x, y, rounded({16, 8})).gpu_blocks(z);
            along_x.compute_at(along_y, x).reorder(c, x, y, z).bound(c, 0, 2).unroll(c);
            gpu_turns(along_x, x, y, 16, 8);
            gpu_tiles(output, x, y, gpu_patch);
        } else {
            along_y.compute_root();
        }
    }
};

} // namespace apps
