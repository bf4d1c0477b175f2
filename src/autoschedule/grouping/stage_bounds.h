#pragma once
// Prices of stages: lower bounds on what is left of a grouping.

#include "autoschedule/grouping/group_table.h"

namespace fluorite::autoschedule {

/// A bound on any grouping of any set of stages into groups of a table: the sum of the stages' prices, and what groups
/// with as many stages together are cheaper than their stages.
struct StageBounds {
    std::vector<Cost> of_stage;
    std::vector<Cost>
        least_excess; // by number of stages left: of groups with so many stages together, cost less prices

    Cost sum(const StageSet &stages) const;
    Cost bound(const StageSet &left) const;
};

/// Raises the bound on a grouping of all stages until it reaches that of a known grouping, or no longer rises.
StageBounds find_stage_bounds(const Precedence &graph, const GroupTable &table, const Grouping &known, Cost known_cost);

} // namespace fluorite::autoschedule
