#pragma once
// All groups that a valid grouping may hold, with their costs.

#include "autoschedule/grouping/grouping.h"

namespace fluorite::autoschedule {

struct GroupTableLimits {
    size_t stages_of_a_group = StageSet::capacity;
    size_t groups = 4'000'000;
    size_t members = 100'000'000; // of all groups together: what costs take time for
};

/// Every convex, linked group within the limit that has a cost, by lowest stage. A graph has millions of them, so they
/// are stored in as many words as the graph's stages need.
class GroupTable {
  public:
    explicit GroupTable(size_t stages = 0) : words_((stages + 63) / 64) {}

    size_t size() const { return costs_.size(); }
    Cost cost(size_t group) const { return costs_[group]; }
    std::span<const uint64_t> words(size_t group) const { return {&sets_[group * words_], words_}; }
    StageSet stages(size_t group) const;
    void add(const StageSet &stages, Cost cost);

  private:
    size_t words_;
    std::vector<uint64_t> sets_;
    std::vector<Cost> costs_;
};

/// Counts first, and asks for no cost where there are more than the limits allow: then there is no table.
std::optional<GroupTable> find_groups(const Precedence &graph, const GroupCost &cost, const GroupTableLimits &limits);

} // namespace fluorite::autoschedule
