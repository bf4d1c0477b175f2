#pragma once
// Strides by their form. Different coordinates along a dimension have different addresses, as the stride is not zero.

#include "ir/expr_node.h"

namespace fluorite::lowering {

/// Whether an expression is a nonzero constant, or a stride of the buffer, or a nonzero multiple of one.
bool is_stride_of(const Expr &stride, const ir::Symbol &buffer);
/// Whether an expression is a nonzero constant, a stride of any buffer, or a product of these, and thus not zero.
bool is_nonzero_stride(const Expr &stride);

} // namespace fluorite::lowering
