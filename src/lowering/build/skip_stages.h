#pragma once
// Funcs whose values nothing reads in some runs.

#include "loopnest/loop_nest.h"

namespace fluorite::lowering {

/// By FuncId: the condition, valid at the Func's compute site, without which none of its values is read; undefined:
/// always read.
std::vector<Expr> find_needs(const loopnest::BoundedLoopNest &nest);

} // namespace fluorite::lowering
