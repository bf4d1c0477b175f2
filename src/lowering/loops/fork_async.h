#pragma once
#include "loopnest/loop_nest.h"
#include "lowering/pass_context.h"

namespace fluorite::lowering {

/// Makes the production of each async Func a task; see fork_async.cpp. Takes flat IR.
ir::Stmt fork_async(const ir::Stmt &stmt, const loopnest::BoundedLoopNest &nest, const PassContext &context);

} // namespace fluorite::lowering
