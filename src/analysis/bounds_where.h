#pragma once
// Bounds of an expression where a condition holds.

#include "analysis/interval.h"

namespace fluorite::analysis {

/// Bounds of an Int32 `expr` (which must be what the condition guards) over the points of a scope where `condition`
/// holds: those of bounds_of, narrowed by each comparison of the condition that shares terms with the expression. An
/// undefined condition always holds. Where no point satisfies the condition the interval is any.
Interval bounds_where(const Expr &expr, const Expr &condition, BoundsFinder &over);

} // namespace fluorite::analysis
