#pragma once
// Halide::Tools::benchmark: the least time of one run, in seconds.

#include "fluorite/require_cxx17.h"

#include "fluorite/image_io.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <vector>

namespace fluorite::Tools {

/// The clock of all times, which never goes back.
template <bool = true> struct SteadyClock {
    using type = std::chrono::steady_clock;
};

/// A point in time, and the seconds between two.
inline SteadyClock<>::type::time_point benchmark_now() { return SteadyClock<>::type::now(); }
inline double benchmark_duration_seconds(SteadyClock<>::type::time_point start, SteadyClock<>::type::time_point end) {
    return std::chrono::duration<double>(end - start).count();
}

/// Runs `op` `iterations` times in each of `samples` samples; returns the least mean time of one run in seconds.
inline double benchmark(uint64_t samples, uint64_t iterations, const std::function<void()> &op) {
    double best = 1e300;
    for (uint64_t sample = 0; sample < samples; sample++) {
        const auto start = benchmark_now();
        for (uint64_t i = 0; i < iterations; i++) {
            op();
        }
        best = std::min(best, benchmark_duration_seconds(start, benchmark_now()) / static_cast<double>(iterations));
    }
    return best;
}

/// How long to measure, in seconds, and when to stop: when the least and the third least time differ by no more than
/// this fraction.
struct BenchmarkConfig {
    double min_time = 0.1;
    double max_time = 0.4;
    uint64_t max_iters_per_sample = 1000000;
    double accuracy = 0.03;
};

/// The most runs of one sample, whatever the configuration says.
constexpr uint64_t kBenchmarkMaxIterations = 1000000000;

/// The least mean time of one run in seconds, of how many samples and runs, and the fraction by which the third least
/// time is longer.
struct BenchmarkResult {
    double wall_time = 0;
    uint64_t samples = 0;
    uint64_t iterations = 0;
    double accuracy = 0;
    /// The time.
    operator double() const { return wall_time; } // NOLINT(google-explicit-constructor)
};

/// Measures `op`. A first run says how many runs make a sample of a tenth of the least time; samples of so many runs
/// follow until both the least time is over and the times agree, or the most time is over.
inline BenchmarkResult benchmark(const std::function<void()> &op, const BenchmarkConfig &config = {}) {
    const double once = std::max(benchmark(1, 1, op), 1e-9);
    const double of_sample = std::max(config.min_time, 1e-5) / 10;
    const uint64_t most = std::clamp<uint64_t>(config.max_iters_per_sample, 1, kBenchmarkMaxIterations);
    const auto runs = static_cast<uint64_t>(std::clamp(of_sample / once, 1.0, static_cast<double>(most)));
    BenchmarkResult result;
    std::vector<double> times;
    for (double spent = 0;;) {
        times.push_back(benchmark(1, runs, op));
        spent += times.back() * static_cast<double>(runs);
        result.samples++;
        result.iterations += runs;
        if (times.size() < 3) {
            continue;
        }
        std::partial_sort(times.begin(), times.begin() + 3, times.end());
        result.wall_time = times[0];
        result.accuracy = times[0] > 0 ? times[2] / times[0] - 1 : 0;
        const bool agree = spent >= config.min_time && result.accuracy <= config.accuracy;
        if (agree || spent >= std::max(config.min_time, config.max_time)) {
            return result;
        }
    }
}

} // namespace fluorite::Tools

namespace Halide {
namespace Tools {
using namespace fluorite::Tools;
}
} // namespace Halide
