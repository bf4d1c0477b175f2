#pragma once
// The monotonicity of an expression in one variable.

#include "ir/expr_node.h"

namespace fluorite::analysis {

enum class Monotonic : uint8_t { Constant, Increasing, Decreasing, Unknown }; // in the wide sense

/// The monotonicity of an integer expression in index arithmetic; Unknown where the analysis cannot decide.
Monotonic monotonic_in(const Expr &expr, const ir::Symbol &variable);

} // namespace fluorite::analysis
