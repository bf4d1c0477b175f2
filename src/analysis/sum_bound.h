#pragma once
// Upper bounds of sums in which what is subtracted grows as what is added does.

#include "ir/expr_node.h"

#include <optional>

namespace fluorite::analysis {

/// The least constant known to bound an Int(32) expression from above, whatever the values of its variables.
std::optional<int64_t> constant_above(const Expr &expr);

} // namespace fluorite::analysis
