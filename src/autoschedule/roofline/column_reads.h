#pragma once
// Rows of an array that the last stage of a group reads as columns, as a transposition does.

#include "autoschedule/roofline/group_model.h"

namespace fluorite::autoschedule {

/// The loop of the last stage that follows such rows; none: it reads no columns.
std::optional<size_t> column_loop(const GroupModel &model, const std::vector<int64_t> &tile);
/// Lines that are read again because they were displaced, and pages whose addresses are looked up.
Traffic column_traffic(const GroupModel &model, const TilePlan &plan, const MemberWidths &members);

} // namespace fluorite::autoschedule
