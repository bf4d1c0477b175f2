#pragma once
// Reads of Funcs that are periodic themselves need no wrapping.

#include "loopnest/lowering_graph.h"

namespace fluorite::loopnest {

/// Replaces reads f(wrap(y + c)) by f(y + c) where f has the period of the wrap and is computed inside of loops.
/// Precondition: graph.order is final. It does not read graph.consumers, which may be found afterwards.
void read_periodic_funcs(LoweringGraph &graph);

} // namespace fluorite::loopnest
