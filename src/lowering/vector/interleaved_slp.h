#pragma once
// Values that lie interleaved in memory, computed as they lie.

#include "ir/expr_node.h"

#include <span>

namespace fluorite::lowering {

/// Lane i of the result is lane i / n of value i mod n, for n values. Where that costs no more than what the values
/// compute one by one, the result computes all of them at once; else it is a shuffle of them. `vector_bits`: a register
/// of the target.
Expr interleaved_slp(std::span<const Expr> values, int vector_bits);

} // namespace fluorite::lowering
