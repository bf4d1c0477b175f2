#pragma once
// The additional work of checked code (Target::Checked). Knows the valid elements of buffers.

#include "backends/llvm/emit/host_frame.h"
#include "backends/llvm/emit/memory/buffers.h"

namespace fluorite::backends {

class Expressions;

class AccessChecks {
  public:
    AccessChecks(const ModuleContext &m, HostFrame &frame, Buffers &buffers, Expressions &expressions)
        : m_(m), b_(m.b), frame_(frame), buffers_(buffers), expressions_(expressions) {}

    /// Leaves with an error if the index of an active lane is outside of the buffer.
    void check_access(const ir::Symbol &symbol, const Expr &index, const Expr &predicate);

  private:
    const ModuleContext &m_;
    llvm::IRBuilder<> &b_;
    HostFrame &frame_;
    Buffers &buffers_;
    Expressions &expressions_;
};

/// Fills newly allocated memory with a pattern.
void poison(const ModuleContext &m, llvm::Value *block, llvm::Value *bytes);

} // namespace fluorite::backends
