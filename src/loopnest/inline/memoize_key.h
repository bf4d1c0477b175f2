#pragma once
#include "loopnest/lowering_graph.h"

#include <vector>

namespace fluorite::loopnest {

/// What the values of a Func are computed from, beside what the text of the pipeline says: expressions over Params and
/// buffer fields, each once. Takes definitions that have their memoize_tags yet. Throws where the Func reads an input.
std::vector<Expr> memoize_key(const LoweringGraph &graph, FuncId func);

} // namespace fluorite::loopnest
