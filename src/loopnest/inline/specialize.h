#pragma once
#include "loopnest/inline/inline_memo.h"
#include "support/refusal.h"

namespace fluorite::loopnest {

/// Replaces each specialization by a stage; see specialize.cpp.
Verdict specialize(LoweringGraph &graph, InlineMemo &memo);

/// The facts that a condition implies: expressions that are equal to a constant, Params that are true or false.
void find_facts(const Expr &condition, ir::ExprMap<Expr> &facts);
/// Substitutes these facts.
Expr assume(const Expr &expr, const ir::ExprMap<Expr> &facts);

} // namespace fluorite::loopnest
