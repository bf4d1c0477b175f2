#pragma once
// The measuring program of an application: one source, built against Fluorite and against the peer, in conversation
// with benchmarks/run.py (see benchmarks/cases/serve.h). It always runs the hand schedule.
//
//     program               says how long definition and compilation took, then serves repetitions
//     program --reference   serves repetitions of the plain C++ reference instead
//     program --compile     only compiles, says how long that took, and ends
//     program ... --dump F  the first repetition leaves its output in the file F

#include "benchmarks/cases/serve.h"
#include "buffers.h"
#include "schedule.h"

#include <cmath>
#include <cstdio>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace apps {

struct Options {
    bool reference = false, compile_only = false;
    std::string dump;

    Options(int argc, char **argv) {
        for (int i = 1; i < argc; i++) {
            const std::string word = argv[i];
            reference |= word == "--reference";
            compile_only |= word == "--compile";
            if (word == "--dump" && i + 1 < argc) {
                dump = argv[++i];
            }
        }
    }
};

/// How far integers of an output may be from those of another program. Floats may always differ by rounding.
struct Tolerance {
    double by = 0;    ///< 0: they are the same
    double share = 1; ///< of the values that differ at all
};

/// What a repetition has to do at the least, and how exactly.
struct Work {
    double bytes = 0; ///< moved from and to memory
    double flops = 0; ///< 0: not worth a number
    Tolerance tolerance = {};
};

/// Reports bytes and, on the first repetition, the output's values as they are in memory.
template <typename T> class Reporter {
  public:
    Reporter(std::string name, const Options &options, const Work &work)
        : name_(std::move(name)), options_(options), tolerance_(work.tolerance) {
        bench::report_bytes(name_, work.bytes);
        if (work.flops > 0) {
            std::printf("flops %s %.0f\n", name_.c_str(), work.flops);
        }
    }
    void time(double seconds) const { bench::report(name_, seconds); }
    void output(const T *values, std::size_t count, int repetition) const {
        bench::report_output(name_, values, count);
        if (repetition == 0 && !options_.dump.empty()) {
            std::ofstream(options_.dump, std::ios::binary)
                .write(reinterpret_cast<const char *>(values), static_cast<std::streamsize>(count * sizeof(T)));
            const char *kind = std::is_floating_point_v<T> ? "f" : std::is_signed_v<T> ? "i" : "u";
            std::printf("output %s %s%zu %s %.9g %.9g\n", name_.c_str(), kind, sizeof(T), options_.dump.c_str(),
                        tolerance_.by, tolerance_.share);
        }
    }

  private:
    std::string name_;
    Options options_;
    Tolerance tolerance_;
};

/// `make` defines the application, sets its inputs and compiles it; `run` computes the output into the buffer it is
/// given; `reference` computes the same plainly.
template <typename T, typename Make, typename Run, typename Reference>
int measure(const std::string &name, const Options &options, const Work &work, Halide::Buffer<T> output, Make make,
            Run run, Reference reference) {
    try {
        const Reporter<T> reporter(name, options, work);
        if (options.reference) {
            return bench::serve([&](int repetition) {
                decltype(reference()) result;
                reporter.time(bench::seconds([&] { result = reference(); }));
                reporter.output(result.values.data(), result.values.size(), repetition);
            });
        }
        decltype(make()) app;
        bench::report(name + ".compile", bench::seconds([&] { app = make(); }));
        if (options.compile_only) {
            return 0;
        }
        return bench::serve([&](int repetition) {
            reporter.time(bench::seconds([&] { run(*app, output); }));
            reporter.output(output.data(), output.number_of_elements(), repetition);
        });
    } catch (const std::exception &error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}

/// The usual case: an application with one `output` Func. `make` returns a pointer to it with its inputs set.
template <typename T, typename Make, typename Reference>
int measure(const std::string &name, const Options &options, const Work &work, Halide::Buffer<T> output, Make make,
            Reference reference) {
    return measure(
        name, options, work, output,
        [&] {
            auto app = make();
            app->output.compile_jit();
            return app;
        },
        [](auto &app, Halide::Buffer<T> &into) { app.output.realize(into); }, reference);
}

/// A filter: what it moves for each pixel, and its output where that is not like its input.
struct ImageFilter {
    double bytes = 0;
    int channels = 0; ///< of the output; 0: those of the input
    Tolerance tolerance = {};
};

/// The commonest case: an application that makes of its one `input` a picture of the same size. Pictures of one channel have
/// two dimensions.
template <typename App, typename In, typename Reference>
int measure_filter(const std::string &name, const Options &options, const ImageFilter &filter, const Image<In> &input,
                   Reference reference) {
    using Out = typename decltype(reference(input).values)::value_type;
    const auto dimensions = [](int channels) { return channels > 1 ? 3 : 2; };
    const int channels = filter.channels > 0 ? filter.channels : input.channels;
    std::vector<int> extents = {input.width, input.height, channels};
    extents.resize(static_cast<std::size_t>(dimensions(channels)));
    const auto make = [&] {
        auto app = std::make_unique<App>(Schedule::Hand);
        app->input.set(over(input, dimensions(input.channels)));
        return app;
    };
    const double pixels = 1.0 * input.width * input.height;
    return measure(name, options, {filter.bytes * pixels, 0, filter.tolerance}, Halide::Buffer<Out>(extents), make,
                   [&] { return reference(input); });
}

} // namespace apps
