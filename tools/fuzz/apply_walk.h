#pragma once
// The walk of a genome on a program.

#include "build.h"

namespace fluorite::fuzz {

/// Goes from the default tree of the program's pipeline, leaves out steps that are not legal, and applies the schedule
/// of the tree that it comes to. CompileError of the latter is the library's fault: the tree was legal.
void apply_walk(const Genome &genome, Program &program);

} // namespace fluorite::fuzz
