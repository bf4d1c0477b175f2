#pragma once
// Time tiling: how the steps of an iteration run, several at once where that saves memory traffic. See
// plan_time_tiles.cpp.

#include "ir/graph.h"
#include "machine/machine_model.h"
#include "schedule/time_tile_plan.h"

namespace fluorite::autoschedule::time_tiling {

/// Throws CompileError [iterate-time-tile] if the program asks for tiles of several steps that cannot be made.
schedule::TimeTilePlan plan_time_tiles(const ir::Iteration &iteration, const schedule::ScheduledIteration &scheduled,
                                       const machine::MachineModel &machine);

/// The pipeline with a plan for each of its iterations, those of bodies included. Throws as plan_time_tiles does.
schedule::ScheduledGraph with_time_tiles(schedule::ScheduledGraph pipeline, const machine::MachineModel &machine);

/// The initial fields and one step, with a schedule where the program gave none, for callers that compute parts of the
/// domain: nothing is promised of the fields' boxes, and nothing beyond a part is written.
struct StepOnParts {
    schedule::ScheduledGraph initial, body;
};
StepOnParts step_on_parts(const ir::Iteration &iteration, const schedule::ScheduledIteration &scheduled,
                          const machine::MachineModel &machine);

} // namespace fluorite::autoschedule::time_tiling
