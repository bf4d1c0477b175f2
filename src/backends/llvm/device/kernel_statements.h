#pragma once
// The statements that a kernel has of its own: memory of a thread or of its block, barriers, and checks.

#include "backends/llvm/device/kernel_frame.h"
#include "backends/llvm/emit/memory/buffers.h"
#include "backends/llvm/emit/statements.h"
#include "ir/device_code.h"

namespace fluorite::backends {

class KernelStatements : public MachineStatements {
  public:
    /// `shared` is how the kernel divides the memory of a block, `failures` are the texts of its checks.
    KernelStatements(const ModuleContext &m, KernelFrame &frame, ValueCache &values, Buffers &buffers,
                     Expressions &expressions, Statements &statements, const ir::SharedLayout &shared,
                     const std::vector<std::string> &failures)
        : m_(m), b_(m.b), frame_(frame), values_(values), buffers_(buffers), expressions_(expressions),
          statements_(statements), shared_(shared), failures_(failures) {}

    void emit(const ir::Stmt &stmt) override;
    /// Where failed checks store their number; null if the kernel has no checks.
    void set_failure_word(llvm::Value *word) { failure_word_ = word; }

  private:
    void allocate(const ir::Allocate &node);
    llvm::Value *in_block(const ir::SharedLayout::Part &part);
    llvm::AllocaInst *in_thread(const ir::Allocate &node);
    void barrier();
    void report(const ir::Assert &check);

    const ModuleContext &m_;
    llvm::IRBuilder<> &b_;
    KernelFrame &frame_;
    ValueCache &values_;
    Buffers &buffers_;
    Expressions &expressions_;
    Statements &statements_;
    const ir::SharedLayout &shared_;
    const std::vector<std::string> &failures_;
    llvm::Value *failure_word_ = nullptr;
};

} // namespace fluorite::backends
