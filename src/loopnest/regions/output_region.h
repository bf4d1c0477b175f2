#pragma once
// What is asked of an output.

#include "analysis/interval.h"
#include "loopnest/lowering_graph.h"

namespace fluorite::loopnest {

/// The box of the caller's buffer.
analysis::Box output_region(const LoweringGraph &graph, FuncId output);

} // namespace fluorite::loopnest
