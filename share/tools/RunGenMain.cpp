// Runs a compiled function on files: link it with the function's library and its registration.
//
//     filter --describe
//     filter input=in.png gain=1.5 output=out.png
//     filter --benchmarks=all --estimate_all
//
// Inputs are files (PNG, JPEG, TIFF, PGM, PPM, NPY), or made: zero:EXTENTS, constant:VALUE:EXTENTS, identity:EXTENTS
// and random:SEED:EXTENTS, where EXTENTS is [w,h,...], `auto` (what the function reads), `estimate` or
// `estimate_then_auto`. Numbers are their texts, `default` or `estimate`. What the function needs of its inputs and
// gives of its outputs is asked of the function itself, by a call with buffers that have no memory.

#include "RunGen.h"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <iostream>

namespace {

constexpr const char *usage_text = R"(usage: %s NAME=VALUE... [flags]

inputs and outputs are files, inputs also zero:EXTENTS, constant:VALUE:EXTENTS, identity:EXTENTS or random:SEED:EXTENTS;
EXTENTS is [w,h,...], auto, estimate or estimate_then_auto; numbers are texts, default or estimate

  --describe                       print the names and types of inputs and outputs
  --name=FUNCTION                  which function, if there are several
  --output_extents=EXTENTS         of the outputs: [w,h,...] or estimate
  --default_input_buffers[=INPUT]  what inputs are that are not given; zero:auto if nothing is said
  --default_input_scalars[=VALUE]  the same for numbers; their defaults, else 0
  --estimate_all                   inputs, numbers and outputs as estimated
  --benchmarks=all                 measure the function
  --benchmark_min_time=SECONDS     how long, at least
  --parsable_output                print measurements as lines of name and number
  --quiet, --verbose               print less, or more
  --success                        print Success! at the end
)";

using namespace fluorite_run;

/// The words of the command line.
Options options_of(int argc, char **argv) {
    Options options;
    for (int i = 1; i < argc; i++) {
        const std::string word = argv[i];
        const size_t equals = word.find('=');
        const std::string name = word.substr(0, equals);
        const std::string value = equals == std::string::npos ? "" : word.substr(equals + 1);
        if (word.rfind("--", 0) != 0) {
            if (equals == std::string::npos) {
                fail("'" + word + "' is neither a flag nor NAME=VALUE");
            }
            options.values[name] = value;
        } else if (name == "--describe") {
            options.describes = true;
        } else if (name == "--name") {
            options.name = value;
        } else if (name == "--output_extents") {
            options.output_extents = value;
        } else if (name == "--default_input_buffers") {
            options.default_buffer = value.empty() ? "zero:auto" : value;
        } else if (name == "--default_input_scalars") {
            options.default_scalar = value.empty() ? "default" : value;
        } else if (name == "--estimate_all") {
            options.default_buffer = "random:0:estimate_then_auto";
            options.default_scalar = "estimate";
            options.output_extents = "estimate";
        } else if (name == "--benchmarks") {
            if (value != "all") {
                fail("--benchmarks is '" + value + "'; it is all");
            }
            options.benchmarks = true;
        } else if (name == "--benchmark_min_time") {
            options.least_seconds = std::stod(value);
        } else if (name == "--parsable_output") {
            options.parsable = true;
        } else if (name == "--quiet") {
            options.quiet = true;
        } else if (name == "--verbose") {
            options.verbose = true;
        } else if (name == "--success") {
            options.says_success = true;
        } else if (name == "--track_memory") {
            fail("--track_memory is not built; measure the process");
        } else {
            fail("'" + word + "' is no flag");
        }
    }
    return options;
}

std::string type_text(const fluorite_filter_argument_t &argument) {
    const std::string type = to_string(type_of_argument(argument));
    return argument.kind == fluorite_argument_kind_input_scalar
               ? type
               : "Buffer<" + type + "> with " + std::to_string(argument.dimensions) + " dimensions";
}

void describe(const fluorite_filter_metadata_t &filter) {
    std::cout << "Filter name: \"" << filter.name << "\"\n";
    for (const fluorite_filter_argument_t &argument : arguments_of(filter)) {
        const bool is_output = argument.kind == fluorite_argument_kind_output_buffer;
        std::cout << (is_output ? "  Output \"" : "  Input \"") << argument.name << "\" is of type "
                  << type_text(argument) << "\n";
    }
}

const Filter &chosen(const Options &options) {
    std::string names;
    for (const Filter &filter : filters()) {
        if (options.name == filter.metadata->name || (options.name.empty() && filters().size() == 1)) {
            return filter;
        }
        names += std::string(names.empty() ? "" : ", ") + filter.metadata->name;
    }
    fail(names.empty() ? "no function is registered; link its .registration.cpp"
                       : "--name is '" + options.name + "'; it is one of " + names);
}

void measure(Run &run, const Options &options) {
    const double seconds =
        fluorite::Tools::benchmark(3, run.iterations_for(options.least_seconds / 3), [&] { run.call(); });
    const double megapixels = run.output_pixels() / 1e6;
    if (options.parsable) {
        std::cout << run.name() << " BEST_TIME_MSEC_PER_ITER " << seconds * 1e3 << "\n"
                  << run.name() << " THROUGHPUT_MPIX_PER_SEC " << megapixels / seconds << "\n";
    } else {
        std::cout << "Benchmark for " << run.name() << " produces best case of " << seconds << " sec/iter.\n"
                  << "Best output throughput is " << megapixels / seconds << " mpix/sec.\n";
    }
}

int run_main(int argc, char **argv) {
    const Options options = options_of(argc, argv);
    const Filter &filter = chosen(options);
    if (options.describes) {
        describe(*filter.metadata);
        return 0;
    }
    if (argc == 1) {
        std::printf(usage_text, argv[0]);
        return 1;
    }
    Run run(filter, options);
    run.prepare();
    if (options.benchmarks) {
        measure(run, options);
    } else {
        run.call();
    }
    run.save_outputs();
    if (options.says_success) {
        std::cout << "Success!\n";
    }
    return 0;
}

} // namespace

// Called by each registration before main().
extern "C" void halide_register_argv_and_metadata(int (*call)(void **), const fluorite_filter_metadata_t *metadata,
                                                  const char *const *) {
    fluorite_run::filters().push_back({call, metadata});
}

int main(int argc, char **argv) {
    try {
        return run_main(argc, argv);
    } catch (const std::exception &error) {
        std::cerr << "Error: " << error.what() << "\n";
        return 1;
    }
}
