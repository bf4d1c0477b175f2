#pragma once
// Indices as polynomials over leaves that are neither sums nor products, so that the distance of two indices is found
// independently of how they are written. Values that depend on memory are leaves, as their arithmetic wraps.

#include "ir/expr_node.h"

#include <map>
#include <optional>

namespace fluorite::lowering {

class IndexForms {
  public:
    /// to - from, if it is constant.
    std::optional<int64_t> distance(const Expr &to, const Expr &from);
    /// The leaf in to - from, if this is a constant plus a nonzero multiple of one leaf; else undefined.
    Expr leaf_between(const Expr &to, const Expr &from);
    /// Whether `to` has greater coordinates of the buffer than `from`, outermost dimension first; they are equal, or
    /// less, if not. Nothing if they differ by more than multiples of the buffer's strides.
    std::optional<bool> is_after(const Expr &to, const Expr &from, const ir::Symbol &buffer);

  private:
    using Factors = std::vector<int>; // sorted leaves; none for the constant
    using Form = std::map<Factors, int64_t>;
    ir::ExprMap<int> leaves_;
    std::vector<Expr> by_number_;
    ir::ExprMap<Form> forms_;

    Form difference(const Expr &to, const Expr &from);
    const Form &form_of(const Expr &index);
    Form make_form(const Expr &index);
    Form leaf(const Expr &index);
};

/// Whether an expression is a stride of the buffer, a multiple of one, or a nonzero constant, so that different
/// coordinates along its dimension have different addresses.
bool is_stride_of(const Expr &stride, const ir::Symbol &buffer);

} // namespace fluorite::lowering
