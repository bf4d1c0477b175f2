#pragma once
#include "lowering/site.h"

namespace fluorite::lowering {

/// Gives each Func one place where its level means a loop of several stages; see compute_in_stages.cpp.
void compute_in_stages(Working &working);

} // namespace fluorite::lowering
