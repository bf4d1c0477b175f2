#pragma once
// Operators and functions on Exprs.
//
// Operand types are matched as follows. A C++ integer takes the other operand's type, which must be able to represent
// it (CompileError [literal-out-of-range]; floats round). A C++ double takes the other operand's type if that is a
// float; beside an integer it is a float32, and the operation is computed in float32. Otherwise: float with integer
// gives the float type; two floats give the wider; two unsigned, or two signed, integers give the wider; signed with
// unsigned gives a signed integer of the greater width.
//
// Integer arithmetic wraps in the result type. Division and modulo of integers round so that the remainder is never
// negative; by zero they give zero, and by the C++ number 0 they throw CompileError [division-by-zero].

#include "fluorite/require_cxx17.h"

#include "fluorite/float16.h"
#include "fluorite/located.h"
#include "fluorite/tuple.h"

#include <initializer_list>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace fluorite {

class Func;
class FuncRef;
class RVar;
class Var;

// ---- Arithmetic.
/// Sum, difference, product, quotient and remainder; see above for their types and rounding. Float results are rounded
/// once, to nearest even. The remainder of floats has the sign of b.
Expr operator+(const LocatedExpr &a, const LocatedExpr &b);
Expr operator-(const LocatedExpr &a, const LocatedExpr &b);
Expr operator*(const LocatedExpr &a, const LocatedExpr &b);
Expr operator/(const LocatedExpr &a, const LocatedExpr &b);
Expr operator%(const LocatedExpr &a, const LocatedExpr &b);
Expr operator-(const LocatedExpr &a);
Expr operator+(const LocatedExpr &a);
/// a = a + b, and so on: another Expr in the variable, as Exprs are immutable.
Expr &operator+=(Expr &a, const LocatedExpr &b);
Expr &operator-=(Expr &a, const LocatedExpr &b);
Expr &operator*=(Expr &a, const LocatedExpr &b);
Expr &operator/=(Expr &a, const LocatedExpr &b);

// ---- Comparison and logic.
/// Comparisons of numbers after matching their types, as Bool. NaN equals nothing, itself included.
Expr operator==(const LocatedExpr &a, const LocatedExpr &b);
Expr operator!=(const LocatedExpr &a, const LocatedExpr &b);
Expr operator<(const LocatedExpr &a, const LocatedExpr &b);
Expr operator<=(const LocatedExpr &a, const LocatedExpr &b);
Expr operator>(const LocatedExpr &a, const LocatedExpr &b);
Expr operator>=(const LocatedExpr &a, const LocatedExpr &b);
/// Of Bools; both sides may be computed, whatever the first one is. C++ converts no Expr to bool.
Expr operator&&(const LocatedExpr &a, const LocatedExpr &b);
Expr operator||(const LocatedExpr &a, const LocatedExpr &b);
Expr operator!(const LocatedExpr &a);

// ---- Bits of integers. Shifting by a negative amount shifts in the other direction; shifting by the width or more
// shifts out all bits.
/// Bit by bit; << and >> by b bits, where >> of a signed integer copies the sign.
Expr operator&(const LocatedExpr &a, const LocatedExpr &b);
Expr operator|(const LocatedExpr &a, const LocatedExpr &b);
Expr operator^(const LocatedExpr &a, const LocatedExpr &b);
Expr operator~(const LocatedExpr &a);
Expr operator<<(const LocatedExpr &a, const LocatedExpr &b);
Expr operator>>(const LocatedExpr &a, const LocatedExpr &b);
/// The number of one bits, of leading zeros, of trailing zeros, as UInt32. For 0 they are 0, width, width.
Expr popcount(const LocatedExpr &a);
Expr count_leading_zeros(const LocatedExpr &a);
Expr count_trailing_zeros(const LocatedExpr &a);

// ---- Conversion.
/// Converts to another type: integers wrap, floats round to nearest even, float to integer truncates and saturates.
Expr cast(Type type, const LocatedExpr &value);
template <typename T> Expr cast(const LocatedExpr &value) { return cast(type_of<T>(), value); }
/// Converts to the nearest value of the other type.
Expr saturating_cast(Type type, const LocatedExpr &value);
template <typename T> Expr saturating_cast(const LocatedExpr &value) { return saturating_cast(type_of<T>(), value); }
/// Reinterprets the bits as another type of the same width.
Expr reinterpret(Type type, const LocatedExpr &value);
template <typename T> Expr reinterpret(const LocatedExpr &value) { return reinterpret(type_of<T>(), value); }

/// The bits from lsb upwards, as many as the type has.
Expr extract_bits(Type type, const LocatedExpr &value, const LocatedExpr &lsb);
template <typename T> Expr extract_bits(const LocatedExpr &value, const LocatedExpr &lsb) {
    return extract_bits(type_of<T>(), value, lsb);
}
/// Concatenates the bits of 2, 4 or 8 values of one type, the first one lowest, into a type of that multiple of the
/// width.
Expr concat_bits(const std::vector<Expr> &values, const Location &location = Location::current());

// ---- Order and choice.

namespace detail {
/// The library's own value classes, as opposed to texts and numbers.
template <typename T> inline constexpr bool is_value = std::is_class_v<T> && is_valued<T>;
/// C++ numbers.
template <typename... T> inline constexpr bool all_numbers = (std::is_arithmetic_v<T> && ...);
/// Operands, for forwarding references, which match better than the templates of namespace std.
template <typename... T> inline constexpr bool all_operands = (std::is_convertible_v<T, LocatedExpr> && ...);
/// Operands as programs write them, of which at least one is such a class.
template <typename... T>
inline constexpr bool all_written =
    all_operands<T...> && (is_value<Plain<T>> || ...) && !(std::is_same_v<Plain<T>, LocatedExpr> || ...);
/// Some of the library's values beside what is no operand, as a text: an Expr can be made of it, but is not meant.
template <typename... T> inline constexpr bool is_wrongly_written = (is_value<Plain<T>> || ...) && !all_operands<T...>;
/// A part of a printed text.
template <typename T> inline constexpr bool is_part = is_text<T> || std::is_convertible_v<const T &, LocatedExpr>;
template <typename... T> inline constexpr bool all_parts = (is_part<T> && ...);
template <typename T, std::enable_if_t<is_part<T>, int> = 0> Expr part(const T &value) {
    if constexpr (is_text<T>) {
        return Expr(std::string(value));
    } else {
        return LocatedExpr(value).expr;
    }
}
} // namespace detail

/// The lesser or greater operand, of types matched as above. If one of two floats is NaN, the result is b.
Expr min(const LocatedExpr &a, const LocatedExpr &b);
Expr max(const LocatedExpr &a, const LocatedExpr &b);
template <typename A, typename B, typename C, typename... Rest,
          std::enable_if_t<detail::all_operands<A, B, C, Rest...>, int> = 0>
Expr min(A &&a, B &&b, C &&c, Rest &&...rest) {
    const LocatedExpr first(a);
    return min(LocatedExpr(min(first, LocatedExpr(b)), first.location), LocatedExpr(c), std::forward<Rest>(rest)...);
}
template <typename A, typename B, typename C, typename... Rest,
          std::enable_if_t<detail::all_operands<A, B, C, Rest...>, int> = 0>
Expr max(A &&a, B &&b, C &&c, Rest &&...rest) {
    const LocatedExpr first(a);
    return max(LocatedExpr(max(first, LocatedExpr(b)), first.location), LocatedExpr(c), std::forward<Rest>(rest)...);
}
// For programs that use namespace std as well: with forwarding references, and for constants of the classes listed
// below, these match better than std::min(const T &, const T &).
template <typename A, typename B, std::enable_if_t<detail::all_written<A, B>, int> = 0>
Expr min(A &&a, B &&b, const Location &location = Location::current()) {
    return min(LocatedExpr(a, location), LocatedExpr(b, location));
}
template <typename A, typename B, std::enable_if_t<detail::all_written<A, B>, int> = 0>
Expr max(A &&a, B &&b, const Location &location = Location::current()) {
    return max(LocatedExpr(a, location), LocatedExpr(b, location));
}
/// Of C++ numbers, too.
template <typename A, typename B, std::enable_if_t<detail::all_numbers<A, B>, int> = 0>
Expr min(A a, B b, const Location &location = Location::current()) {
    return min(LocatedExpr(a, location), LocatedExpr(b, location));
}
template <typename A, typename B, std::enable_if_t<detail::all_numbers<A, B>, int> = 0>
Expr max(A a, B b, const Location &location = Location::current()) {
    return max(LocatedExpr(a, location), LocatedExpr(b, location));
}
/// max(min(a, high), low), in the type of `a`; constant limits must be representable in it.
Expr clamp(const LocatedExpr &a, const LocatedExpr &low, const LocatedExpr &high);
template <typename A, typename B, typename C, std::enable_if_t<detail::all_written<A, B, C>, int> = 0>
Expr clamp(A &&a, B &&low, C &&high, const Location &location = Location::current()) {
    return clamp(LocatedExpr(a, location), LocatedExpr(low, location), LocatedExpr(high, location));
}
template <typename A, typename B, typename C, std::enable_if_t<detail::all_numbers<A, B, C>, int> = 0>
Expr clamp(A a, B low, C high, const Location &location = Location::current()) {
    return clamp(LocatedExpr(a, location), LocatedExpr(low, location), LocatedExpr(high, location));
}
template <typename A, typename B, std::enable_if_t<detail::is_wrongly_written<A, B>, int> = 0>
Expr min(A &&a, B &&b) = delete;
template <typename A, typename B, std::enable_if_t<detail::is_wrongly_written<A, B>, int> = 0>
Expr max(A &&a, B &&b) = delete;
template <typename A, typename B, typename C, std::enable_if_t<detail::is_wrongly_written<A, B, C>, int> = 0>
Expr clamp(A &&a, B &&low, C &&high) = delete;
#define FLUORITE_ORDER(T)                                                                                              \
    Expr min(const T &a, const T &b, const Location &location = Location::current());                                  \
    Expr max(const T &a, const T &b, const Location &location = Location::current());                                  \
    Expr clamp(const T &a, const T &low, const T &high, const Location &location = Location::current());
FLUORITE_ORDER(Expr)
FLUORITE_ORDER(Var)
FLUORITE_ORDER(RVar)
FLUORITE_ORDER(FuncRef)
#undef FLUORITE_ORDER
/// Both values may be computed, whichever is selected.
Expr select(const LocatedExpr &condition, const LocatedExpr &a, const LocatedExpr &b);
/// select(c0, v0, c1, v1, ..., otherwise): the value of the first condition that holds.
template <
    typename... Rest,
    std::enable_if_t<(sizeof...(Rest) >= 2 && (std::is_convertible_v<const Rest &, LocatedExpr> && ...)), int> = 0>
Expr select(const LocatedExpr &condition, const LocatedExpr &value, const LocatedExpr &next, const Rest &...rest) {
    return select(condition, value, LocatedExpr(select(next, rest...), next.location));
}
/// select() of Tuples, element by element. Two Func calls are selected as single values; use tuple_select for Funcs
/// with several values.
Tuple tuple_select(const Tuple &condition, const Tuple &a, const Tuple &b,
                   const Location &location = Location::current());
Tuple tuple_select(const LocatedExpr &condition, const Tuple &a, const Tuple &b);
template <typename... Rest, std::enable_if_t<(sizeof...(Rest) >= 2), int> = 0>
Tuple tuple_select(const LocatedExpr &condition, const Tuple &value, const LocatedExpr &next, const Rest &...rest) {
    return tuple_select(condition, value, tuple_select(next, rest...));
}
template <typename Condition, typename A, typename B,
          std::enable_if_t<std::is_same_v<A, Tuple> || std::is_same_v<B, Tuple>, int> = 0>
Tuple select(const Condition &condition, const A &a, const B &b, const Location &location = Location::current()) {
    if constexpr (std::is_same_v<Condition, Tuple>) {
        return tuple_select(condition, Tuple(a), Tuple(b), location);
    } else {
        return tuple_select(LocatedExpr(Expr(condition), location), Tuple(a), Tuple(b));
    }
}
template <typename Value = Tuple, typename... Rest,
          std::enable_if_t<(sizeof...(Rest) >= 2 && (std::is_same_v<Value, Tuple> ||
                                                     !(std::is_convertible_v<const Rest &, LocatedExpr> && ...))),
                           int> = 0>
Tuple select(const LocatedExpr &condition, const Value &value, const LocatedExpr &next, const Rest &...rest) {
    return tuple_select(condition, Tuple(value), next, rest...);
}
/// values[index]; an index out of range gives the last value.
Expr mux(const LocatedExpr &index, const std::vector<Expr> &values);
inline Expr mux(const LocatedExpr &index, std::initializer_list<Expr> values) {
    return mux(index, std::vector<Expr>(values));
}
Tuple mux(const LocatedExpr &index, const std::vector<Tuple> &values);
Expr mux(const LocatedExpr &index, const Tuple &values);
Expr mux(const LocatedExpr &index, const FuncRef &values);
/// Of calls of Funcs: of those with several values, a Tuple.
Expr mux(const LocatedExpr &index, std::initializer_list<FuncRef> values);
inline Tuple mux(const LocatedExpr &index, std::initializer_list<Tuple> values) {
    return mux(index, std::vector<Tuple>(values));
}

// ---- Arithmetic beyond operators.
/// |a|: unsigned for signed integers.
Expr abs(const LocatedExpr &a);
/// Of a C++ number, the C++ number: C's abs(int), which programs see beside this one, would convert these to int first.
template <typename T, std::enable_if_t<(std::is_floating_point_v<T> ||
                                        (std::is_integral_v<T> && sizeof(T) >= sizeof(int) && !std::is_same_v<T, int>)),
                                       int> = 0>
constexpr T abs(T a) {
    return a < T(0) ? T(0) - a : a + T(0); // + 0 makes 0 of -0
}
/// |a - b| without overflow: unsigned for integers.
Expr absd(const LocatedExpr &a, const LocatedExpr &b);
/// a / b rounded downward, the remainder of it, and a / b rounded toward zero, for a divisor that is an unsigned
/// integer of 8 bits and not 0. `a` is an integer of 8, 16 or 32 bits, whose type the result has. Throw CompileError
/// [not-an-integer] for other types.
Expr fast_integer_divide(const LocatedExpr &a, const LocatedExpr &b);
Expr fast_integer_modulo(const LocatedExpr &a, const LocatedExpr &b);
Expr fast_integer_divide_round_to_zero(const LocatedExpr &a, const LocatedExpr &b);
/// zero * (1 - weight) + one * weight. The weight is a float in [0, 1] or unsigned with its greatest value representing
/// 1; the integer form is exact and rounds to nearest. Between integers, a float weight is first cut to a fraction of
/// as many bits as they have, as Halide does: 0.25 is 63 / 255 between bytes.
Expr lerp(const LocatedExpr &zero, const LocatedExpr &one, const LocatedExpr &weight);
// Of C++ numbers. Programs that include <math.h> see std::lerp, which extrapolates, beside these: as neither matches
// better, the call does not compile, and the program says which it means.
template <typename A, typename B, typename C, std::enable_if_t<detail::all_numbers<A, B, C>, int> = 0>
Expr lerp(A zero, B one, C weight, Location place = Location::current()) {
    return lerp(LocatedExpr(zero, place), LocatedExpr(one, place), LocatedExpr(weight, place));
}
inline Expr lerp(float zero, float one, float weight, Location place = Location::current()) {
    return lerp(LocatedExpr(zero, place), LocatedExpr(one, place), LocatedExpr(weight, place));
}
inline Expr lerp(double zero, double one, double weight, Location place = Location::current()) {
    return lerp(LocatedExpr(zero, place), LocatedExpr(one, place), LocatedExpr(weight, place));
}
/// Integer quotient rounded toward zero, and its remainder; 0 where b is 0.
Expr div_round_to_zero(const LocatedExpr &a, const LocatedExpr &b);
Expr mod_round_to_zero(const LocatedExpr &a, const LocatedExpr &b);

// Fixed-point functions, without intermediate overflow.
/// a op b, where b is half as wide as a and is widened first; in the type of a. Throws CompileError [no-wider-type] for
/// other widths.
Expr widen_right_add(const LocatedExpr &a, const LocatedExpr &b);
Expr widen_right_mul(const LocatedExpr &a, const LocatedExpr &b);
Expr widen_right_sub(const LocatedExpr &a, const LocatedExpr &b);
/// a op b in a type twice as wide, where it cannot overflow; a difference is signed. Integers of up to 32 bits, and
/// floats that have a wider type; others throw CompileError [no-wider-type].
Expr widening_add(const LocatedExpr &a, const LocatedExpr &b);
Expr widening_mul(const LocatedExpr &a, const LocatedExpr &b);
Expr widening_sub(const LocatedExpr &a, const LocatedExpr &b);
/// a shifted in a type twice as wide.
Expr widening_shift_left(const LocatedExpr &a, const LocatedExpr &b);
Expr widening_shift_right(const LocatedExpr &a, const LocatedExpr &b);
/// a shifted by b, where bits that are shifted out to the right round to nearest, ties upward: a * 2^b, or a / 2^b.
Expr rounding_shift_left(const LocatedExpr &a, const LocatedExpr &b);
Expr rounding_shift_right(const LocatedExpr &a, const LocatedExpr &b);
/// a op b, clamped to the range of the type; floats are just added or subtracted.
Expr saturating_add(const LocatedExpr &a, const LocatedExpr &b);
Expr saturating_sub(const LocatedExpr &a, const LocatedExpr &b);
/// (a op b) / 2 rounded downward; rounding_halving_add rounds to nearest, ties upward. Integers only.
Expr halving_add(const LocatedExpr &a, const LocatedExpr &b);
Expr halving_sub(const LocatedExpr &a, const LocatedExpr &b);
Expr rounding_halving_add(const LocatedExpr &a, const LocatedExpr &b);
/// a * b / 2^q in the type of a and b, saturating: rounded downward, or to nearest with ties upward. q is an unsigned
/// integer.
Expr mul_shift_right(const LocatedExpr &a, const LocatedExpr &b, const LocatedExpr &q);
Expr rounding_mul_shift_right(const LocatedExpr &a, const LocatedExpr &b, const LocatedExpr &q);

// ---- Effects, hints and unknowns.
/// Marks a condition as true in the steady state of a loop.
Expr likely(const LocatedExpr &value);
Expr likely_if_innermost(const LocatedExpr &value);
/// The value, which the caller promises is in this range, so that what it is a coordinate of is read there only; an
/// undefined bound promises nothing. A value that breaks the promise becomes the nearer bound.
Expr unsafe_promise_clamped(const LocatedExpr &value, const Expr &min, const Expr &max);
/// A hash of the definition's variables: uniform in [0, 1), over all int32, or over all uint32. Without seed, each call
/// of these functions yields different numbers.
Expr random_float(const Expr &seed = Expr(), const Location &location = Location::current());
Expr random_int(const Expr &seed = Expr(), const Location &location = Location::current());
Expr random_uint(const Expr &seed = Expr(), const Location &location = Location::current());
/// No value: a Func's point, or tuple element, to which it is assigned keeps its old value.
Expr undef(Type type);
template <typename T> Expr undef() { return undef(type_of<T>()); }
/// The value itself, because arithmetic is never reordered here.
Expr strict_float(const LocatedExpr &value);

/// Evaluates to the first part; prints all parts, separated by spaces, on each evaluation.
Expr print(const std::vector<Expr> &parts, const Location &location = Location::current());
template <typename... Parts, std::enable_if_t<detail::all_parts<Parts...>, int> = 0>
Expr print(const LocatedExpr &value, const Parts &...parts) {
    return print(std::vector<Expr>{value.expr, detail::part(parts)...}, value.location);
}
/// As print, but only where the condition holds.
Expr print_when(const Expr &condition, const std::vector<Expr> &parts, const Location &location = Location::current());
template <typename... Parts, std::enable_if_t<detail::all_parts<Parts...>, int> = 0>
Expr print_when(const LocatedExpr &condition, const LocatedExpr &value, const Parts &...parts) {
    return print_when(condition.expr, std::vector<Expr>{value.expr, detail::part(parts)...}, condition.location);
}
/// Evaluates to the value. If the condition is false, the run fails with RuntimeError and the parts as text.
Expr require(const Expr &condition, const std::vector<Expr> &value_and_parts,
             const Location &location = Location::current());
template <typename... Parts, std::enable_if_t<detail::all_parts<Parts...>, int> = 0>
Expr require(const LocatedExpr &condition, const LocatedExpr &value, const Parts &...parts) {
    return require(condition.expr, std::vector<Expr>{value.expr, detail::part(parts)...}, condition.location);
}

} // namespace fluorite

#include "fluorite/concise_casts.h"
#include "fluorite/math.h"
