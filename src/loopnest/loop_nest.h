#pragma once
// The loop nest as a value: what a schedule makes of a pipeline, decided once and read by all.

#include "loopnest/placement/placement.h"
#include "loopnest/regions/regions.h"

namespace fluorite::loopnest {

/// A pipeline under its schedule, bounded: which Funcs are computed and in which stages (`graph`), where each is
/// computed and stored and which stages share loops (`placement`), and the ranges of all loops, regions, storage,
/// sliding windows, folds, and look-ahead of tasks (`regions`). Lowering builds statements from it; printing,
/// explaining and searching read it.
struct BoundedLoopNest {
    LoweringGraph graph;
    Placement placement;
    Regions regions;
};

struct NestOptions {
    Budget budget = {};
    /// Find out what has to fit 32 bits (Regions::ranges); who runs nothing does not need it.
    bool find_ranges = true;
    /// Windows, and circles where no directive asks for them: what targets can turn off (no_sliding, no_folding).
    WindowOptions windows = {};
};

/// Inlines, places and bounds. Throws CompileError for what the user can repair.
BoundedLoopNest make_loop_nest(const schedule::ScheduledGraph &pipeline, const NestOptions &options = {});

} // namespace fluorite::loopnest
