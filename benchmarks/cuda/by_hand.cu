// Applications in CUDA as an experienced engineer writes them in an hour: what the kernels that the compiler makes are
// measured beside. `./dev bench --gpu --by-hand`, or
//
//     nvcc -O3 -std=c++20 -fmad=false -arch=native -I REPOSITORY benchmarks/cuda/by_hand.cu -o by_hand
//     by_hand [--apps NAME[,NAME...]] [--sizes MEGAPIXELS[,...]] [--seconds S] [--list]
//
// Applications, sizes, inputs, times and the bytes and operations of a run are those of benchmarks/gpu.cpp. So are
// the bits: the last column of both tables is a checksum of the output. Products and sums are fused by name where the
// compiler fuses them (docs/fused_multiply_add.md), so nvcc must fuse nothing else. Sides are rounded to multiples of
// 128, which kernels rely on instead of guarding their tiles.
#include "apps/common/image.h"
#include "benchmarks/checksum.h"
#include "filters.h"
#include "grid_filter.h"
#include "harness.h"
#include "histogram.h"
#include "products.h"
#include "recursive.h"
#include "stencils.h"
#include "windows.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <memory>

namespace by_hand {

/// What a run has to move and to compute at the least.
struct Work {
    double bytes = 0, flops = 0;
};

/// An application on its inputs, at one size.
struct Ready {
    std::function<void()> run;
    std::function<std::string()> checksum;
    size_t elements = 0; // of the output
    Work work;
};

struct App {
    std::string name;
    std::function<Ready(int width, int height)> make;
    bool grows = true; // whether it is measured at larger sizes, too
};

template <typename T> std::shared_ptr<DeviceArray<T>> empty(size_t count) {
    return std::make_shared<DeviceArray<T>>(count);
}
template <typename T> std::shared_ptr<DeviceArray<T>> random(size_t count, T least = 0, T most = 1, unsigned seed = 1) {
    const auto image = apps::random_image<T>(static_cast<int>(count), 1, 1, least, most, seed);
    return std::make_shared<DeviceArray<T>>(image.values);
}

/// `run` launches what computes `output`.
template <typename T> Ready ready(std::shared_ptr<DeviceArray<T>> output, Work work, const std::function<void()> &run) {
    const auto sum = [output] {
        const std::vector<T> values = output->values();
        return benchmarks::checksum(values.data(), values.size() * sizeof(T));
    };
    return {run, sum, output->count(), work};
}

/// A filter of pictures: `launches(input, output, width, height)`.
template <typename T, typename Launches>
App filter(const char *name, double bytes, int channels, int out_channels, T most, Launches launches) {
    return {name, [=](int width, int height) {
                const size_t pixels = static_cast<size_t>(width) * height;
                const auto input = random<T>(pixels * channels, 0, most);
                const auto output = empty<T>(pixels * out_channels);
                return ready<T>(output, {bytes * pixels},
                                [=] { launches(input->data(), output->data(), width, height); });
            }};
}

/// For a sigma of 1.5. The exponential of the math functions that come with nvcc differs in a last bit.
constexpr UnsharpWeights unsharp_weights = {{0x1.152db4p-2f, 0x1.bbe4f8p-3f, 0x1.c7ce56p-4f, 0x1.2c18a4p-5f}};

std::vector<App> filters() {
    constexpr auto words = std::numeric_limits<uint16_t>::max();
    constexpr auto bytes = std::numeric_limits<uint8_t>::max();
    return {
        filter<float>("copy", 8, 1, 1, 1,
                      [](const float *input, float *output, int width, int height) {
                          launch(copy, grid_of(width * height / 1024), {256}, reinterpret_cast<const float4 *>(input),
                                 reinterpret_cast<float4 *>(output));
                      }),
        filter<uint16_t>("blur", 4, 1, 1, words,
                         [](const uint16_t *input, uint16_t *output, int width, int height) {
                             launch(blur, grid_of(width / 64, height / (16 * blur_rows)), {8, 16}, input, output, width,
                                    height);
                         }),
        filter<float>("unsharp", 24, 3, 3, 1,
                      [](const float *input, float *output, int width, int height) {
                          launch(unsharp, grid_of(width / 64, height / 32), {32, 8}, input, output, width, height,
                                 unsharp_weights, 1.0f);
                      }),
        filter<uint8_t>("sobel", 2, 1, 1, bytes,
                        [](const uint8_t *input, uint8_t *output, int width, int height) {
                            launch(sobel, grid_of(width / 128, height / (8 * sobel_rows)), {16, 8}, input, output,
                                   width, height);
                        }),
        filter<float>("harris", 16, 3, 1, 1,
                      [](const float *input, float *output, int width, int height) {
                          launch(harris, grid_of(width / 64, height / 32), {32, 4}, input, output, width, height,
                                 0.04f);
                      }),
        filter<uint16_t>("transpose", 4, 1, 1, words,
                         [](const uint16_t *input, uint16_t *output, int width, int height) {
                             launch(transpose, grid_of(width / 64, height / 64), {32, 8}, input, output, width, height);
                         }),
    };
}

Ready max_filter(int width, int height) {
    const size_t pixels = static_cast<size_t>(width) * height;
    const auto input = random<uint8_t>(pixels, 0, 255), columns = empty<uint8_t>(pixels),
               output = empty<uint8_t>(pixels);
    return ready<uint8_t>(output, {2.0 * pixels}, [=] {
        launch(max_of_columns, grid_of(width / 128, height / (4 * max_count)), {32, 4}, input->data(), columns->data(),
               width, height);
        launch(max_of_rows, grid_of(width / 128, height / 32), {4, 32}, columns->data(), output->data(), width);
    });
}

Ready hist_equalize(int width, int height) {
    const int pixels = width * height;
    const auto input = random<uint8_t>(3 * static_cast<size_t>(pixels), 0, 255), equal = empty<uint8_t>(256),
               output = empty<uint8_t>(3 * static_cast<size_t>(pixels));
    const auto histogram = empty<unsigned>(256);
    const float all = static_cast<float>(width) * static_cast<float>(height);
    return ready<uint8_t>(output, {9.0 * pixels}, [=] {
        check(cudaMemsetAsync(histogram->data(), 0, 256 * sizeof(unsigned)), "cudaMemsetAsync");
        launch(count_luma, grid_of(std::min(pixels / 4096, 1056)), {256}, input->data(), histogram->data(), pixels);
        launch(equalize, grid_of(1), {256}, histogram->data(), equal->data(), all);
        launch(apply_equal, grid_of(pixels / 4096), {256}, input->data(), equal->data(), output->data(), pixels);
    });
}

Ready iir_blur(int width, int height) {
    const size_t elements = 3 * static_cast<size_t>(width) * height;
    const auto input = random<float>(elements), columns = empty<float>(elements), turned = empty<float>(elements),
               output = empty<float>(elements);
    constexpr float alpha = 0.1f;
    return ready<float>(output, {8.0 * elements}, [=] {
        launch(blur_columns, grid_of(width / 32, 3), {32}, input->data(), columns->data(), width, height, alpha);
        launch(turn, grid_of(width / 32, height / 32, 3), {32, 8}, columns->data(), turned->data(), width, height);
        launch(blur_columns, grid_of(height / 32, 3), {32}, turned->data(), columns->data(), height, width, alpha);
        launch(turn, grid_of(height / 32, width / 32, 3), {32, 8}, columns->data(), output->data(), height, width);
    });
}

Ready bilateral_grid(int width, int height) {
    const size_t pixels = static_cast<size_t>(width) * height;
    const Cells cells = {width / cell_side + 3, height / cell_side + 3};
    const size_t places = static_cast<size_t>(cells.width) * cells.height * cell_depths;
    const auto input = random<float>(pixels), output = empty<float>(pixels);
    const auto along_z = empty<float2>(places), blurred = empty<float2>(places);
    constexpr float depth = 1.0f / 0.1f;
    return ready<float>(output, {8.0 * pixels}, [=] {
        launch(bin_pixels, grid_of(blocks_of(cells.width, 16), blocks_of(cells.height, 8)), {16, 8}, input->data(),
               along_z->data(), width, height, cells, depth);
        launch(blur_grid, grid_of(blocks_of(cells.width, 32), blocks_of(cells.height, 8), cell_depths), {32, 8},
               along_z->data(), blurred->data(), cells);
        launch(slice_grid, grid_of(width / 32, height / 8), {32, 8}, input->data(), blurred->data(), output->data(),
               width, cells, depth);
    });
}

Ready matrix_product(int width, int height) {
    const int side = static_cast<int>(std::sqrt(1.0 * width * height));
    const size_t elements = static_cast<size_t>(side) * side;
    const auto a = random<float>(elements, 0, 1, 1), b = random<float>(elements, 0, 1, 2);
    const auto output = empty<float>(elements);
    return ready<float>(output, {12.0 * elements, 2.0 * elements * side}, [=] {
        launch(matmul, grid_of(side / product_side, side / product_side), {256}, a->data(), b->data(), output->data(),
               side);
    });
}

Ready layer(int width, int height) {
    constexpr int channels = 128;
    const int w = width / 8, h = height / 8;
    const size_t elements = static_cast<size_t>(w) * h * channels;
    const auto input = random<float>(static_cast<size_t>(w + 2) * (h + 2) * channels, -0.5f, 0.5f, 1),
               weights = random<float>(9 * channels * channels, -0.5f, 0.5f, 2),
               bias = random<float>(channels, 0, 1, 3);
    const auto output = empty<float>(elements);
    return ready<float>(output, {8.0 * elements, 2.0 * 9 * channels * elements}, [=] {
        launch(conv_layer, grid_of(w * h / product_side), {256}, input->data(), weights->data(), bias->data(),
               output->data(), w);
    });
}

template <int dimensions, int reach> App sweep(const char *name) {
    return {name, [](int width, int height) {
                const int side = std::max(8, static_cast<int>(std::cbrt(1.0 * width * height)));
                const size_t elements =
                    dimensions == 2 ? static_cast<size_t>(width) * height : static_cast<size_t>(side) * side * side;
                const float near = 1.0f / (2 * dimensions) / (reach == 1 ? 1.0f : 1.25f) * 0.75f;
                const StarWeights weights = {near, near / 4};
                const auto input = random<float>(elements);
                const auto output = empty<float>(elements);
                return ready<float>(output, {8.0 * elements}, [=] {
                    if constexpr (dimensions == 2) {
                        launch(jacobi_plane<reach>, grid_of(blocks_of(width, 128), blocks_of(height, 4 * plane_rows)),
                               {32, 4}, input->data(), output->data(), width, height, weights);
                    } else {
                        launch(jacobi_space<reach>,
                               grid_of(blocks_of(side, 32), blocks_of(side, 8), blocks_of(side, space_planes)), {32, 8},
                               input->data(), output->data(), side, weights);
                    }
                });
            }};
}

std::vector<App> all() {
    std::vector<App> apps = filters();
    apps.push_back({"max_filter", max_filter});
    apps.push_back({"bilateral_grid", bilateral_grid});
    apps.push_back({"hist_equalize", hist_equalize});
    apps.push_back({"iir_blur", iir_blur});
    apps.push_back({"matmul", matrix_product, false});
    apps.push_back({"conv_layer", layer});
    apps.push_back(sweep<3, 1>("jacobi"));
    apps.push_back(sweep<2, 1>("jacobi_plane5"));
    apps.push_back(sweep<2, 2>("jacobi_plane9"));
    apps.push_back(sweep<3, 2>("jacobi_space13"));
    return apps;
}

struct Options {
    std::string apps; // with commas; all where empty
    std::vector<int> sides = {2048, 8192};
    double seconds = 0.5;
    bool lists = false;
};

bool names(const std::string &list, const std::string &name) {
    return list.empty() || ("," + list + ",").find("," + name + ",") != std::string::npos;
}

std::vector<int> sides_of(const char *text) {
    std::vector<int> sides;
    for (; *text != 0; text += *text == ',' ? 1 : 0) {
        char *end = nullptr;
        const double side = 1024 * std::sqrt(std::strtod(text, &end));
        if (end == text || !(side <= 32768)) {
            std::fprintf(stderr, "--sizes: give millions of pixels, up to 1000, with commas between them\n");
            std::exit(1);
        }
        sides.push_back(std::max(128, static_cast<int>(side / 128 + 0.5) * 128));
        text = end;
    }
    return sides;
}

Options parse(int argc, char **argv) {
    Options options;
    for (int i = 1; i < argc; i++) {
        const std::string word = argv[i];
        if (word == "--list") {
            options.lists = true;
        } else if (i + 1 < argc && word == "--apps") {
            options.apps = argv[++i];
        } else if (i + 1 < argc && word == "--sizes") {
            options.sides = sides_of(argv[++i]);
        } else if (i + 1 < argc && word == "--seconds") {
            options.seconds = std::atof(argv[++i]);
        } else {
            std::fprintf(stderr, "%s: no such option, or without its value; the file's first lines list them\n",
                         argv[i]);
            std::exit(1);
        }
    }
    return options;
}

std::string device_text() {
    cudaDeviceProp properties;
    int driver = 0;
    check(cudaGetDeviceProperties(&properties, 0), "cudaGetDeviceProperties");
    check(cudaDriverGetVersion(&driver), "cudaDriverGetVersion");
    return std::string(properties.name) + ", CUDA driver " + std::to_string(driver / 1000) + "." +
           std::to_string(driver % 1000 / 10);
}

void print_row(const App &app, int side, const Options &options) {
    const Ready ready = app.make(side, side);
    const Times times = time_runs(ready.run, options.seconds);
    std::printf("| %s | %.1f | %.3f | %.3f | %.3f | %.0f | %.0f | %s |\n", app.name.c_str(), 1e-6 * ready.elements,
                1e3 * times.least, 1e3 * times.median, 1e3 * times.single, 1e-9 * ready.work.bytes / times.least,
                1e-9 * ready.work.flops / times.least, ready.checksum().c_str());
    std::fflush(stdout);
}

void run(const Options &options) {
    std::printf("%s; CUDA written by hand; milliseconds\n", device_text().c_str());
    std::printf("| application | millions of elements | least | median | one run | GB/s | GFlop/s | checksum |\n"
                "| --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |\n");
    for (const App &app : all()) {
        for (size_t i = 0; names(options.apps, app.name) && i < (app.grows ? options.sides.size() : 1); i++) {
            print_row(app, options.sides[i], options);
        }
    }
}

} // namespace by_hand

int main(int argc, char **argv) {
    const by_hand::Options options = by_hand::parse(argc, argv);
    if (options.lists) {
        for (const by_hand::App &app : by_hand::all()) {
            std::printf("%s\n", app.name.c_str());
        }
    } else {
        by_hand::run(options);
    }
    return 0;
}
