#pragma once
// The order of dimensions in memory.

#include "schedule/schedule.h"

#include <vector>

namespace fluorite::schedule {

/// The dimensions of a Func in the order of its memory, innermost first: the order that reorder_storage states, or else
/// that of the definition.
std::vector<size_t> storage_order_of(const ir::FuncDef &func, const FuncSchedule &schedule);

} // namespace fluorite::schedule
