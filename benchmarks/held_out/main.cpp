// One pipeline under an automatic scheduler; held_out.py runs it. Compiles against Fluorite and against the peer:
//
//     program PIPELINE SCHEDULER PLUGIN THREADS RUNS [--print]
//
// PLUGIN is the library of the peer's scheduler, `-` for none; SCHEDULER `none` leaves the pipeline without a schedule.
// Every repetition is RUNS runs, and gives the processor time and the elapsed time of each (cases/serve.h); before the
// first, values say what processor time it took to schedule and to compile. --print writes the schedule to stderr.
#include "benchmarks/cases/serve.h"
#include "benchmarks/held_out/arrays.h"
#include "benchmarks/held_out/filters.h"
#include "benchmarks/held_out/pixels.h"

#include <ctime>
#include <dlfcn.h>

namespace {

using held_out::Made;

double processor_seconds() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct Arguments {
    std::string pipeline, scheduler, plugin;
    int threads = 1, runs = 1;
    bool print = false;
};

Made make(const std::string &name) {
    for (const auto &all : {held_out::filters(), held_out::pixels(), held_out::arrays()}) {
        for (const held_out::Named &one : all) {
            if (one.name == name) {
                return one.make();
            }
        }
    }
    throw std::runtime_error(name + ": no such pipeline");
}

/// The sizes that are measured.
void state_sizes(Made &made) {
    for (size_t d = 0; d < made.extents.size(); d++) {
        made.output.set_estimate(made.output.args()[d], 0, made.extents[d]);
    }
    for (Halide::ImageParam &input : made.inputs) {
        const Halide::Buffer<> buffer = input.get();
        for (int d = 0; d < buffer.dimensions(); d++) {
            input.dim(d).set_estimate(buffer.dim(d).min(), buffer.dim(d).extent());
        }
    }
}

void schedule(Made &made, const Arguments &arguments, const Halide::Target &target) {
    if (arguments.scheduler == "none") {
        return;
    }
    if (arguments.plugin != "-" && dlopen(arguments.plugin.c_str(), RTLD_NOW) == nullptr) {
        throw std::runtime_error("cannot load " + arguments.plugin);
    }
    const auto found =
        Halide::Pipeline(made.output)
            .apply_autoscheduler(target, {arguments.scheduler, {{"parallelism", std::to_string(arguments.threads)}}});
    if (arguments.print) {
        std::fprintf(stderr, "%s\n", found.schedule_source.c_str());
    }
}

template <typename T> int serve(const std::string &name, Made &made, int runs) {
    Halide::Buffer<T> output =
        made.is_interleaved ? Halide::Buffer<T>::make_interleaved(made.extents[0], made.extents[1], made.extents[2])
                            : Halide::Buffer<T>(made.extents);
    const bench::Tolerance tolerance = {made.relative_error, static_cast<double>(made.most_off_by)};
    return bench::serve([&](int) {
        for (int run = 0; run < runs; run++) {
            const double start = processor_seconds();
            const double elapsed = bench::seconds([&] { made.output.realize(output); });
            bench::report(name, processor_seconds() - start);
            bench::report(name + ".elapsed", elapsed);
        }
        bench::report_buffer(name, output,
                             std::is_floating_point_v<T> ? tolerance : bench::Tolerance{0, tolerance.absolute});
    });
}

int serve(const std::string &name, Made &made, int runs) {
    const Halide::Type type = made.output.type();
    return type == Halide::UInt(8)     ? serve<uint8_t>(name, made, runs)
           : type == Halide::Int(32)   ? serve<int32_t>(name, made, runs)
           : type == Halide::Float(32) ? serve<float>(name, made, runs)
                                       : throw std::runtime_error("an output of another type");
}

} // namespace

int main(int argc, char **argv) {
    try {
        if (argc < 6) {
            throw std::runtime_error("PIPELINE SCHEDULER PLUGIN THREADS RUNS [--print]");
        }
        const Arguments arguments{argv[1], argv[2], argv[3], std::atoi(argv[4]), std::atoi(argv[5]), argc > 6};
        Made made = make(arguments.pipeline);
        state_sizes(made);
        const Halide::Target target = Halide::get_jit_target_from_environment();
        const double start = processor_seconds();
        schedule(made, arguments, target);
        const double scheduled = processor_seconds();
        made.output.compile_jit(target);
        const double compiled = processor_seconds();
        bench::report("scheduled", scheduled - start);
        bench::report("compiled", compiled - scheduled);
        return serve(arguments.pipeline, made, arguments.runs);
    } catch (const std::exception &error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
