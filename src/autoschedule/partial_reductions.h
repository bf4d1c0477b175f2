#pragma once
// Reductions that may be cut into partial ones.

#include "autoschedule/auto_schedule.h"
#include "autoschedule/directive_writer.h"

namespace fluorite::autoschedule {

/// The cuts that are worth a search: of updates that are planned alone and have too few points for all threads or for
/// the lanes of a vector; those that take longest first.
std::vector<PartialReduction> find_partial_reductions(const DescribedPipeline &pipeline, const RooflineCost &cost,
                                                      const std::vector<PlannedGroup> &groups,
                                                      const RooflineMachine &machine);

} // namespace fluorite::autoschedule
