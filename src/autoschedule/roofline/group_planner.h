#pragma once
// The cost of one group under given tiles, and its best tiles.

#include "autoschedule/roofline/roofline_cost.h"

namespace fluorite::autoschedule {

// ---- Shared by the sources of GroupPlanner.

/// To store a value of four bytes, in additions: one vector a cycle, while two are added.
inline constexpr double store_work = 2;
/// What a loop takes beside its body for each vector or block. A guess.
inline constexpr double iteration_cycles = 1;

inline int64_t ceiling(int64_t a, int64_t b) { return (a + b - 1) / b; }
double product_of(const std::vector<int64_t> &widths);

class GroupPlanner {
  public:
    /// Both live longer than this; the group has one last stage.
    GroupPlanner(const RooflineCost &cost, const StageSet &group, size_t last);

    TilePlan best(bool with_slides);
    /// Fills in the costs of tiles.
    void evaluate(TilePlan &plan);
    std::vector<std::vector<int64_t>> widths(const std::vector<int64_t> &tile);

  private:
    /// Coordinates of a loop, relative to those of the last stage's tile.
    struct Span {
        int64_t low = 0, high = -1;
        bool is_whole = false;
        bool is_known() const { return is_whole || low <= high; }
    };
    struct Source { // read from outside of the group
        bool is_input = false;
        size_t index = 0;
        bool is_gathered = false;
        std::vector<Span> spans;
        double bytes = 0;
        double pieces = 1; // of memory, in one tile
    };

    const RooflineCost &cost_;
    const StageGraph &graph_;
    const RooflineMachine &machine_;
    StageSet group_;
    size_t last_;
    std::vector<size_t> members_;          // in the graph's order
    std::vector<size_t> place_;            // by stage: in members_
    std::vector<std::vector<Span>> spans_; // by member
    std::vector<std::vector<int64_t>> tile_widths_, row_widths_;
    std::vector<StageSet> readers_; // by member: those in the group
    std::vector<Source> sources_;
    std::vector<size_t> slots_;  // by read of all members, in order: of sources_
    std::vector<size_t> slides_; // loops that may slide
    double needed_ = 0, source_rows_ = 0;

    void spread(const std::vector<int64_t> &tile);
    void widen(std::vector<Span> &into, const Read &read, const std::vector<Span> &consumer) const;
    std::vector<int64_t> measured(const std::vector<Span> &spans, size_t stage) const;
    double source_bytes();
    bool may_slide(size_t loop) const;
    /// Rounds a tile to whole blocks.
    void round_to_blocks(TilePlan &plan) const;
    /// Work of one point of a member that is not the last stage, but for loads from registers.
    double work_of(size_t stage, const TilePlan &plan) const;
    /// What the blocks of one tile take of the last stage and of the members in registers.
    double block_cycles(const TilePlan &plan);
    double cycles_of(double work) const;
    /// Whether all blocks of these sizes are whole: where values beyond the end may not be computed, blocks of rows end
    /// with conditions, and what is computed for them has no constant extents.
    bool is_whole_block(const std::vector<int64_t> &sizes) const;
    bool may_stay_in_registers(size_t stage, const StageSet &others) const;
    /// The block of the last stage and the members in registers of the least cost under the plan's tiles.
    void choose_block(TilePlan &plan);
    /// The loop inside of a tile whose steps are rows.
    std::optional<size_t> outermost_step(const std::vector<int64_t> &tile) const;
    std::vector<int64_t> candidates(size_t loop, size_t vector) const;
    /// Whether the tile slides, and along which loop.
    void settle(TilePlan &plan);
    void descend(TilePlan &best, const std::vector<std::vector<int64_t>> &choices);
};

} // namespace fluorite::autoschedule
