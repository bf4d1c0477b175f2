#pragma once
// How long a rank's actions take, in closed form.

#include "distribute/execute/actions.h"
#include "distribute/replay/log_gp.h"

namespace fluorite::distribute {

/// Seconds of a run on this rank if its peers do the same at the same time: their messages leave when its own do. For
/// a choice among plans; Each point of a segment's boxes costs Segment::cost times the
/// model's seconds_per_point. Not for the basic mode.
double estimated_seconds(const DistributedProgram &program, const RankPlan &plan, const std::vector<Action> &actions,
                         const LogGP &model);

} // namespace fluorite::distribute
