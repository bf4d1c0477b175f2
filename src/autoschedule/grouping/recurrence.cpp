// The published recurrence over sets of groups, made exact.
//
// F(G) is the least cost of the groups G, which further stages may join, and of all stages that are not yet in a group:
//   case I   a stage that reads Hi joins it:                 F(G - {Hi} + {Hi + s})
//   case II  no stage joins any more, and new groups open:   cost(G) + min over partitions P of opening stages of F(P)
// with a table of what is known. Three things are repaired. Each has a counterexample in recurrence_test.cpp.
//   - As published, F depends on G alone. A stage that was finished long ago can then be a successor again, by an edge
//     that skips levels, and is paid for twice. Here the finished stages are part of the state.
//   - As published, a stage joins Hi where no other successor of Hi leads to it. Two groups may then read each other.
//     Here a stage joins or opens a group only where all that it reads is finished or in that group, which is
//     acyclicity of the whole quotient.
//   - As published, all successors of G open groups in the same step. A group whose first stages lie at different
//     depths is then never seen. Here (Fronts::MayWait) any subset of the stages whose producers are finished opens
//     groups, and the others wait. Every valid grouping is reached: run its groups one after the other in an order of
//     its quotient.
// Stages that open one group together need not be linked yet; a group has to be once it is finished.
//
// Case II depends on the finished stages alone, so its minimum has a table of its own. Cost: exponential in the width
// of the graph, n (n + 1) / 2 states for a chain of n stages.
#include "autoschedule/grouping/recurrence.h"

#include "support/check.h"

#include <algorithm>
#include <unordered_map>

namespace fluorite::autoschedule {

namespace {

using Mask = uint32_t;
using Masks = std::vector<Mask>;

struct MasksHash {
    size_t operator()(const Masks &masks) const {
        uint64_t value = masks.size();
        for (Mask mask : masks) {
            value = (value ^ mask) * 0xbf58476d1ce4e5b9;
            value ^= value >> 29;
        }
        return static_cast<size_t>(value);
    }
};

StageSet to_set(Mask mask) {
    StageSet set;
    for (size_t stage = 0; mask >> stage != 0; ++stage) {
        if (mask >> stage & 1) {
            set.insert(stage);
        }
    }
    return set;
}

Mask to_mask(const StageSet &set) {
    Mask mask = 0;
    for (size_t stage : set) {
        mask |= Mask(1) << stage;
    }
    return mask;
}

/// A least cost and the choice that leads to it: the groups that open or go on, and whether the current ones end.
struct Best {
    std::optional<Price> price;
    Masks next;
    bool ends = false;
    void offer(const std::optional<Price> &other, const Masks &choice, bool ending) {
        if (other && (!price || *other < *price)) {
            *this = {other, choice, ending};
        }
    }
};

class Recurrence {
  public:
    Recurrence(const Precedence &graph, const GroupCost &cost, Fronts fronts)
        : graph_(graph), cost_(cost), fronts_(fronts), all_(to_mask(graph.all())) {
        for (size_t stage = 0; stage < graph.size(); ++stage) {
            producers_.push_back(to_mask(graph.producers[stage]));
            consumers_.push_back(to_mask(graph.consumers[stage]));
        }
    }

    RecurrenceResult run() {
        RecurrenceResult result;
        const std::optional<Price> least = rest(0).price;
        check(least.has_value(), "every single stage has a cost");
        result.price = *least;
        std::vector<StageSet> groups;
        Mask done = 0;
        while (done != all_) {
            Masks current = rest(done).next;
            while (!groups_from(done, current).ends) {
                current = groups_from(done, current).next;
            }
            for (Mask group : current) {
                groups.push_back(to_set(group));
                done |= group;
            }
        }
        result.grouping = make_grouping(graph_, std::move(groups)).value();
        result.states = static_cast<int64_t>(states_.size());
        return result;
    }

  private:
    const Precedence &graph_;
    const GroupCost &cost_;
    const Fronts fronts_;
    const Mask all_;
    Masks producers_, consumers_;
    std::unordered_map<Masks, Best, MasksHash> states_; // by the groups and, last, the finished stages
    std::unordered_map<Mask, Best> rests_;
    std::unordered_map<Mask, std::optional<Price>> prices_;

    std::optional<Price> price(Mask mask) {
        const auto [found, fresh] = prices_.try_emplace(mask);
        if (fresh) {
            const StageSet group = to_set(mask);
            if (graph_.is_linked(group)) {
                if (const std::optional<Cost> cost = cost_.of(group)) {
                    found->second = price_of(group, *cost);
                }
            }
        }
        return found->second;
    }

    /// F of the groups, `done` being finished.
    const Best &groups_from(Mask done, const Masks &groups) {
        Masks key = groups;
        key.push_back(done);
        if (const auto found = states_.find(key); found != states_.end()) {
            return found->second;
        }
        Best best;
        offer_joins(done, groups, best);
        offer_end(done, groups, best);
        return states_.emplace(std::move(key), std::move(best)).first->second;
    }

    void offer_joins(Mask done, const Masks &groups, Best &best) {
        Mask grouped = done;
        for (Mask group : groups) {
            grouped |= group;
        }
        for (size_t which = 0; which < groups.size(); ++which) {
            for (size_t stage = 0; stage < graph_.size(); ++stage) {
                const bool reads_group = producers_[stage] & groups[which];
                const bool is_free = !(grouped >> stage & 1);
                if (!reads_group || !is_free || producers_[stage] & ~(done | groups[which])) {
                    continue;
                }
                Masks grown = groups;
                grown[which] |= Mask(1) << stage;
                std::sort(grown.begin(), grown.end());
                best.offer(groups_from(done, grown).price, grown, false);
            }
        }
    }

    void offer_end(Mask done, const Masks &groups, Best &best) {
        Price sum;
        for (Mask group : groups) {
            const std::optional<Price> own = price(group);
            if (!own) {
                return;
            }
            sum = sum + *own;
            done |= group;
        }
        const std::optional<Price> after = rest(done).price;
        if (after) {
            best.offer(sum + *after, groups, true);
        }
    }

    /// The least cost of all stages that are not finished, and the groups that open.
    const Best &rest(Mask done) {
        if (const auto found = rests_.find(done); found != rests_.end()) {
            return found->second;
        }
        Best best;
        if (done == all_) {
            best.price = Price();
        }
        std::vector<size_t> ready;
        for (size_t stage = 0; stage < graph_.size(); ++stage) {
            if (!(done >> stage & 1) && !(producers_[stage] & ~done)) {
                ready.push_back(stage);
            }
        }
        Masks parts;
        offer_partitions(done, ready, 0, parts, best);
        return rests_.emplace(done, std::move(best)).first->second;
    }

    void offer_partitions(Mask done, const std::vector<size_t> &ready, size_t at, Masks &parts, Best &best) {
        if (at == ready.size()) {
            if (!parts.empty()) {
                Masks sorted = parts;
                std::sort(sorted.begin(), sorted.end());
                best.offer(groups_from(done, sorted).price, sorted, false);
            }
            return;
        }
        const Mask stage = Mask(1) << ready[at];
        if (fronts_ == Fronts::MayWait) {
            offer_partitions(done, ready, at + 1, parts, best);
        }
        for (size_t part = 0; part < parts.size(); ++part) {
            parts[part] |= stage;
            offer_partitions(done, ready, at + 1, parts, best);
            parts[part] &= ~stage;
        }
        parts.push_back(stage);
        offer_partitions(done, ready, at + 1, parts, best);
        parts.pop_back();
    }
};

} // namespace

RecurrenceResult group_by_recurrence(const Precedence &graph, const GroupCost &cost, Fronts fronts) {
    check(graph.size() <= 20, "the recurrence is for graphs of at most 20 stages");
    return Recurrence(graph, cost, fronts).run();
}

} // namespace fluorite::autoschedule
