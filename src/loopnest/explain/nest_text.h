#pragma once
// A bounded loop nest as text, with all that it says.

#include "loopnest/loop_nest.h"

#include <string>

namespace fluorite::loopnest {

/// Nests that lowering cannot tell apart have equal texts. For tests and for who looks for a difference; users read
/// loop_nest_text and bounds_text (print_loop_nest.h).
std::string to_text(const BoundedLoopNest &nest);

} // namespace fluorite::loopnest
