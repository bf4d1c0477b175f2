#pragma once
#include "loopnest/lowering_graph.h"
#include "support/refusal.h"

#include <vector>

namespace fluorite::loopnest {

/// What the values of a Func depend on besides the pipeline itself: expressions over Params and buffer fields, each
/// listed once. The definitions must still contain their memoize_tags. Refused if the Func reads an input.
Result<std::vector<Expr>> memoize_key(const LoweringGraph &graph, FuncId func);

} // namespace fluorite::loopnest
