#pragma once
// Freezing: from the user's handles to plain data with dense ids.

#include "language/function.h"
#include "language/pipeline_contents.h"
#include "schedule/schedule.h"

namespace fluorite::language {

struct FreezeOptions {
    /// a*b + c of float32 and float64 within one definition becomes one rounded operation.
    bool contract_fma = false;
    bool trace_pipeline = false;
    std::vector<Expr> requirements; // of the whole pipeline
};

/// The graph and schedule that the outputs reach. Throws CompileError for a Func without definition, InternalError for a
/// broken invariant. Cost: linear in distinct nodes. The result does not change when the Funcs are edited afterwards, except that
/// Parameters are shared.
///
/// Names: an input, parameter or Func keeps its user's name where that is free, else gets a number; anonymous ones are
/// numbered in topological order. The pure Var x of f has the symbol `f.x`, an RVar of its stage k `f.sk.r$x`; loops in the schedule
/// have the names of the user's Vars, with anonymous ones numbered likewise.
schedule::ScheduledGraph freeze(const std::vector<Func> &outputs, const FreezeOptions &options = {});
schedule::ScheduledGraph freeze(const PipelineContents &pipeline, const FreezeOptions &options = {});

} // namespace fluorite::language
