// Only this file knows which back ends make code of kernels. A target with several devices means CUDA's: a program that
// can choose at run time asks which devices there are, and names one.

#include "driver/device_code.h"

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
    throw CompileError("not-built", "in " + module.entry().name + ": no back end makes kernels yet");
    return module;
}

} // namespace fluorite::driver
