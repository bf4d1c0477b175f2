#pragma once
#include "ir/graph.h"
#include "lowering/iterate/circle.h"
#include "schedule/schedule.h"

#include <vector>

namespace fluorite::lowering {

/// The body of an iteration for so many steps at once: copies of its Funcs, of which each but the first reads the copy
/// before instead of the state. Only the last copy has the outputs; its Funcs keep their names. Copy j of Func i is
/// Func j * n + i of the graph, if the body has n. All Funcs have default schedules. If the body reads two past steps,
/// each output has its fields at the step before the last, too, after its own: the values of a Func f are
/// {f at the last step, f at the step before}. `cut` are the dimensions that tiles cut. Along `circles`, whose
/// ends meet, all copies but the last have values at all integers. Precondition: may_chain. See sweep_chain.cpp.
schedule::ScheduledGraph chain_of(const ir::Iteration &iteration, int steps, const std::vector<size_t> &cut,
                                  const std::vector<Circle> &circles);

/// The body with fields that have values at all integers along the dimension: bounds queries tell what a step needs on
/// a circle. It is not to be run. Precondition: the ends meet.
schedule::ScheduledGraph body_on_line(const ir::Iteration &iteration, const Circle &circle);

/// Whether passes of several steps can be made of the body, whatever they gain.
bool may_chain(const ir::Iteration &iteration);

/// Whether a coordinate is kept inside something, as by a boundary condition.
bool is_limited(const Expr &coordinate);
/// The coordinate, clamped to a dimension of a buffer.
Expr inside(const Expr &coordinate, const ir::Symbol &buffer, int dim);

} // namespace fluorite::lowering
