#pragma once
#include "loopnest/inline/inline_memo.h"

namespace fluorite::loopnest {

/// Makes a stage of each specialization; see specialize.cpp.
void specialize(LoweringGraph &graph, InlineMemo &memo);

/// What a condition says: expressions that are equal to a constant, Params that are true or false.
void find_facts(const Expr &condition, ir::ExprMap<Expr> &facts);
/// The expression where these hold.
Expr assume(const Expr &expr, const ir::ExprMap<Expr> &facts);

} // namespace fluorite::loopnest
