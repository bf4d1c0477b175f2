#pragma once
// The regions, loops and memory of one Func.

#include "loopnest/regions/func_regions.h"

namespace fluorite::loopnest {

/// Finds all of FuncRegions; the consumers of the Func are known. Throws CompileError for coordinates without bounds,
/// and for storage that does not hold what is stored.
void infer_func(FuncInProgress &func);

/// The region of a Func as the values of what code refers to.
analysis::Box symbols_of(const Region &region);

} // namespace fluorite::loopnest
