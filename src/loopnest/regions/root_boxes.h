#pragma once
// What the pipeline touches of the program's own buffers.

#include "loopnest/regions/regions.h"
#include "loopnest/regions/site_views.h"

namespace fluorite::loopnest {

/// Sets Regions::input_boxes, input_read and output_boxes; the loops of all Funcs are known. Throws CompileError for
/// coordinates without bounds. `memo` may be null.
void find_root_boxes(const SiteViews &views, Regions &out, RegionMemo *memo);

} // namespace fluorite::loopnest
