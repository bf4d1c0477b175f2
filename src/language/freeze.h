#pragma once
// Freezing: from the user's handles to plain data with dense ids.

#include "language/function.h"
#include "language/pipeline_contents.h"
#include "schedule/schedule.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace fluorite::language {

struct FreezeOptions {
    /// a*b + c of float32 and float64 within one definition becomes one rounded operation.
    bool contract_fma = false;
    bool trace_pipeline = false;
    std::vector<Expr> requirements; // of the whole pipeline
};

/// The graph and schedule that the outputs reach. Throws CompileError for a Func without definition, InternalError for
/// a broken invariant. Cost: linear in distinct nodes. The result does not change when the Funcs are edited afterwards,
/// except that Parameters are shared.
///
/// Names: an input, parameter or Func keeps its user's name where that is free, else gets a number; anonymous ones are
/// numbered in topological order. The pure Var x of f has the symbol `f.x`, an RVar of its stage k `f.sk.r$x`; loops in
/// the schedule have the names of the user's Vars, with anonymous ones numbered likewise.
schedule::ScheduledGraph freeze(const std::vector<Func> &outputs, const FreezeOptions &options = {});
schedule::ScheduledGraph freeze(const PipelineContents &pipeline, const FreezeOptions &options = {});

/// A frozen pipeline and the way back to the handles that it came from.
struct FrozenPipeline {
    schedule::ScheduledGraph pipeline;
    std::vector<Function *> functions; // as graph.funcs
    /// For loops and dimensions whose Vars are anonymous: the frozen name to the user's.
    std::unordered_map<std::string, std::string> anonymous_loops;
};
/// Definitions are as directives rewrote them, so that all Funcs that can be scheduled are there.
FrozenPipeline freeze_with_handles(const PipelineContents &pipeline);

} // namespace fluorite::language
