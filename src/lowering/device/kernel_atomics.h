#pragma once
// Atomic updates in kernels.

#include "ir/stmt.h"

namespace fluorite::lowering {

/// Makes every atomic update of a kernel one of a single element, which a device does without a lock; see
/// kernel_atomics.cpp. Throws CompileError [gpu-not-possible], in the name of the loop over blocks, where that is not
/// possible. Before threads are fused.
ir::Stmt place_atomics(const ir::Stmt &body, const ir::Symbol &loop);

} // namespace fluorite::lowering
