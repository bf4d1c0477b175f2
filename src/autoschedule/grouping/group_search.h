#pragma once
// The exact search for a grouping, by branch and bound; and the bounded incremental variant of the published
// recurrence.

#include "autoschedule/grouping/group_table.h"

namespace fluorite::autoschedule {

/// Bounds of the search. They count work instead of time, so one input gives one result on any machine.
struct SearchLimits {
    size_t stages_of_a_group = StageSet::capacity;
    size_t groups = 4'000'000;    // whose costs are asked for
    size_t members = 100'000'000; // of those groups together
    size_t states = 500'000;      // sets of finished stages that are visited
    /// Of groupings of least cost, find the one of the least tie; else the first that is met. The symmetric graphs that
    /// have many equal groupings take longer with it.
    bool break_ties = true;
};

struct SearchResult {
    Grouping grouping;
    Price price;
    /// No grouping within `stages_of_a_group` costs less. It equals the cost where the search came to its end.
    Cost bound = 0;
    /// What the groups that were looked at were limited to: less than asked for where there were too many.
    size_t stages_of_a_group = 0;
    size_t groups_costed = 0, groups_kept = 0, states = 0;

    bool is_optimal() const { return price.cost == bound; }
};

SearchResult search_grouping(const Precedence &graph, const GroupCost &cost, const SearchLimits &limits = {});

struct IncrementalLimits {
    size_t first = 8; // stages of a group in the first round: l
    size_t step = 2;  // groups of the round before that are put together in each later round
    SearchLimits search;
};

/// Groups of at most `first` stages, then groups of those, until all stages could be in one. What a round put together
/// stays together, so the result is no optimum and its bound is that of nothing (the stages' shares).
SearchResult search_incrementally(const Precedence &graph, const GroupCost &cost, const IncrementalLimits &limits);

} // namespace fluorite::autoschedule
