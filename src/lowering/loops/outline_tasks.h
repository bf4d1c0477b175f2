#pragma once
#include "ir/lowered.h"

namespace fluorite::lowering {

/// Makes tasks of the entry's loops and of the bodies of parallel and forked loops; see outline_tasks.cpp. Takes a
/// module of one function in phase Lowered, and returns one in phase Outlined.
ir::LoweredModule outline_tasks(ir::LoweredModule module);

} // namespace fluorite::lowering
