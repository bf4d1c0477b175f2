// Only this file knows which back ends exist. The LLVM back end serves every target; it refuses targets for which it
// has no code generator.

#include "driver/choose_backend.h"

#include "backends/llvm/llvm_backend.h"

namespace fluorite::driver {

const backends::Backend &backend_for(const Target &) { return backends::llvm_backend(); }

} // namespace fluorite::driver
