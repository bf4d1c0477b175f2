#pragma once
// The runtime as a file of its own.

#include "generator/file_kinds.h"

#include <string>
#include <vector>

namespace fluorite::generators {

/// Writes `prefix`.a, the archive of the runtime that programs with compiled functions link; of the kinds only a static
/// library has a meaning for it, and the others are left out. Returns its path. Throws CompileError [not-built] where
/// an object is asked for, or where this library was installed without the archive, and [cannot-write].
std::vector<std::string> write_runtime(const std::string &prefix, const std::vector<OutputFileType> &kinds);

/// Writes the archive. Throws CompileError [not-built] for a path that ends in .o, or where this library was installed
/// without the archive, and [cannot-write].
void write_runtime_to(const std::string &path);

} // namespace fluorite::generators
