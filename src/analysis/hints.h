#pragma once
// Hints: conditions that a program or a pass declares likely.

#include "ir/expr_node.h"

namespace fluorite::analysis {

inline bool is_hint(const Expr &expr) {
    return expr->kind() == ir::ExprKind::Likely || expr->kind() == ir::ExprKind::LikelyIfInnermost;
}

/// Removes hints: likely(x) becomes x.
inline Expr strip_hints(const Expr &expr) {
    return ir::transform(expr, [](const Expr &node) { return is_hint(node) ? Expr(node->arg(0)) : node; });
}

} // namespace fluorite::analysis
