// The blocks of the LLVM function under construction.
//
// The entry block holds allocas and what is computed once; the exit block returns.

#include "backends/llvm/emit/function_frame.h"

#include <llvm/IR/MDBuilder.h>

namespace fluorite::backends {

using llvm::Value;

FunctionFrame::FunctionFrame(const ModuleContext &m, ValueCache &values, llvm::Function *function)
    : m_(m), b_(m.b), values_(values), function_(function),
      entry_(llvm::BasicBlock::Create(m.context, "entry", function)) {
    llvm::BasicBlock *body = llvm::BasicBlock::Create(m_.context, "body", function_);
    exit_ = llvm::BasicBlock::Create(m_.context, "exit", function_);
    b_.SetInsertPoint(body);
}

void FunctionFrame::finish_entry() {
    b_.SetInsertPoint(entry_);
    b_.CreateBr(entry_->getNextNode());
}

llvm::BasicBlock *FunctionFrame::new_block(const char *name) {
    return llvm::BasicBlock::Create(m_.context, name, function_, exit_);
}

llvm::BasicBlock *FunctionFrame::new_cold_block(const char *name) {
    return llvm::BasicBlock::Create(m_.context, name, function_);
}

void FunctionFrame::branch_cold(Value *condition, llvm::BasicBlock *usual, llvm::BasicBlock *rare) {
    b_.CreateCondBr(condition, usual, rare, llvm::MDBuilder(m_.context).createBranchWeights(1U << 20, 1));
}

llvm::AllocaInst *FunctionFrame::entry_alloca(llvm::Type *type, uint64_t count, uint64_t alignment, const char *name) {
    llvm::IRBuilder<> entry(entry_, entry_->begin());
    auto *memory = entry.CreateAlloca(llvm::ArrayType::get(type, count), nullptr, name);
    memory->setAlignment(llvm::Align(alignment));
    return memory;
}

void FunctionFrame::emit_unlock() {
    if (held_lock_) {
        b_.CreateAlignedStore(b_.getInt32(0), held_lock_, llvm::Align(4))->setAtomic(llvm::AtomicOrdering::Release);
    }
}

void FunctionFrame::release_lock() {
    emit_unlock();
    held_lock_ = nullptr;
}

} // namespace fluorite::backends
