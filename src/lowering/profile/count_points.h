#pragma once
// For the profiler: how many points of each Func are computed, and how many are needed.

#include "loopnest/loop_nest.h"
#include "lowering/profile/profile.h"

namespace fluorite::lowering {

/// A statement that counts the points of one production of the Func, to stand in it; undefined if the runtime knows
/// their number (ProfiledFuncs::note_points). `always`: the production computes whenever it is entered.
ir::Stmt count_points(const loopnest::BoundedLoopNest &nest, FuncId func, bool always, ProfiledFuncs &funcs);
/// A statement, to stand before the regions are bound, that says how many points of each Func a run needs.
ir::Stmt count_needed_points(const schedule::ScheduledGraph &pipeline, const LowerOptions &options);

} // namespace fluorite::lowering
