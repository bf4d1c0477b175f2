#pragma once
// The boxes of the program's own buffers that the pipeline accesses.

#include "loopnest/regions/regions.h"
#include "loopnest/regions/site_views.h"

namespace fluorite::loopnest {

/// Sets Regions::input_boxes, input_read and output_boxes; the loops of all Funcs must be known. Refuses
/// unbounded coordinates. `memo` may be null.
Verdict find_root_boxes(const SiteViews &views, Regions &out, RegionMemo *memo);

} // namespace fluorite::loopnest
