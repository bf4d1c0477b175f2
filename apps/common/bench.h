#pragma once
// The measuring program of an application: one source, built against Fluorite and against the peer, in conversation
// with benchmarks/run.py (see benchmarks/cases/serve.h). It runs a hand schedule.
//
//     program                   says how long definition and compilation took, then serves repetitions
//     program --reference       serves repetitions of the plain C++ reference instead
//     program --compile         only compiles, says how long that took, and ends
//     program ... --peer-schedule   takes Schedule::HandPeer instead of Schedule::Hand

#include "benchmarks/cases/serve.h"
#include "buffers.h"
#include "schedule.h"

#include <cmath>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace apps {

struct Options {
    bool reference = false, compile_only = false;
    Schedule schedule = Schedule::Hand;

    Options(int argc, char **argv) {
        for (int i = 1; i < argc; i++) {
            const std::string word = argv[i];
            reference |= word == "--reference";
            compile_only |= word == "--compile";
            schedule = word == "--peer-schedule" ? Schedule::HandPeer : schedule;
        }
    }
};

/// How far elements of an output may be from those of another program and of the reference: of floats a fraction of the
/// local scale, of integers their absolute difference. An application that needs more than bench::rounding says why.
using bench::Tolerance;

/// What a repetition has to do at the least, and how exactly.
struct Work {
    double bytes = 0; ///< moved from and to memory
    double flops = 0; ///< 0: not worth a number
    Tolerance tolerance = bench::rounding;
};

/// Reports the times of repetitions, what they move and compute, and their outputs.
class Reporter {
  public:
    Reporter(std::string name, const Work &work) : name_(std::move(name)), tolerance_(work.tolerance) {
        bench::report_bytes(name_, work.bytes);
        if (work.flops > 0) {
            std::printf("flops %s %.0f\n", name_.c_str(), work.flops);
        }
    }
    void time(double seconds) const { bench::report(name_, seconds); }
    template <typename T> void output(const T *values, const std::vector<int> &extents) const {
        bench::report_output(name_, values, extents, tolerance_);
    }

  private:
    std::string name_;
    Tolerance tolerance_;
};

template <typename T> std::vector<int> extents_of(Halide::Buffer<T> &buffer) {
    std::vector<int> extents;
    for (int d = 0; d < buffer.dimensions(); d++) {
        extents.push_back(buffer.dim(d).extent());
    }
    return extents;
}

/// `make` defines the application, sets its inputs and compiles it; `run` computes the output into the buffer it is
/// given; `reference` computes the same plainly.
template <typename T, typename Make, typename Run, typename Reference>
int measure(const std::string &name, const Options &options, const Work &work, Halide::Buffer<T> output, Make make,
            Run run, Reference reference) {
    try {
        const Reporter reporter(name, work);
        const std::vector<int> extents = extents_of(output);
        if (options.reference) {
            return bench::serve([&](int) {
                decltype(reference()) result;
                reporter.time(bench::seconds([&] { result = reference(); }));
                if (result.values.size() != output.number_of_elements()) {
                    throw std::runtime_error("the reference of " + name + " has another size");
                }
                reporter.output(result.values.data(), extents);
            });
        }
        decltype(make()) app;
        bench::report(name + ".compile", bench::seconds([&] { app = make(); }));
        if (options.compile_only) {
            return 0;
        }
        return bench::serve([&](int) {
            reporter.time(bench::seconds([&] { run(*app, output); }));
            reporter.output(output.data(), extents);
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
    Tolerance tolerance = bench::rounding;
};

/// The commonest case: an application that makes of its one `input` a picture of the same size. Pictures of one channel
/// have two dimensions.
template <typename App, typename In, typename Reference>
int measure_filter(const std::string &name, const Options &options, const ImageFilter &filter, const Image<In> &input,
                   Reference reference) {
    using Out = typename decltype(reference(input).values)::value_type;
    const auto dimensions = [](int channels) { return channels > 1 ? 3 : 2; };
    const int channels = filter.channels > 0 ? filter.channels : input.channels;
    std::vector<int> extents = {input.width, input.height, channels};
    extents.resize(static_cast<std::size_t>(dimensions(channels)));
    const auto make = [&] {
        auto app = std::make_unique<App>(options.schedule);
        app->input.set(over(input, dimensions(input.channels)));
        return app;
    };
    const double pixels = 1.0 * input.width * input.height;
    return measure(name, options, {filter.bytes * pixels, 0, filter.tolerance}, Halide::Buffer<Out>(extents), make,
                   [&] { return reference(input); });
}

} // namespace apps
