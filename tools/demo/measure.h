#pragma once
// Runs the demo's pipelines: compile time, run time, and the comparison with the interpreter.

#include "pipelines.h"

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
    std::array<Measurement, 2> schedules; ///< by Schedule
    Picture output;                       ///< of the good schedule; 1 or 3 channels
    Picture default_output;               ///< the same picture where the schedules agree
    bool outputs_agree = false;           ///< both schedules gave the same bytes everywhere

    const Measurement &of(Schedule schedule) const { return schedules[static_cast<size_t>(schedule)]; }
    double speed_up() const { return schedules[0].run_seconds / schedules[1].run_seconds; }
    bool correct() const { return outputs_agree && schedules[0].different == 0 && schedules[1].different == 0; }
};

/// Compiles and runs both schedules of a pipeline. Progress goes to standard error.
Result measure(const Example &example, const Picture &picture);

/// Compares pieces of both outputs with the interpreter, and stores the number of differing values in the result.
void compare_with_interpreter(Result &result, const Picture &picture);

/// The process's peak memory in bytes; 0 if the system does not report it.
int64_t peak_memory();

} // namespace fluorite::demo
