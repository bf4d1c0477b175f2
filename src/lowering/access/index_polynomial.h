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
    /// What `index` changes by when `var` grows by one, if that is the same for all values of `var`.
    std::optional<int64_t> step(const Expr &index, const ir::Symbol &var);
    /// An index without its constant, as a number: indices of one family differ by the difference of their offsets.
    struct Place {
        int family = 0;
        int64_t offset = 0;
    };
    Place place(const Expr &index);
    /// Whether `to` has greater coordinates of the buffer than `from`, outermost dimension first; they are equal, or
    /// less, if not. Nothing if they differ by more than multiples of the buffer's strides.
    std::optional<bool> is_after(const Expr &to, const Expr &from, const ir::Symbol &buffer);

  private:
    using Factors = std::vector<int>; // sorted leaves; none for the constant
    using Form = std::map<Factors, int64_t>;
    ir::ExprMap<int> leaves_;
    std::vector<Expr> by_number_;
    ir::ExprMap<Form> forms_;
    std::map<Form, int> families_;

    Form difference(const Expr &to, const Expr &from);
    const Form &form_of(const Expr &index);
    Form make_form(const Expr &index);
    Form leaf(const Expr &index);
};

} // namespace fluorite::lowering
