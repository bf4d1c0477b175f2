#pragma once
#include "ir/lowered.h"

namespace fluorite::lowering {

/// States of each function of a module which memory it keeps from one iteration of a loop to the next, and where each
/// allocation ends; see keep_memory.cpp. It has been decided where the memory is (place_memory).
ir::LoweredModule keep_memory(ir::LoweredModule module);

} // namespace fluorite::lowering
