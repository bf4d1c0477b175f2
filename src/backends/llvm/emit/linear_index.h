#pragma once
// Index expressions as sums of products, and what can be told of an index from its expression alone. Nothing here makes
// an instruction.

#include "ir/expr_node.h"

#include <llvm/ADT/SmallVector.h>

#include <optional>

namespace llvm {
class Value;
}

namespace fluorite::backends {

/// A scalar 64-bit address part: constant + sum of coefficient * product of factors. A factor is an i64 value, and
/// `depth` the control scope in which it becomes known; terms that are known further out are added first, so that
/// loop-invariant parts of addresses stay together.
struct LinearTerm {
    llvm::SmallVector<llvm::Value *, 2> factors; // in the order in which the index names them
    int64_t coefficient = 1;
    int depth = 0;
};
struct LinearIndex {
    llvm::SmallVector<LinearTerm, 4> terms;
    int64_t constant = 0;
    bool is_constant() const { return terms.empty(); }
};
/// a + scale * b.
LinearIndex add(LinearIndex a, const LinearIndex &b, int64_t scale);
LinearIndex multiply(const LinearIndex &a, const LinearIndex &b);
/// Whether the product is small enough to be written as a sum.
bool can_multiply(const LinearIndex &a, const LinearIndex &b);

/// Lanes base, base + stride, ...
struct RampIndex {
    LinearIndex base, stride;
    int lanes = 1;
};

/// By how much an index grows from one lane to the next: by `least` or more, `most` or less. Nothing where that is not
/// seen.
struct LaneSteps {
    int64_t least = 0, most = 0;
};
std::optional<LaneSteps> lane_steps(const Expr &index);
/// Whether an index may wrap in its own width: it comes from memory, and is no sum of coordinates and of what is small.
bool index_may_wrap(const Expr &index);
/// The longest step of a ramp that the lanes are made from by integer arithmetic alone, where it is 8 or less:
/// neighbours that are mirrored or wrapped mostly stay near each other. Else 0.
int64_t folded_step(const Expr &index);

} // namespace fluorite::backends
