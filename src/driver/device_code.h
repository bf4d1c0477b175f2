#pragma once
// The kernels of a module, for the device that its target names.

#include "fluorite/target.h"
#include "ir/lowered.h"

namespace fluorite::driver {

/// The module with the code of its kernels, which the back end of the host embeds. Nothing is added if there are no
/// kernels, or if the target names no device. Throws CompileError for what the device cannot run.
ir::LoweredModule with_device_code(ir::LoweredModule module, const Target &target);

} // namespace fluorite::driver
