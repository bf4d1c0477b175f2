// What the profiler prints.
//
// For each pipeline that has run, one text with its totals, then one for each Func:
//     blur
//      total time: 26.405045 ms  samples: 12  runs: 1  time per run: 26.405045 ms
//      average threads used: 1.500000
//      heap allocations: 2049  peak heap usage: 8417284 bytes
//         blur_x:                  10.394ms (39.3%)   threads: 1.000  peak: 8400900  num: 1         avg: 8400900
// The words, their order and the widths are the peer's, whose programs read these lines; `threads` is left out where
// only one thread worked, `peak`, `num` and `avg` where there is no memory on the heap. Then follow, if they are known,
// `runs`, how often the Func was produced, and `recompute`, the number of points computed per point that is needed.
//
// Relies on: the lock, which the caller holds. Cost: that of the text.

#include "runtime/profile/profile.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>

namespace fluorite_runtime::profile {

namespace {

__attribute__((format(printf, 1, 2))) std::string formatted(const char *form, ...) {
    char text[512];
    va_list arguments;
    va_start(arguments, form);
    std::vsnprintf(text, sizeof(text), form, arguments);
    va_end(arguments);
    return text;
}

double milliseconds(uint64_t nanoseconds) { return static_cast<double>(nanoseconds) / 1e6; }

double ratio(uint64_t of, uint64_t to) { return to == 0 ? 0 : static_cast<double>(of) / static_cast<double>(to); }

bool is_parallel(const Pipeline &pipeline) {
    return pipeline.active_threads_numerator > pipeline.active_threads_denominator;
}

std::string head(const Pipeline &pipeline) {
    std::string text = pipeline.own_name;
    text += formatted("\n total time: %f ms  samples: %d  runs: %d  time per run: %f ms\n", milliseconds(pipeline.time),
                      pipeline.samples, pipeline.runs, milliseconds(pipeline.time) / pipeline.runs);
    if (is_parallel(pipeline)) {
        text += formatted(" average threads used: %f\n",
                          ratio(pipeline.active_threads_numerator, pipeline.active_threads_denominator));
    }
    return text + formatted(" heap allocations: %d  peak heap usage: %llu bytes\n", pipeline.num_allocs,
                            static_cast<unsigned long long>(pipeline.memory_peak));
}

std::string memory(const halide_profiler_func_stats &func) {
    std::string text;
    if (func.num_allocs > 0) {
        text += formatted(" peak: %-8llu num: %-9d avg: %llu", static_cast<unsigned long long>(func.memory_peak),
                          func.num_allocs,
                          static_cast<unsigned long long>(func.memory_total / static_cast<uint64_t>(func.num_allocs)));
    }
    if (func.stack_peak > 0) {
        text += formatted(" stack: %llu", static_cast<unsigned long long>(func.stack_peak));
    }
    return text;
}

std::string counts(const Pipeline::Func &func) {
    std::string text;
    if (func.productions > 0) {
        text += formatted(" runs: %llu", static_cast<unsigned long long>(func.productions));
    }
    if (func.needed > 0 && func.points > 0) {
        text += formatted(" recompute: %.3f", ratio(func.points, func.needed));
    }
    return text;
}

std::string line(const Pipeline &pipeline, size_t f, int width) {
    const halide_profiler_func_stats &func = pipeline.stats[f];
    std::string text = "    " + pipeline.names[f] + ":";
    text.resize(std::max(text.size(), static_cast<size_t>(width) + 4), ' ');
    text += formatted("%11.3fms (%4.1f%%)   ", milliseconds(func.time), 100 * ratio(func.time, pipeline.time));
    if (is_parallel(pipeline)) {
        text += formatted("threads: %.3f ", ratio(func.active_threads_numerator, func.active_threads_denominator));
    }
    return text + memory(func) + counts(pipeline.more[f]) + "\n";
}

/// Overhead and waiting are listed where they took time, memory functions where there is memory on the heap.
bool is_listed(const Pipeline &pipeline, size_t f) {
    return f >= fluorite_profile_first_func || pipeline.stats[f].time > 0 ||
           (f >= fluorite_profile_malloc && pipeline.num_allocs > 0);
}

} // namespace

std::vector<std::string> report_lines() {
    std::vector<std::string> lines;
    for (void *at = state().pipelines; at != nullptr;) {
        const auto &pipeline = *static_cast<const Pipeline *>(static_cast<halide_profiler_pipeline_stats *>(at));
        at = pipeline.next;
        if (pipeline.runs == 0) {
            continue;
        }
        lines.push_back(head(pipeline));
        size_t width = pipeline.names[fluorite_profile_waiting].size() + 1;
        for (const std::string &name : pipeline.names) {
            width = std::max(width, name.size() + 1);
        }
        for (size_t f = 0; f < pipeline.names.size(); f++) {
            if (is_listed(pipeline, f)) {
                lines.push_back(line(pipeline, f, static_cast<int>(width)));
            }
        }
    }
    return lines;
}

} // namespace fluorite_runtime::profile
