// The exits of a function of the host.
//
// The exit block frees the blocks that the function kept for loops and returns the code. A way out of the function
// first releases a held lock, then passes the cleanup blocks of the path that ir::ExitPaths gives for it. Cleanup
// blocks are created on demand: most functions have no exit other than their end.

#include "backends/llvm/emit/host_frame.h"

#include "backends/llvm/emit/calls/c_calls.h"

#include <algorithm>

namespace fluorite::backends {

using llvm::Value;

HostFrame::HostFrame(const ModuleContext &m, ValueCache &values, llvm::Function *function)
    : FunctionFrame(m, values, function) {
    result_ = llvm::PHINode::Create(m_.i32, 2, "code", exit_);
    user_context_ = llvm::ConstantPointerNull::get(llvm::PointerType::get(m_.context, 0));
}

void HostFrame::finish(Value *code) {
    leave(code);
    b_.SetInsertPoint(exit_);
    for (Value *pointer : freed_at_exit_) {
        call_runtime(m_, "fluorite_free", m_.none, {user_context_, b_.CreateLoad(m_.ptr, pointer)});
    }
    b_.CreateRet(result_);
    finish_entry();
}

/// Creates the blocks of new paths.
void HostFrame::make_cleanups() {
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
void HostFrame::branch_to(int path, Value *code) {
    const bool is_end = path == ir::ExitPaths::end;
    const Cleanup to = is_end ? Cleanup{exit_, result_} : cleanups_[static_cast<size_t>(path)];
    to.code->addIncoming(code, b_.GetInsertBlock());
    b_.CreateBr(to.block);
}

void HostFrame::leave(Value *code) {
    emit_unlock();
    const int path = exits_.here();
    make_cleanups();
    branch_to(path, code);
}

void HostFrame::require(Value *condition, const std::function<Value *()> &failure) {
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

void HostFrame::open_block(const ir::Symbol &buffer, Value *block, Memory memory) {
    exits_.open(buffer);
    open_blocks_[buffer] = {block, memory};
}

/// Frees memory; the value is the code of the runtime, or null if that cannot fail.
Value *HostFrame::free_open(const Open &open) {
    if (open.memory == Memory::Device) {
        return call_runtime(m_, "fluorite_device_mirror_end", m_.i32, {user_context_, open.block});
    }
    call_runtime(m_, "fluorite_free", m_.none, {user_context_, open.block});
    return nullptr;
}

void HostFrame::close_block(const ir::Symbol &buffer) {
    Value *code = free_open(open_blocks_.at(buffer));
    exits_.close(buffer);
    open_blocks_.erase(buffer);
    if (code) {
        require(b_.CreateICmpEQ(code, b_.getInt32(0)), [&] { return code; });
    }
}

} // namespace fluorite::backends
