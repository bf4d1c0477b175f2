#pragma once
// Freezing: converts user handles to plain data with dense ids.

#include "language/function.h"
#include "language/pipeline_contents.h"
#include "schedule/schedule.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace fluorite::language {

struct FreezeOptions {
    /// Contracts a*b + c of float32 and float64 within one definition into one rounded operation.
    bool contract_fma = false;
    bool trace_pipeline = false;
    Target target;                  // of target_has_feature() and others; Target(): this machine's
    std::vector<Expr> requirements; // of the whole pipeline
};

/// The graph and schedule reachable from the outputs. Throws CompileError for a Func without definition and
/// InternalError for a broken invariant. Cost: linear in distinct nodes. Later edits of the Funcs do not change the
/// result, except that Parameters are shared.
///
/// Names: an input, parameter or Func keeps its user's name where that is free and otherwise gets a number; anonymous
/// ones are numbered in topological order. The pure Var x of f has the symbol `f.x`, an RVar of its stage k `f.sk.r$x`.
/// Loops in the schedule have the names of the user's Vars, with anonymous ones numbered likewise.
schedule::ScheduledGraph freeze(const std::vector<Func> &outputs, const FreezeOptions &options = {});
schedule::ScheduledGraph freeze(const PipelineContents &pipeline, const FreezeOptions &options = {});

/// A frozen pipeline and the mapping back to its handles.
struct FrozenPipeline {
    schedule::ScheduledGraph pipeline;
    std::vector<Function *> functions; // as graph.funcs
    /// Maps the frozen name of a loop or dimension with an anonymous Var to the user's name.
    std::unordered_map<std::string, std::string> anonymous_loops;
};
/// Freezes the definitions as directives rewrote them, so that the result contains all Funcs that can be scheduled.
FrozenPipeline freeze_with_handles(const PipelineContents &pipeline, bool contract_fma = false);

} // namespace fluorite::language
