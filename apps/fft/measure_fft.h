#pragma once
// One transform of a square picture.

#include "apps/common/bench.h"
#include "apps/fft/fft.h"
#include "apps/fft/reference.h"

namespace apps {

inline int measure_fft(const char *name, const Options &options, int side, Domain domain) {
    // Around 0: a picture's mean would make one coefficient a thousand times greater than all others.
    const auto input = random_image<float>(side, side, 2, -1.0f, 1.0f);
    const auto make = [&] {
        auto app = std::make_unique<Fft>(options.schedule, side, domain);
        app->input.set(over(input, 3));
        return app;
    };
    const bool real = domain == Domain::Real;
    const int rows = real ? side / 2 + 1 : side;
    const double values = 1.0 * side * side, flops = (real ? 2.5 : 5.0) * values * 2 * std::log2(side);
    // Each value goes through up to 20 steps of butterflies, with roots that are rounded themselves; and the neighbours
    // of a small coefficient may be small by chance.
    const Tolerance tolerance = {5e-6};
    return measure(name, options, {(real ? 8.0 : 16.0) * values, flops, tolerance},
                   Halide::Buffer<float>(side, rows, 2), make, [&] { return reference::fft(input, real, rows); });
}

} // namespace apps
