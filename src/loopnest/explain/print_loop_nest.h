#pragma once
#include "schedule/schedule.h"

#include <string>

namespace fluorite::loopnest {

/// The loop nest of a scheduled pipeline as indented pseudo-code, with a line for each allocate, store, produce,
/// consume, prefetch and loop. Loops whose ranges are constants show them, e.g.
///   produce f:
///     parallel y.yo:
///       for x:
///         f(...) = ...
std::string loop_nest_text(const schedule::ScheduledGraph &pipeline);

/// For the Func of that name: which consumers need which region of it, and what is computed and stored as a result.
std::string bounds_text(const schedule::ScheduledGraph &pipeline, const std::string &func);

} // namespace fluorite::loopnest
