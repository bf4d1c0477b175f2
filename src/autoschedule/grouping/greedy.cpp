// Two quick groupings. Runs of consecutive stages: a shortest path over prefixes, exact for chains; it asks for n * l
// costs. Merging in pairs: the greedy scheme of earlier work (Mullapudi et al. 2016, as the PolyMage text describes
// it), over any cost; it asks for a cost for each pair of linked groups, once.
#include "autoschedule/grouping/greedy.h"

#include <algorithm>
#include <unordered_map>

namespace fluorite::autoschedule {

namespace {

class PairMerging {
  public:
    PairMerging(const Precedence &graph, const GroupCost &cost, size_t limit)
        : graph_(graph), cost_(cost), limit_(limit) {
        for (size_t stage = 0; stage < graph.size(); ++stage) {
            groups_.push_back({stage});
        }
    }

    Grouping run() {
        while (merge_best()) {
        }
        return make_grouping(graph_, std::move(groups_)).value();
    }

  private:
    const Precedence &graph_;
    const GroupCost &cost_;
    const size_t limit_;
    std::vector<StageSet> groups_;
    std::unordered_map<StageSet, std::optional<Cost>, StageSetHash> costs_;

    std::optional<Cost> cost_of(const StageSet &group) {
        const auto [found, fresh] = costs_.try_emplace(group);
        if (fresh && !cost_.is_hopeless(group)) {
            found->second = cost_.of(group);
        }
        return found->second;
    }

    bool merge_best() {
        groups_ = make_grouping(graph_, std::move(groups_)).value().groups;
        const Precedence quotient = contract(graph_, groups_);
        Cost least = 0;
        std::pair<size_t, size_t> best;
        for (size_t a = 0; a < groups_.size(); ++a) {
            for (size_t b : quotient.linked[a] - StageSet::first(a)) {
                if (quotient.descendants[a].intersects(quotient.ancestors[b])) {
                    continue; // something has to run between the two
                }
                const std::optional<Cost> change = change_by(a, b);
                if (change && *change < least) {
                    least = *change;
                    best = {a, b};
                }
            }
        }
        if (least == 0) {
            return false;
        }
        groups_[best.first] |= groups_[best.second];
        groups_.erase(groups_.begin() + static_cast<std::ptrdiff_t>(best.second));
        return true;
    }

    std::optional<Cost> change_by(size_t a, size_t b) {
        const StageSet both = groups_[a] | groups_[b];
        const std::optional<Cost> cost = both.size() <= limit_ ? cost_of(both) : std::nullopt;
        return cost ? std::optional(*cost - *cost_of(groups_[a]) - *cost_of(groups_[b])) : std::nullopt;
    }
};

} // namespace

std::optional<Grouping> group_runs(const Precedence &graph, const GroupCost &cost, size_t stages_of_a_group) {
    struct Prefix {
        std::optional<Price> price;
        size_t begin = 0; // of its last run
    };
    std::vector<Prefix> prefixes(graph.size() + 1);
    prefixes[0].price = Price();
    for (size_t begin = 0; begin < graph.size(); ++begin) {
        if (!prefixes[begin].price) {
            continue;
        }
        StageSet run;
        const size_t end = graph.size() - begin > stages_of_a_group ? begin + stages_of_a_group : graph.size();
        for (size_t stage = begin; stage < end; ++stage) {
            run.insert(stage);
            if (!graph.is_linked(run)) {
                continue;
            }
            if (cost.is_hopeless(run)) {
                break;
            }
            if (const std::optional<Cost> own = cost.of(run)) {
                const Price price = *prefixes[begin].price + price_of(run, *own);
                Prefix &prefix = prefixes[stage + 1];
                if (!prefix.price || price < *prefix.price) {
                    prefix = {price, begin};
                }
            }
        }
    }
    if (!prefixes.back().price) {
        return {};
    }
    std::vector<StageSet> groups;
    for (size_t end = graph.size(); end > 0; end = prefixes[end].begin) {
        groups.push_back(StageSet::first(end) - StageSet::first(prefixes[end].begin));
    }
    return make_grouping(graph, std::move(groups));
}

Grouping merge_pairs(const Precedence &graph, const GroupCost &cost, size_t stages_of_a_group) {
    return PairMerging(graph, cost, stages_of_a_group).run();
}

} // namespace fluorite::autoschedule
