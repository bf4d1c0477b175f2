#pragma once
// One transform of a square picture.

#include "apps/common/bench.h"
#include "apps/fft/fft.h"
#include "apps/fft/reference.h"

namespace apps {

inline int measure_fft(const char *name, const Options &options, int side, Domain domain) {
    const auto input = random_image<float>(side, side, 2);
    const auto make = [&] {
        auto app = std::make_unique<Fft>(Schedule::Hand, side, domain);
        app->input.set(over(input, 3));
        return app;
    };
    const bool real = domain == Domain::Real;
    const int rows = real ? side / 2 + 1 : side;
    const double values = 1.0 * side * side, flops = (real ? 2.5 : 5.0) * values * 2 * std::log2(side);
    return measure(name, options, {(real ? 8.0 : 16.0) * values, flops}, Halide::Buffer<float>(side, rows, 2), make,
                   [&] { return reference::fft(input, real, rows); });
}

} // namespace apps
