#pragma once
// One cycle of multigrid over 8191 x 8191 or 255 x 255 x 255 points, with four grids.

#include "apps/common/bench.h"
#include "apps/multigrid/multigrid.h"
#include "apps/multigrid/reference.h"

namespace apps {

inline int measure_cycle(const char *name, const Options &options, const MultigridOptions &wanted) {
    const bool planar = wanted.dimensions == 2;
    const int side = planar ? 8191 : 255, depth = planar ? 1 : side;
    const auto guess = random_image<double>(side, side, depth, -1.0, 1.0);
    const auto right = random_image<double>(side, side, depth, -1.0, 1.0, 2);
    const auto make = [&] {
        auto app = std::make_unique<Multigrid>(options.schedule, wanted);
        app->guess.set(over(guess, wanted.dimensions));
        app->right.set(over(right, wanted.dimensions));
        return app;
    };
    const std::vector<int> extents(static_cast<std::size_t>(wanted.dimensions), side);
    // At the least, both inputs are read and the output is written.
    return measure(name, options, {24.0 * static_cast<double>(guess.values.size())}, Halide::Buffer<double>(extents),
                   make, [&] {
                       const Smoothing &steps = wanted.smoothing;
                       const reference::Poisson poisson{steps.before, steps.coarsest, steps.after,
                                                        wanted.cycle == Cycle::V ? 1 : 2, wanted.levels};
                       return reference::multigrid(poisson, guess, right, planar);
                   });
}

} // namespace apps
