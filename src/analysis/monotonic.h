#pragma once
// How an expression moves when one variable grows.

#include "ir/expr_node.h"

namespace fluorite::analysis {

enum class Monotonic : uint8_t { Constant, Increasing, Decreasing, Unknown }; // not strictly

/// In index arithmetic, for integer expressions; Unknown where it cannot tell.
Monotonic monotonic_in(const Expr &expr, const ir::Symbol &variable);

} // namespace fluorite::analysis
