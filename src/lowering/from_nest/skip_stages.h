#pragma once
// Funcs whose values are not needed in some runs.

#include "loopnest/loop_nest.h"

namespace fluorite::lowering {

/// By FuncId: a condition, valid at the Func's compute site, without which none of its values is needed; undefined if
/// they may always be needed.
std::vector<Expr> find_needs(const loopnest::BoundedLoopNest &nest);

} // namespace fluorite::lowering
