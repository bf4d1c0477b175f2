#pragma once
// Sweeps of Jacobi's iteration: each point becomes a weighted sum of itself and its neighbours. Stars of 5 and 9 points
// in the plane, of 7 and 13 in space. Outside the grid values are 0.

#include "apps/common/gpu.h"
#include "apps/common/schedule.h"

#include <Halide.h>
#include <vector>

namespace apps {

/// A star: `reach` points along each axis in both directions.
struct Star {
    int dimensions, reach;
    int points() const { return 1 + 2 * dimensions * reach; }
};

struct Jacobi {
    Halide::ImageParam input;
    Halide::Func output;

    /// `sweeps` in one run; between them the hand schedule keeps strips of rows.
    explicit Jacobi(Schedule schedule, Star star, int sweeps = 1)
        : input(Halide::Float(32), star.dimensions, "input"), output("jacobi") {
        using namespace Halide;
        Var x("x"), y("y"), z("z"), yi("yi"), zi("zi");
        std::vector<Var> axes = {x, y, z};
        axes.resize(static_cast<size_t>(star.dimensions));
        Func before = BoundaryConditions::constant_exterior(input, 0.0f);
        std::vector<Func> all;
        for (int sweep = 0; sweep < sweeps; sweep++) {
            std::vector<Expr> at(axes.begin(), axes.end());
            // Points at distance 2 weigh a quarter of those at distance 1; all weights add up to 1.
            const float near =
                1.0f / static_cast<float>(2 * star.dimensions) / (star.reach == 1 ? 1.0f : 1.25f) * 0.75f;
            Expr sum = 0.25f * before(at);
            for (size_t d = 0; d < axes.size(); d++) {
                for (int i = 1; i <= star.reach; i++) {
                    std::vector<Expr> left = at, right = at;
                    left[d] = axes[d] - i;
                    right[d] = axes[d] + i;
                    sum += (i == 1 ? near : near / 4) * (before(left) + before(right));
                }
            }
            Func next = sweep + 1 == sweeps ? output : Func("sweep" + std::to_string(sweep));
            // Zeros beyond the grid hold for every sweep.
            next(axes) = sum;
            all.push_back(next);
            before = sweep + 1 == sweeps ? next : BoundaryConditions::constant_exterior(next, 0.0f, bounds());
        }
        const bool is_plane = star.dimensions == 2;
        for (Func &f : all) {
            f.compute_root();
            if (is_by_hand(schedule)) {
                is_plane ? f.split(y, y, yi, 64).parallel(y) : f.split(z, z, zi, 8).parallel(z);
                f.vectorize(x, 16);
            }
            if (is_on_gpu(schedule)) {
                gpu_tiles(f, x, y, {32, 8, 1, is_plane ? 4 : 1});
                if (!is_plane) {
                    f.split(z, z, zi, 4, TailStrategy::GuardWithIf).reorder(zi, gpu_x(), gpu_y(), x, y, z).unroll(zi);
                    f.gpu_blocks(z);
                }
            }
        }
    }

  private:
    Halide::Region bounds() const {
        Halide::Region region;
        for (int d = 0; d < input.dimensions(); d++) {
            region.push_back({input.dim(d).min(), input.dim(d).extent()});
        }
        return region;
    }
};

} // namespace apps
