#pragma once
// The LLVM function under construction: its blocks, its stack memory, the loops that are open, and its exits. Knows
// nothing of expressions and statements.

#include "backends/llvm/emit/module_context.h"
#include "backends/llvm/emit/value_cache.h"
#include "ir/memory.h"

#include <functional>
#include <vector>

namespace fluorite::backends {

class FunctionFrame {
  public:
    /// Creates the blocks of an empty function and sets the insertion point to its beginning. `values` learns of the
    /// control scopes that exits open.
    FunctionFrame(const ModuleContext &m, ValueCache &values, llvm::Function *function);
    /// Returns `code` from the insertion point and completes the function.
    void finish(llvm::Value *code);

    /// The context that runtime functions receive; null unless it is set.
    llvm::Value *context() const { return user_context_; }
    void set_context(llvm::Value *context) { user_context_ = context; }

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

    // ---- Exits.

    /// Frees the open heap blocks and returns `code` from the function. Afterwards the current block is terminated.
    void leave(llvm::Value *code);
    /// Continues if the condition holds; otherwise `failure` computes the error code in a cold block, which leaves.
    void require(llvm::Value *condition, const std::function<llvm::Value *()> &failure);
    /// Where the memory of an allocation is that exits free.
    enum class Memory : uint8_t {
        Heap,  // a block
        Device // a fluorite_device_mirror_t
    };
    /// Until close_block, exits free this memory.
    void open_block(const ir::Symbol &buffer, llvm::Value *block, Memory memory = Memory::Heap);
    /// Frees the memory of `buffer` now.
    void close_block(const ir::Symbol &buffer);
    /// Every exit frees the block that the stack memory `pointer` points to by then.
    void free_at_exit(llvm::Value *pointer) { freed_at_exit_.push_back(pointer); }
    /// Until release_lock, exits release this spin lock.
    void hold_lock(llvm::Value *lock) { held_lock_ = lock; }
    void release_lock();

  private:
    /// A block to which exits branch: it frees, and continues with the next one of the path.
    struct Cleanup {
        llvm::BasicBlock *block = nullptr;
        llvm::PHINode *code = nullptr; // that the function returns
    };
    void make_cleanups();
    void branch_to(int path, llvm::Value *code);
    void emit_unlock();

    const ModuleContext &m_;
    llvm::IRBuilder<> &b_;
    ValueCache &values_;
    llvm::Function *const function_;
    llvm::BasicBlock *entry_ = nullptr, *exit_ = nullptr;
    llvm::PHINode *result_ = nullptr;
    llvm::Value *user_context_ = nullptr;
    std::vector<int> loops_; // the control scopes of the open loops
    ir::ExitPaths exits_;
    std::vector<Cleanup> cleanups_; // of the paths
    struct Open {
        llvm::Value *block = nullptr;
        Memory memory = Memory::Heap;
    };
    llvm::Value *free_open(const Open &open);
    ir::SymbolMap<Open> open_blocks_;
    std::vector<llvm::Value *> freed_at_exit_;
    llvm::Value *held_lock_ = nullptr;
};

} // namespace fluorite::backends
