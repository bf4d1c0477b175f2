#pragma once
// The region that is required of an output.

#include "analysis/interval.h"
#include "loopnest/lowering_graph.h"

namespace fluorite::loopnest {

/// The box of the caller's buffer.
analysis::Box output_region(const LoweringGraph &graph, FuncId output);

} // namespace fluorite::loopnest
