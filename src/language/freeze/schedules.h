#pragma once
// Schedules of frozen graphs.

#include "language/freeze/exprs.h"
#include "language/freeze/names.h"
#include "schedule/schedule.h"

namespace fluorite::language {

/// Freezes the schedules of the Functions of a graph, in its order, and names the dimensions of the graph's Funcs.
/// `drops_levels`: the graph lacks the loops that levels name, as only its rewritten form has them; stages
/// that rfactor has rewritten have the loops from before it.
void freeze_schedules(const std::vector<Function *> &functions, const ExprScope &exprs, bool drops_levels,
                      LoopNames &names, schedule::ScheduledGraph &result);

} // namespace fluorite::language
