#pragma once
// The kernels of a module as LLVM IR for NVIDIA's devices.

#include "fluorite/target.h"
#include "ir/device_code.h"

#include <llvm/IR/Module.h>

#include <vector>

namespace fluorite::backends {

/// Adds the kernels of the program to an LLVM module that has the data layout of its machine, and verifies it. Returns
/// what the host must know of each, in their order.
std::vector<ir::DeviceKernel> emit_kernels(llvm::Module &module, const ir::LoweredModule &program,
                                           const Target &target);

} // namespace fluorite::backends
