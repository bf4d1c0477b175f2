#pragma once
// Arrays that are stored along another dimension than that of their vectors, so that sums go down their columns.

#include "autoschedule/roofline/group_model.h"

namespace fluorite::autoschedule {

/// Lines and pages that stores to such arrays, and reads of them by blocks of the last stage, touch more than once.
Traffic transposed_traffic(const GroupModel &model, const TilePlan &plan, const MemberWidths &members);

} // namespace fluorite::autoschedule
