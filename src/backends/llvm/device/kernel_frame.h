#pragma once
// A kernel under construction. A thread ends at the end of its code only: others of its block may wait for it.

#include "backends/llvm/emit/function_frame.h"

namespace fluorite::backends {

class KernelFrame : public FunctionFrame {
  public:
    KernelFrame(const ModuleContext &m, ValueCache &values, llvm::Function *function)
        : FunctionFrame(m, values, function) {}

    /// Ends the thread at the insertion point and completes the function.
    void finish();
    /// Stores `number` to the failure word, unless there is another one, if the condition does not hold. Goes on.
    void report_unless(llvm::Value *condition, llvm::Value *failure_word, uint32_t number);
};

} // namespace fluorite::backends
