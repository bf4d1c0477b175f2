#pragma once
// Runs the demo's pipelines: compile time, run time, and the comparison with the interpreter.

#include "pipelines.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace fluorite::demo {

struct Measurement {
    double compile_seconds = 0;
    double run_seconds = 0; ///< the fastest run
    int runs = 0;
    int64_t checked = 0;   ///< values compared with the interpreter
    int64_t different = 0; /// the number of these whose bits differ
    std::string loop_nest;
};

struct Result {
    const Example *example = nullptr;
    std::array<Measurement, all_schedules.size()> schedules; ///< by Schedule
    std::array<Picture, all_schedules.size()> outputs;       ///< by Schedule, one picture where they agree
    bool outputs_agree = false;                              ///< all schedules gave the same bytes everywhere

    const Measurement &of(Schedule schedule) const { return schedules[static_cast<size_t>(schedule)]; }
    /// Of the good schedule; 1 or 3 channels.
    const Picture &output() const { return outputs[static_cast<size_t>(Schedule::Good)]; }
    double speed_up(Schedule schedule) const { return of(Schedule::Default).run_seconds / of(schedule).run_seconds; }
    bool correct() const {
        return outputs_agree &&
               std::all_of(schedules.begin(), schedules.end(), [](const Measurement &m) { return m.different == 0; });
    }
};

/// Compiles and runs all schedules of a pipeline. Progress goes to standard error.
Result measure(const Example &example, const Picture &picture);

/// Compares pieces of all outputs with the interpreter, and stores the number of differing values in the result.
void compare_with_interpreter(Result &result, const Picture &picture);

/// The process's peak memory in bytes; 0 if the system does not report it.
int64_t peak_memory();

} // namespace fluorite::demo
