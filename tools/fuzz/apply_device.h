#pragma once
// Loops over blocks and threads of a GPU.

#include "build.h"

namespace fluorite::fuzz {

/// Marks loops of a finished schedule as blocks and threads, as the genome's seed for them says; nothing without one.
/// What the library refuses is recorded as a refused directive.
void apply_device(const Genome &genome, Program &program);

} // namespace fluorite::fuzz
