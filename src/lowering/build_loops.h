#pragma once
#include "lowering/entry_checks.h"
#include "lowering/regions.h"

namespace fluorite::lowering {

/// The loop nest of the whole pipeline over the inferred regions; see build_loops.cpp.
ir::Stmt build_loops(const Working &working, const Placement &placement, const Regions &regions,
                     const EntryChecks &checks, const LowerOptions &options);

} // namespace fluorite::lowering
