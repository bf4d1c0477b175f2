#pragma once
// Lanes of kernels without masks.

#include "ir/stmt.h"

namespace fluorite::lowering {

/// Branches around statements with masked lanes, so that they run without the mask where it holds in all lanes; see
/// unmask_lanes.cpp.
ir::Stmt unmask_lanes(const ir::Stmt &kernel);

} // namespace fluorite::lowering
