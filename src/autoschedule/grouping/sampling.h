#pragma once
// Groupings at random, to compare what a model predicts with what is measured.

#include "autoschedule/grouping/grouping.h"

#include <random>

namespace fluorite::autoschedule {

/// A valid grouping at random, of groups that have a cost, in each of which all but one stage are read inside only.
/// Each such grouping can be drawn. Whether few or many stages are fused is drawn first, so that both are frequent.
Grouping draw_grouping(const Precedence &graph, const GroupCost &cost, std::mt19937 &random);

} // namespace fluorite::autoschedule
