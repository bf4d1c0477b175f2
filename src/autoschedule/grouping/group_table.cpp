// The enumeration of all convex, linked groups, each once.
//
// A group is grown from its lowest stage. One step takes a neighbour in, with all stages on paths between it and the
// group, and later steps on the same level leave that neighbour out for good. A step whose hull holds a stage that was
// left out, or one below the lowest, is no group. So for a given group there is exactly one sequence of steps that
// leads to it: at each level the first neighbour that it holds. A group that the model calls hopeless is not grown.
//
// Cost: for each group, the model's price of it and, for each neighbour, a few operations on sets. The number of
// groups is n (n + 1) / 2 for a chain and exponential in the width of the graph, hence the limits. Counting takes a
// fraction of what prices take.
#include "autoschedule/grouping/group_table.h"

namespace fluorite::autoschedule {

namespace {

class Enumeration {
  public:
    /// Without a table it only counts.
    Enumeration(const Precedence &graph, const GroupCost &cost, const GroupTableLimits &limits, GroupTable *table)
        : graph_(graph), cost_(cost), limits_(limits), table_(table) {}

    /// Whether the limits hold.
    bool run() {
        for (size_t stage = 0; stage < graph_.size() && fits(); ++stage) {
            const Grown start = {{stage}, graph_.ancestors[stage], graph_.descendants[stage], graph_.linked[stage]};
            if (add(start.stages)) {
                grow(start, StageSet::first(stage));
            }
        }
        return fits();
    }

  private:
    struct Grown {
        StageSet stages, ancestors, descendants, neighbours; // the last three hold members, too
    };
    const Precedence &graph_;
    const GroupCost &cost_;
    const GroupTableLimits limits_;
    GroupTable *table_;
    size_t groups_ = 0, members_ = 0;

    bool fits() const { return groups_ <= limits_.groups && members_ <= limits_.members; }

    /// Whether larger groups are worth a look.
    bool add(const StageSet &stages) {
        if (cost_.is_hopeless(stages)) {
            return false;
        }
        ++groups_;
        members_ += stages.size();
        if (!fits()) {
            return false;
        }
        if (table_) {
            if (const std::optional<Cost> cost = cost_.of(stages)) {
                table_->add(stages, *cost);
            }
        }
        return true;
    }

    void grow(const Grown &group, StageSet left_out) {
        if (group.stages.size() >= limits_.stages_of_a_group) {
            return;
        }
        for (size_t stage : group.neighbours - group.stages - left_out) {
            if (!fits()) {
                return;
            }
            StageSet added =
                (group.descendants & graph_.ancestors[stage]) | (graph_.descendants[stage] & group.ancestors);
            added.insert(stage);
            added -= group.stages;
            if (!added.intersects(left_out)) {
                take_in(group, added, left_out);
            }
            left_out.insert(stage);
        }
    }

    void take_in(const Grown &group, const StageSet &added, const StageSet &left_out) {
        Grown larger = group;
        larger.stages |= added;
        if (larger.stages.size() > limits_.stages_of_a_group || !add(larger.stages)) {
            return;
        }
        for (size_t stage : added) {
            larger.ancestors |= graph_.ancestors[stage];
            larger.descendants |= graph_.descendants[stage];
            larger.neighbours |= graph_.linked[stage];
        }
        grow(larger, left_out);
    }
};

} // namespace

StageSet GroupTable::stages(size_t group) const {
    StageSet set;
    for (size_t word = 0; word < words_; ++word) {
        set.set_word(word, sets_[group * words_ + word]);
    }
    return set;
}

void GroupTable::add(const StageSet &stages, Cost cost) {
    for (size_t word = 0; word < words_; ++word) {
        sets_.push_back(stages.word(word));
    }
    costs_.push_back(cost);
}

std::optional<GroupTable> find_groups(const Precedence &graph, const GroupCost &cost, const GroupTableLimits &limits) {
    if (!Enumeration(graph, cost, limits, nullptr).run()) {
        return {};
    }
    GroupTable table(graph.size());
    Enumeration(graph, cost, limits, &table).run();
    return table;
}

} // namespace fluorite::autoschedule
