#pragma once
// Operations on vectors that preserve Ramp and Broadcast, so that dense accesses are recognized.

#include "ir/expr_node.h"

#include <optional>

namespace fluorite::lowering {

/// The use of an expression: an Index may be rewritten as if signed overflow did not occur; a Value wraps.
enum class Use : uint8_t { Value, Index };

/// Like make_binary, but folds constants and moves the operation into the operands of Ramps and Broadcasts.
Expr vector_binary(ir::ExprKind kind, const Expr &a, const Expr &b, Use use);
inline Expr index_binary(ir::ExprKind kind, const Expr &a, const Expr &b) {
    return vector_binary(kind, a, b, Use::Index);
}
/// Like make_cast; as an Index, widening a signed Ramp gives a Ramp of the wider type.
Expr vector_cast(Type type, const Expr &value, Use use);
/// A Ramp, or a Broadcast if the stride is zero.
Expr vector_ramp(const Expr &base, const Expr &stride, int lanes);

/// One lane as a scalar.
Expr extract_lane(const Expr &vector, int lane);
/// The lanes of one group of a vector of groups of `lanes` lanes: the part of one iteration in a vector whose elements
/// are vectors themselves.
Expr extract_group(const Expr &vector, int group, int lanes);
/// A vector of `groups` groups with each group repeated `times` times in a row.
Expr repeat_groups(const Expr &vector, int groups, int times);

/// Whether each lane of the result depends only on the same lane of each operand, through at most a few instructions.
bool is_lanewise(ir::ExprKind kind);

/// Joins nested Ramps that continue each other, Ramp(Ramp(b, s, n), Broadcast(n * s, n), k) --> Ramp(b, s, n * k), and
/// nested Broadcasts; other expressions are returned unchanged.
Expr joined(const Expr &vector);

/// Rebuilds an index bottom up with the functions above.
Expr normalize_index(const Expr &index);
/// A load of a vector, with its index normalized; any other node is returned unchanged.
Expr with_normal_index(const Expr &node);

/// The constant `divisor`, if it is positive and divides the stride of `ramp`, a Ramp of index arithmetic. All lanes
/// have the same remainder then, and the quotients are a Ramp: floor((b + i s) / c) = floor(b / c) + i (s / c).
std::optional<int64_t> divisor_of_stride(const Expr &ramp, const Expr &divisor);

} // namespace fluorite::lowering
