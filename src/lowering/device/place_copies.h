#pragma once
// The memory of devices, and the copies between it and that of the host.

#include "lowering/pass_context.h"

#include <vector>

namespace fluorite::lowering {

/// Puts what only kernels access into the memory of the device, gives what the host accesses too a copy there, and says
/// before each access which copy has to be the newest. Kernels without a body are launched no more. `args` are those of
/// the entry. Throws CompileError [gpu-parallel-copies]; see place_copies.cpp.
ir::Stmt place_copies(const ir::Stmt &stmt, const std::vector<ir::LoweredFunc> &kernels,
                      const std::vector<ir::LoweredArg> &args, const PassContext &context);

} // namespace fluorite::lowering
