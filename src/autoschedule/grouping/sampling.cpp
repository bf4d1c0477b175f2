// Groupings at random.
//
// Method: from the last stage back, a stage whose consumers are all in one group joins it with a probability that is
// drawn once for each grouping, else it begins a group of its own. So each group has one stage that others may read,
// and every member leads to it; two groups that read each other would be a cycle of the graph, hence every quotient is
// acyclic.
//
// Cost: a group's cost for each stage that may join. No other numbers of the random engine than its own are used, as
// the distributions of the standard library differ between implementations.
#include "autoschedule/grouping/sampling.h"

#include "support/check.h"

namespace fluorite::autoschedule {

Grouping draw_grouping(const Precedence &graph, const GroupCost &cost, std::mt19937 &random) {
    constexpr uint32_t parts = 1000;
    const uint32_t joining = random() % (parts + 1);
    std::vector<StageSet> groups;
    std::vector<size_t> group_of(graph.size());
    for (size_t stage = graph.size(); stage-- > 0;) {
        std::optional<size_t> joined;
        for (const size_t consumer : graph.consumers[stage]) {
            if (!joined) {
                joined = group_of[consumer];
            }
        }
        StageSet with{stage};
        if (joined) {
            with = with | groups[*joined];
        }
        const bool is_wanted = random() % parts < joining;
        const bool may_join = joined && graph.consumers[stage].is_subset_of(groups[*joined]) && cost.of(with);
        if (may_join && is_wanted) {
            groups[*joined] = with;
            group_of[stage] = *joined;
        } else {
            group_of[stage] = groups.size();
            groups.push_back({stage});
        }
    }
    const std::optional<Grouping> grouping = make_grouping(graph, groups);
    check(grouping.has_value(), "groups with one stage that others read have no cycle");
    return *grouping;
}

} // namespace fluorite::autoschedule
