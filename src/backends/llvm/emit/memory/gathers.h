#pragma once
// Loads of lanes at arbitrary addresses. Knows when the processor's gathers are worth their cost.

#include "backends/llvm/emit/memory/lane_accesses.h"

namespace fluorite::backends {

class Gathers {
  public:
    Gathers(const ModuleContext &m, const FunctionFrame &frame, const ValueCache &values, Buffers &buffers,
            LaneAccesses &lanes)
        : m_(m), b_(m.b), arith_(m.arith), frame_(frame), values_(values), buffers_(buffers), lanes_(lanes) {}

    /// The elements at base + offsets (counted in elements, Int32 or Int64), zero in inactive lanes; all lanes are
    /// active without a mask. `index` is the expression of the offsets, undefined for a ramp.
    llvm::Value *load(Type type, const ir::Symbol &symbol, llvm::Value *base, llvm::Value *offsets, llvm::Value *mask,
                      const Expr &index);

  private:
    bool prefers_gather(const Expr &index) const;
    bool may_leave_loop(const Expr &index) const;
    llvm::Value *wide_gather(llvm::Type *vector, llvm::Value *addresses, llvm::Align alignment, llvm::Value *mask,
                             const ir::Symbol &symbol);

    const ModuleContext &m_;
    llvm::IRBuilder<> &b_;
    Arith &arith_;
    const FunctionFrame &frame_;
    const ValueCache &values_;
    Buffers &buffers_;
    LaneAccesses &lanes_;
};

} // namespace fluorite::backends
