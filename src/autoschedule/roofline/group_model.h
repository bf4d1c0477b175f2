#pragma once
// A group on a processor: what the parts of its cost are computed from.

#include "autoschedule/roofline/group.h"
#include "autoschedule/roofline/refetch.h"
#include "autoschedule/roofline/roofline_cost.h"
#include "autoschedule/roofline/tile_footprint.h"

namespace fluorite::autoschedule {

struct GroupModel {
    const RooflineCost &cost;
    Group group;

    GroupModel(const RooflineCost &model, const StageSet &stages, size_t last)
        : cost(model), group(describe_group(model.graph(), stages, last)) {}

    const StageGraph &graph() const { return group.graph; }
    const RooflineMachine &machine() const { return cost.machine(); }
    const machine::CacheModel &caches() const { return cost.machine().caches; }
    TileFootprint footprint(const std::vector<int64_t> &tile, const StageSet &by_steps) const {
        return footprint_of(group, tile, by_steps);
    }
    LiveIn live_in(const TileFootprint &footprint) const {
        return live_in_of(group, footprint, caches().gathered_lines);
    }

    // ---- The last stage's loops under a plan.

    static int64_t block_size(const TilePlan &plan, size_t loop) { return plan.block.empty() ? 1 : plan.block[loop]; }
    size_t vector_loop(const std::vector<int64_t> &tile) const { return cost.vector_loop(group.last, tile); }
    /// Points of the plan's block, by loop.
    std::vector<int64_t> block_points(const TilePlan &plan) const;
    /// The loops around the blocks inside of a tile, innermost first.
    std::vector<size_t> loops_of_tile(const TilePlan &plan) const;
    LoopBoxes loops_around_blocks(const TilePlan &plan) const;
    /// The loop inside of a tile whose steps are rows: the outermost one that is not the vector's.
    std::optional<size_t> outermost_step(const TilePlan &plan) const;
    /// Whether no member but the last stage is stored.
    bool is_one_loop(const TilePlan &plan) const { return plan.in_registers.size() + 1 == group.members.size(); }
    bool has_reductions() const;
};

/// Loops over widths with that of the vector innermost.
std::vector<size_t> vector_loop_first(size_t vector, size_t loops);

} // namespace fluorite::autoschedule
