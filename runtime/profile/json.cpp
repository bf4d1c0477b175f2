// The results of the profiler as JSON:
//     {"pipelines": [{"name": "blur", "runs": 2, "nanoseconds": 812000, "samples": 1, "threads": 1.5,
//       "allocations": 3, "peak_bytes": 4096, "timed": false,
//       "funcs": [{"name": "blur_x", "nanoseconds": 600000, "threads": 1, "peak_bytes": 4096, "allocations": 3,
//                  "allocated_bytes": 12288, "stack_bytes": 0, "productions": 64, "points": 4096, "needed": 2048}]}]}
// `points` and `needed` are 0 where they are not known. Overhead, waiting, malloc and free come before the Funcs.
//
// Cost: that of the text.

#include "runtime/profile/profile.h"
#include "runtime/profile/quoted.h"
#include "runtime/text.h"

namespace fluorite_runtime::profile {

namespace {

std::string number(uint64_t value) { return to_text(value); }

std::string threads(uint64_t numerator, uint64_t denominator) {
    return to_text(denominator == 0 ? 0.0 : static_cast<double>(numerator) / static_cast<double>(denominator));
}

std::string func_json(const Pipeline &pipeline, size_t f) {
    const halide_profiler_func_stats &func = pipeline.stats[f];
    const Pipeline::Func &more = pipeline.more[f];
    return "{\"name\": " + quoted(pipeline.names[f]) + ", \"nanoseconds\": " + number(func.time) +
           ", \"threads\": " + threads(func.active_threads_numerator, func.active_threads_denominator) +
           ", \"peak_bytes\": " + number(func.memory_peak) +
           ", \"allocations\": " + number(static_cast<uint64_t>(func.num_allocs)) +
           ", \"allocated_bytes\": " + number(func.memory_total) + ", \"stack_bytes\": " + number(func.stack_peak) +
           ", \"productions\": " + number(more.productions) + ", \"points\": " + number(more.points) +
           ", \"needed\": " + number(more.needed) + "}";
}

std::string pipeline_json(const Pipeline &pipeline) {
    std::string text =
        "{\"name\": " + quoted(pipeline.own_name) + ", \"runs\": " + number(static_cast<uint64_t>(pipeline.runs)) +
        ", \"nanoseconds\": " + number(pipeline.time) +
        ", \"samples\": " + number(static_cast<uint64_t>(pipeline.samples)) +
        ", \"threads\": " + threads(pipeline.active_threads_numerator, pipeline.active_threads_denominator) +
        ", \"allocations\": " + number(static_cast<uint64_t>(pipeline.num_allocs)) +
        ", \"peak_bytes\": " + number(pipeline.memory_peak) + ", \"timed\": " + (pipeline.is_timed ? "true" : "false") +
        ",\n  \"funcs\": [";
    for (size_t f = 0; f < pipeline.names.size(); f++) {
        text += (f == 0 ? "\n    " : ",\n    ") + func_json(pipeline, f);
    }
    return text + "]}";
}

} // namespace

std::string json() {
    std::string text;
    for (void *at = state().pipelines; at != nullptr;) {
        const auto &pipeline = *static_cast<const Pipeline *>(static_cast<halide_profiler_pipeline_stats *>(at));
        at = pipeline.next;
        text += pipeline.runs == 0 ? "" : (text.empty() ? "\n  " : ",\n  ") + pipeline_json(pipeline);
    }
    return "{\"pipelines\": [" + text + "]}\n";
}

} // namespace fluorite_runtime::profile
