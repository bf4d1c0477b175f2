#pragma once
// The default cost model: what a group takes on a processor of known caches, in cycles.

#include "autoschedule/costs.h"
#include "autoschedule/grouping/grouping.h"
#include "autoschedule/roofline/reduction_cost.h"
#include "autoschedule/roofline/roofline_machine.h"
#include "autoschedule/stage_graph.h"

#include <functional>
#include <span>
#include <unordered_map>

namespace fluorite::autoschedule {

using costs::tasks_of_a_thread;

/// How the other stages of a group may keep windows while the last one runs along a loop: for each of its blocks, for
/// each of its rows alone, or not at all. More than one row at once has windows of more terms, whose bounds the loop
/// nest may not find.
enum class Slides : uint8_t { None, Rows, Blocks };

/// How one group runs: its last stage in tiles, the others inside them.
struct TilePlan {
    size_t last = 0;           // the stage that the others of the group are computed for
    std::vector<int64_t> tile; // by its loops: 1 is a loop around the tiles, the extent a loop inside
    /// The outermost loop inside of a tile: each iteration computes what it needs of the other stages and the ones
    /// before did not.
    std::optional<size_t> sliding;
    /// The loop that runs innermost in a tile, around the blocks; none: that of the vector.
    std::optional<size_t> along;
    /// The block of the last stage that is unrolled: by loop, vectors along that of the vector, else points. Empty: a
    /// vector.
    std::vector<int64_t> block;
    /// Stages that are computed for each block of the last stage, and whose values stay in registers.
    StageSet in_registers;
    /// Reductions whose RVars run around their pure loops; what only they read is computed for each step.
    StageSet by_steps;
    /// The last stage has more bytes than the last cache, so its stores may bypass the caches.
    bool streams = false;

    // For all threads together, in cycles; `cycles` is what the run takes.
    double cycles = 0, arithmetic = 0, caches = 0, memory = 0;
    double fresh = 0;      // of the arithmetic: to touch memory that the system gives anew in each run
    double recomputed = 0; // points computed beyond those needed, over those needed
    int64_t tiles = 1;
    int64_t tile_bytes = 0; // what is touched between two uses
};

/// The loops around blocks of sums, innermost first, and the cycles that what the sums read takes in caches.
struct SumLoops {
    std::vector<size_t> loops;
    double cycles = 0;
};

class RooflineCost : public GroupCost {
  public:
    /// The graph lives longer than this.
    RooflineCost(const StageGraph &graph, const RooflineMachine &machine);

    std::optional<Cost> of(const StageSet &group) const override;
    bool is_hopeless(const StageSet &) const override { return false; }
    Cost share(size_t stage) const override;

    /// The stage in whose tiles a group is computed; none where the group has two stages that are read from outside.
    std::optional<size_t> last_stage(const StageSet &group) const;
    /// The best tiles; none where the group has no last stage.
    std::optional<TilePlan> plan(const StageSet &group) const;
    /// Windows of this group were found not to slide: from now on, groups that contain it slide by rows, and if they
    /// were by rows already, not at all.
    void limit_slides(const StageSet &group);
    Slides slides(const StageSet &group) const;
    /// Of a stage alone whose updates are no sums in registers: the iterations of the pure loop outside of its RVars,
    /// which may be tasks; 1 if there is none.
    int64_t update_tasks(size_t stage) const;
    /// These tiles, one vector after the other, with nothing in registers.
    TilePlan plain_plan(const StageSet &group, size_t last, const std::vector<int64_t> &tile) const;
    /// What one tile of a group computes, loads from outside of the group, and touches.
    struct TileAccesses {
        std::vector<std::pair<size_t, double>> points; // by stage
        double loaded_bytes = 0, bytes = 0;
    };
    TileAccesses accesses_of(const StageSet &group, size_t last, const std::vector<int64_t> &tile) const;
    /// Whether the stage is an output beyond the last cache, whose stores may bypass the caches.
    bool may_stream(size_t stage) const;
    /// Lanes of a stage's vectors, and the loop that is a vector where it runs over these widths.
    int64_t lanes(size_t stage) const;
    size_t vector_loop(size_t stage, std::span<const int64_t> widths) const;
    /// Whether a stage that runs this far reads columns in blocks of rows, which it transposes.
    bool reads_columns(size_t stage, std::span<const int64_t> widths) const;
    /// The block of the least cost for the sums of a stage that runs this far.
    /// At root, blocks leave iterations of the outermost loop for all threads.
    const SumPlan &sum_plan(size_t stage, const std::vector<int64_t> &widths, bool by_steps,
                            bool at_root = false) const;
    /// The iterations around blocks at root that may be tasks: those of the outermost loop that is not one block.
    int64_t tasks_around(size_t stage, const std::vector<int64_t> &widths, const std::vector<int64_t> &block) const;
    /// The loops around its blocks, innermost first.
    std::vector<size_t> sum_loops(const StageSet &group, const TilePlan &plan, size_t stage,
                                  const std::vector<int64_t> &widths) const;
    /// The same, which `find` finds the first time: they depend on which reads come from memory.
    const SumLoops &sum_loops(size_t stage, const std::vector<int64_t> &widths, const std::vector<bool> &from_memory,
                              const std::function<SumLoops()> &find) const;
    SumShape sum_shape(size_t stage, std::span<const int64_t> widths) const {
        return {graph_, machine_, stage, lanes(stage), vector_loop(stage, widths)};
    }
    /// How many vectors a step of a scan computes, so that it does not wait for the one before.
    int64_t vectors_of_scan() const { return static_cast<int64_t>(machine_.caches.sum_cycles); }
    /// Nodes of the code that a block of a stage is, with the parts of the loops around it.
    double code_of(size_t stage, const std::vector<int64_t> &points) const {
        return code_of_block(graph_.stages[stage], points);
    }
    /// What a stage of the group is computed for at each step: the reduction of the plan that alone reads it.
    std::optional<size_t> step_owner(const StageSet &group, const TilePlan &plan, size_t stage) const;
    /// How far each stage of a group runs in one tile, or in one step of its owner, by loop; empty for others.
    std::vector<std::vector<int64_t>> widths(const StageSet &group, const TilePlan &plan) const;
    /// Whether a step of the loop that slides reads values of a stage that the step before has computed.
    bool has_window(const StageSet &group, const TilePlan &plan, size_t stage) const;
    /// The sizes of the plan's block, by loop; ones where nothing is unrolled.
    std::vector<int64_t> block_sizes(const TilePlan &plan) const;

    const StageGraph &graph() const { return graph_; }
    const RooflineMachine &machine() const { return machine_; }
    /// Bytes of all of an input, or of a stage's results.
    double source_bytes(bool is_input, size_t source) const {
        return is_input ? input_bytes_[source] : stage_bytes_[source];
    }

  private:
    const StageGraph &graph_;
    const RooflineMachine machine_;
    std::vector<StageSet> consumers_;
    std::vector<double> input_bytes_, stage_bytes_;
    mutable std::unordered_map<StageSet, std::optional<Cost>, StageSetHash> costs_; // of groups that were asked for
    std::vector<std::pair<StageSet, Slides>> limited_;
    struct WidthsHash {
        size_t operator()(const std::vector<int64_t> &widths) const {
            size_t hash = widths.size();
            for (const int64_t width : widths) {
                hash = (hash ^ static_cast<size_t>(width)) * 0x9e3779b97f4a7c15U;
                hash ^= hash >> 32;
            }
            return hash;
        }
    };
    template <typename T> using ByWidths = std::unordered_map<std::vector<int64_t>, T, WidthsHash>;
    mutable ByWidths<SumPlan> sum_plans_;  // by widths, stage and the two properties
    mutable ByWidths<SumLoops> sum_loops_; // by widths, stage, and which reads come from memory
};

} // namespace fluorite::autoschedule
