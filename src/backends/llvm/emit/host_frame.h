#pragma once
// A function of the host under construction, with the exits that it has. It returns an error code or 0.

#include "backends/llvm/emit/function_frame.h"
#include "ir/memory.h"

#include <functional>

namespace fluorite::backends {

class HostFrame : public FunctionFrame {
  public:
    HostFrame(const ModuleContext &m, ValueCache &values, llvm::Function *function);
    /// Returns `code` from the insertion point and completes the function.
    void finish(llvm::Value *code);

    /// The context that runtime functions receive; null unless it is set.
    llvm::Value *context() const { return user_context_; }
    void set_context(llvm::Value *context) { user_context_ = context; }

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

  private:
    /// A block to which exits branch: it frees, and continues with the next one of the path.
    struct Cleanup {
        llvm::BasicBlock *block = nullptr;
        llvm::PHINode *code = nullptr; // that the function returns
    };
    void make_cleanups();
    void branch_to(int path, llvm::Value *code);

    llvm::PHINode *result_ = nullptr;
    llvm::Value *user_context_ = nullptr;
    ir::ExitPaths exits_;
    std::vector<Cleanup> cleanups_; // of the paths
    struct Open {
        llvm::Value *block = nullptr;
        Memory memory = Memory::Heap;
    };
    llvm::Value *free_open(const Open &open);
    ir::SymbolMap<Open> open_blocks_;
    std::vector<llvm::Value *> freed_at_exit_;
};

} // namespace fluorite::backends
