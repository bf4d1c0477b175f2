#pragma once
// A check of what the late passes rely on beyond the invariants of ir/verify.h.

#include "ir/stmt.h"

namespace fluorite::lowering {

/// Throws InternalError if the simplifier would make the index of a load or store smaller: passes that recognize access
/// patterns by their indices would miss such an access, and nothing else would fail.
void verify_simplified(const ir::Stmt &stmt);

} // namespace fluorite::lowering
