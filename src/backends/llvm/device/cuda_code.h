#pragma once
// The kernels of a module for CUDA, as a text in PTX, which the device's driver translates. No LLVM type appears here.

#include "fluorite/target.h"
#include "ir/device_code.h"

#include <span>
#include <utility>

namespace fluorite::backends {

/// The code of all kernels of the module, for the device that the target's features cuda_capability_* name, else for
/// those from compute capability 7.5 on. Empty if there is none. Throws CompileError [not-built] for what kernels
/// cannot do on CUDA.
ir::DeviceCode cuda_code(const ir::LoweredModule &module, const Target &target);

} // namespace fluorite::backends
