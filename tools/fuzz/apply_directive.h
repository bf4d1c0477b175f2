#pragma once
// Directives of a genome on a program.

#include "build.h"

namespace fluorite::fuzz {

/// Applies all directives in order; fills in what the program says of them. A directive that the library refuses with a
/// CompileError is left out; everything else that goes wrong is the library's fault.
void apply_schedule(const Genome &genome, Program &program);

} // namespace fluorite::fuzz
