#pragma once
// Copies of Funcs in the working copy of a pipeline.

#include "loopnest/lowering_graph.h"

#include <functional>

namespace fluorite::loopnest {

/// The expression with calls of one Func made calls of another.
Expr retarget(const Expr &expr, const ir::Symbol &from, const ir::Symbol &to);
/// Replaces every expression of the stage.
void change_exprs(ir::Stage &stage, const std::function<Expr(const Expr &)> &change);
/// A copy of a Func under its name and the suffix, with symbols of its own. It is not yet in LoweringGraph::order.
FuncId clone_func(LoweringGraph &graph, FuncId id, const std::string &suffix);

} // namespace fluorite::loopnest
