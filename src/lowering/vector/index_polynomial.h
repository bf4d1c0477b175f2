#pragma once
// Indices as polynomials over what is no sum or product, so that those that differ by a constant are told, in whatever
// order they are written. Values that depend on memory are leaves, as their arithmetic wraps.

#include "ir/expr_node.h"

#include <map>
#include <optional>

namespace fluorite::lowering {

class IndexForms {
  public:
    /// to - from, where that is a constant.
    std::optional<int64_t> distance(const Expr &to, const Expr &from);
    /// The leaf of to - from, where that is a constant and a multiple (not zero) of one leaf; else undefined.
    Expr leaf_between(const Expr &to, const Expr &from);

  private:
    using Factors = std::vector<int>; // leaves, sorted; none: the constant
    using Form = std::map<Factors, int64_t>;
    ir::ExprMap<int> leaves_;
    std::vector<Expr> by_number_;
    ir::ExprMap<Form> forms_;

    Form difference(const Expr &to, const Expr &from);
    const Form &form_of(const Expr &index);
    Form make_form(const Expr &index);
    Form leaf(const Expr &index);
};

/// Whether an expression is a stride of the buffer, or a multiple of one, or a constant but zero: coordinates that
/// differ in this dimension alone are different places.
bool is_stride_of(const Expr &stride, const ir::Symbol &buffer);

} // namespace fluorite::lowering
