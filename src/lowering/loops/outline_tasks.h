#pragma once
#include "ir/lowered.h"

namespace fluorite::lowering {

/// Makes tasks of what runs beside or apart from the entry; see outline_tasks.cpp. Takes a module of one function, in
/// phase Lowered, and gives one in phase Outlined.
ir::LoweredModule outline_tasks(ir::LoweredModule module);

} // namespace fluorite::lowering
