#pragma once
// How a case talks to run.py. The same source runs against Fluorite and against the peer; run.py keeps one process of
// each alive and lets them take turns, so that a slow minute of the machine slows both.
//
// On its output the case first writes lines `bytes NAME COUNT` (what a repetition has to move at least, where that is
// meaningful), then `ready`. For every line it reads it does one repetition, writes lines `value NAME SECONDS` and
// `output NAME KIND EXTENTS RELATIVE ABSOLUTE FILE`, then `end`. It ends with its input. The file holds the whole
// output; a repetition that computes the same as the one before names the same file. Files begin with the variable
// BENCH_DUMPS; without it outputs are not left.
#include "benchmarks/compare/compare.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

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

/// What floats may be off by unless a case says otherwise: the rounding of some eight operations, of the local scale.
constexpr Tolerance rounding = {1e-6, 0};

/// Whether a file holds just these bytes. It is read in parts that stay in the first cache.
inline bool file_holds(const std::string &path, const char *bytes, std::size_t size) {
    std::ifstream file(path, std::ios::binary);
    char part[16384];
    while (size > 0) {
        const std::size_t next = std::min(size, sizeof part);
        if (!file.read(part, static_cast<std::streamsize>(next)) || std::memcmp(part, bytes, next) != 0) {
            return false;
        }
        bytes += next;
        size -= next;
    }
    return file.peek() == std::ifstream::traits_type::eof();
}

/// The file of an output: that of the repetition before if it holds the same, else a new one.
inline std::string dump(const std::string &name, const char *bytes, std::size_t size, const std::string &prefix) {
    static std::map<std::string, int> written;
    int &count = written[name];
    const auto path = [&](int number) { return prefix + "." + name + "." + std::to_string(number); };
    if (count > 0 && file_holds(path(count), bytes, size)) {
        return path(count);
    }
    count++;
    if (!std::ofstream(path(count), std::ios::binary).write(bytes, static_cast<std::streamsize>(size)).flush()) {
        throw std::runtime_error("cannot write " + path(count));
    }
    return path(count);
}

/// Leaves what a repetition computed to be compared; `extents` are innermost first, of elements without gaps.
template <typename Element>
void report_output(const std::string &name, const Element *elements, const std::vector<int> &extents,
                   const Tolerance &tolerance = rounding) {
    const char *prefix = std::getenv("BENCH_DUMPS");
    if (prefix == nullptr) {
        return;
    }
    std::size_t bytes = sizeof(Element);
    std::string shape;
    for (const int extent : extents) {
        bytes *= static_cast<std::size_t>(extent);
        shape += (shape.empty() ? "" : "x") + std::to_string(extent);
    }
    const std::string path = dump(name, reinterpret_cast<const char *>(elements), bytes, prefix);
    const char kind = std::is_floating_point_v<Element> ? 'f' : std::is_signed_v<Element> ? 'i' : 'u';
    std::printf("output %s %c%zu %s %.9g %.9g %s\n", name.c_str(), kind, sizeof(Element), shape.c_str(),
                tolerance.relative, tolerance.absolute, path.c_str());
}

/// The same of a buffer. One whose channels are interleaved counts as a single line of elements.
template <typename Buffer>
void report_buffer(const std::string &name, Buffer &buffer, const Tolerance &tolerance = rounding) {
    std::vector<int> extents;
    bool planar = true;
    int elements = 1;
    for (int d = 0; d < buffer.dimensions(); d++) {
        planar &= buffer.dim(d).stride() == elements;
        elements *= buffer.dim(d).extent();
        extents.push_back(buffer.dim(d).extent());
    }
    report_output(name, buffer.data(), planar ? extents : std::vector<int>{elements}, tolerance);
}

/// Pseudo-random elements below `limit`, the same on every run.
template <typename Element> void fill(Element *elements, std::size_t count, std::uint32_t limit) {
    std::uint32_t state = 12345;
    for (std::size_t i = 0; i < count; ++i) {
        state = state * 1664525u + 1013904223u;
        elements[i] = static_cast<Element>((state >> 8) % limit);
    }
}

/// Serves repetitions until the input ends; the first one, numbered 0, is the one for warming up. Returns main's
/// result.
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
