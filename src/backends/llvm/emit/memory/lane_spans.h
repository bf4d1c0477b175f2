#pragma once
// Loads of lanes that are close together: whole registers, and one permutation. Knows which permutations the target
// has.

#include "backends/llvm/emit/linear_index.h"
#include "backends/llvm/emit/memory/lane_accesses.h"

#include <optional>

namespace fluorite::backends {

class LaneSpans {
  public:
    LaneSpans(const ModuleContext &m, FunctionFrame &frame, Buffers &buffers, LaneAccesses &lanes)
        : m_(m), b_(m.b), arith_(m.arith), frame_(frame), buffers_(buffers), lanes_(lanes) {}

    /// The elements at base + offsets (counted in elements), where `index` is the expression of the offsets. Null if
    /// they are not known to lie close together, and not likely to, or the target has no permutation for them.
    llvm::Value *load(Type type, const ir::Symbol &symbol, llvm::Value *base, llvm::Value *offsets, const Expr &index);

  private:
    /// The sources of one permutation that yields `lanes` lanes: `registers` registers of `width` elements each.
    /// `as_words`: bytes are permuted as 16-bit words. `in_blocks`: they are what aligned blocks of 128 bits hold.
    struct SpanShape {
        int lanes = 0, width = 0, registers = 1;
        bool as_words = false, in_blocks = false;
    };
    std::optional<SpanShape> span_shape(Type type, const LaneSteps &steps) const;
    llvm::Value *permuted(llvm::ArrayRef<llvm::Value *> registers, llvm::Value *order);
    llvm::Value *load_span(Type type, const ir::Symbol &symbol, llvm::Value *base, llvm::Value *offsets,
                           const LaneSteps &steps, const SpanShape &shape, bool is_certain);
    llvm::Value *load_group(Type type, const ir::Symbol &symbol, llvm::Value *base, llvm::Value *own,
                            llvm::Value *lowest, llvm::Value *highest, const SpanShape &shape);

    llvm::Value *load_in_blocks(Type type, const ir::Symbol &symbol, llvm::Value *base, llvm::Value *own,
                                llvm::Value *lowest, llvm::Value *highest);
    bool has_blocks() const;

    const ModuleContext &m_;
    llvm::IRBuilder<> &b_;
    Arith &arith_;
    FunctionFrame &frame_;
    Buffers &buffers_;
    LaneAccesses &lanes_;
};

} // namespace fluorite::backends
