#pragma once
// Writes files atomically.

#include <string>

namespace fluorite {

/// Writes the bytes to `<path>.part` and renames that to `path`, so that no reader and no interrupted run sees a
/// partial file. A symbolic link stays, and the file it leads to is replaced; what is not a regular file (a terminal, a
/// pipe) is written in place. Returns false, leaving no partial file beside the target, if the file cannot be written.
[[nodiscard]] bool write_file(const std::string &path, const std::string &bytes);

} // namespace fluorite
