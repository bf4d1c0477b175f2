#pragma once
// Libraries that a program of Generators loads first.

#include <string>

namespace fluorite::generators {

/// Loads a shared library, whose static objects may register Generators: a path, or a name that the loader searches,
/// with or without `lib` and `.so`. The libraries of Halide's autoschedulers are accepted and not loaded, as their
/// names mean the scheduler of this library. Throws CompileError [generator-plugin].
void load_plugin(const std::string &name);

} // namespace fluorite::generators
