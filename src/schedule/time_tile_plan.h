#pragma once
// How the steps of an iteration run: the plan that time tiling makes (autoschedule/time_tiling/) and that lowering
// follows (lowering/iterate/).

#include "schedule/schedule.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace fluorite::schedule {

/// A time tile as wavefronts or diamonds: one step is called again and again on blocks of the domain, which the runtime
/// cuts (runtime/iterate_blocks.h).
struct TimeTileBlocks {
    bool are_diamonds = false;
    size_t dimension = 0; // that is cut
    int64_t extent = 0;   // of a block along it; 0: chosen at run time
    /// Where the dimension is periodic: a step whose bounds queries tell how far it reads beyond a block.
    std::optional<ScheduledGraph> reach;
};

/// A time tile computes several steps in one traversal of memory.
struct PlannedTile {
    int steps = 0;
    bool streams = false; // its stores bypass the caches
    int least_row = 0;    // it serves domains whose rows have at least so many points
    ScheduledGraph body;
    /// If there is a value, `body` is one step, on parts of the domain, and `steps` the most of a tile.
    std::optional<TimeTileBlocks> blocks;
};

struct TimeTilePlan {
    /// The graphs with a schedule, where the program gave none. Without a value, they run as they are.
    std::optional<ScheduledGraph> initial, body;
    /// Longest first. Single steps are among them if they stream, or are made for long rows only.
    std::vector<PlannedTile> tiles;
    /// From how many bytes of all fields on tiles should stream.
    int64_t streaming_bytes = 0;
};

} // namespace fluorite::schedule
