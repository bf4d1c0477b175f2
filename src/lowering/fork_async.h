#pragma once
#include "lowering/pass_context.h"
#include "lowering/regions.h"

namespace fluorite::lowering {

/// Gives each async Func a task of its own; see fork_async.cpp. Takes flat IR.
ir::Stmt fork_async(const ir::Stmt &stmt, const Working &working, const Placement &placement, const Regions &regions,
                    const PassContext &context);

} // namespace fluorite::lowering
