// PTX of the kernels of a module: they are functions of one LLVM module (emit_kernels.h), which LLVM optimizes and
// prints (nvptx_machine.h).

#include "backends/llvm/device/cuda_code.h"

#include "backends/llvm/device/emit_kernels.h"
#include "backends/llvm/device/nvptx_machine.h"

#include <algorithm>

namespace fluorite::backends {

ir::DeviceCode cuda_code(const ir::LoweredModule &module, const Target &target) {
    ir::DeviceCode code;
    if (std::all_of(module.funcs.begin(), module.funcs.end(),
                    [](const ir::LoweredFunc &func) { return func.is_of_host(); })) {
        return code;
    }
    code.api = DeviceAPI::CUDA;
    const NvptxMachine nvptx(target);
    llvm::LLVMContext context;
    llvm::Module made(module.entry().name, context);
    nvptx.prepare(made);
    code.kernels = emit_kernels(made, module, target);
    nvptx.optimize(made);
    code.bytes = nvptx.ptx(made);
    return code;
}

} // namespace fluorite::backends
