#pragma once
// Kernels: what loops over blocks of a device hold, as functions of their own.

#include "lowering/pass_context.h"

#include <vector>

namespace fluorite::lowering {

/// Takes the nests of loops over blocks out of the statement; a Launch remains in each. `args` are those of the entry.
/// The kernels are appended. Throws CompileError for what a device cannot run; see outline_kernels.cpp.
ir::Stmt outline_kernels(const ir::Stmt &stmt, const std::vector<ir::LoweredArg> &args, const PassContext &context,
                         std::vector<ir::LoweredFunc> &kernels);

} // namespace fluorite::lowering
