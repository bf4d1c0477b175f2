#pragma once
// Index expressions as sums of products, and facts about an index that follow from its expression alone. Nothing here
// emits instructions.

#include "ir/expr_node.h"

#include <llvm/ADT/SmallVector.h>

#include <optional>

namespace llvm {
class Value;
}

namespace fluorite::backends {

/// LinearIndex is a scalar 64-bit index: constant + the sum over the terms of coefficient * product of factors. The
/// factors are i64 values. `depth` is the control scope in which a term becomes known: terms of outer scopes are added
/// first, so that loop-invariant parts of addresses stay together.
struct LinearTerm {
    llvm::SmallVector<llvm::Value *, 2> factors;
    int64_t coefficient = 1;
    int depth = 0;
};
struct LinearIndex {
    llvm::SmallVector<LinearTerm, 4> terms;
    int64_t constant = 0;
    /// Whether the sum is the value of an Int32 expression, which does not overflow. A sum of two indices need not be.
    bool is_int32 = false;
    bool is_constant() const { return terms.empty(); }
};
/// a + scale * b.
LinearIndex add(LinearIndex a, const LinearIndex &b, int64_t scale);
LinearIndex multiply(const LinearIndex &a, const LinearIndex &b);
/// Whether the product has few enough terms and factors to be represented as a sum.
bool can_multiply(const LinearIndex &a, const LinearIndex &b);

/// Lanes base, base + stride, ...
struct RampIndex {
    LinearIndex base, stride;
    int lanes = 1;
};

/// Bounds of the difference between adjacent lanes of an index. lane_steps() returns nothing if they are not known.
struct LaneSteps {
    int64_t least = 0, most = 0;
};
std::optional<LaneSteps> lane_steps(const Expr &index);
/// Whether an index may wrap in its own width. This can only happen if it depends on values from memory and is not a
/// sum of coordinates and small values.
bool index_may_wrap(const Expr &index);
/// The largest step of the ramps in an index that consists of integer arithmetic on ramps and uniform values, if it is
/// at most 8: neighbours that are mirrored or wrapped mostly remain close to each other. Otherwise 0.
int64_t folded_step(const Expr &index);

} // namespace fluorite::backends
