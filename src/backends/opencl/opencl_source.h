#pragma once
// The kernels of a module for OpenCL: a program in OpenCL C 1.2, which the device's driver builds.

#include "fluorite/target.h"
#include "ir/device_code.h"

namespace fluorite::backends {

/// The code of all kernels of the module; empty if there is none. Throws CompileError [not-built] for what kernels
/// cannot do on OpenCL.
ir::DeviceCode opencl_code(const ir::LoweredModule &module, const Target &target);

} // namespace fluorite::backends
