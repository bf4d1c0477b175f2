#pragma once
// Automatic scheduling: what to say to Pipeline::auto_schedule(), and what it says.

#include "fluorite/require_cxx17.h"

#include "fluorite/pipeline.h"
#include "fluorite/schedule.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace fluorite {

struct AutoScheduleOptions {
    /// Extents of the outputs, innermost dimension first; empty: the outputs' estimates.
    std::vector<int32_t> sizes = {};
    /// What the code is for; undefined: as realize() compiles.
    Target target = {};
    /// How many threads share the work; 0: those that run parallel loops (FLUORITE_NUM_THREADS, else the cores).
    int parallelism = 0;
    /// What groups of stages are costed by: `roofline`, or `polymage`, a published model, for comparison.
    std::string model = "roofline";
    /// A file that `./dev probe` or measure_machine() made of the machine, whose numbers are used in place of the
    /// processor's row. Empty: the file that FLUORITE_MACHINE_FILE names, or else the row.
    std::string machine_file = {};
    /// With a target that names a device: whose costs the schedule is made for, `h100`, `h200`, `a100`, `rtx4090` or
    /// `pocl`. Empty: the one that FLUORITE_DEVICE_MODEL names, or else one that has the target's features.
    std::string device = {};
    /// Removes what was scheduled by hand first. Promises and estimates stay. So do Funcs that directives have made
    /// (in, clone_in, rfactor with the splits of its loops); they are scheduled like all others.
    bool from_scratch = false;
};

/// What auto_schedule() decided, and why.
struct AutoSchedule {
    Schedule schedule;       // as Pipeline::schedule() returns it
    std::string explanation; // groups, tiles and costs, for people
};

/// Halide's names. `extra` takes `parallelism`, `model`, `machine_file` and `device`; `name` is that of one of Halide's
/// schedulers or `Fluorite`, all of which mean this one.
struct AutoschedulerParams {
    std::string name;
    std::map<std::string, std::string> extra;

    AutoschedulerParams() = default;
    /// The scheduler's name, without and with its options; unknown ones are errors of apply_autoscheduler.
    AutoschedulerParams(std::string name) : name(std::move(name)) {} // NOLINT: as in Halide
    AutoschedulerParams(std::string name, std::map<std::string, std::string> extra)
        : name(std::move(name)), extra(std::move(extra)) {}
    /// `autoscheduler=NAME autoscheduler.OPTION=VALUE ...`, as on the command line of a generator.
    std::string to_string() const {
        std::string text = name.empty() ? "" : "autoscheduler=" + name;
        for (const auto &[option, value] : extra) {
            text += (text.empty() ? "autoscheduler." : " autoscheduler.") + option + "=" + value;
        }
        return text;
    }
};

struct AutoSchedulerResults {
    AutoschedulerParams autoscheduler_params;
    Target target;
    std::string schedule_source; // the text of the schedule
    std::vector<uint8_t> featurization = {};
};

} // namespace fluorite
