#pragma once
// Operations on vectors that keep Ramp and Broadcast in sight, so that dense accesses stay recognizable.

#include "ir/expr_node.h"

namespace fluorite::lowering {

/// What an expression is used for: an Index may be rewritten as if signed overflow did not happen, a Value wraps.
enum class Use : uint8_t { Value, Index };

/// Like make_binary, but folds constants and moves the operation into the operands of Ramps and Broadcasts.
Expr vector_binary(ir::ExprKind kind, const Expr &a, const Expr &b, Use use);
/// Like make_cast; as an Index, widening a signed Ramp gives a Ramp of the wider type.
Expr vector_cast(Type type, const Expr &value, Use use);
/// A Ramp, or a Broadcast where the stride is zero.
Expr vector_ramp(const Expr &base, const Expr &stride, int lanes);

/// One lane as a scalar.
Expr extract_lane(const Expr &vector, int lane);
/// Of a vector of groups of `lanes` lanes, the lanes of one group: what one iteration has of a value that is a vector
/// itself.
Expr extract_group(const Expr &vector, int group, int lanes);
/// Of a vector of `groups` groups of lanes, the vector in which each group is repeated `times` times in its place.
Expr repeat_groups(const Expr &vector, int groups, int times);

/// Whether a lane of the result is made from the same lane of each operand, by an instruction or a few.
bool is_lanewise(ir::ExprKind kind);

/// Ramps that continue each other are one: Ramp(Ramp(b, s, n), Broadcast(n * s, n), k) --> Ramp(b, s, n * k); so are
/// copies of copies. The expression itself where it is neither.
Expr joined(const Expr &vector);

/// Rebuilds an index bottom up with the functions above.
Expr normalize_index(const Expr &index);

} // namespace fluorite::lowering
