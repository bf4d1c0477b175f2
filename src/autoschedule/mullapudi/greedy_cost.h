#pragma once
// The cost of a group in the automatic scheduler of Mullapudi et al. (2016), as section 2.3 of "An Effective Fusion and
// Tile Size Model for PolyMage" describes it. With merge_pairs (grouping/greedy.h) it is that scheduler: a baseline.

#include "autoschedule/roofline/roofline_cost.h"

namespace fluorite::autoschedule {

struct MullapudiMachine {
    int64_t cache_bytes = 256 * 1024; // CACHE_SIZE: the second level of a core
    int64_t cores = 1;                // PARALLELISM_THRESHOLD
    int64_t vector_lanes = 16;        // VECTOR_WIDTH
    double load_cost = 40;            // LOAD_COST, of four bytes from memory, in arithmetic operations
};

class MullapudiCost : public GroupCost {
  public:
    /// The graph and the plans, which say what a tile of a group touches, live longer than this.
    MullapudiCost(const StageGraph &graph, const RooflineCost &plans, const MullapudiMachine &machine)
        : graph_(graph), plans_(plans), machine_(machine) {}

    std::optional<Cost> of(const StageSet &group) const override;
    bool is_hopeless(const StageSet &) const override { return false; }
    Cost share(size_t) const override { return 0; }
    /// The tile that the group is costed with; none where it has two stages that are read from outside.
    std::optional<std::vector<int64_t>> tile(const StageSet &group) const;

  private:
    const StageGraph &graph_;
    const RooflineCost &plans_;
    const MullapudiMachine machine_;

    struct Choice {
        std::vector<int64_t> tile;
        double cost = 0; // of all tiles, in operations
    };
    std::optional<Choice> best(const StageSet &group) const;
};

} // namespace fluorite::autoschedule
