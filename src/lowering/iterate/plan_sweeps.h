#pragma once
// How the steps of an iteration are run: schedules for what the program did not schedule, and several steps at once.

#include "ir/graph.h"
#include "machine/cache_model.h"
#include "schedule/schedule.h"

#include <optional>
#include <vector>

namespace fluorite::lowering {

/// Wavefronts or diamonds, which the runtime cuts (runtime/iterate_blocks.h).
struct Blocks {
    bool are_diamonds = false;
    size_t dimension = 0; // that is cut
    int64_t extent = 0;   // of a block along it; 0: chosen at run time
    /// Where the ends of the dimension meet: a step whose bounds queries tell how far it reads on that circle.
    std::optional<schedule::ScheduledGraph> reach;
};

struct SweepPlan {
    struct Tile {
        int steps = 0;
        bool streams = false; // its stores bypass the caches
        int least_row = 0;    // for domains whose rows have so many points at least
        schedule::ScheduledGraph body;
        std::optional<Blocks> blocks; // `body` is one step, on parts of the domain, and `steps` the most of a pass
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

/// The initial fields and one step, with a schedule where the program gave none, for callers that compute parts of the
/// domain: nothing is promised of the fields' boxes, and nothing beyond a part is written.
struct StepOnParts {
    schedule::ScheduledGraph initial, body;
};
StepOnParts step_on_parts(const ir::Iteration &iteration, const schedule::ScheduledIteration &scheduled,
                          const machine::MachineModel &machine);

} // namespace fluorite::lowering
