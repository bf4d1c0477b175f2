#pragma once
// Loops that stages share (compute_with), which range over the union of their ranges.

#include "loopnest/regions/region_memo.h"

namespace fluorite::loopnest {

/// If the Func at this position of LoweringGraph::order is the first of a group that shares loops, replaces the loops
/// of the group by shared ones; the regions of the whole group must be known. `memo` may be null.
void share_loops(SiteViews &views, size_t position, RegionMemo *memo);

} // namespace fluorite::loopnest
