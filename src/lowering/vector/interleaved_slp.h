#pragma once
// Computation of values that are stored interleaved.

#include "ir/expr_node.h"

#include <span>

namespace fluorite::lowering {

/// Lane i of the result is lane i / n of value i mod n, for n values. If it costs no more than computing the values
/// separately, the result computes all of them at once; otherwise it is a shuffle of them. `vector_bits` is the size of
/// the target's registers.
Expr interleaved_slp(std::span<const Expr> values, int vector_bits);

} // namespace fluorite::lowering
