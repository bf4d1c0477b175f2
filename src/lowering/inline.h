#pragma once
#include "lowering/lower.h"
#include "lowering/site.h"

namespace fluorite::lowering {

/// Removes what the schedule inlines; see inline.cpp.
Working inline_funcs(schedule::ScheduledGraph pipeline, const Budget &budget = {});

} // namespace fluorite::lowering
