#pragma once
// How the steps of an iteration are run: schedules for what the program did not schedule, and several steps at once.

#include "ir/graph.h"
#include "machine/cache_model.h"
#include "schedule/schedule.h"

#include <optional>
#include <vector>

namespace fluorite::lowering {

struct SweepPlan {
    struct Tile {
        int steps = 0;
        bool streams = false; // its stores bypass the caches
        int least_row = 0;    // for domains whose rows have so many points at least
        schedule::ScheduledGraph body;
    };
    /// The graphs with a schedule, where the program gave none; empty: as they are.
    std::optional<schedule::ScheduledGraph> initial, body;
    std::vector<Tile> tiles; // longest first; may have single steps that stream, or are made for long rows only
    /// From how many bytes of all fields on passes should stream.
    int64_t streaming_bytes = 0;
};

/// Throws CompileError [iterate-time-tile] if the program asks for passes of several steps that cannot be made.
SweepPlan plan_sweeps(const ir::Iteration &iteration, const schedule::ScheduledIteration &scheduled,
                      const machine::MachineModel &machine);

} // namespace fluorite::lowering
