#pragma once
// What has to be known of a pipeline's arguments so that no arithmetic on its coordinates overflows.

#include "loopnest/ranges/range_writer.h"
#include "loopnest/regions/regions.h"
#include "loopnest/regions/site_views.h"

namespace fluorite::loopnest {

/// The program for Regions::ranges, which is all that is not known yet.
RangeProgram find_ranges(const SiteViews &views, const Regions &regions);

} // namespace fluorite::loopnest
