#include "backends/llvm/device/kernel_frame.h"

namespace fluorite::backends {

using llvm::Value;

void KernelFrame::finish() {
    b_.CreateBr(exit_);
    b_.SetInsertPoint(exit_);
    b_.CreateRetVoid();
    finish_entry();
}

void KernelFrame::report_unless(Value *condition, Value *failure_word, uint32_t number) {
    llvm::BasicBlock *after = new_block("holds"), *failed = new_cold_block("failed");
    branch_cold(condition, after, failed);
    b_.SetInsertPoint(failed);
    constexpr auto order = llvm::AtomicOrdering::Monotonic;
    b_.CreateAtomicCmpXchg(failure_word, b_.getInt32(0), b_.getInt32(number), llvm::Align(4), order, order);
    b_.CreateBr(after);
    b_.SetInsertPoint(after);
}

} // namespace fluorite::backends
