#pragma once
// Partial derivatives of the math functions.

#include "ir/expr_node.h"

namespace fluorite::language::derivative {

/// The partial derivative of a Math node in an operand, from the operands and the node itself; undefined where it is 0
/// everywhere, as of floor.
Expr math_partial(const Expr &node, size_t operand);

} // namespace fluorite::language::derivative
