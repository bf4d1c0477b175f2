#pragma once
// One sweep of a star over a grid of 192 MB and more.

#include "apps/common/bench.h"
#include "apps/jacobi/jacobi.h"
#include "apps/jacobi/reference.h"

namespace apps {

inline int measure_star(const char *name, const Options &options, Star star) {
    const bool plane = star.dimensions == 2;
    const auto input = plane ? random_image<float>(8192, 6144) : random_image<float>(512, 512, 192);
    const auto make = [&] {
        auto app = std::make_unique<Jacobi>(options.schedule, star);
        app->input.set(over(input, star.dimensions));
        return app;
    };
    std::vector<int> extents = {input.width, input.height, input.channels};
    extents.resize(static_cast<size_t>(star.dimensions));
    return measure(name, options, {8.0 * static_cast<double>(input.values.size())}, Halide::Buffer<float>(extents),
                   make, [&] { return reference::jacobi(input, star.dimensions, star.reach); });
}

} // namespace apps
