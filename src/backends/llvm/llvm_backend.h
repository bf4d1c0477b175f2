#pragma once
// The LLVM back end: machine code in memory or in files. No LLVM type appears here.

#include "backends/backend.h"

namespace fluorite::backends {

const Backend &llvm_backend();

} // namespace fluorite::backends
