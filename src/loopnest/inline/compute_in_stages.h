#pragma once
#include "loopnest/inline/inline_memo.h"
#include "support/refusal.h"

namespace fluorite::loopnest {

/// Clones Funcs whose compute level denotes a loop of several stages, so that each has one site; see
/// compute_in_stages.cpp.
Verdict compute_in_stages(LoweringGraph &graph, InlineMemo &memo);

} // namespace fluorite::loopnest
