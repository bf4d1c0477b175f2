#pragma once
// The regions that are required of Funcs that are read as images continued by mirroring or repeating them.

#include "loopnest/regions/func_regions.h"

#include <vector>

namespace fluorite::loopnest {

/// The box that a call of a stage requires.
struct NeededBox {
    const Access *call = nullptr;
    analysis::Box box;
};

/// Whether an expression has no variables but Params, and reads no memory.
bool is_fixed(const Expr &expr);

/// Narrows the boxes that the calls of a consuming stage require, as seen from the Func's compute site: from the
/// whole image to the interval that is read and the intervals that the edges reflect. Binds the reflected points at the
/// store site.
void narrow_periodic_reads(FuncInProgress &func, const Consumer &consumer, analysis::BoundsFinder &bounds,
                           std::vector<NeededBox> &boxes);

} // namespace fluorite::loopnest
