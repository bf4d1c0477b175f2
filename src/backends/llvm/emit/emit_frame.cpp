// The LLVM function under construction: its blocks, control scopes and exits.
//
// A frame is a function under construction. Its entry block holds allocas and what is computed once; its exit block
// frees the slots of loops and returns the code. A way out of the function first passes the cleanup blocks of all heap
// blocks whose scope is open, from the innermost one outward. Cleanup blocks are created on demand: most functions have
// no exit other than their end.
//
// A control scope is the body of a loop or a branch. Values computed in it are forgotten at its end (value_cache.h).

#include "backends/llvm/emit/emitter.h"

namespace fluorite::backends {

using llvm::Value;

void Emitter::begin_frame(llvm::Function *function) {
    frame_ = Frame();
    frame_.function = function;
    frame_.entry = llvm::BasicBlock::Create(context_, "entry", function);
    llvm::BasicBlock *body = llvm::BasicBlock::Create(context_, "body", function);
    frame_.exit = llvm::BasicBlock::Create(context_, "exit", function);
    b_.SetInsertPoint(frame_.exit);
    frame_.result = b_.CreatePHI(i32_, 2, "code");
    b_.SetInsertPoint(body);
    frame_.context = llvm::ConstantPointerNull::get(llvm::PointerType::get(context_, 0));
}

void Emitter::end_frame() {
    if (frame_.has_streams) {
        order_streams();
    }
    leave(frame_.calls_extern ? runtime_call("fluorite_extern_function_status", i32_, {}) : b_.getInt32(0));
    b_.SetInsertPoint(frame_.exit);
    for (const Slot &slot : frame_.slots) {
        runtime_call("fluorite_free", void_, {frame_.context, b_.CreateLoad(ptr_, slot.pointer)});
    }
    b_.CreateRet(frame_.result);
    b_.SetInsertPoint(frame_.entry);
    b_.CreateBr(frame_.entry->getNextNode());
}

void Emitter::push_scope() { frame_.values.open_scope(); }

void Emitter::pop_scope() {
    for (auto &[symbol, found] : frame_.buffers) {
        if (found.header && found.host && found.depth == frame_.values.depth()) {
            found.host = nullptr;
        }
    }
    frame_.values.close_scope();
}

llvm::BasicBlock *Emitter::new_block(const char *name) {
    return llvm::BasicBlock::Create(context_, name, frame_.function, frame_.exit);
}

llvm::AllocaInst *Emitter::entry_alloca(llvm::Type *type, uint64_t count, uint64_t alignment, const char *name) {
    llvm::IRBuilder<> entry(frame_.entry, frame_.entry->begin());
    auto *memory = entry.CreateAlloca(llvm::ArrayType::get(type, count), nullptr, name);
    memory->setAlignment(llvm::Align(alignment));
    return memory;
}

void Emitter::make_cleanups() {
    const llvm::IRBuilderBase::InsertPointGuard guard(b_);
    for (size_t i = 0; i < frame_.live.size(); i++) {
        Live &live = frame_.live[i];
        if (live.cleanup) {
            continue;
        }
        live.cleanup = llvm::BasicBlock::Create(context_, "cleanup", frame_.function);
        b_.SetInsertPoint(live.cleanup);
        live.code = b_.CreatePHI(i32_, 2);
        runtime_call("fluorite_free", void_, {frame_.context, live.block});
        (i == 0 ? frame_.result : frame_.live[i - 1].code)->addIncoming(live.code, live.cleanup);
        b_.CreateBr(i == 0 ? frame_.exit : frame_.live[i - 1].cleanup);
    }
}

void Emitter::leave(Value *code) {
    release_lock();
    make_cleanups();
    const bool is_free = frame_.live.empty();
    (is_free ? frame_.result : frame_.live.back().code)->addIncoming(code, b_.GetInsertBlock());
    b_.CreateBr(is_free ? frame_.exit : frame_.live.back().cleanup);
}

void Emitter::branch_cold(Value *condition, llvm::BasicBlock *usual, llvm::BasicBlock *rare) {
    b_.CreateCondBr(condition, usual, rare, metadata_.createBranchWeights(1U << 20, 1));
}

void Emitter::require(Value *condition, const std::function<Value *()> &failure) {
    if (auto *known = llvm::dyn_cast<llvm::ConstantInt>(condition); known && known->isOne()) {
        return;
    }
    llvm::BasicBlock *after = new_block("holds");
    llvm::BasicBlock *failed = llvm::BasicBlock::Create(context_, "failed", frame_.function);
    branch_cold(condition, after, failed);
    b_.SetInsertPoint(failed);
    push_scope();
    leave(failure());
    pop_scope();
    b_.SetInsertPoint(after);
}

} // namespace fluorite::backends
