#pragma once
// How a case talks to run.py. The same source runs against Fluorite and against the peer; run.py keeps one process of
// each alive and lets them take turns, so that a slow minute of the machine slows both.
//
// On its output the case first writes lines `bytes NAME COUNT` (what a repetition has to move at least, where that is
// meaningful), then `ready`. For every line it reads it does one repetition, writes lines `value NAME SECONDS` and
// `checksum NAME HASH SUM`, then `end`. It ends with its input.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <functional>
#include <iostream>
#include <string>

namespace bench {

/// The seconds that `work` takes.
inline double seconds(const std::function<void()> &work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

inline void report(const std::string &name, double value) { std::printf("value %s %.9g\n", name.c_str(), value); }

/// The bytes that one repetition reads and writes when every element moves once.
inline void report_bytes(const std::string &name, double bytes) { std::printf("bytes %s %.0f\n", name.c_str(), bytes); }

/// Reports what a repetition computed: a hash of the bits, and the sum for outputs that may differ by rounding.
template <typename Element> void report_output(const std::string &name, const Element *elements, std::size_t count) {
    std::uint64_t hash = 1469598103934665603u;
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i) {
        std::uint64_t bits = 0;
        std::memcpy(&bits, elements + i, sizeof(Element));
        hash = (hash ^ bits) * 1099511628211u;
        sum += static_cast<double>(elements[i]);
    }
    std::printf("checksum %s %016llx %.17g\n", name.c_str(), static_cast<unsigned long long>(hash), sum);
}

/// Pseudo-random elements below `limit`, the same on every run.
template <typename Element> void fill(Element *elements, std::size_t count, std::uint32_t limit) {
    std::uint32_t state = 12345;
    for (std::size_t i = 0; i < count; ++i) {
        state = state * 1664525u + 1013904223u;
        elements[i] = static_cast<Element>((state >> 8) % limit);
    }
}

/// Serves repetitions until the input ends; the first one, numbered 0, is the one for warming up. Returns main's result.
inline int serve(const std::function<void(int repetition)> &once) {
    try {
        std::printf("ready\n");
        std::fflush(stdout);
        std::string line;
        for (int repetition = 0; std::getline(std::cin, line); ++repetition) {
            once(repetition);
            std::printf("end\n");
            std::fflush(stdout);
        }
        return 0;
    } catch (const std::exception &error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}

} // namespace bench
