#pragma once
// What is known of the order in which an update's iterations may run.

#include "ir/graph.h"

namespace fluorite::schedule {

/// Whether iterations over this RVar touch disjoint parts of the Func: the RVar itself stands as an argument of the
/// left-hand side, and at the same position, unchanged, in every self-call. Such a loop may run in any order, in parallel
/// and in vectors.
bool rvar_is_independent(const ir::Stage &update, const ir::Symbol &func, const ir::Symbol &rvar);

/// Whether the update gives the same bits in any order of its iterations: f(a...) = f(a...) op e, where e does not read f
/// and op is +, *, min, max, && , ||, &, |, ^ on integers or bools (floats round, so they do not qualify).
bool update_commutes(const ir::Stage &update, const ir::Symbol &func);

} // namespace fluorite::schedule
