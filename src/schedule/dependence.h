#pragma once
// Dependence analysis: which orders of an update's iterations are legal.

#include "ir/graph.h"

namespace fluorite::schedule {

/// Whether iterations with different values of this RVar access disjoint parts of the Func, for any values of the other
/// RVars: no iteration reads or writes what another one writes. Such a loop may run in any order, in parallel and in
/// vectors.
bool rvar_is_independent(const ir::Stage &update, const ir::Symbol &func, const ir::Symbol &rvar);

} // namespace fluorite::schedule
