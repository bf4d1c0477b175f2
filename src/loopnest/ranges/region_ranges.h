#pragma once
// The checks of a pipeline's arguments that exclude overflow in its coordinate arithmetic.

#include "loopnest/ranges/range_writer.h"
#include "loopnest/regions/regions.h"
#include "loopnest/regions/site_views.h"

namespace fluorite::loopnest {

/// The program for Regions::ranges; all other fields must be set.
RangeProgram find_ranges(const SiteViews &views, const Regions &regions);

} // namespace fluorite::loopnest
