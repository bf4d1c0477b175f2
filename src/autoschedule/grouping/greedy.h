#pragma once
// Groupings that are found fast: where searches start from.

#include "autoschedule/grouping/grouping.h"

namespace fluorite::autoschedule {

/// The best of all groupings whose groups are runs of stages in their order of numbers.
std::optional<Grouping> group_runs(const Precedence &graph, const GroupCost &cost, size_t stages_of_a_group);
/// From single stages, the two linked groups whose union gains most are put together as long as one gains.
Grouping merge_pairs(const Precedence &graph, const GroupCost &cost, size_t stages_of_a_group);

} // namespace fluorite::autoschedule
