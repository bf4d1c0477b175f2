#pragma once
// The runtime in static libraries (backends/llvm/archives.h).

#include "fluorite/target.h"

#include <string>

namespace fluorite::driver {

/// The archive of the runtime, which stands beside this library.
std::string runtime_path();
/// Its bytes. Throws CompileError [not-built] if it is not there; `who` asks for it.
std::string runtime_archive(const std::string &who, const std::string &path = runtime_path());
/// The static library of a function, with the members of the runtime. A linker takes those that it needs from one of
/// the libraries of a program. Without them if the target has no_runtime, or is another than the machine of this
/// library. Throws CompileError [not-built] if there is no runtime at `path`.
std::string with_runtime(const std::string &archive, const Target &target, const std::string &function,
                         const std::string &path = runtime_path());

} // namespace fluorite::driver
