#pragma once
// The memory of allocations. Knows which allocations are open and where their memory is.

#include "backends/llvm/emit/host_frame.h"
#include "backends/llvm/emit/memory/buffers.h"

#include <vector>

namespace fluorite::backends {

class Expressions;
class KernelCalls;
class Statements;

class Allocations {
  public:
    Allocations(const ModuleContext &m, HostFrame &frame, ValueCache &values, Buffers &buffers,
                Expressions &expressions, Statements &statements, KernelCalls &kernels)
        : m_(m), b_(m.b), frame_(frame), values_(values), buffers_(buffers), expressions_(expressions),
          statements_(statements), kernels_(kernels) {}

    /// Emits the body with the buffer in scope. The body frees its memory.
    void allocate(const ir::Allocate &node);
    /// Ends the life of an allocation. A heap block is freed; a slot or a block on the stack becomes available to the
    /// next allocation.
    void free(const ir::Symbol &buffer);

  private:
    /// Memory of allocations inside a loop. It is kept from one iteration to the next and freed when the function
    /// returns.
    struct Slot {
        llvm::Value *pointer = nullptr, *size = nullptr;
        llvm::MDNode *alias = nullptr; // shared by all buffers that use the slot one after the other
    };
    void note_elements(const ir::Allocate &node, llvm::Value *bytes, Buffer &made);
    void allocate_on_device(const ir::Allocate &node);
    llvm::AllocaInst *stack_block(const ir::Allocate &node, int64_t elements);
    Slot &slot(int number);
    llvm::Value *slot_block(const ir::Allocate &node, const Slot &slot, llvm::Value *bytes);
    llvm::Value *checked_malloc(const std::string &name, llvm::Value *bytes);
    llvm::Value *allocation_bytes(const ir::Allocate &node);

    const ModuleContext &m_;
    llvm::IRBuilder<> &b_;
    HostFrame &frame_;
    ValueCache &values_;
    Buffers &buffers_;
    Expressions &expressions_;
    Statements &statements_;
    KernelCalls &kernels_;
    std::vector<Slot> slots_; // by number; those that have been used
    /// Of each allocation that is in use and has no block of its own on the heap: its block on the stack, or null.
    ir::SymbolMap<llvm::AllocaInst *> kept_;
};

} // namespace fluorite::backends
