#pragma once
// Neighbours of which the first ones are accessed, where the processor has no masked access of their type.

#include "backends/llvm/emit/memory/buffers.h"

#include <map>

namespace fluorite::backends {

class PrefixAccesses {
  public:
    PrefixAccesses(const ModuleContext &m, FunctionFrame &frame, Buffers &buffers)
        : m_(m), b_(m.b), frame_(frame), buffers_(buffers) {}

    /// How many lanes of the mask are active, 0 to all, as 64 bits, where these are the first ones; null for any other
    /// mask, and where the lanes are too few to gain from it.
    llvm::Value *count(llvm::Value *mask);
    /// The first `count` elements at the address, in memory representation, and zeros.
    llvm::Value *load(Type type, const ir::Symbol &symbol, llvm::Value *at, llvm::Value *count);
    /// Stores the first `count` elements of a vector in memory representation.
    void store(Type type, const ir::Symbol &symbol, llvm::Value *stored, llvm::Value *at, llvm::Value *count);

  private:
    struct Branches {
        llvm::BasicBlock *whole, *part, *after;
    };
    llvm::Value *first_lanes(llvm::Value *mask);
    Branches branch_whole(llvm::Value *count, int lanes);
    llvm::Value *slot(uint64_t bytes);
    void copy(Type type, const ir::Symbol &symbol, llvm::Value *to, llvm::Value *from, llvm::Value *count,
              bool is_load);

    const ModuleContext &m_;
    llvm::IRBuilder<> &b_;
    FunctionFrame &frame_;
    Buffers &buffers_;
    std::map<uint64_t, llvm::Value *> slots_; // by size
};

} // namespace fluorite::backends
