#pragma once
// The boxes that prefetch directives ask for.

#include "loopnest/regions/regions.h"
#include "loopnest/regions/site_views.h"

namespace fluorite::loopnest {

/// Sets Regions::prefetches; all else is known.
void infer_prefetches(const SiteViews &views, Regions &out);

} // namespace fluorite::loopnest
