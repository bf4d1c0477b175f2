#pragma once
// How long a rank's actions take, in closed form.

#include "ranks/run/actions.h"
#include "ranks/transport/log_gp.h"

namespace fluorite::distribute {

/// Seconds of a computation: the model's seconds_per_point for each point of the box and seconds_per_row for each row
/// along dimension 0, both times the segment's cost, and its cost of a call.
double seconds_of(const Segment &segment, const Action &action, const LogGP &model);

/// Seconds of a run on this rank if its peers do the same at the same time: their messages leave when its own do. For
/// a choice among plans. Not for the basic mode.
double estimated_seconds(const DistributedProgram &program, const RankPlan &plan, const std::vector<Action> &actions,
                         const LogGP &model);

} // namespace fluorite::distribute
