#pragma once
// The loop nest as a value: the result of applying a schedule to a pipeline, decided once and read by all clients.

#include "loopnest/placement/placement.h"
#include "loopnest/regions/regions.h"

namespace fluorite::loopnest {

/// A pipeline under its schedule, with bounds: the Funcs that are computed and their stages (`graph`); where each is
/// computed and stored, and which stages share loops (`placement`); and the ranges of all loops, regions, storage,
/// sliding windows, folds, and how far tasks run ahead (`regions`). Lowering builds statements from it, and `explain/`
/// prints it.
struct BoundedLoopNest {
    LoweringGraph graph;
    Placement placement;
    Regions regions;
};

struct NestOptions {
    Budget budget = {};
    /// Whether to compute Regions::ranges, which only code that runs the pipeline needs.
    bool find_ranges = true;
    /// Which window optimizations are allowed; a target can disable them (no_sliding, no_folding).
    WindowOptions windows = {};
};

/// The last two steps, for a graph whose Funcs are inlined. `memo` may be null.
Result<BoundedLoopNest> bound_loop_nest(Result<LoweringGraph> graph, const NestOptions &options,
                                        RegionMemo *memo = nullptr);
/// Inlines, places and infers bounds. What the user can repair is refused.
Result<BoundedLoopNest> try_loop_nest(const schedule::ScheduledGraph &pipeline, const NestOptions &options = {});
/// The same for a pipeline that is compiled or explained; throws CompileError where it is refused.
BoundedLoopNest make_loop_nest(const schedule::ScheduledGraph &pipeline, const NestOptions &options = {});

} // namespace fluorite::loopnest
