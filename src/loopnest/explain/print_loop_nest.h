#pragma once
#include "schedule/schedule.h"

#include <string>

namespace fluorite::loopnest {

/// The loops of a scheduled pipeline as indented pseudo-code: produce, consume, store and loop lines without bounds,
/// e.g.
///   produce f:
///     parallel y.yo:
///       for x:
///         f(...) = ...
std::string loop_nest_text(const schedule::ScheduledGraph &pipeline);

/// For a Func by name: which consumer asks for which region of it, and what is computed and stored in the end.
std::string bounds_text(const schedule::ScheduledGraph &pipeline, const std::string &func);

} // namespace fluorite::loopnest
