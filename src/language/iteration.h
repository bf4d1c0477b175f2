#pragma once
// The state behind iterate().

#include "language/function.h"
#include "schedule/schedule.h"

#include <string>
#include <vector>

namespace fluorite::language {

/// An iteration as the program wrote it; ir::Iteration defines its meaning. The parameters that stand for its results
/// own it (IterationResult), and it owns its Functions.
struct Iteration : RefCounted {
    std::string name;
    int dimensions = 0;
    size_t fields = 0;
    RefPtr<Function> control;
    std::vector<RefPtr<Function>> initial; // at step 0, then, if there are `before`, at step -1
    std::vector<RefPtr<Function>> body;    // the fields, then, if it stops, the condition
    std::vector<RefPtr<ir::Parameter>> states, before;
    RefPtr<ir::Parameter> step;
    bool stops = false;
    schedule::TimeTile tile;
    uint64_t edits = 0;
    Location location;

    std::vector<RefPtr<Function>> functions() const;
};

/// Iterated::time_tile.
void set_time_tile(Iteration &iteration, int steps, const Location &location);
void set_time_tile(Iteration &iteration, int steps, const std::vector<int> &extents, TimeTileShape shape,
                   const Location &location);

/// What a Parameter refers to if it stands for one field of the result of an Iteration.
struct IterationResult : RefCounted {
    RefPtr<const Iteration> iteration;
    size_t field = 0;
};

/// What a Parameter refers to if it stands for a field, or for the step, that the body of an Iteration reads.
struct IterationLocal : RefCounted {};
/// Whether it stands for one, so that only the body of its iteration may read it.
bool is_iteration_local(const ir::Parameter &parameter);

/// Null unless the Parameter stands for a result.
const IterationResult *result_of(const ir::Parameter &parameter);

} // namespace fluorite::language
