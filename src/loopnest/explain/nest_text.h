#pragma once
// A bounded loop nest as text, complete.

#include "loopnest/loop_nest.h"

#include <string>

namespace fluorite::loopnest {

/// Nests that lowering cannot distinguish have equal texts. This is for tests and debugging; users read loop_nest_text
/// and bounds_text (print_loop_nest.h).
std::string to_text(const BoundedLoopNest &nest);

} // namespace fluorite::loopnest
