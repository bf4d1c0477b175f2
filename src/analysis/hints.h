#pragma once
// Hints: conditions that a program or a pass declares likely.

#include "ir/expr_traits.h"

namespace fluorite::analysis {

inline bool is_hint(const Expr &expr) { return ir::is_hint(expr->kind()); }

/// Removes hints: likely(x) becomes x.
inline Expr strip_hints(const Expr &expr) {
    return ir::transform(expr, [](const Expr &node) { return is_hint(node) ? Expr(node->arg(0)) : node; });
}

} // namespace fluorite::analysis
