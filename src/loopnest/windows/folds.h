#pragma once
// Windows of a Func that is stored further out than it is computed, and the circular buffers that are enough for them.

#include "loopnest/regions/func_regions.h"
#include "loopnest/windows/sliding.h"

#include <optional>
#include <vector>

namespace fluorite::loopnest {

/// The loops between the store and the compute site, and the region over them; nothing where a side depends on them
/// through a symbol.
std::optional<WindowLoops> window_loops(const FuncInProgress &func, const analysis::Box &region);
/// Sets circular buffers: those that the schedule asks for, else where the window of one iteration has a constant bound
/// and the storage, whose extents these are, is or may be larger.
void fold_storage(FuncInProgress &func, const std::optional<WindowLoops> &loops, const std::vector<Slide> &slides,
                  const std::vector<Expr> &extents);
/// Sets how far the producer of an async Func may run ahead. Values that are stored twice are the same where the Func
/// is pure, so without a fold nothing is lost; a fold is made large enough for the next iteration where its window is
/// known.
void look_ahead(FuncInProgress &func, const std::optional<WindowLoops> &loops);

} // namespace fluorite::loopnest
