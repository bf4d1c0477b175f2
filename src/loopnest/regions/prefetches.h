#pragma once
// The boxes of prefetch directives.

#include "loopnest/regions/regions.h"
#include "loopnest/regions/site_views.h"

namespace fluorite::loopnest {

/// Sets Regions::prefetches; the storage and loops of all Funcs must be known.
Verdict infer_prefetches(const SiteViews &views, Regions &out);

} // namespace fluorite::loopnest
