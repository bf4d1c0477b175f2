#pragma once
// Automatic schedules of cases.

#include "build.h"

namespace fluorite::fuzz {

/// Finds and applies the genome's automatic schedule, if it has one. Leaves the pipeline as it is where sizes are
/// missing: those of inputs that are not bound.
/// Whether the schedule that the library finds is one for a device; else loops of one for processors become blocks and
/// threads (apply_device.h).
bool is_planned_for_device(const Genome &genome);
void apply_automatic(const Genome &genome, Program &program);

} // namespace fluorite::fuzz
