#pragma once
// LocatedExpr: an operand with the location in the user's program where it was passed, so that an error in an operator
// or a call names the user's line.

#include "fluorite/require_cxx17.h"

#include "fluorite/errors.h"
#include "fluorite/expr.h"

#include <string>
#include <type_traits>
#include <utility>

namespace fluorite {

namespace detail {
/// Types with a value in an algorithm. Texts have none; they are parts of print and require.
template <typename T>
inline constexpr bool is_valued =
    std::is_convertible_v<const T &, Expr> && !std::is_convertible_v<const T &, std::string>;
/// Types with a function that makes their value for a location.
template <typename T, typename = Expr> inline constexpr bool has_as_expr = false;
template <typename T>
inline constexpr bool has_as_expr<T, decltype(std::declval<const T &>().as_expr(std::declval<const Location &>()))> =
    true;

/// The value as an Expr. A type that may have no value (an RVar without domain, ...) reports an error at the location.
template <typename T> Expr expr_at(const T &value, const Location &place) {
    if constexpr (has_as_expr<T>) {
        return value.as_expr(place);
    } else {
        return Expr(value);
    }
}

} // namespace detail

/// An index and its source location.
struct LocatedIndex {
    /// Of any integer type but bool and characters.
    template <typename T, std::enable_if_t<detail::is_whole<T>, int> = 0>
    LocatedIndex(T index, // NOLINT(google-explicit-constructor)
                 const Location &place = Location::current())
        : value(static_cast<int64_t>(index)), location(place) {}

    int64_t value;
    Location location;
};

/// An operand. Implicitly constructed from whatever converts to Expr (Var, RVar, Param, Func and Buffer calls...), and
/// from C++ integers of any width and doubles, which take the type of the other operand (fluorite/ops.h).
class LocatedExpr {
  public:
    /// From anything that has a value; from C++ numbers, which adapt to the type of the other operand.
    template <typename T, std::enable_if_t<detail::is_valued<T> && !std::is_integral_v<T>, int> = 0>
    LocatedExpr(const T &value, // NOLINT(google-explicit-constructor)
                const Location &place = Location::current())
        : expr(detail::expr_at(value, place)), location(place) {}

    /// A C++ number, which adapts to the type of the other operand.
    template <typename T, std::enable_if_t<std::is_integral_v<T>, int> = 0>
    LocatedExpr(T value, // NOLINT(google-explicit-constructor)
                const Location &place = Location::current())
        : location(place), is_literal(true) {
        set_literal(static_cast<int64_t>(value), std::is_unsigned_v<T> && static_cast<int64_t>(value) < 0);
    }

    /// A C++ number, which adapts to the type of the other operand.
    template <typename T, std::enable_if_t<std::is_floating_point_v<T> && !std::is_same_v<T, float>, int> = 0>
    LocatedExpr(T value, // NOLINT(google-explicit-constructor)
                const Location &place = Location::current())
        : expr(static_cast<double>(value)), location(place), is_literal(true) {}

    /// A value with the location that errors name.
    LocatedExpr(const Expr &value, const Location &location) : expr(value), location(location) {}

    Expr expr;
    Location location;
    bool is_literal = false; // a C++ number: adapts to the type of the other operand

    /// The value as an independent Expr: Int32 for integers that fit, float64 for doubles.
    operator const Expr &() const { return expr; } // NOLINT(google-explicit-constructor)

  private:
    void set_literal(int64_t value, bool too_large);
};

} // namespace fluorite
