#pragma once
// Halide::Tools::benchmark: the minimum time over several samples, in seconds.

#include "fluorite/require_cxx17.h"

#include "fluorite/image_io.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>

namespace fluorite::Tools {

/// A point in time, and the seconds between two.
inline std::chrono::steady_clock::time_point benchmark_now() { return std::chrono::steady_clock::now(); }
inline double benchmark_duration_seconds(std::chrono::steady_clock::time_point start,
                                         std::chrono::steady_clock::time_point end) {
    return std::chrono::duration<double>(end - start).count();
}

/// Runs `op` `iterations` times in each of `samples` samples; returns the least mean time of one run in seconds.
inline double benchmark(uint64_t samples, uint64_t iterations, const std::function<void()> &op) {
    double best = 1e300;
    for (uint64_t sample = 0; sample < samples; sample++) {
        auto start = std::chrono::steady_clock::now();
        for (uint64_t i = 0; i < iterations; i++) {
            op();
        }
        std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
        best = std::min(best, elapsed.count() / static_cast<double>(iterations));
    }
    return best;
}

/// As above, with counts chosen so that measuring takes about a tenth of a second.
inline double benchmark(const std::function<void()> &op) {
    double once = benchmark(1, 1, op);
    uint64_t iterations = static_cast<uint64_t>(std::clamp(0.01 / std::max(once, 1e-9), 1.0, 1e6));
    return benchmark(std::min<uint64_t>(10, 3 + static_cast<uint64_t>(0.1 / std::max(once, 1e-3))), iterations, op);
}

} // namespace fluorite::Tools

namespace Halide {
namespace Tools {
using namespace fluorite::Tools;
}
} // namespace Halide
