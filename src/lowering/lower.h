#pragma once
// Lowering: from a graph and its schedule to a module of flat loop IR.

#include "ir/lowered.h"
#include "loopnest/budget.h"
#include "machine/machine_model.h"
#include "schedule/schedule.h"

#include <algorithm>
#include <functional>
#include <vector>

namespace fluorite::lowering {

struct LowerOptions {
    std::string name = "pipeline";
    std::string target; // its text: what compiled code is told apart by
    /// What code is made for.
    machine::MachineModel machine = machine::machine_model(Target("x86-64-linux-avx512_sapphirerapids"));
    bool asserts = true;      // check inputs and parameters at entry
    bool bounds_query = true; // a null host pointer asks for the required region
    bool checked = false;     // poison allocations, check internal accesses
    bool verify = true;       // run the IR verifier after each pass
    loopnest::Budget budget;
    /// What the compiler leaves out of what it does beyond the schedule (docs/beyond_the_schedule.md).
    std::vector<Target::Feature> without;
    bool leaves_out(Target::Feature feature) const {
        return std::find(without.begin(), without.end(), feature) != without.end();
    }
    /// Where the compile report goes (lowering/report.h); null: nowhere.
    std::string *report = nullptr;
    /// Called after each pass with its name, its seconds and the statement: of the whole pipeline, after the last pass
    /// of the entry.
    std::function<void(const char *, double, const ir::Stmt &)> on_pass;
};

/// The features of a target that turn off what the compiler does beyond the schedule.
std::vector<Target::Feature> left_out(const Target &target);

/// Throws CompileError for what the user can repair, InternalError for a broken invariant, naming the pass.
ir::LoweredModule lower(const schedule::ScheduledGraph &pipeline, const LowerOptions &options);

} // namespace fluorite::lowering
