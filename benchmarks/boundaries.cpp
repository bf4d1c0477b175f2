// What cutting loops at boundaries gains: a 5-point Jacobi sweep over 10000 x 10000 floats whose reads repeat the
// edges, with its loops cut into boundary and interior, with partitioning off (each read clamped), both with stores
// through and past the caches, and as hand-written C that treats the edges apart. All work in vectors of 16 floats on
// the same threads, by turns; their results are compared.
#include "benchmarks/vector_loop.h"
#include "fluorite/fluorite.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <thread>
#include <vector>

using namespace fluorite;

namespace {

constexpr int strips = 64;

void sweep_row(const float *above, const float *row, const float *below, float *out, int width) {
    const auto point = [&](int x, int left, int right) {
        out[x] = 0.2f * (((row[x] + row[left]) + (row[right] + above[x])) + below[x]);
    };
    point(0, 0, std::min(1, width - 1));
    VECTOR_LOOP
    for (int x = 1; x < width - 1; x++) {
        out[x] = 0.2f * (((row[x] + row[x - 1]) + (row[x + 1] + above[x])) + below[x]);
    }
    if (width > 1) {
        point(width - 1, width - 2, width - 1);
    }
}

void sweep_by_hand(const Buffer<float> &in, Buffer<float> &out, int threads) {
    const int width = in.width(), height = in.height();
    const auto part = [&](int t) {
        for (int y = height * t / threads; y < height * (t + 1) / threads; y++) {
            const auto row = [&](int at) {
                return in.data() + static_cast<size_t>(std::clamp(at, 0, height - 1)) * width;
            };
            sweep_row(row(y - 1), row(y), row(y + 1), out.data() + static_cast<size_t>(y) * width, width);
        }
    };
    std::vector<std::thread> others;
    for (int t = 1; t < threads; t++) {
        others.emplace_back(part, t);
    }
    part(0);
    for (std::thread &other : others) {
        other.join();
    }
}

Func sweep(ImageParam &input, bool partitions, bool streams) {
    Var x("x"), y("y");
    Func in = BoundaryConditions::repeat_edge(input), f("jacobi");
    f(x, y) = 0.2f * (((in(x, y) + in(x - 1, y)) + (in(x + 1, y) + in(x, y - 1))) + in(x, y + 1));
    f.vectorize(x, 16).parallel(y, strips);
    if (!partitions) {
        f.never_partition_all();
    }
    if (streams) {
        f.stream_stores();
    }
    f.compile_jit();
    return f;
}

bool equal(const Buffer<float> &a, const Buffer<float> &b) { return std::equal(a.begin(), a.end(), b.begin()); }

} // namespace

int main(int argc, char **argv) {
    const int size = argc > 1 ? std::atoi(argv[1]) : 10000, rounds = argc > 2 ? std::atoi(argv[2]) : 7;
    if (size < 1 || rounds < 1 || (argc > 3 && std::atoi(argv[3]) < 1)) {
        std::fprintf(stderr, "bench_boundaries [SIZE [ROUNDS [THREADS]]]: all are 1 or more\n");
        return 2;
    }
    const int threads = argc > 3 ? std::atoi(argv[3]) : 1; // one takes nearly all of the memory's bandwidth
    JITSharedRuntime::set_num_threads(threads);
    ImageParam input(Float(32), 2, "input");
    Buffer<float> in(size, size);
    in.for_each_element([&](int x, int y) { in(x, y) = static_cast<float>((x * 7 + y * 13) % 101); });
    input.set(in);
    constexpr int kinds = 5;
    static const char *const names[kinds] = {"cut", "clamped", "cut, streamed", "clamped, streamed", "hand-written C"};
    std::vector<Buffer<float>> outs;
    std::vector<std::function<void()>> runs;
    for (int kind = 0; kind < kinds; kind++) {
        outs.emplace_back(size, size);
        Buffer<float> out = outs.back();
        if (kind == kinds - 1) {
            runs.emplace_back([&in, out, threads]() mutable { sweep_by_hand(in, out, threads); });
        } else {
            runs.emplace_back([f = sweep(input, kind % 2 == 0, kind >= 2), out]() mutable { f.realize(out); });
        }
    }
    double best[kinds];
    std::fill(best, best + kinds, 1e9);
    for (int round = 0; round <= rounds; round++) {
        for (int i = 0; i < kinds; i++) {
            const auto start = std::chrono::steady_clock::now();
            runs[i]();
            const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
            best[i] = round > 0 ? std::min(best[i], seconds) : best[i]; // the first warms up
        }
    }
    std::printf("5-point Jacobi, %d x %d floats, %d threads, least of %d rounds\n", size, size, threads, rounds);
    for (int i = 0; i < kinds; i++) {
        std::printf("  %-18s %8.1f ms\n", names[i], best[i] * 1e3);
    }
    std::printf("  clamped / cut %.2f, streamed %.2f; cut / hand-written %.2f, streamed %.2f\n", best[1] / best[0],
                best[3] / best[2], best[0] / best[4], best[2] / best[4]);
    for (int i = 1; i < kinds; i++) {
        if (!equal(outs[0], outs[static_cast<size_t>(i)])) {
            std::printf("  DIFFERENT results: %s\n", names[i]);
            return 1;
        }
    }
    return 0;
}
