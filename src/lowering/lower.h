#pragma once
// Lowering: from a graph and its schedule to a module of functions in flat loop IR.

#include "analysis/interval.h"
#include "ir/lowered.h"
#include "loopnest/budget.h"
#include "machine/machine_model.h"
#include "schedule/schedule.h"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace fluorite::lowering {

/// Whether code is marked for the profiler, and how it measures time.
enum class Profiling : uint8_t { Off, BySampling, ByTimer };
class ProfiledFuncs;

struct LowerOptions {
    std::string name = "pipeline";
    std::string target; // as text; part of the keys of memoized Funcs
    /// The machine for which code is generated.
    machine::MachineModel machine = machine::machine_model(Target("x86-64-linux-avx512_sapphirerapids"));
    /// The machine that runs kernels.
    machine::MachineModel device = machine::device_model();
    /// Whether arguments may be in the memory of a device, where kernels run.
    bool has_device = false;
    bool asserts = true;        // check inputs and parameters at entry
    bool bounds_query = true;   // a null host pointer asks for the required region
    bool checked = false;       // poison allocations, check internal accesses and coordinates
    bool verify = true;         // run the IR verifier after each pass
    bool hints_streams = false; // hint at what loops will read of inputs (loops/hint_streams.cpp)
    Profiling profiling = Profiling::Off;
    std::shared_ptr<ProfiledFuncs> profiled = {}; // set by lower(): the Funcs of all parts of the module
    loopnest::Budget budget;
    /// What the compiler omits of its optimizations beyond the schedule (docs/beyond_the_schedule.md).
    std::vector<Target::Feature> without;
    bool leaves_out(Target::Feature feature) const {
        return std::find(without.begin(), without.end(), feature) != without.end();
    }
    /// What errors call inputs that no caller passes: the fields of iterations.
    std::map<const ir::Parameter *, std::string> fields;
    /// What one step reads of them, for errors of passes of several steps. In terms of the pass's outputs.
    std::map<const ir::Parameter *, analysis::Box> field_boxes;
    /// Receives the compile report (lowering/report.h) unless null.
    std::string *report = nullptr;
    /// Called after each pass with its name, its time in seconds and the statement: the whole pipeline; after the last
    /// pass, the body of the entry.
    std::function<void(const char *, double, const ir::Stmt &)> on_pass;
};

/// What a target says about lowering: its machine, what it checks, and what it leaves out. The rest are defaults.
LowerOptions options_for(const Target &target, const std::string &name = "pipeline");
/// The features of a target that turn off optimizations beyond the schedule.
std::vector<Target::Feature> left_out(const Target &target);

/// Throws CompileError for mistakes of the user, and InternalError for a broken invariant, with the name of the pass.
ir::LoweredModule lower(const schedule::ScheduledGraph &pipeline, const LowerOptions &options);

/// The passes from boxes in memory on, for loops that are not made from a schedule: a statement in phase Laid that
/// reads the inputs of the pipeline and writes output_buffer(). Nothing checks the arguments. The pipeline gives the
/// arguments of the entry; its definitions and its schedule do not count.
ir::LoweredModule lower_statement(const schedule::ScheduledGraph &pipeline, const ir::Stmt &stmt,
                                  const LowerOptions &options);
/// The buffers of the values of an output in such a statement.
std::vector<ir::Symbol> output_buffers(const ir::FuncDef &output);

} // namespace fluorite::lowering
