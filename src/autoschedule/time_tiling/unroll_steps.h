#pragma once
// Several steps of an iteration as one graph. See unroll_steps.cpp.

#include "autoschedule/time_tiling/periodic_dimension.h"
#include "ir/graph.h"
#include "schedule/schedule.h"

#include <vector>

namespace fluorite::autoschedule::time_tiling {

/// The body of an iteration for so many steps at once: copies of its Funcs, of which each but the first reads the copy
/// before instead of the state. Only the last copy has the outputs; its Funcs keep their names. If the body has n
/// Funcs, copy j of Func i is Func j * n + i of the result. All Funcs have default schedules. If the body reads two
/// past steps, each output also has its fields at the step before the last, after its own: the values of a Func f are
/// {f at the last step, f at the step before}. `cut` are the dimensions that tiles cut. Along the `periodic` ones, all
/// copies but the last have values at all integers. Precondition: may_unroll_steps.
schedule::ScheduledGraph unroll_steps(const ir::Iteration &iteration, int steps, const std::vector<size_t> &cut,
                                      const std::vector<PeriodicDimension> &periodic);

/// The body with fields that have values at all integers along the dimension. It only answers bounds queries, which
/// then tell what a step needs beyond the ends of the domain. Precondition: the dimension is periodic.
schedule::ScheduledGraph periodic_extension(const ir::Iteration &iteration, const PeriodicDimension &dimension);

/// Whether tiles of several steps can be made of the body, whatever they gain.
bool may_unroll_steps(const ir::Iteration &iteration);

/// Whether a coordinate is kept inside something, as by a boundary condition.
bool is_limited(const Expr &coordinate);
/// The coordinate, clamped to a dimension of a buffer.
Expr inside(const Expr &coordinate, const ir::Symbol &buffer, int dim);

} // namespace fluorite::autoschedule::time_tiling
