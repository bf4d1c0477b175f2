#pragma once
// What is known of the order in which an update's iterations may run.

#include "ir/graph.h"

namespace fluorite::schedule {

/// Whether iterations with different values of this RVar touch disjoint parts of the Func, whatever the other RVars
/// are: what one of them writes, no other reads or writes. Such a loop may run in any order, in parallel and in
/// vectors.
bool rvar_is_independent(const ir::Stage &update, const ir::Symbol &func, const ir::Symbol &rvar);

} // namespace fluorite::schedule
