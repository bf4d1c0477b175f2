// The headers of Halide's tools: measuring, threads, image files, and what is in a buffer.
#include <Halide.h>

#include <halide_benchmark.h>
#include <halide_image_info.h>
#include <halide_image_io.h>
#include <halide_thread_pool.h>

#include <iostream>
#include <set>
#include <sstream>
#include <stdexcept>
#include <stdio.h>
#include <string>
#include <vector>

using namespace Halide;

static int bad = 0;
static void check(bool good, const char *what) {
    if (!good) {
        printf("wrong: %s\n", what);
        bad++;
    }
}

// What is printed while the function runs.
template <typename Run> static std::string printed(Run run) {
    std::ostringstream text;
    std::streambuf *before = std::cout.rdbuf(text.rdbuf());
    run();
    std::cout.rdbuf(before);
    return text.str();
}

static void measure() {
    int runs = 0;
    Tools::BenchmarkConfig config;
    config.min_time = 1e-4;
    config.max_time = 1e-3;
    config.max_iters_per_sample = 5;
    Tools::BenchmarkResult result = Tools::benchmark([&] { runs++; }, config);
    check(result.samples >= 3 && result.iterations == 5 * result.samples && runs == (int)result.iterations + 1,
          "the numbers of samples and runs");
    check(result.wall_time >= 0 && (double)result == result.wall_time && result.accuracy >= 0, "the time");
    runs = 0;
    Tools::benchmark(3, 4, [&] { runs++; });
    check(runs == 12, "samples and iterations");
    auto start = Tools::benchmark_now();
    check(Tools::benchmark_duration_seconds(start, Tools::benchmark_now()) >= 0, "the clock");
}

static int twice(int a) { return 2 * a; }

static void threads() {
    std::vector<std::future<int>> results;
    {
        Tools::ThreadPool<int> pool(3);
        for (int i = 0; i < 100; i++) {
            results.push_back(pool.async(twice, i));
        }
    }
    bool good = true;
    for (int i = 0; i < 100; i++) {
        good = good && results[(size_t)i].get() == 2 * i;
    }
    check(good, "results of tasks");
    int sum = 0;
    std::mutex mutex;
    {
        Tools::ThreadPool<void> pool;
        for (int i = 0; i < 50; i++) {
            pool.async(
                [&](int a) {
                    std::lock_guard<std::mutex> lock(mutex);
                    sum += a;
                },
                i);
        }
        auto failing = pool.async([] { throw std::runtime_error("no"); });
        bool thrown = false;
        try {
            failing.get();
        } catch (const std::runtime_error &) {
            thrown = true;
        }
        check(thrown, "an exception of a task");
    }
    check(sum == 1225, "the destructor waits");
    check(Tools::ThreadPool<int>::num_processors_online() >= 1, "processors");
}

static void images() {
    std::set<Tools::FormatInfo> png, array;
    check(Tools::save_query("a.png", &png) && png.size() == 4, "what PNG files hold");
    check(Tools::save_query("a.npy", &array) && array.size() == 44, "what NPY files hold");
    check(!Tools::save_query("a.unknown", &png), "an unknown format");
    Buffer<uint8_t> bytes(2, 1);
    bytes(0, 0) = 255;
    bytes(1, 0) = 0;
    Buffer<float> floats = Tools::ImageTypeConversion::convert_image<float>(bytes);
    check(floats(0, 0) == 1.0f && floats(1, 0) == 0.0f, "conversion by a type of C++");
    Buffer<uint16_t> wide = Tools::ImageTypeConversion::convert_image(bytes, halide_type_t(halide_type_uint, 16));
    check(wide(0, 0) == 65535, "conversion by a type");
}

static void infos() {
    Buffer<uint8_t> buffer(3, 2);
    buffer.for_each_element([&](int x, int y) { buffer(x, y) = (uint8_t)(10 * y + x); });
    buffer.set_min(5, 7);
    const std::string info = printed([&] { Tools::info(buffer, "small"); });
    check(info.find("small: 2 dimensions, type code 1, 8 bits") != std::string::npos, "info");
    check(info.find("x1: min 7, extent 2, stride 3") != std::string::npos, "the dimensions of info");
    const std::string dump = printed([&] { Tools::dump(buffer, "small"); });
    check(dump.find("(x1=8): 10 11 12") != std::string::npos, "dump");
    const std::string stats = printed([&] { Tools::stats(buffer); });
    check(stats.find("6 values, sum 36, mean 6") != std::string::npos &&
              stats.find("greatest 12 at (x0=7, x1=8)") != std::string::npos,
          "stats");
    Runtime::Buffer<float, 1> row(2);
    row(0) = 1.5f;
    row(1) = -2;
    check(printed([&] { Tools::stats(row, "row"); }).find("least -2 at (x0=1)") != std::string::npos,
          "stats of a Runtime::Buffer");
}

int main() {
    measure();
    threads();
    images();
    infos();
    return bad;
}
