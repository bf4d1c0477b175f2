#pragma once
// Atomic updates. Knows which of them are instructions and which need a lock.

#include "backends/llvm/emit/memory/access_checks.h"
#include "backends/llvm/emit/memory/addresses.h"

namespace fluorite::backends {

class Statements;
struct AtomicUpdate;

class Atomics {
  public:
    Atomics(const ModuleContext &m, FunctionFrame &frame, ValueCache &values, Buffers &buffers, Addresses &addresses,
            AccessChecks *checks, Expressions &expressions, Statements &statements)
        : m_(m), b_(m.b), frame_(frame), values_(values), buffers_(buffers), addresses_(addresses), checks_(checks),
          expressions_(expressions), statements_(statements) {}

    void emit(const ir::Atomic &node);

  private:
    void emit_locked(const ir::Atomic &node);
    void emit_store(const ir::Store &store);
    void update_lane(const AtomicUpdate &update, const ir::Store &store, llvm::Value *at, llvm::Value *operand);
    llvm::Value *updated(const AtomicUpdate &update, const ir::Store &store, llvm::Value *old, llvm::Value *operand);

    const ModuleContext &m_;
    llvm::IRBuilder<> &b_;
    FunctionFrame &frame_;
    ValueCache &values_;
    Buffers &buffers_;
    Addresses &addresses_;
    AccessChecks *checks_; // null where accesses are not checked
    Expressions &expressions_;
    Statements &statements_;
};

} // namespace fluorite::backends
