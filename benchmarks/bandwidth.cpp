// Applications that memory bounds, on more than 256 MB, by hand with plain stores and with stores past the caches, and
// with automatic schedules: their times and the shares of the speed of a copy of as much by as many threads (each input
// is read once, each output written once), and what their operations take in caches. A copy's stores pass the caches
// where those of the C library do; a store through the caches also reads the line it writes.
#include "apps/blur/blur.h"
#include "apps/jacobi/jacobi.h"
#include "apps/sobel/sobel.h"
#include "apps/transpose/transpose.h"
#include "apps/unsharp/unsharp.h"
#include "benchmarks/promises.h"

#include <algorithm>
#include <array>
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

using Extents = std::vector<int>;

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
template <typename T> Buffer<T> filled(const Extents &extents) {
    Buffer<T> buffer(extents);
    for (size_t i = 0; i < buffer.number_of_elements(); i++) {
        buffer.data()[i] = static_cast<T>(i * 2654435761u >> 24);
    }
    return buffer;
}

/// Schedules an application for so many threads and these extents; the promises are those of the schedule by hand.
template <typename App> void schedule_automatically(App &app, App &by_hand, const Extents &extents, size_t threads) {
    Pipeline pipeline(app.output);
    pipeline.apply(auto_cases::promises(by_hand.output));
    fluorite::AutoScheduleOptions wanted;
    wanted.sizes.assign(extents.begin(), extents.end());
    wanted.parallelism = static_cast<int>(threads);
    pipeline.auto_schedule(wanted);
}

/// What so many threads would take for as many points as the large picture has, if all of it were in their second
/// caches: the best time of one thread over a part that is.
template <typename T, typename App>
double in_caches(App &app, const Extents &extents, const Extents &part, size_t threads) {
    app.input.set(filled<T>(part));
    Buffer<T> output = filled<T>(part);
    double best = 1e9;
    fluorite::JITSharedRuntime::set_num_threads(1);
    for (int i = 0; i < 100 * rounds; i++) {
        best = std::min(best, seconds([&] { app.output.realize(output); }));
    }
    fluorite::JITSharedRuntime::set_num_threads(static_cast<int>(threads));
    for (size_t d = 0; d < extents.size(); d++) {
        best *= static_cast<double>(extents[d]) / part[d];
    }
    return best / static_cast<double>(threads);
}

/// The best times of the schedule by hand with plain and with streamed stores, the automatic one and a copy, by turns;
/// and what the first takes in caches.
template <typename T, typename Make>
void measure(const char *name, const Extents &extents, const Extents &part, size_t threads, const Make &make) {
    const Buffer<T> input = filled<T>(extents);
    Buffer<T> output = filled<T>(extents);
    const auto plain = make(apps::Schedule::Hand), streamed = make(apps::Schedule::Hand),
               automatic = make(apps::Schedule::Default);
    const std::array all = {plain.get(), streamed.get(), automatic.get()};
    for (auto *app : all) {
        app->input.set(input);
    }
    schedule_automatically(*automatic, *plain, extents, threads);
    streamed->output.stream_stores();
    std::array<double, 4> best = {1e9, 1e9, 1e9, 1e9};
    for (int i = 0; i < rounds; i++) {
        for (size_t k = 0; k < all.size(); k++) {
            best[k] = std::min(best[k], seconds([&] { all[k]->output.realize(output); }));
        }
        best[3] = std::min(best[3], seconds([&] {
                               copy(reinterpret_cast<char *>(output.data()),
                                    reinterpret_cast<const char *>(input.data()), input.size_in_bytes(), threads);
                           }));
    }
    const double bytes = 2e-9 * static_cast<double>(input.size_in_bytes());
    std::printf("| %s | %.0f |", name, bytes * 1e3);
    for (size_t k = 0; k < all.size(); k++) {
        std::printf(" %.1f ms, %.0f %% |", best[k] * 1e3, 100 * best[3] / best[k]);
    }
    std::printf(" %.1f ms, %.1f GB/s | %.1f ms |\n", best[3] * 1e3, bytes / best[3],
                in_caches<T>(*plain, extents, part, threads) * 1e3);
    std::fflush(stdout);
}

template <typename App> std::unique_ptr<App> made(apps::Schedule schedule) { return std::make_unique<App>(schedule); }

} // namespace

int main() {
    const char *number = std::getenv("FLUORITE_NUM_THREADS");
    const size_t threads = number ? static_cast<size_t>(std::max(std::atoi(number), 1))
                                  : std::max(std::thread::hardware_concurrency(), 1U);
    std::printf("%zu threads; best of %d; %% is of the copy's speed\n"
                "| application | MB | by hand | by hand, streamed | automatic | copy | by hand, in caches |\n"
                "| --- | ---: | ---: | ---: | ---: | ---: | ---: |\n",
                threads, rounds);
    measure<uint16_t>("blur", {16384, 12288}, {2048, 128}, threads, made<apps::Blur>);
    measure<uint8_t>("sobel", {24576, 16384}, {2048, 256}, threads, made<apps::Sobel>);
    measure<float>("unsharp", {6144, 4608, 3}, {2048, 32, 3}, threads, made<apps::Unsharp>);
    measure<uint16_t>("transpose", {12288, 12288}, {512, 512}, threads, made<apps::Transpose>);
    measure<float>("jacobi", {12288, 8192}, {2048, 64}, threads,
                   [](apps::Schedule schedule) { return std::make_unique<apps::Jacobi>(schedule, apps::Star{2, 1}); });
    return 0;
}
