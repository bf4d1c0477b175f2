#pragma once
// The applications with their schedules for GPUs, at any size: what `./dev bench --gpu` measures (gpu.cpp) and
// tests/apps/gpu_test.cpp runs small.

#include "apps/fft/fft.h"
#include "apps/heat3d/heat3d.h"
#include "apps/jacobi/jacobi.h"
#include "apps/navier_stokes/navier_stokes.h"
#include "benchmarks/auto_grid_cases.h"

#include <cmath>

namespace gpu_cases {

using auto_cases::Case;
using auto_cases::Made;
using auto_cases::random_buffer;
using Halide::Buffer;

/// What a run has to do at the least: bytes that it moves, and operations where they are what bounds it.
struct Work {
    double bytes = 0, flops = 0;
};

/// An application. `make` is given the width and height of a picture; applications on matrices, cubes and layers take
/// as many elements.
struct GpuApp {
    std::string name;
    std::function<Case(int width, int height)> make;
    std::function<Work(double pixels)> work; // for an output of so many pixels
    bool grows = true;                       // whether it is measured at larger sizes, too
};

inline std::function<Work(double)> moves(double bytes_per_pixel, double flops_per_pixel = 0) {
    return [=](double pixels) { return Work{bytes_per_pixel * pixels, flops_per_pixel * pixels}; };
}

/// The side of the cube that has about as many elements as the picture, at least 8.
inline int cube_side(int width, int height) { return std::max(8, static_cast<int>(std::cbrt(1.0 * width * height))); }

template <typename App, typename T>
GpuApp picture(const char *name, double bytes, int channels, int out_channels, T least, T most) {
    return {name,
            [=](int w, int h) {
                std::vector<int> extents = {w, h, out_channels};
                extents.resize(out_channels > 1 ? 3 : 2);
                return auto_cases::filter<App>(name, extents, apps::random_image<T>(w, h, channels, least, most));
            },
            moves(bytes)};
}

inline std::vector<GpuApp> filters() {
    using namespace apps;
    constexpr auto words = std::numeric_limits<uint16_t>::max();
    constexpr auto bytes = std::numeric_limits<uint8_t>::max();
    return {
        picture<Blur, uint16_t>("blur", 4, 1, 1, 0, words),
        picture<Unsharp, float>("unsharp", 24, 3, 3, 0, 1),
        picture<Sobel, uint8_t>("sobel", 2, 1, 1, 0, bytes),
        picture<Harris, float>("harris", 16, 3, 1, 0, 1),
        picture<MaxFilter, uint8_t>("max_filter", 2, 1, 1, 0, bytes),
        picture<BilateralGrid, float>("bilateral_grid", 8, 1, 1, 0, 1),
        picture<LocalLaplacian, uint16_t>("local_laplacian", 12, 3, 3, 0, words),
        picture<Interpolate, float>("interpolate", 28, 4, 3, 0, 1),
        picture<CameraPipe, uint16_t>("camera_pipe", 5, 1, 3, 0, 1023),
        picture<StencilChain, uint16_t>("stencil_chain", 4, 1, 1, 0, words),
        picture<NlMeans, float>("nl_means", 24, 3, 3, 0.4f, 0.6f),
        picture<HistEqualize, uint8_t>("hist_equalize", 9, 3, 3, 0, bytes),
        picture<IirBlur, float>("iir_blur", 24, 3, 3, 0, 1),
        {"transpose",
         [](int w, int h) { return auto_cases::filter<Transpose>("transpose", {h, w}, random_image<uint16_t>(w, h)); },
         moves(4)},
        {"resize",
         [](int w, int h) {
             return auto_cases::filter<Resize>("resize", {w / 2, h / 2, 3}, random_image<float>(w, h, 3));
         },
         moves(60)},
        {"wavelet",
         [](int w, int h) {
             return auto_cases::filter<WaveletForward>("wavelet", {w / 2, h / 2, 4}, random_image<float>(w, h));
         },
         moves(32)},
        {"level_set",
         [](int w, int h) {
             const auto input = random_buffer<float>({w, h}, 0, 1, 1), phi = random_buffer<float>({w, h}, -1, 1, 2);
             return Case{"level_set", {w, h}, [=](apps::Schedule schedule) {
                             auto app = std::make_shared<LevelSet>(schedule);
                             app->input.set(input);
                             app->phi.set(phi);
                             return Made{app, app->output, {app->input, app->phi}};
                         }};
         },
         moves(20)},
        {"pyramid_blend",
         [](int w, int h) {
             const auto first = random_buffer<float>({w, h, 3}, 0, 1, 1),
                        second = random_buffer<float>({w, h, 3}, 0, 1, 2), mask = random_buffer<float>({w, h}, 0, 1, 3);
             return Case{"pyramid_blend", {w, h, 3}, [=](apps::Schedule schedule) {
                             auto app = std::make_shared<PyramidBlend>(schedule);
                             app->first.set(first);
                             app->second.set(second);
                             app->mask.set(mask);
                             return Made{app, app->output, {app->first, app->second, app->mask}};
                         }};
         },
         moves(40)},
    };
}

/// A square matrix of about as many elements as the picture.
inline Case matrix_product(int width, int height) {
    const int side = static_cast<int>(std::sqrt(1.0 * width * height));
    const auto a = random_buffer<float>({side, side}, 0, 1, 1), b = random_buffer<float>({side, side}, 0, 1, 2);
    return {"matmul", {side, side}, [=](apps::Schedule schedule) {
                auto app = std::make_shared<apps::Matmul>(schedule);
                app->a.set(a);
                app->b.set(b);
                return Made{app, app->output, {app->a, app->b}};
            }};
}

/// 3 x 3 filters over up to 128 channels of a picture with an eighth of the height and width.
inline Case layer(int width, int height) {
    const int w = std::max(11, width / 8), h = std::max(8, height / 8), channels = std::clamp(width, 67, 128);
    const auto input = random_buffer<float>({channels, w + 2, h + 2, 1}, -0.5f, 0.5f, 1),
               filter = random_buffer<float>({channels, 3, 3, channels}, -0.5f, 0.5f, 2),
               bias = random_buffer<float>({channels}, 0, 1, 3);
    return {"conv_layer", {channels, w, h, 1}, [=](apps::Schedule schedule) {
                auto app = std::make_shared<apps::ConvLayer>(schedule);
                app->input.set(input);
                app->filter.set(filter);
                app->bias.set(bias);
                return Made{app, app->output, {app->input, app->filter, app->bias}};
            }};
}

/// The largest square of a power of two up to 1024 in the picture.
inline Case transform(int width, int height) {
    int side = 16;
    while (2 * side <= std::min({width, height, 1024})) {
        side *= 2;
    }
    const auto input = random_buffer<float>({side, side, 2}, -1, 1, 1);
    return {"fft", {side, side, 2}, [=](apps::Schedule schedule) {
                auto app = std::make_shared<apps::Fft>(schedule, side);
                app->input.set(input);
                return Made{app, app->output, {app->input}};
            }};
}

inline GpuApp sweep(const char *name, apps::Star star) {
    return {name,
            [=](int w, int h) {
                const int side = cube_side(w, h);
                const std::vector<int> extents =
                    star.dimensions == 2 ? std::vector<int>{w, h} : std::vector<int>{side, side, side};
                const auto input = random_buffer<float>(extents, 0, 1, 1);
                return Case{name, extents, [=](apps::Schedule schedule) {
                                auto app = std::make_shared<apps::Jacobi>(schedule, star);
                                app->input.set(input);
                                return Made{app, app->output, {app->input}};
                            }};
            },
            moves(8)};
}

/// Eight steps of heat in a cube; each reads and writes it once.
inline Case heat(int width, int height) {
    const int side = cube_side(width, height);
    const auto input = random_buffer<float>({side, side, side}, 0, 1, 1);
    return {"heat3d", {side, side, side}, [=](apps::Schedule schedule) {
                auto app = std::make_shared<apps::Heat3d>(schedule);
                app->input.set(input);
                return Made{app, app->output, {app->input}};
            }};
}

inline GpuApp cycle(const char *name, int dimensions) {
    return {name,
            [=](int w, int h) {
                const int side = (dimensions == 2 ? std::min(w, h) : cube_side(w, h)) / 8 * 8 - 1;
                const std::vector<int> extents(static_cast<size_t>(dimensions), side);
                const auto guess = random_buffer<double>(extents, -1, 1, 1),
                           right = random_buffer<double>(extents, -1, 1, 2);
                return Case{name, extents, [=](apps::Schedule schedule) {
                                apps::MultigridOptions options;
                                options.dimensions = dimensions;
                                auto app = std::make_shared<apps::Multigrid>(schedule, options);
                                app->guess.set(guess);
                                app->right.set(right);
                                return Made{app, app->output, {app->guess, app->right}};
                            }};
            },
            moves(24)};
}

inline std::vector<GpuApp> all() {
    using namespace apps;
    std::vector<GpuApp> apps = filters();
    const auto flow = [](const char *name, int dimensions) {
        return GpuApp{name,
                      [=](int w, int h) {
                          const int side = std::max(8, cube_side(w, h) / 2);
                          return auto_cases::flux_divergence(name, dimensions == 2
                                                                       ? std::vector<int>{w / 2, h / 2}
                                                                       : std::vector<int>{side, side, side});
                      },
                      moves(16)}; // of each component
    };
    apps.push_back({"matmul", matrix_product,
                    [](double elements) { return Work{12 * elements, 2 * elements * std::sqrt(elements)}; }, false});
    apps.push_back({"conv_layer", layer, moves(8, 2 * 9 * 128)});
    apps.push_back({"fft", transform, moves(16), false});
    apps.push_back(sweep("jacobi", {3, 1}));
    apps.push_back(sweep("jacobi_plane5", {2, 1}));
    apps.push_back(sweep("jacobi_plane9", {2, 2}));
    apps.push_back(sweep("jacobi_space13", {3, 2}));
    apps.push_back({"heat3d", heat, moves(8 * 8)});
    apps.push_back(flow("minifluxdiv", 3));
    apps.push_back(flow("minifluxdiv_plane", 2));
    apps.push_back(cycle("multigrid_plane_v", 2));
    apps.push_back(cycle("multigrid_space_v", 3));
    return apps;
}

} // namespace gpu_cases
