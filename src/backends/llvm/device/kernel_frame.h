#pragma once
// A kernel under construction. A thread ends at the end of its code, or where a check fails.

#include "backends/llvm/emit/function_frame.h"

namespace fluorite::backends {

class KernelFrame : public FunctionFrame {
  public:
    KernelFrame(const ModuleContext &m, ValueCache &values, llvm::Function *function)
        : FunctionFrame(m, values, function) {}

    /// Ends the thread at the insertion point and completes the function.
    void finish();
    /// Goes on if the condition holds; otherwise stores `number` to the failure word, unless the kernel has stored
    /// another one, and ends the thread.
    void require(llvm::Value *condition, llvm::Value *failure_word, uint32_t number);
};

} // namespace fluorite::backends
