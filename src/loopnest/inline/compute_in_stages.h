#pragma once
#include "loopnest/inline/inline_memo.h"

namespace fluorite::loopnest {

/// Gives each Func one place where its level means a loop of several stages; see compute_in_stages.cpp.
void compute_in_stages(LoweringGraph &graph, InlineMemo &memo);

} // namespace fluorite::loopnest
