#pragma once
// Random iterated pipelines: stencils, time tiles, schedules of bodies (--iterate).

#include "options.h"

namespace fluorite::fuzz::iterations {

/// Runs the cases of the options, each in a process of its own. Returns the exit code: 0 if all agree, 1 for failures
/// and for refusals that refusals.def does not allow.
int run(const Options &options);

} // namespace fluorite::fuzz::iterations
