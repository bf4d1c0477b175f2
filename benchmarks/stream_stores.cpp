// What stores past the caches gain: a fill, a copy and a column blur of 320 MB of uint8, with and without
// stream_stores(), beside memcpy of as much. Prints GB/s of what is read and written (a store through the caches also
// reads the line it writes).
#include <Halide.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>

using namespace Halide;

namespace {

constexpr int width = 16384, height = 20480;

template <typename Run> double best_seconds(const Run &run) {
    double best = 1e9;
    for (int i = 0; i < 5; i++) {
        const auto start = std::chrono::steady_clock::now();
        run();
        best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    return best;
}

void report(const char *name, double bytes, double seconds) {
    std::printf("%-14s %7.1f ms  %5.1f GB/s\n", name, seconds * 1e3, bytes / seconds / 1e9);
}

Expr value_of(int kind, ImageParam &input, const Var &x, const Var &y) {
    if (kind == 0) {
        return cast<uint8_t>(x + y);
    }
    auto row = [&](int by) { return cast<uint16_t>(input(x, min(y + by, height - 1))); };
    return kind == 1 ? input(x, y) : cast<uint8_t>((row(0) + row(1) + row(2)) / cast<uint16_t>(3));
}

} // namespace

int main() {
    Buffer<uint8_t> in(width, height), out(width, height);
    in.fill(3);
    out.fill(1);
    const double bytes = static_cast<double>(width) * height;
    report("memcpy", 2 * bytes, best_seconds([&] { std::memcpy(out.data(), in.data(), out.size_in_bytes()); }));
    static const char *const names[][2] = {
        {"fill", "fill, streamed"}, {"copy", "copy, streamed"}, {"blur", "blur, streamed"}};
    for (int kind = 0; kind < 3; kind++) {
        for (int streams = 0; streams < 2; streams++) {
            ImageParam input(UInt(8), 2);
            Func f;
            Var x, y;
            f(x, y) = value_of(kind, input, x, y);
            f.vectorize(x, 64).parallel(y, 64);
            if (streams) {
                f.stream_stores();
            }
            input.set(in);
            f.realize(out);
            report(names[kind][streams], (kind == 0 ? 1 : 2) * bytes, best_seconds([&] { f.realize(out); }));
        }
    }
    return 0;
}
