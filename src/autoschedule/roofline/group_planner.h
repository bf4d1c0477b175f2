#pragma once
// The cost of one group under given tiles, and its best tiles.

#include "autoschedule/roofline/roofline_cost.h"

namespace fluorite::autoschedule {

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
    std::vector<Source> sources_;
    std::vector<size_t> slots_; // by read of all members, in order: of sources_
    double needed_ = 0, source_rows_ = 0;

    void spread(const std::vector<int64_t> &tile);
    void widen(std::vector<Span> &into, const Read &read, const std::vector<Span> &consumer) const;
    std::vector<int64_t> measured(const std::vector<Span> &spans, size_t stage) const;
    double source_bytes();
    bool may_slide(size_t loop) const;
    /// The loop inside of a tile whose steps are rows.
    std::optional<size_t> outermost_step(const std::vector<int64_t> &tile) const;
    std::vector<int64_t> candidates(size_t loop, size_t vector) const;
    void descend(TilePlan &best, const std::vector<std::vector<int64_t>> &choices, const std::vector<size_t> &slides);
};

} // namespace fluorite::autoschedule
