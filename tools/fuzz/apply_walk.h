#pragma once
// Applies the walk of a genome to a program.

#include "build.h"

namespace fluorite::fuzz {

/// `Pipeline({f, g})`, of the outputs.
std::string pipeline_text(const Genome &genome);
/// Starts from the default tree of the program's pipeline, skips illegal steps, and applies the schedule of the final
/// tree. A CompileError from applying it is a fault of the library, because the tree is legal.
void apply_walk(const Genome &genome, Program &program);

} // namespace fluorite::fuzz
