#pragma once
// What searches for processors and for devices begin with.

#include "autoschedule/auto_schedule.h"
#include "autoschedule/from_graph/from_graph.h"
#include "autoschedule/grouping/group_search.h"
#include "loopnest/loop_nests.h"

namespace fluorite::autoschedule {

GivenFuncs given_funcs(const Request &request);
/// Of partial results, whose lanes lie side by side.
PlanOptions initial_options(const schedule::ScheduledGraph &pipeline, const Request &request);
SearchLimits search_limits(const StageGraph &graph);
/// Of the nests that judge schedules.
loopnest::NestOptions judging_options();

} // namespace fluorite::autoschedule
