#pragma once
// The dynamic programming over sets of groups of "An Effective Fusion and Tile Size Model for PolyMage" (section 3),
// as the oracle that faster searches are tested against.

#include "autoschedule/grouping/grouping.h"

namespace fluorite::autoschedule {

/// How far the recurrence may open new groups.
enum class Fronts : uint8_t {
    MayWait,  // stages that could open groups may wait: every valid grouping is reached
    LockStep, // as published: all of them open groups at once, so a group cannot begin in two different steps
};

struct RecurrenceResult {
    Grouping grouping;
    Price price;
    int64_t states = 0; // sets of groups that were visited
};

/// The least valid grouping by cost and then by tie. For graphs of at most 20 stages; time and memory are exponential.
RecurrenceResult group_by_recurrence(const Precedence &graph, const GroupCost &cost, Fronts fronts = Fronts::MayWait);

} // namespace fluorite::autoschedule
