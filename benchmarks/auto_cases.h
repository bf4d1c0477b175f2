#pragma once
// The applications that automatic schedules are measured with, and their inputs: filters and products. Solvers on grids
// are in auto_grid_cases.h, as they have constants of doubles, which the peer's operators refuse.
//
// Compiles against Fluorite and against the peer. Each application can be made several times, once for each schedule,
// over the same elements. Extents are those of the tables in RESULTS.md, divided by `shrink`.

#include "apps/bilateral_grid/bilateral_grid.h"
#include "apps/blur/blur.h"
#include "apps/camera_pipe/camera_pipe.h"
#include "apps/common/buffers.h"
#include "apps/conv_layer/conv_layer.h"
#include "apps/harris/harris.h"
#include "apps/hist_equalize/hist_equalize.h"
#include "apps/iir_blur/iir_blur.h"
#include "apps/interpolate/interpolate.h"
#include "apps/level_set/level_set.h"
#include "apps/local_laplacian/local_laplacian.h"
#include "apps/matmul/matmul.h"
#include "apps/max_filter/max_filter.h"
#include "apps/nl_means/nl_means.h"
#include "apps/pyramid_blend/pyramid_blend.h"
#include "apps/resize/resize.h"
#include "apps/sobel/sobel.h"
#include "apps/stencil_chain/stencil_chain.h"
#include "apps/transpose/transpose.h"
#include "apps/unsharp/unsharp.h"
#include "apps/wavelet/wavelet.h"

#include <algorithm>
#include <ctime>
#include <functional>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace auto_cases {

using apps::random_image;
using Halide::Buffer;
using Halide::Func;
using Halide::Pipeline;

/// An application, with its inputs set.
struct Made {
    std::shared_ptr<void> app;
    Func output;
    std::vector<Halide::ImageParam> inputs;
    std::function<void()> estimate = {}; // the values of scalars, for schedulers that ask for them
};

struct Case {
    std::string name;
    std::vector<int> extents; // of the output
    std::function<Made(apps::Schedule)> make;
};

/// Gives the values of an application's scalars as their estimates.
template <typename App> void estimate_scalars(App &app) {
    const auto state = [](auto &...scalars) { (scalars.set_estimate(scalars.get()), ...); };
    if constexpr (requires { app.range; }) {
        state(app.range);
    }
    if constexpr (requires { app.temperature; }) {
        state(app.temperature, app.gamma, app.contrast, app.sharpness);
    }
    if constexpr (requires { app.k; }) {
        state(app.k);
    }
    if constexpr (requires { app.alpha; }) {
        state(app.alpha);
    }
    if constexpr (requires { app.beta; }) {
        state(app.beta);
    }
    if constexpr (requires { app.length; }) {
        state(app.step, app.length);
    }
    if constexpr (requires { app.sigma; }) {
        state(app.sigma);
    }
    if constexpr (requires { app.strength; }) {
        state(app.strength);
    }
}

/// Elements are made once for each application, and shared by its variants.
template <typename App, typename T>
Case filter(const std::string &name, std::vector<int> extents, const apps::Image<T> &input, int dimensions = 0) {
    const auto image = std::make_shared<apps::Image<T>>(input);
    const int d = dimensions > 0 ? dimensions : input.channels > 1 ? 3 : 2;
    return {name, std::move(extents), [image, d](apps::Schedule schedule) {
                auto app = std::make_shared<App>(schedule);
                app->input.set(apps::over(*image, d));
                return Made{app, app->output, {app->input}, [app] { estimate_scalars(*app); }};
            }};
}

template <typename T> Buffer<T> random_buffer(const std::vector<int> &extents, T least, T most, unsigned seed) {
    Buffer<T> buffer(extents);
    const auto image = random_image<T>(static_cast<int>(buffer.number_of_elements()), 1, 1, least, most, seed);
    std::copy(image.values.begin(), image.values.end(), buffer.data());
    return buffer;
}

/// An application by its name; its elements are made when it is asked for.
struct Named {
    std::string name;
    std::function<Case()> make;
};

/// Filters and products, with the extents of their outputs divided by `shrink`.
inline std::vector<Named> cases(int shrink = 1) {
    using namespace apps;
    const auto s = [shrink](int extent) { return std::max(1, extent / shrink); };
    std::vector<Named> all;
    const auto add = [&](const char *name, const std::function<Case(const std::string &)> &make) {
        all.push_back({name, [name = std::string(name), make] { return make(name); }});
    };
    add("blur", [=](const std::string &name) {
        return filter<Blur>(name, {s(8192), s(6144)}, random_image<uint16_t>(s(8192), s(6144)));
    });
    add("unsharp", [=](const std::string &name) {
        return filter<Unsharp>(name, {s(4096), s(3072), 3}, random_image<float>(s(4096), s(3072), 3));
    });
    add("harris", [=](const std::string &name) {
        return filter<Harris>(name, {s(4096), s(3072)}, random_image<float>(s(4096), s(3072), 3));
    });
    add("local_laplacian", [=](const std::string &name) {
        return filter<LocalLaplacian>(name, {s(1536), s(2560), 3}, random_image<uint16_t>(s(1536), s(2560), 3));
    });
    add("interpolate", [=](const std::string &name) {
        return filter<Interpolate>(name, {s(1536), s(2560), 3}, random_image<float>(s(1536), s(2560), 4));
    });
    add("bilateral_grid", [=](const std::string &name) {
        return filter<BilateralGrid>(name, {s(3072), s(2048)}, random_image<float>(s(3072), s(2048)));
    });
    add("camera_pipe", [=](const std::string &name) {
        return filter<CameraPipe>(name, {s(2592), s(1968), 3}, random_image<uint16_t>(s(2592), s(1968), 1, 0, 1023));
    });
    add("sobel", [=](const std::string &name) {
        return filter<Sobel>(name, {s(8192), s(8192)}, random_image<uint8_t>(s(8192), s(8192)));
    });
    add("stencil_chain", [=](const std::string &name) {
        return filter<StencilChain>(name, {s(1536), s(2560)}, random_image<uint16_t>(s(1536), s(2560)));
    });
    add("max_filter", [=](const std::string &name) {
        return filter<MaxFilter>(name, {s(4096), s(3072)}, random_image<uint8_t>(s(4096), s(3072)));
    });
    add("nl_means", [=](const std::string &name) {
        return filter<NlMeans>(name, {s(1536), s(1024), 3}, random_image<float>(s(1536), s(1024), 3, 0.4f, 0.6f));
    });
    add("hist_equalize", [=](const std::string &name) {
        return filter<HistEqualize>(name, {s(4096), s(3072), 3}, random_image<uint8_t>(s(4096), s(3072), 3));
    });
    add("iir_blur", [=](const std::string &name) {
        return filter<IirBlur>(name, {s(2048), s(1536), 3}, random_image<float>(s(2048), s(1536), 3));
    });
    add("resize", [=](const std::string &name) {
        return filter<Resize>(name, {s(2048), s(1536), 3}, random_image<float>(2 * s(2048), 2 * s(1536), 3));
    });
    add("transpose", [=](const std::string &name) {
        return filter<Transpose>(name, {s(8192), s(8192)}, random_image<uint16_t>(s(8192), s(8192)));
    });
    add("wavelet", [=](const std::string &name) {
        return filter<WaveletForward>(name, {s(2048), s(2048), 4}, random_image<float>(2 * s(2048), 2 * s(2048)));
    });
    add("level_set", [=](const std::string &name) {
        const auto input = std::make_shared<Image<float>>(random_image<float>(s(4096), s(3072)));
        const auto phi = std::make_shared<Image<float>>(random_image<float>(s(4096), s(3072), 1, -1.0f, 1.0f, 2));
        return Case{name, {s(4096), s(3072)}, [=](apps::Schedule schedule) {
                        auto app = std::make_shared<LevelSet>(schedule);
                        app->input.set(over(*input, 2));
                        app->phi.set(over(*phi, 2));
                        return Made{app, app->output, {app->input, app->phi}, [app] { estimate_scalars(*app); }};
                    }};
    });
    add("pyramid_blend", [=](const std::string &name) {
        const auto input = std::make_shared<Image<float>>(random_image<float>(s(2048), s(1536), 3));
        const auto second = std::make_shared<Image<float>>(random_image<float>(s(2048), s(1536), 3, 2u));
        const auto mask = std::make_shared<Image<float>>(random_image<float>(s(2048), s(1536), 1, 3u));
        return Case{name, {s(2048), s(1536), 3}, [=](apps::Schedule schedule) {
                        auto app = std::make_shared<PyramidBlend>(schedule);
                        app->first.set(over(*input, 3));
                        app->second.set(over(*second, 3));
                        app->mask.set(over(*mask, 2));
                        return Made{
                            app, app->output, {app->first, app->second, app->mask}, [app] { estimate_scalars(*app); }};
                    }};
    });
    add("matmul", [=](const std::string &name) {
        const Buffer<float> a = random_buffer<float>({s(1024), s(1024)}, 0, 1, 1),
                            b = random_buffer<float>({s(1024), s(1024)}, 0, 1, 2);
        return Case{name, {s(1024), s(1024)}, [=](apps::Schedule schedule) {
                        auto app = std::make_shared<Matmul>(schedule);
                        app->a.set(a);
                        app->b.set(b);
                        return Made{app, app->output, {app->a, app->b}, [app] { estimate_scalars(*app); }};
                    }};
    });
    add("conv_layer", [=](const std::string &name) {
        const Buffer<float> input = random_buffer<float>({128, s(100) + 2, s(80) + 2, 2}, -0.5f, 0.5f, 1),
                            weights = random_buffer<float>({128, 3, 3, 128}, -0.5f, 0.5f, 2),
                            bias = random_buffer<float>({128}, 0, 1, 3);
        return Case{name, {128, s(100), s(80), 2}, [=](apps::Schedule schedule) {
                        auto app = std::make_shared<ConvLayer>(schedule);
                        app->input.set(input);
                        app->filter.set(weights);
                        app->bias.set(bias);
                        return Made{
                            app, app->output, {app->input, app->filter, app->bias}, [app] { estimate_scalars(*app); }};
                    }};
    });
    return all;
}

/// Those of these names, in the order of the list; all where none are given. Throws for a name that there is not.
inline std::vector<Named> choose(const std::vector<Named> &all, const std::vector<std::string> &names) {
    std::vector<Named> chosen;
    for (const std::string &name : names) {
        const auto found = std::find_if(all.begin(), all.end(), [&](const Named &app) { return app.name == name; });
        if (found == all.end()) {
            throw std::runtime_error(name + ": no such application; benchmarks/auto_cases.h has their names");
        }
        chosen.push_back(*found);
    }
    return names.empty() ? all : chosen;
}

inline std::vector<std::string> words(const std::string &text) {
    std::vector<std::string> result;
    std::istringstream stream(text);
    for (std::string word; std::getline(stream, word, ',');) {
        result.push_back(word);
    }
    return result;
}

inline double processor_seconds() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

} // namespace auto_cases
