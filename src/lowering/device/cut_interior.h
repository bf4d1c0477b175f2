#pragma once
// Kernels with a body of their own for blocks in the interior.

#include "lowering/device/kernel_memory.h"

namespace fluorite::lowering {

/// A body that chooses, by the indices of its block, one without what only blocks at boundaries need; see
/// cut_interior.cpp. The body as it is where there is nothing to choose. After threads are fused; hints stay.
ir::Stmt cut_interior(const ir::Stmt &body, const KernelIndices &indices, const PassContext &context);

} // namespace fluorite::lowering
