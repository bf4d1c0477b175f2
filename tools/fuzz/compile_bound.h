#pragma once
// How long the compilation of a case may take.

#include "schedule/schedule.h"

#include <cstddef>

namespace fluorite::fuzz {

/// The size of a pipeline as it is scheduled: distinct expression nodes after inlining, each as often as unrolling and
/// vectors copy it at most.
size_t size_of(const schedule::ScheduledGraph &pipeline);

/// Seconds of processor time that a pipeline of this size may take to compile.
double most_seconds(size_t size);

/// Seconds of processor time that this process has taken.
double processor_seconds();

} // namespace fluorite::fuzz
