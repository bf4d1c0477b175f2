#pragma once
// Copies of Funcs in the working copy of a pipeline.

#include "loopnest/lowering_graph.h"

#include <functional>

namespace fluorite::loopnest {

/// Replaces calls of one Func by calls of another.
Expr retarget(const Expr &expr, const ir::Symbol &from, const ir::Symbol &to);
/// Applies a function to every expression of the stage.
void change_exprs(ir::Stage &stage, const std::function<Expr(const Expr &)> &change);
/// Adds a copy of a Func, whose name gets the suffix, with symbols of its own. The caller inserts it into
/// LoweringGraph::order, and asks check_funcs (inline_budget.h) before.
FuncId clone_func(LoweringGraph &graph, FuncId id, const std::string &suffix, ir::CopyReason reason);

} // namespace fluorite::loopnest
