// Only this file knows which back ends make code of kernels. A target with several devices means CUDA's: a program that
// can choose at run time asks which devices there are, and names one.

#include "driver/device_code.h"

#include "backends/llvm/device/cuda_code.h"
#include "backends/opencl/opencl_source.h"
#include "fluorite/device_target.h"
#include "ir/device_code.h"
#include "support/check.h"

#include <algorithm>

namespace fluorite::driver {

ir::LoweredModule with_device_code(ir::LoweredModule module, const Target &target) {
    const bool has_kernels = std::any_of(module.funcs.begin(), module.funcs.end(),
                                         [](const ir::LoweredFunc &func) { return !func.is_of_host(); });
    if (!has_kernels || !target.has_gpu_feature()) {
        return module;
    }
    const DeviceAPI api = get_default_device_api_for_target(target);
    if (api != DeviceAPI::CUDA && api != DeviceAPI::OpenCL) {
        throw CompileError("not-built",
                           "in " + module.entry().name + ": kernels are made for CUDA and OpenCL, and the target " +
                               target.to_string() + " names another device; give it one of these features");
    }
    module.device_code = std::make_shared<const ir::DeviceCode>(
        api == DeviceAPI::CUDA ? backends::cuda_code(module, target) : backends::opencl_code(module, target));
    return module;
}

} // namespace fluorite::driver
