// Runs an application with its hand schedule once to compile it, then by single steps: `program NAME`. Without a name
// it lists them. Pictures are as small as shows the inner loops at work.

#include "apps/bilateral_grid/bilateral_grid.h"
#include "apps/blur/blur.h"
#include "apps/camera_pipe/camera_pipe.h"
#include "apps/common/buffers.h"
#include "apps/conv_layer/conv_layer.h"
#include "apps/fft/fft.h"
#include "apps/harris/harris.h"
#include "apps/jacobi/jacobi.h"
#include "apps/matmul/matmul.h"
#include "apps/nl_means/nl_means.h"
#include "apps/resize/resize.h"
#include "apps/transpose/transpose.h"
#include "step.h"

#include <cstdio>
#include <cstring>
#include <exception>
#include <functional>

namespace hot_loops {
namespace {

using apps::random_image;
using apps::Schedule;

/// Compiles, then steps through one run and prints how many `unit`s it computed.
template <typename T> void measure(Halide::Func output, Halide::Buffer<T> into, const char *unit, double units) {
    output.compile_jit();
    output.realize(into);
    static Recording counted;
    recording = &counted;
    record([&] { output.realize(into); });
    std::printf("units %.0f %s\n", units, unit);
    print();
}

template <typename T, typename App>
void measure_picture(App &&app, const apps::Image<float> &input, int dimensions, std::vector<int> shape) {
    double values = 1;
    for (const int extent : shape) {
        values *= extent;
    }
    app.input.set(apps::over(input, dimensions));
    measure(app.output, Halide::Buffer<T>(shape), "value", values);
}

template <typename T, typename App>
void measure_words(App &&app, const apps::Image<std::uint16_t> &input, std::vector<int> shape, double values) {
    app.input.set(apps::over(input, 2));
    measure(app.output, Halide::Buffer<T>(shape), "pixel", values);
}

void matmul() {
    constexpr int side = 128;
    const auto a = random_image<float>(side, side), b = random_image<float>(side, side, 1, 2u);
    apps::Matmul app(Schedule::Hand);
    app.a.set(apps::over(a, 2));
    app.b.set(apps::over(b, 2));
    measure(app.output, Halide::Buffer<float>(side, side), "multiply-add", 1.0 * side * side * side);
}

void conv_layer() {
    constexpr int in = 32, out = 64, width = 20, height = 4;
    const auto input = random_image<float>(in * (width + 2), height + 2), filter = random_image<float>(out * 9, in),
               bias = random_image<float>(out, 1);
    apps::ConvLayer app(Schedule::Hand);
    app.input.set(Halide::Buffer<float>(const_cast<float *>(input.values.data()), {in, width + 2, height + 2, 1}));
    app.filter.set(Halide::Buffer<float>(const_cast<float *>(filter.values.data()), {out, 3, 3, in}));
    app.bias.set(apps::over(bias, 1));
    measure(app.output, Halide::Buffer<float>(out, width, height, 1), "multiply-add", 9.0 * in * out * width * height);
}

struct Case {
    const char *name;
    std::function<void()> run;
};

const std::vector<Case> cases = {
    {"bilateral_grid",
     [] { measure_picture<float>(apps::BilateralGrid(Schedule::Hand), random_image<float>(128, 64), 2, {128, 64}); }},
    {"blur",
     [] {
         measure_words<std::uint16_t>(apps::Blur(Schedule::Hand), random_image<std::uint16_t>(512, 64), {512, 64},
                                      512 * 64);
     }},
    {"camera_pipe",
     [] {
         measure_words<std::uint8_t>(apps::CameraPipe(Schedule::Hand), random_image<std::uint16_t>(160, 96, 1, 0, 1023),
                                     {128, 64, 3}, 128 * 64);
     }},
    {"conv_layer", conv_layer},
    {"fft",
     [] {
         measure_picture<float>(apps::Fft(Schedule::Hand, 128), random_image<float>(128, 128, 2), 3, {128, 128, 2});
     }},
    {"harris",
     [] { measure_picture<float>(apps::Harris(Schedule::Hand), random_image<float>(512, 64, 3), 3, {512, 64}); }},
    {"jacobi",
     [] {
         measure_picture<float>(apps::Jacobi(Schedule::Hand, {2, 1}), random_image<float>(1024, 64), 2, {1024, 64});
     }},
    {"matmul", matmul},
    {"nl_means",
     [] { measure_picture<float>(apps::NlMeans(Schedule::Hand), random_image<float>(64, 32, 3), 3, {64, 32, 3}); }},
    {"resize",
     [] { measure_picture<float>(apps::Resize(Schedule::Hand), random_image<float>(256, 128, 3), 3, {128, 64, 3}); }},
    {"transpose",
     [] {
         measure_words<std::uint16_t>(apps::Transpose(Schedule::Hand), random_image<std::uint16_t>(256, 256),
                                      {256, 256}, 256 * 256);
     }},
};

} // namespace
} // namespace hot_loops

int main(int argc, char **argv) {
    for (const auto &[name, run] : hot_loops::cases) {
        if (argc < 2) {
            std::printf("%s\n", name);
        } else if (std::strcmp(argv[1], name) == 0) {
            try {
                run();
            } catch (const std::exception &error) {
                std::fprintf(stderr, "%s\n", error.what());
                return 1;
            }
        }
    }
    return 0;
}
