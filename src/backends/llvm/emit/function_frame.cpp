// The LLVM function under construction: its blocks and exits.
//
// The entry block holds allocas and what is computed once; the exit block frees the blocks that the function kept for
// loops and returns the code. A way out of the function first releases a held lock, then passes the cleanup blocks of
// the path that ir::ExitPaths gives for it. Cleanup blocks are created on demand: most functions have no exit other
// than their end.

#include "backends/llvm/emit/function_frame.h"

#include "backends/llvm/emit/calls/c_calls.h"

#include <llvm/IR/MDBuilder.h>

#include <algorithm>

namespace fluorite::backends {

using llvm::Value;

FunctionFrame::FunctionFrame(const ModuleContext &m, ValueCache &values, llvm::Function *function)
    : m_(m), b_(m.b), values_(values), function_(function),
      entry_(llvm::BasicBlock::Create(m.context, "entry", function)) {
    llvm::BasicBlock *body = llvm::BasicBlock::Create(m_.context, "body", function_);
    exit_ = llvm::BasicBlock::Create(m_.context, "exit", function_);
    b_.SetInsertPoint(exit_);
    result_ = b_.CreatePHI(m_.i32, 2, "code");
    b_.SetInsertPoint(body);
    user_context_ = llvm::ConstantPointerNull::get(llvm::PointerType::get(m_.context, 0));
}

void FunctionFrame::finish(Value *code) {
    leave(code);
    b_.SetInsertPoint(exit_);
    for (Value *pointer : freed_at_exit_) {
        call_runtime(m_, "fluorite_free", m_.none, {user_context_, b_.CreateLoad(m_.ptr, pointer)});
    }
    b_.CreateRet(result_);
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

// ---- Exits.

/// Creates the blocks of new paths.
void FunctionFrame::make_cleanups() {
    const llvm::IRBuilderBase::InsertPointGuard guard(b_);
    while (cleanups_.size() < exits_.paths().size()) {
        const ir::ExitPaths::Path &path = exits_.paths()[cleanups_.size()];
        llvm::BasicBlock *block = new_cold_block("cleanup");
        b_.SetInsertPoint(block);
        llvm::PHINode *code = b_.CreatePHI(m_.i32, 2);
        free_open(open_blocks_.at(path.freed));
        branch_to(path.next, code);
        cleanups_.push_back({block, code});
    }
}

/// Goes from the insertion point to where a path begins.
void FunctionFrame::branch_to(int path, Value *code) {
    const bool is_end = path == ir::ExitPaths::end;
    const Cleanup to = is_end ? Cleanup{exit_, result_} : cleanups_[static_cast<size_t>(path)];
    to.code->addIncoming(code, b_.GetInsertBlock());
    b_.CreateBr(to.block);
}

void FunctionFrame::leave(Value *code) {
    emit_unlock();
    const int path = exits_.here();
    make_cleanups();
    branch_to(path, code);
}

void FunctionFrame::require(Value *condition, const std::function<Value *()> &failure) {
    if (auto *known = llvm::dyn_cast<llvm::ConstantInt>(condition); known && known->isOne()) {
        return;
    }
    llvm::BasicBlock *after = new_block("holds"), *failed = new_cold_block("failed");
    branch_cold(condition, after, failed);
    b_.SetInsertPoint(failed);
    values_.open_scope();
    leave(failure());
    values_.close_scope();
    b_.SetInsertPoint(after);
}

void FunctionFrame::open_block(const ir::Symbol &buffer, Value *block, Memory memory) {
    exits_.open(buffer);
    open_blocks_[buffer] = {block, memory};
}

/// Frees memory; the value is the code of the runtime, or null if that cannot fail.
Value *FunctionFrame::free_open(const Open &open) {
    if (open.memory == Memory::Device) {
        return call_runtime(m_, "fluorite_device_mirror_end", m_.i32, {user_context_, open.block});
    }
    call_runtime(m_, "fluorite_free", m_.none, {user_context_, open.block});
    return nullptr;
}

void FunctionFrame::close_block(const ir::Symbol &buffer) {
    Value *code = free_open(open_blocks_.at(buffer));
    exits_.close(buffer);
    open_blocks_.erase(buffer);
    if (code) {
        require(b_.CreateICmpEQ(code, b_.getInt32(0)), [&] { return code; });
    }
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
