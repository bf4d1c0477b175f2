#pragma once
// Bounds of an expression under a condition.

#include "analysis/interval.h"

namespace fluorite::analysis {

/// Bounds of an Int32 `expr` (which must be what the condition guards) over the points of a scope where `condition`
/// holds: the result of bounds_of, narrowed by each comparison of the condition that shares terms with the expression.
/// An undefined condition always holds. Where no point satisfies the condition, the interval is arbitrary.
Interval bounds_where(const Expr &expr, const Expr &condition, BoundsFinder &over);

} // namespace fluorite::analysis
