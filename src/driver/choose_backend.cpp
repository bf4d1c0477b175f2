// The one place that knows which back ends there are. LLVM makes code for every target; which ones it has a code
// generator for, it says itself.

#include "driver/choose_backend.h"

#include "backends/llvm/llvm_backend.h"

namespace fluorite::driver {

const backends::Backend &backend_for(const Target &) { return backends::llvm_backend(); }

} // namespace fluorite::driver
