#pragma once
// Loops along which the region of a Func is invariant: the Func is computed in their first iterations only.

#include "loopnest/regions/func_regions.h"

#include <vector>

namespace fluorite::loopnest {

struct InvariantLoops {
    std::vector<InvariantLoop> loops; // innermost first
    /// By dimension: whether a loop inside of one of these moves it. Later iterations read all of its positions again.
    std::vector<bool> keeps;
};

/// For the region that is needed at the compute site. Of a Func that is stored where it is computed: the loops in whose
/// first iterations all of its consumers are computed.
InvariantLoops find_invariant_loops(const FuncInProgress &func, const analysis::Box &region);

} // namespace fluorite::loopnest
