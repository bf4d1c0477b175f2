#pragma once
// How a group of stages runs on a device: as one kernel, and, where the last stage has updates, one more for each.

#include "autoschedule/device/kernel_time.h"
#include "autoschedule/stage_graph.h"

#include <optional>
#include <vector>

namespace fluorite::autoschedule {

/// The loops of a stage whose iterations are the threads of a block.
struct ThreadLoops {
    size_t x = 0;
    std::optional<size_t> y;
};

struct DevicePlan {
    size_t last = 0; // the stage whose points are divided into blocks and threads
    bool is_on_host = false;
    ThreadLoops loops;
    int64_t threads_x = 1, threads_y = 1; // of a block
    int64_t lanes = 1, rows = 1;          // that a thread computes along the two loops
    /// By loop of the last stage, what a thread computes: lanes, rows, all of short loops of constant extent.
    std::vector<int64_t> together;
    /// Members that each thread computes for itself; the others are computed by turns of a block's threads, who share
    /// them.
    StageSet in_threads;

    KernelTime time;       // of all kernels of the group, in nanoseconds
    KernelWork work;       // of the first
    double recomputed = 0; // points computed beyond those needed, over those needed
};

/// The points of the last stage that a block computes, by loop.
std::vector<int64_t> block_of(const DevicePlan &plan);
/// Of a stage that runs this far: its first long loop, and the longest of the others. Those of `together` that are
/// above one are computed by each thread.
ThreadLoops thread_loops(const StageNode &stage, const std::vector<int64_t> &widths,
                         const std::vector<int64_t> &together);
/// By loop: the extent of short loops of constant extent whose points share work, else one.
std::vector<int64_t> constants_together(const StageNode &stage);

} // namespace fluorite::autoschedule
