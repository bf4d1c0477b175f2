#pragma once
// Windows of a Func that is stored further out than it is computed, and circular buffers that suffice for them.

#include "loopnest/regions/func_regions.h"
#include "loopnest/windows/sliding.h"

#include <optional>
#include <vector>

namespace fluorite::loopnest {

/// The loops between the store and the compute site, and the region in terms of them; nothing if an end depends on them
/// through a kept symbol.
std::optional<WindowLoops> window_loops(const FuncInProgress &func, const analysis::Box &region);
/// Sets circular buffers: those that the schedule requests; otherwise one if the window of an iteration has a constant
/// bound and the storage, whose extents are given, is or may be larger.
void fold_storage(FuncInProgress &func, const std::optional<WindowLoops> &loops, const KeptValues &kept,
                  const std::vector<Expr> &extents);
/// Sets how far the producer of an async Func may run ahead. If a Func is pure, storing a value twice stores the same
/// value, so without a fold nothing is lost. A fold is made large enough for the next iteration if its window is known.
void look_ahead(FuncInProgress &func, const std::optional<WindowLoops> &loops);

} // namespace fluorite::loopnest
