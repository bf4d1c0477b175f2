// Applications that memory bounds, on more than 256 MB, with plain stores and with stores past the caches: GB/s of what
// has to move (each input read once, each output written once), beside a copy of as much by as many threads. A copy's
// stores pass the caches where those of the C library do; a store through the caches also reads the line it writes.
#include "apps/blur/blur.h"
#include "apps/jacobi/jacobi.h"
#include "apps/sobel/sobel.h"
#include "apps/transpose/transpose.h"
#include "apps/unsharp/unsharp.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

using namespace Halide;

namespace {

constexpr int rounds = 7;

double seconds(const std::function<void()> &run) {
    const auto start = std::chrono::steady_clock::now();
    run();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Copies by bands, one thread each.
void copy(char *to, const char *from, size_t bytes, size_t threads) {
    std::vector<std::thread> team;
    const size_t band = (bytes + threads - 1) / threads;
    for (size_t t = 0; t < threads; t++) {
        const size_t begin = std::min(t * band, bytes), size = std::min(band, bytes - begin);
        team.emplace_back([=] { std::memcpy(to + begin, from + begin, size); });
    }
    for (std::thread &thread : team) {
        thread.join();
    }
}

/// Fills with what depends on the place; the values do not change the speed.
template <typename T> Buffer<T> filled(const std::vector<int> &extents) {
    Buffer<T> buffer(extents);
    for (size_t i = 0; i < buffer.number_of_elements(); i++) {
        buffer.data()[i] = static_cast<T>(i * 2654435761u >> 24);
    }
    return buffer;
}

/// The best times of the plain version, the streamed one and a copy, by turns.
template <typename T, typename Make>
void measure(const char *name, const std::vector<int> &extents, size_t threads, const Make &make) {
    const Buffer<T> input = filled<T>(extents);
    Buffer<T> output = filled<T>(extents);
    const auto plain = make(), streamed = make();
    plain->input.set(input);
    streamed->input.set(input);
    streamed->output.stream_stores();
    double best[3] = {1e9, 1e9, 1e9};
    for (int i = 0; i < rounds; i++) {
        const double taken[3] = {seconds([&] { plain->output.realize(output); }),
                                 seconds([&] { streamed->output.realize(output); }), seconds([&] {
                                     copy(reinterpret_cast<char *>(output.data()),
                                          reinterpret_cast<const char *>(input.data()), input.size_in_bytes(), threads);
                                 })};
        for (int k = 0; k < 3; k++) {
            best[k] = std::min(best[k], taken[k]);
        }
    }
    const double bytes = 2e-9 * static_cast<double>(input.size_in_bytes());
    std::printf("%-12s %5.0f MB   plain %6.1f ms %5.1f GB/s %4.0f %%   streamed %6.1f ms %5.1f GB/s %4.0f %%   copy "
                "%5.1f GB/s\n",
                name, bytes * 1e3, best[0] * 1e3, bytes / best[0], 100 * best[2] / best[0], best[1] * 1e3,
                bytes / best[1], 100 * best[2] / best[1], bytes / best[2]);
    std::fflush(stdout);
}

template <typename App> std::unique_ptr<App> by_hand() { return std::make_unique<App>(apps::Schedule::Hand); }

} // namespace

int main() {
    const char *number = std::getenv("FLUORITE_NUM_THREADS");
    const size_t threads = number ? static_cast<size_t>(std::max(std::atoi(number), 1))
                                  : std::max(std::thread::hardware_concurrency(), 1U);
    std::printf("%zu threads; best of %d; %% is of the copy\n", threads, rounds);
    measure<uint16_t>("blur", {16384, 12288}, threads, by_hand<apps::Blur>);
    measure<uint8_t>("sobel", {24576, 16384}, threads, by_hand<apps::Sobel>);
    measure<float>("unsharp", {6144, 4608, 3}, threads, by_hand<apps::Unsharp>);
    measure<uint16_t>("transpose", {12288, 12288}, threads, by_hand<apps::Transpose>);
    measure<float>("jacobi", {12288, 8192}, threads,
                   [] { return std::make_unique<apps::Jacobi>(apps::Schedule::Hand, apps::Star{2, 1}); });
    return 0;
}
