// One application under one of the peer's automatic schedulers: `program PLUGIN NAME APP [THREADS [ROUNDS [SHRINK]]]`.
// Compiles against the peer only; auto_peer.py runs it.
//
// PLUGIN is the library of the scheduler, NAME its name; `hand` in place of both measures the schedule by hand for the
// peer. Prints the seconds that scheduling and compiling take, and the least processor time of the rounds in
// milliseconds. Estimates are the extents that are measured; channels are promised, as schedules by hand do.
#include "benchmarks/auto_cases.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>

namespace {

using auto_cases::Case;
using auto_cases::Made;

/// Promised where they are so few: channels.
constexpr int most_channels = 4;

/// What is thrown in some places of the schedulers ends the program without its text.
class PrintedErrors : public Halide::CompileTimeErrorReporter {
  public:
    void warning(const char *) override {}
    void error(const char *message) override {
        std::fprintf(stderr, "%s\n", message);
        std::exit(1);
    }
};

/// The peer's schedulers refuse Funcs that have directives; those of the default schedules are compute_root alone.
void forget_places(const Halide::Func &output) {
    for (auto &[name, func] : Halide::Internal::find_transitive_calls(output.function())) {
        Halide::Internal::FuncSchedule &schedule = func.schedule();
        for (Halide::LoopLevel *level :
             {&schedule.compute_level(), &schedule.store_level(), &schedule.hoist_storage_level()}) {
            *level = Halide::LoopLevel::inlined();
        }
    }
}

void state_sizes(Made &made, const std::vector<int> &extents) {
    for (size_t d = 0; d < extents.size(); d++) {
        made.output.set_estimate(made.output.args()[d], 0, extents[d]);
    }
    if (extents.size() > 2 && extents.back() <= most_channels) {
        made.output.bound(made.output.args().back(), 0, extents.back());
    }
    made.estimate();
    for (Halide::ImageParam &input : made.inputs) {
        const Halide::Buffer<> buffer = input.get();
        for (int d = 0; d < buffer.dimensions(); d++) {
            input.dim(d).set_estimate(buffer.dim(d).min(), buffer.dim(d).extent());
        }
    }
}

int argument(int argc, char **argv, int at, int otherwise) { return argc > at ? std::atoi(argv[at]) : otherwise; }

} // namespace

int main(int argc, char **argv) {
    if (argc < 4) {
        std::fprintf(stderr, "%s PLUGIN NAME APP [THREADS [ROUNDS [SHRINK]]]\n", argv[0]);
        return 2;
    }
    const std::string plugin = argv[1], name = argv[2], app_name = argv[3];
    const int threads = argument(argc, argv, 4, 1), rounds = argument(argc, argv, 5, 3);
    try {
        static PrintedErrors printed;
        Halide::set_custom_compile_time_error_reporter(&printed);
        const std::vector<auto_cases::Named> all = auto_cases::cases(argument(argc, argv, 6, 1));
        const Case app = auto_cases::choose(all, {app_name})[0].make();
        const bool is_by_hand = name == "hand";
        Made made = app.make(is_by_hand ? apps::Schedule::HandPeer : apps::Schedule::Default);
        const Halide::Target target = Halide::get_jit_target_from_environment();
        const double begin = auto_cases::processor_seconds();
        if (!is_by_hand) {
            Halide::load_plugin(plugin);
            forget_places(made.output);
            state_sizes(made, app.extents);
            Halide::Pipeline(made.output)
                .apply_autoscheduler(target, {name, {{"parallelism", std::to_string(threads)}}});
        }
        const double scheduled = auto_cases::processor_seconds();
        made.output.compile_jit(target);
        const double compiled = auto_cases::processor_seconds();
        Halide::Buffer<> output(made.output.type(), app.extents);
        double least = 1e30;
        for (int round = 0; round <= rounds; round++) { // the first run takes memory and is not counted
            const double start = auto_cases::processor_seconds();
            made.output.realize(output);
            least = round > 0 ? std::min(least, auto_cases::processor_seconds() - start) : least;
        }
        std::printf("scheduled %.3f compiled %.3f run %.4f\n", is_by_hand ? 0.0 : scheduled - begin,
                    compiled - scheduled, least * 1e3);
        return 0;
    } catch (const std::exception &error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
