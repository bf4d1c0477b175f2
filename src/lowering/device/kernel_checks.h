#pragma once
// What a kernel may hold, and its checks.

#include "lowering/device/grid.h"

#include <vector>

namespace fluorite::lowering {

struct CheckedKernel {
    ir::Stmt body;                // undefined if nothing is left to compute
    std::vector<ir::Stmt> before; // checks of the host, before the launch
};

/// Moves checks to the host where it can make them, and lets the others report what a device can report; see
/// kernel_checks.cpp. Throws CompileError [gpu-not-possible] for what a device cannot do. Before threads are fused.
CheckedKernel place_checks(const Grid &grid, const PassContext &context);

} // namespace fluorite::lowering
