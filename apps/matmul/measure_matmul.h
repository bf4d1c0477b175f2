#pragma once
// One product of two square matrices.

#include "apps/common/bench.h"
#include "apps/matmul/matmul.h"
#include "apps/matmul/reference.h"

namespace apps {

inline int measure_matmul(const char *name, const Options &options, int side) {
    const auto a = random_image<float>(side, side), b = random_image<float>(side, side, 1, 2u);
    const auto make = [&] {
        auto app = std::make_unique<Matmul>(options.schedule);
        app->a.set(over(a, 2));
        app->b.set(over(b, 2));
        return app;
    };
    const Tolerance tolerance = {3e-6}; // up to 2048 roundings that mostly cancel
    return measure(name, options, {12.0 * side * side, 2.0 * side * side * side, tolerance},
                   Halide::Buffer<float>(side, side), make, [&] { return reference::matmul(a, b); });
}

} // namespace apps
