#pragma once
// The runtime in static libraries (backends/llvm/archives.h).

#include "fluorite/target.h"

#include <string>

namespace fluorite::driver {

/// The archive of the runtime, which stands beside this library. Throws CompileError [not-built] if it does not; `who`
/// asks for it.
std::string runtime_archive(const std::string &who);
/// The static library of a function, with the members of the runtime. A linker takes those that it needs from one of
/// the libraries of a program. Without them if the target has no_runtime, or is another than the machine of this
/// library. Throws CompileError [not-built] if the runtime is not beside this library.
std::string with_runtime(const std::string &archive, const Target &target, const std::string &function);

} // namespace fluorite::driver
