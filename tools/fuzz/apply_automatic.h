#pragma once
// Automatic schedules of cases.

#include "build.h"

namespace fluorite::fuzz {

/// Finds and applies the genome's automatic schedule, if it has one. Leaves the pipeline as it is where sizes are
/// missing: those of inputs that are not bound.
void apply_automatic(const Genome &genome, Program &program);

} // namespace fluorite::fuzz
