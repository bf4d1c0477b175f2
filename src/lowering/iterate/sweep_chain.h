#pragma once
#include "ir/graph.h"
#include "schedule/schedule.h"

namespace fluorite::lowering {

/// The body of an iteration for so many steps at once: copies of its Funcs, of which each but the first reads the copy
/// before instead of the state. Only the last copy has the outputs; its Funcs keep their names. Copy j of Func i is
/// Func j * n + i of the graph, if the body has n. All Funcs have default schedules. See sweep_chain.cpp.
schedule::ScheduledGraph chain_of(const ir::Iteration &iteration, int steps);

} // namespace fluorite::lowering
