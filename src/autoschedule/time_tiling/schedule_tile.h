#pragma once
// Schedules for the Funcs of iterations that the program left alone. See schedule_tile.cpp.

#include "ir/graph.h"
#include "machine/machine_model.h"
#include "schedule/schedule.h"

#include <optional>
#include <set>
#include <vector>

namespace fluorite::autoschedule::time_tiling {

/// What the Funcs of a body are like.
struct BodyShape {
    std::set<int32_t> rows;           // Funcs that are computed in rows of their own, beside the outputs
    std::set<int32_t> at_root;        // Funcs without dimensions
    int64_t reach = 1;                // the greatest constant that is added to a coordinate
    bool has_mirrors = false;         // a coordinate is mirrored at edges, by a rule of BoundaryConditions
    bool has_unknown_mirrors = false; // or by one of the program's own, of which it is not known that it stays near
};

BodyShape shape_of(const ir::Graph &graph);

/// The extent of a dimension of the domain if it is a constant, or a guess.
int64_t extent_of(const ir::Iteration &iteration, size_t dim, int64_t guess);

/// How many points of a row of the domain the outputs' vectors need if they are moved inwards at its end.
int least_row_of(const ir::Graph &body, const machine::MachineModel &machine);

/// The dimensions that the loops over a step are cut along: those of the extents, or those that the compiler chooses.
std::vector<size_t> cuts_of(size_t rank, const std::vector<int64_t> &extents);

enum class Stores : uint8_t { Cached, Streamed };
/// Rows of the domain whose length is not a constant: of any length, or at least as long as a vector.
enum class Rows : uint8_t { Any, FillVectors };

/// The region of a tile: the domain; parts of it, which have whole rows; or parts of rows.
enum class Part : uint8_t { Domain, Slabs, OfRows };

/// What a tile is made for.
struct Form {
    Stores stores = Stores::Cached;
    Rows rows = Rows::Any;
    Part part = Part::Domain;
};

/// Schedules a graph that the program left alone, of one step (or, without an iteration, of the initial fields).
/// Nothing if the program gave a schedule.
std::optional<schedule::ScheduledGraph> scheduled(const schedule::ScheduledGraph &pipeline,
                                                  const ir::Iteration *iteration, const machine::MachineModel &machine,
                                                  const Form &form = {});

/// Schedules the graph of so many unrolled steps, in tiles of the extents; empty: chosen. `rows` and `at_root` are the
/// Funcs that are computed so; the outputs of all steps but the last are among `rows`.
void schedule_unrolled_steps(schedule::ScheduledGraph &unrolled, const ir::Iteration &iteration,
                             const std::set<int32_t> &rows, const std::set<int32_t> &at_root, int steps,
                             const std::vector<int64_t> &extents, const machine::MachineModel &machine,
                             const Form &form);

} // namespace fluorite::autoschedule::time_tiling
