#pragma once

#include "backends/backend.h"

#include <string>

namespace fluorite::backends {

/// Writes C source. For this process, the command `compiler` compiles it, such as "cc -std=gnu99 -O1", to which options
/// and files are appended; what it prints is in the message of the CompileError [c-compiler] that it fails with.
const Backend &c_backend(const std::string &compiler);

} // namespace fluorite::backends
