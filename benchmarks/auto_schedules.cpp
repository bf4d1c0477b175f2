// Automatic schedules of the applications, against those by hand: `./dev bench --auto`.
//
//     bench_auto_schedules [--app NAME[,NAME...]] [--rounds N] [--threads N] [--models NAME[,NAME...]]
//                          [--schedule FILE]... [--print] [--search]
//
// Each application is defined once for each schedule; the schedules take turns, so that a slow minute of the machine
// slows all of them, and each counts with its least processor time. Outputs are compared bit for bit. The automatic
// schedule is given the promises that the one by hand makes about the output (bound), and nothing else of it. With
// --schedule, the schedules of these files (as Schedule::save() writes them) take part; --print shows what was found.
// `--search` runs nothing: it prints a table of how long schedules take to be found, with all trials, and whether the
// last search has proved that no grouping costs less under the model.
// `--models roofline,polymage,mullapudi` measures the published schedulers beside the own one; geometric means are of
// each against the schedule by hand and against the first.
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
#include "apps/minifluxdiv/minifluxdiv.h"
#include "apps/multigrid/multigrid.h"
#include "apps/nl_means/nl_means.h"
#include "apps/pyramid_blend/pyramid_blend.h"
#include "apps/resize/resize.h"
#include "apps/sobel/sobel.h"
#include "apps/stencil_chain/stencil_chain.h"
#include "apps/transpose/transpose.h"
#include "apps/unsharp/unsharp.h"
#include "apps/wavelet/wavelet.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <functional>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace {

using apps::random_image;
using Halide::Buffer;
using Halide::Func;
using Halide::Pipeline;

/// An application, with its inputs set.
struct Made {
    std::shared_ptr<void> app;
    Func output;
};

struct Case {
    const char *name;
    std::vector<int> extents; // of the output
    std::function<Made(apps::Schedule)> make;
};

struct Variant {
    std::string name;
    Made made;
    Buffer<> output;
    std::vector<double> seconds = {};
    double best() const { return *std::min_element(seconds.begin(), seconds.end()); }
};

struct Options {
    std::vector<std::string> apps, models = {"roofline"}, files;
    int rounds = 5, threads = 1;
    bool print = false, search = false;
};

std::vector<std::string> words(const std::string &text) {
    std::vector<std::string> result;
    std::istringstream stream(text);
    for (std::string word; std::getline(stream, word, ',');) {
        result.push_back(word);
    }
    return result;
}

/// Elements are made once for each application, and shared by its variants.
template <typename App, typename T>
Case filter(const char *name, std::vector<int> extents, const apps::Image<T> &input, int dimensions = 0) {
    const auto image = std::make_shared<apps::Image<T>>(input);
    const int d = dimensions > 0 ? dimensions : input.channels > 1 ? 3 : 2;
    return {name, std::move(extents), [image, d](apps::Schedule schedule) {
                auto app = std::make_shared<App>(schedule);
                app->input.set(apps::over(*image, d));
                return Made{app, app->output};
            }};
}

template <typename T> Buffer<T> random_buffer(const std::vector<int> &extents, T least, T most, unsigned seed) {
    Buffer<T> buffer(extents);
    const auto image = random_image<T>(static_cast<int>(buffer.number_of_elements()), 1, 1, least, most, seed);
    std::copy(image.values.begin(), image.values.end(), buffer.data());
    return buffer;
}

/// The step of a finite-volume solver over a box in the plane or in space.
Case flux_divergence(const char *name, std::vector<int> extents) {
    std::vector<int> with_ghosts = extents, mins(extents.size(), -apps::MiniFluxDiv::ghosts);
    for (int &extent : with_ghosts) {
        extent += 2 * apps::MiniFluxDiv::ghosts;
    }
    const int dimensions = static_cast<int>(extents.size());
    for (std::vector<int> *all : {&extents, &with_ghosts}) {
        all->push_back(apps::MiniFluxDiv::components);
    }
    mins.push_back(0);
    Buffer<double> input = random_buffer<double>(with_ghosts, -1, 1, 1);
    input.set_min(mins);
    return {name, extents, [=](apps::Schedule schedule) {
                auto app = std::make_shared<apps::MiniFluxDiv>(schedule, dimensions);
                app->input.set(input);
                return Made{app, app->output};
            }};
}

/// A cycle over four grids: in the plane of 8191 points along each side, in space of 255.
Case multigrid(const char *name, int dimensions, apps::Cycle cycle, apps::Smoothing smoothing) {
    const std::vector<int> extents(static_cast<size_t>(dimensions), dimensions == 2 ? 8191 : 255);
    const Buffer<double> guess = random_buffer<double>(extents, -1, 1, 1),
                         right = random_buffer<double>(extents, -1, 1, 2);
    return {name, extents, [=](apps::Schedule schedule) {
                auto app = std::make_shared<apps::Multigrid>(schedule,
                                                             apps::MultigridOptions{dimensions, cycle, smoothing, 4});
                app->guess.set(guess);
                app->right.set(right);
                return Made{app, app->output};
            }};
}

std::vector<std::function<Case()>> cases() {
    using namespace apps;
    return {
        [] { return filter<Blur>("blur", {8192, 6144}, random_image<uint16_t>(8192, 6144)); },
        [] { return filter<Unsharp>("unsharp", {4096, 3072, 3}, random_image<float>(4096, 3072, 3)); },
        [] { return filter<Harris>("harris", {4096, 3072}, random_image<float>(4096, 3072, 3)); },
        [] {
            return filter<LocalLaplacian>("local_laplacian", {1536, 2560, 3}, random_image<uint16_t>(1536, 2560, 3));
        },
        [] { return filter<Interpolate>("interpolate", {1536, 2560, 3}, random_image<float>(1536, 2560, 4)); },
        [] { return filter<BilateralGrid>("bilateral_grid", {3072, 2048}, random_image<float>(3072, 2048)); },
        [] {
            return filter<CameraPipe>("camera_pipe", {2592, 1968, 3}, random_image<uint16_t>(2592, 1968, 1, 0, 1023));
        },
        [] { return filter<Sobel>("sobel", {8192, 8192}, random_image<uint8_t>(8192, 8192)); },
        [] { return filter<StencilChain>("stencil_chain", {1536, 2560}, random_image<uint16_t>(1536, 2560)); },
        [] { return filter<MaxFilter>("max_filter", {4096, 3072}, random_image<uint8_t>(4096, 3072)); },
        [] { return filter<NlMeans>("nl_means", {1536, 1024, 3}, random_image<float>(1536, 1024, 3, 0.4f, 0.6f)); },
        [] { return filter<HistEqualize>("hist_equalize", {4096, 3072, 3}, random_image<uint8_t>(4096, 3072, 3)); },
        [] { return filter<IirBlur>("iir_blur", {2048, 1536, 3}, random_image<float>(2048, 1536, 3)); },
        [] { return filter<Resize>("resize", {2048, 1536, 3}, random_image<float>(4096, 3072, 3)); },
        [] { return filter<Transpose>("transpose", {8192, 8192}, random_image<uint16_t>(8192, 8192)); },
        [] { return filter<WaveletForward>("wavelet", {2048, 2048, 4}, random_image<float>(4096, 4096)); },
        [] { return flux_divergence("minifluxdiv", {128, 128, 128}); },
        [] { return flux_divergence("minifluxdiv_plane", {2048, 2048}); },
        [] { return multigrid("multigrid_plane_v", 2, Cycle::V, {4, 4, 4}); },
        [] { return multigrid("multigrid_plane_v_10", 2, Cycle::V, {10, 0, 0}); },
        [] { return multigrid("multigrid_plane_w", 2, Cycle::W, {4, 4, 4}); },
        [] { return multigrid("multigrid_plane_w_10", 2, Cycle::W, {10, 0, 0}); },
        [] { return multigrid("multigrid_space_v", 3, Cycle::V, {4, 4, 4}); },
        [] { return multigrid("multigrid_space_v_10", 3, Cycle::V, {10, 0, 0}); },
        [] { return multigrid("multigrid_space_w", 3, Cycle::W, {4, 4, 4}); },
        [] { return multigrid("multigrid_space_w_10", 3, Cycle::W, {10, 0, 0}); },
        [] {
            const auto input = std::make_shared<Image<float>>(random_image<float>(4096, 3072));
            const auto phi = std::make_shared<Image<float>>(random_image<float>(4096, 3072, 1, -1.0f, 1.0f, 2));
            return Case{"level_set", {4096, 3072}, [=](apps::Schedule schedule) {
                            auto app = std::make_shared<LevelSet>(schedule);
                            app->input.set(over(*input, 2));
                            app->phi.set(over(*phi, 2));
                            return Made{app, app->output};
                        }};
        },
        [] {
            const auto input = std::make_shared<Image<float>>(random_image<float>(2048, 1536, 3));
            const auto second = std::make_shared<Image<float>>(random_image<float>(2048, 1536, 3, 2u));
            const auto mask = std::make_shared<Image<float>>(random_image<float>(2048, 1536, 1, 3u));
            return Case{"pyramid_blend", {2048, 1536, 3}, [=](apps::Schedule schedule) {
                            auto app = std::make_shared<PyramidBlend>(schedule);
                            app->first.set(over(*input, 3));
                            app->second.set(over(*second, 3));
                            app->mask.set(over(*mask, 2));
                            return Made{app, app->output};
                        }};
        },
        [] {
            const Buffer<float> a = random_buffer<float>({1024, 1024}, 0, 1, 1),
                                b = random_buffer<float>({1024, 1024}, 0, 1, 2);
            return Case{"matmul", {1024, 1024}, [=](apps::Schedule schedule) {
                            auto app = std::make_shared<Matmul>(schedule);
                            app->a.set(a);
                            app->b.set(b);
                            return Made{app, app->output};
                        }};
        },
        [] {
            const Buffer<float> input = random_buffer<float>({128, 102, 82, 2}, -0.5f, 0.5f, 1),
                                weights = random_buffer<float>({128, 3, 3, 128}, -0.5f, 0.5f, 2),
                                bias = random_buffer<float>({128}, 0, 1, 3);
            return Case{"conv_layer", {128, 100, 80, 2}, [=](apps::Schedule schedule) {
                            auto app = std::make_shared<ConvLayer>(schedule);
                            app->input.set(input);
                            app->filter.set(weights);
                            app->bias.set(bias);
                            return Made{app, app->output};
                        }};
        },
    };
}

double processor_seconds() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// The promises about the output that a schedule makes.
fluorite::Schedule promises(const Func &output) {
    std::istringstream text(Pipeline(output).schedule().text());
    std::string kept;
    for (std::string line; std::getline(text, line);) {
        const bool is_promise = line.rfind(output.name() + ".bound(", 0) == 0;
        kept += is_promise || line.rfind("fluorite", 0) == 0 || line == "end" ? line + "\n" : "";
    }
    return fluorite::Schedule::parse(kept);
}

Variant automatic(const Case &app, const std::string &model, const Options &options) {
    Variant variant{model, app.make(apps::Schedule::Default), {}};
    Pipeline pipeline(variant.made.output);
    pipeline.apply(promises(app.make(apps::Schedule::Hand).output));
    fluorite::AutoScheduleOptions wanted;
    wanted.sizes.assign(app.extents.begin(), app.extents.end());
    wanted.model = model;
    const double start = processor_seconds();
    const fluorite::AutoSchedule found = pipeline.auto_schedule(wanted);
    const double seconds = processor_seconds() - start;
    if (options.print) {
        std::printf("%s%s", found.explanation.c_str(), found.schedule.text().c_str());
    }
    std::printf("%s: scheduled by %s in %.2f s\n", app.name, model.c_str(), seconds);
    return variant;
}

/// One row of the table of searches: stages that are not inlined, time, and what the search says of itself.
void search(const Case &app, const Options &options) {
    const Made made = app.make(apps::Schedule::Default);
    Pipeline pipeline(made.output);
    pipeline.apply(promises(app.make(apps::Schedule::Hand).output));
    fluorite::AutoScheduleOptions wanted;
    wanted.sizes.assign(app.extents.begin(), app.extents.end());
    wanted.parallelism = options.threads;
    const double start = processor_seconds();
    const std::string text = pipeline.auto_schedule(wanted).explanation;
    const double seconds = processor_seconds() - start;
    size_t stages = 0;
    std::string result;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        if (line.rfind("group of ", 0) == 0) {
            // The last stage, and those after the colon.
            std::istringstream words(line.substr(line.find(':') + 1));
            stages++;
            for (std::string word; words >> word;) {
                stages += word != "alone";
            }
        } else if (line.rfind("search: ", 0) == 0) {
            result =
                line.find("no grouping costs less") != std::string::npos ? "proved" : line.substr(line.find(", ") + 2);
        }
    }
    std::printf("| %s | %zu | %.2f | %s |\n", app.name, stages, seconds, result.c_str());
    std::fflush(stdout);
}

/// By variant: the times of the schedule by hand over its own, and its own over those of the first model.
struct Ratios {
    std::vector<double> to_hand, to_first;
};

double geometric_mean(const std::vector<double> &ratios) {
    double sum = 0;
    for (const double ratio : ratios) {
        sum += std::log(ratio);
    }
    return std::exp(sum / static_cast<double>(ratios.size()));
}

void run(const Case &app, const Options &options, std::map<std::string, Ratios> &ratios) {
    std::vector<Variant> variants;
    variants.push_back({"hand", app.make(apps::Schedule::Hand), {}});
    for (const std::string &model : options.models) {
        if (model != "none") {
            variants.push_back(automatic(app, model, options));
        }
    }
    for (const std::string &file : options.files) {
        variants.push_back({file, app.make(apps::Schedule::Hand), {}});
        Pipeline(variants.back().made.output).apply(fluorite::Schedule::load(file));
    }
    for (Variant &variant : variants) {
        variant.output = Buffer<>(variant.made.output.type(), app.extents);
        variant.made.output.compile_jit();
        variant.made.output.realize(variant.output);
        if (variant.output.size_in_bytes() != variants[0].output.size_in_bytes() ||
            std::memcmp(variant.output.data(), variants[0].output.data(), variant.output.size_in_bytes()) != 0) {
            std::printf("%s: %s DIFFERS from the schedule by hand\n", app.name, variant.name.c_str());
        }
    }
    for (int round = 0; round < options.rounds; round++) {
        for (Variant &variant : variants) {
            const double start = processor_seconds();
            variant.made.output.realize(variant.output);
            variant.seconds.push_back(processor_seconds() - start);
        }
    }
    const double hand = variants[0].best();
    for (const Variant &variant : variants) {
        std::printf("%-16s %-24s %9.2f ms  hand / it %.2f\n", app.name, variant.name.c_str(), variant.best() * 1e3,
                    hand / variant.best());
    }
    std::fflush(stdout);
    for (size_t i = 1; i < variants.size(); i++) {
        ratios[variants[i].name].to_hand.push_back(hand / variants[i].best());
        ratios[variants[i].name].to_first.push_back(variants[i].best() / variants[1].best());
    }
}

Options parse(int argc, char **argv) {
    Options options;
    for (int i = 1; i < argc; i++) {
        const std::string word = argv[i];
        const auto next = [&]() -> std::string {
            if (++i == argc) {
                throw std::runtime_error(word + " needs a value after it");
            }
            return argv[i];
        };
        if (word == "--app") {
            options.apps = words(next());
        } else if (word == "--models") {
            options.models = words(next());
        } else if (word == "--rounds") {
            options.rounds = std::stoi(next());
        } else if (word == "--threads") {
            options.threads = std::stoi(next());
        } else if (word == "--schedule") {
            options.files.push_back(next());
        } else if (word == "--print") {
            options.print = true;
        } else if (word == "--search") {
            options.search = true;
        } else {
            throw std::runtime_error(word + ": no such option; the file's first lines list them");
        }
    }
    return options;
}

} // namespace

int main(int argc, char **argv) {
    try {
        const Options options = parse(argc, argv);
        fluorite::JITSharedRuntime::set_num_threads(options.threads);
        std::map<std::string, Ratios> ratios;
        if (options.search) {
            std::printf("| application | stages | seconds | optimum |\n| --- | ---: | ---: | --- |\n");
        }
        for (const auto &make : cases()) {
            const Case app = make();
            if (options.apps.empty() ||
                std::find(options.apps.begin(), options.apps.end(), app.name) != options.apps.end()) {
                options.search ? search(app, options) : run(app, options, ratios);
            }
        }
        for (const auto &[name, found] : ratios) {
            std::printf("geometric means of %zu: hand / %s %.2f, %s / first model %.2f\n", found.to_hand.size(),
                        name.c_str(), geometric_mean(found.to_hand), name.c_str(), geometric_mean(found.to_first));
        }
        return 0;
    } catch (const std::exception &error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
