#pragma once
// The cost of one group under given tiles, and its best tiles.

#include "autoschedule/costs.h"
#include "autoschedule/roofline/roofline_cost.h"

#include <functional>
#include <list>
#include <map>

namespace fluorite::autoschedule {

// ---- Shared by the sources of GroupPlanner.

inline int64_t ceiling(int64_t a, int64_t b) { return (a + b - 1) / b; }
double product_of(const std::vector<int64_t> &widths);

class GroupPlanner {
  public:
    /// Both live longer than this; the group has one last stage.
    GroupPlanner(const RooflineCost &cost, const StageSet &group, size_t last);

    TilePlan best(Slides most);
    /// Fills in the costs of tiles.
    void evaluate(TilePlan &plan);
    std::vector<std::vector<int64_t>> widths(const TilePlan &plan);
    RooflineCost::TileTouches touched(const std::vector<int64_t> &tile);
    /// The loops around the blocks of sums of a stage that runs this far, innermost first: rows of blocks, or columns.
    std::vector<size_t> sum_loops(size_t stage, const std::vector<int64_t> &whole) const;
    /// The reduction of the plan for whose steps a member is computed.
    std::optional<size_t> step_owner(const TilePlan &plan, size_t stage);

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
        std::vector<int64_t> extents = {}; // of all of it
        double bytes_of_point = 0;
        bool is_gathered = false;
        std::vector<Span> spans = {};
        std::vector<int64_t> widths = {}; // of the spans, within the extents
        double most = 0;                  // bytes that can be read, if it is gathered: by so many points
        double bytes = 0;
        double pieces = 1;             // of memory, in one tile
        double fetched = 0, begun = 0; // bytes and pieces of all tiles that the second cache does not hold any more
    };

    const RooflineCost &cost_;
    const StageGraph &graph_;
    const RooflineMachine &machine_;
    StageSet group_;
    size_t last_;
    std::vector<int64_t> last_extents_;
    std::vector<size_t> members_;          // in the graph's order
    std::vector<size_t> place_;            // by stage: in members_
    std::vector<std::vector<Span>> spans_; // by member
    std::vector<std::vector<int64_t>> tile_widths_, row_widths_;
    std::vector<StageSet> readers_; // by member: those in the group
    std::vector<Source> sources_;
    std::vector<size_t> slots_;                 // by read of all members, in order: of sources_
    std::vector<size_t> slides_;                // loops that may slide
    bool slides_by_rows_ = false;               // only where the block is one row along them
    std::vector<std::optional<size_t>> owners_; // by member: the reduction that may compute it for each step
    StageSet stepped_;                          // these reductions
    StageSet steps_;                            // those whose RVars run around their pure loops, in spread()
    double needed_ = 0, source_rows_ = 0;

    void spread(const std::vector<int64_t> &tile);
    void widen(std::vector<Span> &into, const std::vector<Footprint> &read, const std::vector<Span> &consumer,
               bool is_step) const;
    std::vector<int64_t> measured(const std::vector<Span> &spans, size_t stage) const;
    double source_bytes();
    /// Sources' bytes and pieces of all tiles, less what tiles that follow each other in a task share while it stays in
    /// the second cache. `held` is what one tile touches. Returns what the second cache hands on.
    double fetch_sources(const TilePlan &plan, double held);
    /// Whether the loop over tiles is one of the tasks.
    std::vector<bool> task_loops(const TilePlan &plan) const;
    bool may_slide(size_t loop) const;
    /// Whether the rows of a block are few enough, or whole lines, for stores past the caches.
    bool has_room_to_stream(const TilePlan &plan) const;
    /// Rounds a tile to whole blocks.
    void round_to_blocks(TilePlan &plan) const;
    /// Work of one point of a member that is not the last stage, but for loads from registers.
    double work_of(size_t stage, const TilePlan &plan, const std::vector<int64_t> *widths = nullptr) const;
    /// What the blocks of one tile take of the last stage and of the members in registers.
    double block_cycles(const TilePlan &plan);
    double cycles_of(double work) const;
    /// Whether all blocks of these sizes are whole: where values beyond the end may not be computed, blocks of rows end
    /// with conditions, and what is computed for them has no constant extents.
    bool is_whole_block(const std::vector<int64_t> &sizes) const;
    /// Whether blocks of sums of one size can be computed: where values beyond the end may not be, an output does so if
    /// it is large enough, by a specialization.
    bool may_keep_sums(const TilePlan &plan) const;
    /// Cycles to store a point of the last stage, beside those of vectors: where it is an output, whose order in memory
    /// is given, and its lanes lie apart.
    double stored_apart(const std::vector<int64_t> &widths, const std::vector<int64_t> &block) const;
    double code_of_block(const TilePlan &plan);
    bool may_stay_in_registers(size_t stage, const StageSet &others) const;
    /// Sums whose lanes are rows of the last stage's blocks: the loop of these rows. Blocks of them are as many rows as
    /// a vector has lanes, and pass through memory, by shuffles.
    std::optional<size_t> turned_rows(size_t stage) const;
    /// The block of the last stage and the members in registers of the least cost under the plan's tiles.
    void choose_block(TilePlan &plan);
    /// The loop inside of a tile whose steps are rows.
    std::optional<size_t> outermost_step(const TilePlan &plan) const;
    std::vector<int64_t> candidates(size_t loop, size_t vector) const;
    /// Whether the tile slides, and along which loop.
    void settle(TilePlan &plan);
    // ---- Sums: sums.cpp.

    void find_owners();
    std::optional<size_t> owner_of(size_t stage) const;
    double read_bytes(const Read &read, const std::vector<int64_t> &widths) const;
    /// How many pages the rows of what is read lie on.
    double read_pages(const Read &read, const std::vector<int64_t> &widths) const;
    /// Loops inside of a tile, innermost first.
    std::vector<size_t> inner_loops(size_t stage, const std::vector<int64_t> &widths) const;
    /// Those of the last stage, as the plan orders them.
    std::vector<size_t> loops_of_tile(const TilePlan &plan) const;
    /// Cycles to load again what blocks of sums read, from the caches that hold it, and to find its pages, for which
    /// the operations wait.
    struct Traffic {
        double caches = 0, pages = 0;
    };
    /// By the boxes of the stage that one block and the loops around it compute, and the iterations of these loops.
    double sum_caches(size_t stage, const std::vector<std::vector<int64_t>> &boxes,
                      const std::vector<double> &counts) const;
    double sum_pages(size_t stage, const std::vector<int64_t> &block, const std::vector<double> &counts) const;
    Traffic traffic_of_sums(const TilePlan &plan);
    /// Of a stage whose blocks are its own, with its loops around them in this order, innermost first.
    struct OwnBoxes {
        std::vector<std::vector<int64_t>> boxes;
        std::vector<double> counts;
    };
    OwnBoxes own_boxes(size_t stage, const std::vector<int64_t> &whole, const std::vector<size_t> &loops) const;
    /// Cycles to wait for parts of rows from memory, as they are no continuation that a prefetcher follows.
    double sum_streams(size_t stage, const OwnBoxes &around) const;
    bool is_from_memory(const Read &read) const;
    const RooflineCost::SumLoops &own_loops(size_t stage, const std::vector<int64_t> &whole) const;
    /// Points of the plan's block, by loop.
    std::vector<int64_t> block_points(const TilePlan &plan) const;
    /// Blocks that sums in registers ask for beside those of the last stage.
    std::vector<std::vector<int64_t>> blocks_for_sums(const TilePlan &plan) const;
    /// Operations and loads of a block of the last stage, but for loads from registers.
    double last_work(const TilePlan &plan) const;

    // ---- Columns: columns.cpp.

    /// Whether the lanes of the last stage read rows of an array.
    bool is_column_read(const Read &read, const std::vector<int64_t> &tile) const;
    /// The loop of the last stage that follows such rows; none: it reads no columns.
    std::optional<size_t> column_loop(const std::vector<int64_t> &tile) const;
    /// Lines that are read again because they were displaced, and pages whose addresses are looked up.
    Traffic column_traffic(const TilePlan &plan);

    // ---- Arrays that are stored along another dimension than that of their vectors: turned.cpp.

    struct Turned {
        size_t inner = 0; // the dimension whose neighbours lie together
        int64_t bytes = 4, pitch = 0;
    };
    /// What one block and then one run of each loop around it touches of an array, and the iterations of these loops.
    struct Boxes {
        std::vector<std::vector<int64_t>> boxes;
        std::vector<double> counts;
    };
    /// Cycles for lines that are fetched more than once, and for addresses of pages.
    Traffic traffic_again(const Turned &turned, const Boxes &around) const;
    /// `box` says what of an array the spans touch.
    Boxes boxes_of_blocks(const TilePlan &plan, const std::function<std::vector<int64_t>()> &box);
    Traffic turned_stores(size_t stage, const std::vector<int64_t> &whole) const;
    Traffic turned_traffic(const TilePlan &plan);

    // ---- Windows: windows.cpp.

    /// The loop of a member that moves with the one that slides, and its new rows in one step.
    struct Follows {
        std::optional<size_t> loop;
        int64_t rows = 1;
    };
    std::vector<Follows> rows_of_step(size_t loop, int64_t rows) const;
    double box_bytes(const std::vector<Span> &spans, bool is_input, size_t index) const;
    /// Bytes that a read brings into a cache for all points of a box of a stage, at most.
    double most_bytes(const Read &read, size_t stage, const std::vector<Span> &spans) const;
    /// Bytes of a member's window, along the loop that slides in as many rows as its storage is folded by.
    double window_bytes(size_t member, const std::optional<size_t> &sliding) const;
    /// Bytes that are touched until the next step of a tile begins, and those that its stages load.
    struct StepTouches {
        double held = 0, loaded = 0;
    };
    /// Of a plan that slides along the loop, or whose other stages stay in registers.
    StepTouches touches_of_step(const TilePlan &plan, const std::vector<int64_t> &row, size_t loop);

    // ---- Descent.

    /// What settle() found of tiles with one block and one set of stages in registers: two descents meet in one valley,
    /// and their rounds ask again.
    struct Settled {
        std::vector<int64_t> block;
        StageSet in_registers, by_steps;
        std::map<std::vector<int64_t>, double> cycles; // by tile
    };
    std::list<Settled> settled_;
    std::map<std::vector<int64_t>, double> &settled_with(const TilePlan &plan);
    void descend(TilePlan &best, const std::vector<std::vector<int64_t>> &choices);
};

} // namespace fluorite::autoschedule
