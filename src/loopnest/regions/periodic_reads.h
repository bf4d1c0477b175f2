#pragma once
// What is needed of Funcs that are read as images continued by mirroring or repeating them.

#include "loopnest/regions/func_regions.h"

#include <vector>

namespace fluorite::loopnest {

/// What a call of a stage needs.
struct NeededBox {
    const Access *call = nullptr;
    analysis::Box box;
};

/// Narrows the boxes of one consuming stage, which are calls of the Func seen from its compute site: from the whole
/// image to what lies near, and to what the edges reflect. Binds the reflected points where the Func is stored.
void narrow_periodic_reads(FuncInProgress &func, analysis::BoundsFinder &bounds, std::vector<NeededBox> &boxes);

} // namespace fluorite::loopnest
