#pragma once
#include "loopnest/inline/inline_memo.h"

namespace fluorite::loopnest {

/// Removes what the schedule inlines; see inline.cpp. `memo` is of schedules of the same pipeline; null: nothing is
/// remembered.
LoweringGraph inline_funcs(schedule::ScheduledGraph pipeline, const Budget &budget = {}, InlineMemo *memo = nullptr);

} // namespace fluorite::loopnest
