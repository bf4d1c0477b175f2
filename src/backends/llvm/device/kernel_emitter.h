#pragma once
// The translation of one kernel to LLVM IR for NVIDIA's devices: owns the parts of the emitter that serve it and
// connects them.

#include "backends/llvm/device/kernel_statements.h"
#include "backends/llvm/emit/calls/math_calls.h"
#include "backends/llvm/emit/expressions.h"
#include "backends/llvm/emit/memory/accesses.h"
#include "backends/llvm/emit/memory/atomics.h"
#include "ir/device_code.h"

#include <array>

namespace fluorite::backends {

/// A kernel and what the module says of it elsewhere.
struct KernelToEmit {
    const ir::LoweredFunc &func;
    ir::DeviceKernel device;                          // as the host will know it
    std::optional<std::array<uint32_t, 3>> threads{}; // of a block, where they are constants
};

/// What a kernel may not have, because only the host can do it; lowering refuses it.
class KernelExpressions : public MachineExpressions {
  public:
    llvm::Value *value(const ir::ExprNode &node) override;
};

class KernelEmitter {
  public:
    /// Adds the function to the module.
    KernelEmitter(const ModuleContext &m, const KernelToEmit &kernel);
    KernelEmitter(const KernelEmitter &) = delete;

    /// Fills the function.
    void emit();

  private:
    struct Parameter {
        llvm::Type *type = nullptr;
        const ir::LoweredArg *arg = nullptr; // null for those that every kernel has
    };
    static std::vector<Parameter> parameters(const ModuleContext &m, const KernelToEmit &kernel);
    static llvm::Function *declare(const ModuleContext &m, const KernelToEmit &kernel,
                                   const std::vector<Parameter> &parameters);
    void annotate();
    std::vector<llvm::Value *> given();
    void bind_index(const ir::Symbol &symbol, llvm::Value *index);
    void bind();

    const ModuleContext &m_;
    const KernelToEmit &kernel_;
    const std::vector<Parameter> parameters_;
    llvm::Function *const function_;
    const ir::SharedLayout shared_;
    ValueCache values_;
    KernelFrame frame_;
    Buffers buffers_;
    Accesses accesses_;
    Atomics atomics_;
    MathCalls math_;
    KernelExpressions of_kernel_;
    KernelStatements by_kernel_;
    Expressions expressions_;
    Statements statements_;
};

} // namespace fluorite::backends
