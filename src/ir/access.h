#pragma once
// Which expressions read a place: a value of a Func, an element of an input, or one of memory.

#include "ir/expr_node.h"

namespace fluorite::ir {

inline bool is_access(ExprKind kind) {
    return kind == ExprKind::Call || kind == ExprKind::Image || kind == ExprKind::Load;
}
inline bool is_access(const Expr &expr) { return is_access(expr->kind()); }

} // namespace fluorite::ir
