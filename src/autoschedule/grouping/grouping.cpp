// Order, validity, prices and texts of groupings. Ordering the groups costs a pass over all of them for each.
#include "autoschedule/grouping/grouping.h"

#include <algorithm>

namespace fluorite::autoschedule {

namespace {

constexpr int64_t tie_of_a_group = int64_t(1) << 40; // more than the hashes of 1,024 groups together
constexpr uint64_t tie_hash_mask = (uint64_t(1) << 29) - 1;

} // namespace

Price price_of(const StageSet &group, Cost cost) {
    return {cost, tie_of_a_group + static_cast<int64_t>(group.hash() & tie_hash_mask)};
}

std::optional<Price> price_of(const Grouping &grouping, const GroupCost &cost) {
    Price sum;
    for (const StageSet &group : grouping.groups) {
        const std::optional<Cost> own = cost.of(group);
        if (!own) {
            return {};
        }
        sum = sum + price_of(group, *own);
    }
    return sum;
}

std::optional<Grouping> make_grouping(const Precedence &graph, std::vector<StageSet> groups) {
    std::sort(groups.begin(), groups.end(),
              [](const StageSet &a, const StageSet &b) { return a.lowest() < b.lowest(); });
    std::vector<StageSet> sources;
    for (const StageSet &group : groups) {
        sources.push_back(graph.sources_of(group));
    }
    Grouping ordered;
    StageSet done;
    std::vector<bool> is_placed(groups.size());
    for (size_t placed = 0; placed < groups.size(); ++placed) {
        size_t next = 0;
        while (next < groups.size() && (is_placed[next] || !sources[next].is_subset_of(done))) {
            ++next;
        }
        if (next == groups.size()) {
            return {};
        }
        is_placed[next] = true;
        done |= groups[next];
        ordered.groups.push_back(groups[next]);
    }
    return ordered;
}

std::optional<std::string> find_fault(const Precedence &graph, const std::vector<StageSet> &groups) {
    StageSet seen;
    for (const StageSet &group : groups) {
        if (group.empty()) {
            return "a group is empty";
        }
        if (group.intersects(seen)) {
            return "stage " + std::to_string((group & seen).lowest()) + " is in two groups";
        }
        if (!graph.is_linked(group)) {
            return to_text(group) + " is not linked";
        }
        seen |= group;
    }
    if (seen != graph.all()) {
        return "the groups are not all stages of the graph";
    }
    if (!make_grouping(graph, groups)) {
        return "groups read each other in a cycle";
    }
    return {};
}

std::string to_text(const StageSet &group) {
    std::string text = "{";
    for (size_t stage : group) {
        text += (text.size() > 1 ? " " : "") + std::to_string(stage);
    }
    return text + "}";
}

std::string to_text(const Grouping &grouping) {
    std::string text;
    for (const StageSet &group : grouping.groups) {
        text += (text.empty() ? "" : " ") + to_text(group);
    }
    return text;
}

} // namespace fluorite::autoschedule
