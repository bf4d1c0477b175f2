#pragma once
// The regions, loops and storage of one Func.

#include "loopnest/regions/func_regions.h"

namespace fluorite::loopnest {

/// Computes all of FuncRegions; the consumers of the Func must be known. Refuses coordinates without bounds, and
/// storage that cannot hold what is stored (FuncInProgress::verdict).
void infer_func(FuncInProgress &func);

/// The region of a Func in terms of the symbols that code refers to.
analysis::Box symbols_of(const Region &region);

} // namespace fluorite::loopnest
