// The kernels of a module as one LLVM module.
//
// The emitter of the host's functions fills it by the machine model of devices (kernel_emitter.h). Names in PTX have
// letters, digits, `_` and `$` only. How many threads a block has is read off the launches, where it is constant.

#include "backends/llvm/device/emit_kernels.h"

#include "backends/llvm/codegen.h"
#include "backends/llvm/device/kernel_emitter.h"
#include "ir/expr_traits.h"
#include "support/check.h"

#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

#include <cctype>

namespace fluorite::backends {

using ir::LoweredFunc;
using ir::LoweredModule;

namespace {

/// The bytes of parameters that CUDA passes on every device; runtime/device/cuda.cpp refuses more.
constexpr int64_t most_parameter_bytes = 4096;

using Threads = std::optional<std::array<uint32_t, 3>>; // of a block, if they are constants

/// The kernels of a module, as a module, without what only the host has.
LoweredModule kernels_of(const LoweredModule &module) {
    LoweredModule result;
    for (const LoweredFunc &func : module.funcs) {
        if (func.kind == LoweredFunc::Kind::Kernel) {
            result.funcs.push_back(func);
        }
    }
    result.constants = module.constants;
    return result;
}

std::string device_name(const std::string &name, size_t number) {
    std::string result = concat("k", number, "_", name);
    for (char &letter : result) {
        letter = std::isalnum(static_cast<unsigned char>(letter)) ? letter : '_';
    }
    return result;
}

/// At least those of the kernel's parameters.
int64_t parameter_bytes(const LoweredFunc &kernel) {
    const int64_t every_kernel = 8 + 12; // the failure word, and blocks to add
    return 8 * static_cast<int64_t>(kernel.args.size()) + every_kernel;
}

/// Finds the launch of each kernel.
class LaunchedThreads : public ir::Visitor {
  public:
    explicit LaunchedThreads(const LoweredModule &module) {
        for (const LoweredFunc &func : module.funcs) {
            if (func.is_of_host() && func.body.defined()) {
                visit(func.body);
            }
        }
    }
    /// The threads of a block, if they are constants.
    Threads of(const LoweredFunc &kernel) const {
        const auto found = launches_.find(kernel.name);
        if (found == launches_.end()) {
            return std::nullopt;
        }
        std::array<uint32_t, 3> result{1, 1, 1};
        for (size_t axis = 0; axis < found->second->threads.size(); axis++) {
            int64_t count = 0;
            if (!ir::is_const_int(found->second->threads[axis], &count) || count < 1) {
                return std::nullopt;
            }
            result[axis] = static_cast<uint32_t>(count);
        }
        return result;
    }

  private:
    using Visitor::visit;
    void visit(const Expr &) override {}
    void visit(const ir::Stmt &stmt) override {
        if (const auto *launch = stmt.as<ir::Launch>()) {
            launches_[launch->task] = launch;
        }
        recurse(stmt);
    }
    std::map<std::string, const ir::Launch *> launches_;
};

void refuse_launch(const std::string &refusal) {
    if (!refusal.empty()) {
        throw CompileError("kernel-launch", refusal);
    }
}

/// Refuses blocks that no device launches, where their threads and their memory are constants; the launch refuses
/// others.
void require_launchable(const LoweredFunc &kernel, const Threads &threads, const ir::SharedLayout &shared) {
    if (threads) {
        const auto &[x, y, z] = *threads;
        refuse_launch(ir::refusal_of_block(kernel.name, {x, y, z}));
    }
    if (int64_t bytes = 0; !shared.is_empty() && ir::is_const_int(shared.bytes, &bytes)) {
        refuse_launch(ir::refusal_of_shared(kernel.name, bytes));
    }
}

std::vector<KernelToEmit> kernels_to_emit(const LoweredModule &module, const LoweredModule &kernels) {
    const LaunchedThreads launches(module);
    std::vector<KernelToEmit> result;
    for (const LoweredFunc &func : kernels.funcs) {
        ir::DeviceKernel device;
        device.name = device_name(func.name, result.size());
        device.packs_scalars = parameter_bytes(func) > most_parameter_bytes;
        device.failures = ir::failure_texts(func);
        const ir::SharedLayout shared = ir::shared_layout(func);
        const Threads threads = launches.of(func);
        require_launchable(func, threads, shared);
        device.uses_shared = !shared.is_empty();
        result.push_back({func, std::move(device), threads});
    }
    return result;
}

void verify(const llvm::Module &module, const std::string &name) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    check(!llvm::verifyModule(module, &stream), concat("LLVM finds the kernels of '", name, "' broken: ", text));
}

} // namespace

std::vector<ir::DeviceKernel> emit_kernels(llvm::Module &module, const LoweredModule &program, const Target &target) {
    const LoweredModule kernels = kernels_of(program);
    const std::string &name = program.entry().name;
    const machine::MachineModel machine = machine::device_model();
    const Target unchecked = target.without_feature(Target::Checked); // kernels have no way to report an access
    llvm::IRBuilder<> b(module.getContext());
    Lanes lanes(b, machine);
    Arith arith(b, lanes, machine);
    ModuleGlobals globals(module);
    const ModuleContext m{module, kernels, unchecked, machine, b, lanes, arith, globals};
    std::vector<ir::DeviceKernel> result;
    for (const KernelToEmit &kernel : kernels_to_emit(program, kernels)) {
        KernelEmitter(m, kernel).emit();
        result.push_back(kernel.device);
    }
    verify(module, name);
    size_t instructions = 0;
    for (const llvm::Function &function : module) {
        instructions += function.getInstructionCount();
    }
    check_size(name, instructions);
    return result;
}

} // namespace fluorite::backends
