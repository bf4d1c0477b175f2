#pragma once
// Operators and functions whose operands are Exprs exactly, for programs with number classes of their own: complex,
// dual or fixed-point numbers that are implicitly made of an Expr. Beside such a class, `a + b` of two Exprs could as
// well mean the program's operator, because ours take LocatedExpr, which an Expr is converted to. The overloads below
// need no conversion for an Expr, so they are the better match, and give what the others give.
//
// Halide.h includes this file; other programs do if they have such a class, as there is a price: what converts an
// operand also records where it stands, and an operator has no other way to know. So the errors of an operator name no
// line if both operands are Exprs (one is undefined, or they are texts). == and != are left out: C++20 also tries them
// with their operands exchanged.

#include "fluorite/require_cxx17.h"

#include "fluorite/math.h"
#include "fluorite/ops.h"

#include <type_traits>

namespace fluorite {

namespace detail {
template <typename... E> using IfExprs = std::enable_if_t<(std::is_same_v<E, Expr> && ...), int>;

/// An operand that is no Expr, and its location.
struct OperandBesideExpr {
    template <typename T,
              std::enable_if_t<is_valued<T> && !std::is_same_v<T, Expr> && !std::is_same_v<T, LocatedExpr>, int> = 0>
    OperandBesideExpr(const T &value, // NOLINT(google-explicit-constructor)
                      const Location &place = Location::current())
        : operand(value, place) {}
    LocatedExpr operand;
};
} // namespace detail

#define FLUORITE_OPERATOR(op)                                                                                          \
    template <typename A, typename B, detail::IfExprs<A, B> = 0> Expr operator op(const A &a, const B &b) {            \
        return LocatedExpr(a, Location()) op LocatedExpr(b, Location());                                               \
    }                                                                                                                  \
    template <typename E, detail::IfExprs<E> = 0> Expr operator op(const E &a, const detail::OperandBesideExpr &b) {   \
        return LocatedExpr(a, b.operand.location) op b.operand;                                                        \
    }                                                                                                                  \
    template <typename E, detail::IfExprs<E> = 0> Expr operator op(const detail::OperandBesideExpr &a, const E &b) {   \
        return a.operand op LocatedExpr(b, a.operand.location);                                                        \
    }
FLUORITE_OPERATOR(+)
FLUORITE_OPERATOR(-)
FLUORITE_OPERATOR(*)
FLUORITE_OPERATOR(/)
FLUORITE_OPERATOR(%)
FLUORITE_OPERATOR(<)
FLUORITE_OPERATOR(<=)
FLUORITE_OPERATOR(>)
FLUORITE_OPERATOR(>=)
#undef FLUORITE_OPERATOR

/// As the function of LocatedExpr.
template <typename E, detail::IfExprs<E> = 0> Expr operator-(const E &a) { return -LocatedExpr(a, Location()); }

#define FLUORITE_FUNCTION(name)                                                                                        \
    template <typename E, detail::IfExprs<E> = 0> Expr name(const E &x, const Location &place = Location::current()) { \
        return name(LocatedExpr(x, place));                                                                            \
    }
FLUORITE_FUNCTION(abs)
FLUORITE_FUNCTION(sqrt)
FLUORITE_FUNCTION(sin)
FLUORITE_FUNCTION(cos)
FLUORITE_FUNCTION(tan)
FLUORITE_FUNCTION(asin)
FLUORITE_FUNCTION(acos)
FLUORITE_FUNCTION(atan)
FLUORITE_FUNCTION(sinh)
FLUORITE_FUNCTION(cosh)
FLUORITE_FUNCTION(tanh)
FLUORITE_FUNCTION(asinh)
FLUORITE_FUNCTION(acosh)
FLUORITE_FUNCTION(atanh)
FLUORITE_FUNCTION(exp)
FLUORITE_FUNCTION(log)
FLUORITE_FUNCTION(erf)
FLUORITE_FUNCTION(floor)
FLUORITE_FUNCTION(ceil)
FLUORITE_FUNCTION(round)
FLUORITE_FUNCTION(trunc)
FLUORITE_FUNCTION(fract)
#undef FLUORITE_FUNCTION

/// As the function of LocatedExpr.
template <typename E, detail::IfExprs<E> = 0> Expr pow(const E &x, const LocatedExpr &y) {
    return pow(LocatedExpr(x, y.location), y);
}
/// As the function of LocatedExpr.
template <typename Condition, typename A, typename B,
          std::enable_if_t<std::is_convertible_v<const Condition &, LocatedExpr> && std::is_same_v<A, Expr> &&
                               std::is_same_v<B, Expr>,
                           int> = 0>
Expr select(const Condition &condition, const A &a, const B &b, const Location &place = Location::current()) {
    return select(LocatedExpr(condition, place), LocatedExpr(a, place), LocatedExpr(b, place));
}

} // namespace fluorite
