#pragma once
// Whole files or none.

#include <string>

namespace fluorite {

/// Puts the bytes into the file, beside its place first and then by a rename, so that no reader and no interrupted run
/// sees half of it. A symbolic link stays, and the file it leads to is replaced; what is not a regular file (a
/// terminal, a pipe) is written in place. False, with nothing left behind, if it cannot be written.
[[nodiscard]] bool write_file(const std::string &path, const std::string &bytes);

} // namespace fluorite
