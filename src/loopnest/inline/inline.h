#pragma once
#include "loopnest/lowering_graph.h"

namespace fluorite::loopnest {

/// Removes what the schedule inlines; see inline.cpp.
LoweringGraph inline_funcs(schedule::ScheduledGraph pipeline, const Budget &budget = {});

} // namespace fluorite::loopnest
