#pragma once
// Tuple: several Exprs as the value of one Func.

#include "fluorite/require_cxx17.h"

#include "fluorite/expr.h"
#include "fluorite/located.h"

#include <vector>

namespace fluorite {

class FuncRef;

/// One or more values of possibly different types.
class Tuple {
  public:
    /// Of one value, of two or more, of a vector of them (throws CompileError [tuple-size] for none), or of all values
    /// of a call.
    explicit Tuple(const Expr &value) : values_{value} {}
    template <typename... Rest, std::enable_if_t<(std::is_convertible_v<Rest, Expr> && ...), int> = 0>
    Tuple(const Expr &first, const Expr &second, const Rest &...rest) : values_{first, second, Expr(rest)...} {}
    explicit Tuple(const std::vector<Expr> &values, const Location &location = Location::current());
    Tuple(const FuncRef &call); // NOLINT(google-explicit-constructor)
    // Copies only: what is moved from keeps its values.
    Tuple(const Tuple &) = default;
    Tuple &operator=(const Tuple &) = default;

    size_t size() const { return values_.size(); }
    /// Throws CompileError if there is no such element.
    Expr &operator[](const LocatedIndex &i) { return values_[checked(i)]; }
    const Expr &operator[](const LocatedIndex &i) const { return values_[checked(i)]; }
    const std::vector<Expr> &as_vector() const { return values_; }

  private:
    size_t checked(const LocatedIndex &i) const;
    std::vector<Expr> values_;
};

} // namespace fluorite
