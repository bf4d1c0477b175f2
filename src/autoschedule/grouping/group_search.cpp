// Branch and bound over groupings.
//
// A valid grouping is a way through sets of finished stages, from none to all: each step finishes one group that reads
// finished stages only. The groups that can be steps are exactly the convex, linked ones (group_table.h), and two ways
// that finish the same stages go on alike. So the least grouping is a shortest path, found best first (A*):
//   1. A first grouping, by greedy means, is the upper bound.
//   2. All groups are costed once. A group through which no grouping can be as cheap as the upper bound is dropped.
//   3. Prices of stages (stage_bounds.h) bound what is left at each state from below. The bound is consistent: along a
//      step it never grows by more than the step costs. A state is therefore final when it is taken, and the first
//      grouping that is taken whole is a least one. States that cannot beat the upper bound are never stored.
// This is the space of the published recurrence as recurrence.cpp makes it exact: a state there is the groups that are
// open beside the finished stages, and here no group is ever half open.
//
// In large graphs, the first grouping has smaller groups than the limits allow, so that it is found as fast.
// Where the limits end the search, the result is the best grouping that is known and the least bound of the states
// that are left. Where there are too many groups, those of a smaller size are searched exactly, then put together in
// rounds, and the bound is the sum of the stages' shares of the model.
//
// Cost: one price for each group; the number of states is small where the bound is tight, and exponential in the width
// at worst.
#include "autoschedule/grouping/group_search.h"

#include "autoschedule/costs.h"
#include "autoschedule/grouping/greedy.h"
#include "autoschedule/grouping/stage_bounds.h"
#include "support/check.h"

#include <algorithm>
#include <queue>
#include <tuple>
#include <unordered_map>

namespace fluorite::autoschedule {

namespace {

/// Groups of groups: a cost on a contracted graph.
class ContractedCost : public GroupCost {
  public:
    ContractedCost(const GroupCost &cost, std::span<const StageSet> groups) : cost_(cost), groups_(groups) {}
    std::optional<Cost> of(const StageSet &group) const override { return cost_.of(expand(group)); }
    bool is_hopeless(const StageSet &group) const override { return cost_.is_hopeless(expand(group)); }
    Cost share(size_t stage) const override {
        Cost sum = 0;
        for (size_t member : groups_[stage]) {
            sum += cost_.share(member);
        }
        return sum;
    }
    StageSet expand(const StageSet &group) const {
        StageSet stages;
        for (size_t member : group) {
            stages |= groups_[member];
        }
        return stages;
    }

  private:
    const GroupCost &cost_;
    std::span<const StageSet> groups_;
};

Cost sum_of_shares(size_t stages, const GroupCost &cost) {
    Cost sum = 0;
    for (size_t stage = 0; stage < stages; ++stage) {
        sum += cost.share(stage);
    }
    return sum;
}

/// The best first search over sets of finished stages.
class ShortestPath {
  public:
    ShortestPath(const Precedence &graph, const GroupTable &table, const StageBounds &bounds,
                 const SearchLimits &limits, SearchResult &result)
        : graph_(graph), bounds_(bounds), limits_(limits), result_(result) {
        keep_groups(table);
    }

    void run() {
        visit({}, Price(), none, none);
        while (!open_.empty()) {
            const Open top = open_.top();
            open_.pop();
            if (states_[top.state].is_final) {
                continue;
            }
            if (top.bound > result_.price.cost || (!limits_.break_ties && top.bound == result_.price.cost)) {
                break; // nothing that is open beats what is known
            }
            if (states_[top.state].done == graph_.all()) {
                take(top.state);
                break;
            }
            if (states_.size() > limits_.states) {
                result_.bound = std::max(result_.bound, top.bound);
                return;
            }
            expand(top.state);
        }
        result_.bound = result_.price.cost;
    }

  private:
    static constexpr size_t none = ~size_t(0);
    struct Group {
        StageSet stages, sources;
        Price price;
    };
    struct State {
        StageSet done;
        Price price; // of the groups so far
        size_t from, group;
        bool is_final = false;
    };
    struct Open {
        Cost bound; // of any grouping through the state
        int64_t second;
        size_t state;
        bool operator<(const Open &other) const { // the queue's top is its greatest
            return std::tie(bound, second, state) > std::tie(other.bound, other.second, other.state);
        }
    };

    const Precedence &graph_;
    const StageBounds &bounds_;
    const SearchLimits limits_;
    SearchResult &result_;
    std::vector<Group> groups_;
    std::vector<std::vector<size_t>> by_lowest_; // indices of groups_
    std::vector<State> states_;
    std::unordered_map<StageSet, size_t, StageSetHash> state_of_;
    std::priority_queue<Open> open_;

    void keep_groups(const GroupTable &table) {
        by_lowest_.resize(graph_.size());
        for (size_t group = 0; group < table.size(); ++group) {
            const StageSet stages = table.stages(group);
            const Cost through = table.cost(group) + bounds_.bound(graph_.all() - stages);
            if (through <= result_.price.cost) {
                by_lowest_[stages.lowest()].push_back(groups_.size());
                groups_.push_back({stages, graph_.sources_of(stages), price_of(stages, table.cost(group))});
            }
        }
        result_.groups_kept = groups_.size();
    }

    void visit(const StageSet &done, const Price &price, size_t from, size_t group) {
        const Cost bound = price.cost + bounds_.bound(graph_.all() - done);
        if (bound > result_.price.cost) {
            return;
        }
        const auto [found, fresh] = state_of_.try_emplace(done, states_.size());
        if (fresh) {
            states_.push_back({done, price, from, group});
        } else {
            State &known = states_[found->second];
            if (known.is_final || known.price <= price) {
                return;
            }
            known.price = price;
            known.from = from;
            known.group = group;
        }
        const int64_t second = limits_.break_ties ? price.tie : -static_cast<int64_t>(done.size());
        open_.push({bound, second, found->second});
    }

    void expand(size_t index) {
        states_[index].is_final = true;
        ++result_.states;
        const StageSet done = states_[index].done;
        const Price price = states_[index].price;
        for (size_t stage : graph_.all() - done) {
            if (!graph_.producers[stage].is_subset_of(done)) {
                continue;
            }
            for (size_t which : by_lowest_[stage]) {
                const Group &group = groups_[which];
                if (group.sources.is_subset_of(done) && !group.stages.intersects(done)) {
                    visit(done | group.stages, price + group.price, index, which);
                }
            }
        }
    }

    void take(size_t state) {
        result_.price = states_[state].price;
        std::vector<StageSet> groups;
        for (size_t at = state; states_[at].from != none; at = states_[at].from) {
            groups.push_back(groups_[states_[at].group].stages);
        }
        result_.grouping = make_grouping(graph_, std::move(groups)).value();
    }
};

void offer(SearchResult &result, const Grouping &grouping, const GroupCost &cost) {
    const Price price = price_of(grouping, cost).value();
    if (result.grouping.groups.empty() || price < result.price) {
        result.grouping = grouping;
        result.price = price;
    }
}

/// The groups of as many stages as the limits allow.
GroupTable find_table(const Precedence &graph, const GroupCost &cost, const SearchLimits &limits,
                      SearchResult &result) {
    result.stages_of_a_group = std::min(limits.stages_of_a_group, graph.size());
    for (;;) {
        const GroupTableLimits table_limits = {result.stages_of_a_group, limits.groups, limits.members};
        if (std::optional<GroupTable> table = find_groups(graph, cost, table_limits)) {
            result.groups_costed += table->size();
            return std::move(*table);
        }
        check(result.stages_of_a_group > 1, "the limit of groups leaves room for single stages");
        result.stages_of_a_group = std::min<size_t>(result.stages_of_a_group / 2, 16);
    }
}

/// Searches again over groups as stages as long as that finds a cheaper grouping.
void search_upward(const Precedence &graph, const GroupCost &cost, const SearchLimits &limits, SearchResult &result) {
    while (result.grouping.groups.size() < graph.size()) {
        const std::vector<StageSet> groups = result.grouping.groups;
        const ContractedCost contracted(cost, groups);
        SearchLimits later = limits;
        later.break_ties = false;
        later.groups = std::max(limits.groups / 8, graph.size());
        later.members = std::max(limits.members / 8, graph.size());
        // A limit on stages does not carry over to groups of them; what is too large is left to the last result.
        const Precedence quotient = contract(graph, groups);
        SearchResult round = search_grouping(quotient, contracted, later);
        result.groups_costed += round.groups_costed;
        result.states += round.states;
        if (round.price.cost >= result.price.cost) {
            return;
        }
        std::vector<StageSet> merged;
        for (const StageSet &group : round.grouping.groups) {
            merged.push_back(contracted.expand(group));
        }
        offer(result, make_grouping(graph, std::move(merged)).value(), cost);
    }
}

} // namespace

SearchResult search_grouping(const Precedence &graph, const GroupCost &cost, const SearchLimits &limits) {
    SearchResult result;
    if (graph.size() == 0) {
        return result;
    }
    const size_t most = std::min(limits.stages_of_a_group, graph.size());
    const size_t most_quick =
        std::min(most, std::max<size_t>(costs::least_run, costs::runs_of_stages * limits.groups / graph.size()));
    offer(result, merge_pairs(graph, cost, most_quick), cost);
    if (const std::optional<Grouping> runs = group_runs(graph, cost, most_quick)) {
        offer(result, *runs, cost);
    }
    const GroupTable table = find_table(graph, cost, limits, result);
    if (result.stages_of_a_group == most) {
        const StageBounds bounds = find_stage_bounds(graph, table, result.grouping, result.price.cost);
        result.bound = bounds.bound(graph.all());
        ShortestPath(graph, table, bounds, limits, result).run();
        return result;
    }
    // The upper bound may hold larger groups than the table, which is then searched for itself.
    SearchResult small;
    offer(small, merge_pairs(graph, cost, result.stages_of_a_group), cost);
    const StageBounds bounds = find_stage_bounds(graph, table, small.grouping, small.price.cost);
    SearchLimits later = limits;
    later.break_ties = false;
    ShortestPath(graph, table, bounds, later, small).run();
    result.groups_kept = small.groups_kept;
    if (limits.stages_of_a_group >= graph.size()) {
        search_upward(graph, cost, limits, small);
    }
    result.groups_costed += small.groups_costed; // those of the rounds above; the table's are counted
    result.states += small.states;
    offer(result, small.grouping, cost);
    result.bound = std::min(sum_of_shares(graph.size(), cost), result.price.cost);
    return result;
}

SearchResult search_incrementally(const Precedence &graph, const GroupCost &cost, const IncrementalLimits &limits) {
    check(limits.first >= 1 && limits.step >= 2, "each round may put something together");
    SearchLimits round_limits = limits.search;
    round_limits.stages_of_a_group = limits.first;
    SearchResult result = search_grouping(graph, cost, round_limits);
    round_limits.stages_of_a_group = limits.step;
    for (size_t most = limits.first; most < graph.size(); most *= limits.step) {
        const std::vector<StageSet> groups = result.grouping.groups;
        const ContractedCost contracted(cost, groups);
        const SearchResult round = search_grouping(contract(graph, groups), contracted, round_limits);
        result.groups_costed += round.groups_costed;
        result.states += round.states;
        std::vector<StageSet> merged;
        for (const StageSet &group : round.grouping.groups) {
            merged.push_back(contracted.expand(group));
        }
        result.grouping = make_grouping(graph, std::move(merged)).value();
        result.price = price_of(result.grouping, cost).value();
    }
    result.stages_of_a_group = limits.first;
    if (limits.first < graph.size()) {
        result.bound = std::min(sum_of_shares(graph.size(), cost), result.price.cost);
    }
    return result;
}

} // namespace fluorite::autoschedule
