#pragma once
// Applies directives of a genome to a program.

#include "build.h"

namespace fluorite::fuzz {

/// Applies all directives in order and records the results in the program. A directive that the library refuses with a
/// CompileError is skipped; any other failure is a fault of the library.
void apply_schedule(const Genome &genome, Program &program);

} // namespace fluorite::fuzz
