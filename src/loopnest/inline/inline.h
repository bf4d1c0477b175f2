#pragma once
#include "loopnest/inline/inline_memo.h"
#include "support/refusal.h"

namespace fluorite::loopnest {

/// Removes Funcs that the schedule inlines; see inline.cpp. `memo` holds results for schedules of the same pipeline;
/// null disables memoization. Refused are directives without effect, code beyond the budget, and what specialize,
/// memoize and compute_with do not allow.
Result<LoweringGraph> inline_funcs(schedule::ScheduledGraph pipeline, const Budget &budget = {},
                                   InlineMemo *memo = nullptr);

} // namespace fluorite::loopnest
