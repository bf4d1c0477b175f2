#pragma once
#include "loopnest/inline/inline_memo.h"

namespace fluorite::loopnest {

/// Removes Funcs that the schedule inlines; see inline.cpp. `memo` holds results for schedules of the same pipeline;
/// null disables memoization.
LoweringGraph inline_funcs(schedule::ScheduledGraph pipeline, const Budget &budget = {}, InlineMemo *memo = nullptr);

} // namespace fluorite::loopnest
