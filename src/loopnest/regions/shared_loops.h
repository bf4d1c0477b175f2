#pragma once
// Loops that stages share (compute_with), over the union of their ranges.

#include "loopnest/regions/region_memo.h"

namespace fluorite::loopnest {

/// Where the Func at this position of LoweringGraph::order is the first of a group that shares loops, all of which have
/// their regions: puts the shared loops in place of their own.
/// `memo` may be null.
void share_loops(SiteViews &views, size_t position, RegionMemo *memo);

} // namespace fluorite::loopnest
