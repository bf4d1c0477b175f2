#pragma once
// Groupings, what they cost, and when they are valid.
//
// A grouping divides the stages of a graph into groups that are fused, each to a nest of tiles of its own. It is valid
// where
//   - each group is linked: its members reach each other, inside the group, by the graph's rule (Link),
//   - its quotient, with groups for nodes, has no cycle, so that groups can run one after the other.
// In a valid grouping every group is convex: a path that left it and came back would be a cycle of the quotient. The
// converse is false: of two convex groups each may read the other.
//
// Costs are integers in units of 1/65536, signed, and a model that has none for a group says so with no value.
// Integers add up to the same sum in any order, hence two searches of one space agree to the last bit; a sentinel
// among the costs would be added to. Of groupings of equal cost the one of the lowest `tie` is the result: it has the
// fewest groups, and of those the lowest sum of a hash of each group. That sum is additive like the cost, so dynamic
// programming keeps the choice unique.

#include "autoschedule/grouping/precedence.h"

#include <optional>
#include <string>
#include <vector>

namespace fluorite::autoschedule {

using Cost = int64_t;
inline constexpr Cost cost_unit = 1 << 16;
/// Models keep the costs of single groups within this; sums over all stages then fit.
inline constexpr Cost greatest_group_cost = Cost(1) << 50;

/// What it costs to fuse the stages of a group: the extension point of the searches.
class GroupCost {
  public:
    virtual ~GroupCost() = default;
    /// The cost of the best code for a group; none where the group cannot be fused. Each single stage has one.
    virtual std::optional<Cost> of(const StageSet &group) const = 0;
    /// True only where no group that contains this one has a cost, so that a search need not grow it.
    virtual bool is_hopeless(const StageSet &group) const = 0;
    /// A part of the cost that a stage brings into every group: no group costs less than its stages' shares together.
    virtual Cost share(size_t stage) const = 0;
};

struct Grouping {
    std::vector<StageSet>
        groups; // each reads earlier ones only; of groups that could stand next, the lowest stage first
    bool operator==(const Grouping &) const = default;
};

/// Of a part of a grouping. Additive, ordered by cost first.
struct Price {
    Cost cost = 0;
    int64_t tie = 0;
    auto operator<=>(const Price &) const = default;
    friend Price operator+(const Price &a, const Price &b) { return {a.cost + b.cost, a.tie + b.tie}; }
};
Price price_of(const StageSet &group, Cost cost);
/// None where a group has no cost.
std::optional<Price> price_of(const Grouping &grouping, const GroupCost &cost);

/// The groups in the order that Grouping promises; none where the quotient has a cycle.
std::optional<Grouping> make_grouping(const Precedence &graph, std::vector<StageSet> groups);
/// Why groups are no valid grouping of a graph; none where they are.
std::optional<std::string> find_fault(const Precedence &graph, const std::vector<StageSet> &groups);

/// As `{0 1 2} {3}`.
std::string to_text(const StageSet &group);
std::string to_text(const Grouping &grouping);

} // namespace fluorite::autoschedule
