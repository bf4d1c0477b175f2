#pragma once
#include "loopnest/loop_nest.h"
#include "lowering/from_nest/entry_checks.h"

namespace fluorite::lowering {

/// Builds the loop nest of the whole pipeline over the inferred regions; see build_loops.cpp.
ir::Stmt build_loops(const loopnest::BoundedLoopNest &nest, const EntryChecks &checks, const PassContext &context);

} // namespace fluorite::lowering
