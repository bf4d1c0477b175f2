#pragma once

#include "backends/backend.h"

namespace fluorite::driver {

/// The back end that makes code for the target.
const backends::Backend &backend_for(const Target &target);

} // namespace fluorite::driver
