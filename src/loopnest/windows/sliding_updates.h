#pragma once
// In which directions the window of a Func with updates may slide.

#include "loopnest/regions/func_regions.h"
#include "loopnest/windows/sliding.h"

#include <vector>

namespace fluorite::loopnest {

/// Per dimension. A pure Func slides in both: each point has one value, whichever iteration computes it.
std::vector<SlideDirections> slide_directions(const FuncInProgress &func);

} // namespace fluorite::loopnest
