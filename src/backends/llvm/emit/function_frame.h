#pragma once
// The LLVM function under construction: its blocks, its stack memory, the loops that are open, and the lock that it
// holds. How a function ends is up to the machine that runs it (host_frame.h, device/kernel_frame.h). Knows nothing of
// expressions and statements.

#include "backends/llvm/emit/module_context.h"
#include "backends/llvm/emit/value_cache.h"

#include <vector>

namespace fluorite::backends {

class FunctionFrame {
  public:
    // ---- Blocks and stack memory.

    llvm::BasicBlock *new_block(const char *name);
    /// A block that is rarely reached; it follows the rest of the function.
    llvm::BasicBlock *new_cold_block(const char *name);
    void branch_cold(llvm::Value *condition, llvm::BasicBlock *usual, llvm::BasicBlock *rare);
    /// The block that allocates stack memory and computes what is computed once.
    llvm::BasicBlock *entry() const { return entry_; }
    llvm::AllocaInst *entry_alloca(llvm::Type *type, uint64_t count, uint64_t alignment, const char *name);

    // ---- Loops.

    /// Opens a loop whose body is the innermost control scope.
    void enter_loop() { loops_.push_back(values_.depth()); }
    void leave_loop() { loops_.pop_back(); }
    bool is_in_loop() const { return !loops_.empty(); }
    /// The control scope of the innermost loop; the outermost scope if there is none.
    int loop_depth() const { return loops_.empty() ? 0 : loops_.back(); }

    // ---- Locks.

    /// Until release_lock, exits release this spin lock.
    void hold_lock(llvm::Value *lock) { held_lock_ = lock; }
    void release_lock();

  protected:
    /// Creates the blocks of an empty function and sets the insertion point to its beginning. `values` learns of the
    /// control scopes that exits open.
    FunctionFrame(const ModuleContext &m, ValueCache &values, llvm::Function *function);
    ~FunctionFrame() = default;
    /// Completes the block `entry`, after everything else.
    void finish_entry();
    void emit_unlock();

    const ModuleContext &m_;
    llvm::IRBuilder<> &b_;
    ValueCache &values_;
    llvm::BasicBlock *exit_ = nullptr; // the last block, which returns

  private:
    llvm::Function *const function_;
    llvm::BasicBlock *entry_ = nullptr;
    std::vector<int> loops_; // the control scopes of the open loops
    llvm::Value *held_lock_ = nullptr;
};

} // namespace fluorite::backends
