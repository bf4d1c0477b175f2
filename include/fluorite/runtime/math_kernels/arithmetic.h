#pragma once
// What the math kernels are written in: the arithmetic of plain numbers, polynomials, signs. See
// fluorite/runtime/math_kernels.h.
//
// An arithmetic M has the types and functions of ScalarMath; each value is a number or as many numbers as a vector has
// lanes. Its rules, which make the bits the same everywhere:
//   - + - * / and sqrt of Single and Double round to nearest, each by itself, in the width written: no contraction, no
//     reassociation, subnormal numbers as operands and results. Only add_exact_product and `fused` are fused operations,
//     where that is faster; no bits depend on it.
//   - Int and Long wrap; shifts are by constants; comparisons with NaN are false; select evaluates both of its values.
//   - The types can be created without a value, and copied.
//   - NaN is one value: kernels do not depend on its sign and bits, which may differ.
// No kernel reads memory: there are no tables, only selections of constants.

#include "fluorite/require_cxx17.h"

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>

namespace fluorite::math_kernels {

/// The operations on plain numbers.
struct ScalarMath {
    using Single = float;
    using Double = double;
    using Int = int32_t;
    using Long = int64_t;
    using Bool = bool;
    Single single(float value) const { return value; }
    /// The number, where a code generator knows it: kernels leave out operations that do not change its bits.
    std::optional<float> known(Single /*x*/) const { return std::nullopt; }
    Double number(double value) const { return value; }
    /// a * b + c for a product that is representable. One fused operation and two plain ones then give the same bits,
    /// so a code generator may use either.
    Single add_exact_product(Single a, Single b, Single c) const { return a * b + c; }
    Double add_exact_product(Double a, Double b, Double c) const { return a * b + c; }
    /// a * b + c, rounded once, where the processor has an instruction for it. Kernels that ask have another way to the
    /// same bits, which is longer.
    std::optional<Double> fused(Double /*a*/, Double /*b*/, Double /*c*/) const { return std::nullopt; }
    Double widen(Single x) const { return x; }
    Single narrow(Double x) const { return static_cast<float>(x); }
    Double to_double(Int x) const { return x; }
    Single to_single(Int x) const { return static_cast<float>(x); }
    Int bits(Single x) const { return std::bit_cast<int32_t>(x); }
    Long bits(Double x) const { return std::bit_cast<int64_t>(x); }
    Single from_bits(Int x) const { return std::bit_cast<float>(x); }
    Double from_bits(Long x) const { return std::bit_cast<double>(x); }
    Int minus(Int a, Int b) const { return static_cast<int32_t>(static_cast<uint32_t>(a) - static_cast<uint32_t>(b)); }
    Int plus(Int a, Int b) const { return static_cast<int32_t>(static_cast<uint32_t>(a) + static_cast<uint32_t>(b)); }
    Long minus(Long a, Long b) const {
        return static_cast<int64_t>(static_cast<uint64_t>(a) - static_cast<uint64_t>(b));
    }
    Long plus(Long a, Long b) const {
        return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
    }
    Int constant(int32_t value) const { return value; }
    Long constant(int64_t value) const { return value; }
    /// Precondition: both are numbers of 32 bits without sign.
    Long product(Long a, Long b) const {
        return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
    }
    template <typename T> T both_bits(T a, T b) const { return a & b; }
    template <typename T> T other_bits(T a, T b) const { return a ^ b; }
    template <typename T> T either_bits(T a, T b) const { return a | b; }
    Int left(Int a, int by) const { return static_cast<int32_t>(static_cast<uint32_t>(a) << by); }
    Long left(Long a, int by) const { return static_cast<int64_t>(static_cast<uint64_t>(a) << by); }
    /// Shifts in copies of the sign.
    Int right(Int a, int by) const { return a >> by; }
    /// Shifts in zeros: few processors have the other one for 64 bits.
    Long right(Long a, int by) const { return static_cast<int64_t>(static_cast<uint64_t>(a) >> by); }
    Bool is_zero(Long a) const { return a == 0; }
    Bool is_zero(Int a) const { return a == 0; }
    Bool is_less(Int a, Int b) const { return a < b; }
    Double abs(Double x) const { return std::fabs(x); }
    Single abs(Single x) const { return std::fabs(x); }
    Double sqrt(Double x) const { return std::sqrt(x); }
    Bool both(Bool a, Bool b) const { return a && b; }
    Bool either(Bool a, Bool b) const { return a || b; }
    Bool negate(Bool a) const { return !a; }
    template <typename T> T select(Bool condition, T yes, T no) const { return condition ? yes : no; }
};

inline constexpr double round_magic = 0x1.8p52; // x + this: x rounded to an integer, in the low bits
inline constexpr float short_magic = 0x1.8p23F; // the same in float32
inline constexpr double ln2 = 0x1.62e42fefa39efp-1;
inline constexpr double half_pi = 0x1.921fb54442d18p0;
inline constexpr double pi = 0x1.921fb54442d18p1;
inline constexpr float infinity = std::numeric_limits<float>::infinity();
inline constexpr int32_t sign_and_exponent = static_cast<int32_t>(0xFF800000);
inline constexpr int32_t upper_12_bits = static_cast<int32_t>(0xFFFFF000); // of a float32's 24

/// Horner's scheme for each `step`-th coefficient from `begin` on, highest power first.
template <class T, class Number, class Constant>
T horner(T x, std::initializer_list<Number> coefficients, size_t begin, size_t step, Constant constant) {
    const Number *of = coefficients.begin();
    T p = constant(of[begin]);
    for (size_t i = begin + step; i < coefficients.size(); i += step) {
        p = p * x + constant(of[i]);
    }
    return p;
}

/// A polynomial, highest power first, evaluated in interleaved parts so that the dependence chains stay short: a
/// processor that evaluates a function of only one vector waits for its longest chain.
template <class T, class Number, class Constant>
T in_parts(T x, std::initializer_list<Number> coefficients, Constant constant) {
    const size_t count = coefficients.size();
    const auto part = [&](T power, size_t below,
                          size_t step) { // coefficients whose powers are `below` more than multiples of `step`
        return horner(power, coefficients, (count - 1 - below) % step, step, constant);
    };
    if (count < 5) {
        return part(x, 0, 1);
    }
    const T square = x * x;
    if (count < 8) {
        return part(square, 1, 2) * x + part(square, 0, 2);
    }
    const T fourth = square * square;
    const T low = part(fourth, 1, 4) * x + part(fourth, 0, 4);
    const T high = part(fourth, 3, 4) * x + part(fourth, 2, 4);
    return high * square + low;
}

template <class M>
typename M::Double polynomial(const M &m, typename M::Double x, std::initializer_list<double> coefficients) {
    return in_parts(x, coefficients, [&](double value) { return m.number(value); });
}

template <class M>
typename M::Single short_polynomial(const M &m, typename M::Single x, std::initializer_list<float> coefficients) {
    return in_parts(x, coefficients, [&](float value) { return m.single(value); });
}

template <class M> typename M::Double with_sign(const M &m, typename M::Double magnitude, typename M::Double sign) {
    const auto top = m.constant(std::numeric_limits<int64_t>::min());
    return m.from_bits(m.either_bits(m.bits(magnitude), m.both_bits(m.bits(sign), top)));
}

template <class M> typename M::Single with_sign(const M &m, typename M::Single magnitude, typename M::Single sign) {
    const auto top = m.constant(std::numeric_limits<int32_t>::min());
    return m.from_bits(m.either_bits(m.bits(magnitude), m.both_bits(m.bits(sign), top)));
}

/// The number with fewer bits: a product of two such numbers is exact.
template <class M> typename M::Single upper_part(const M &m, typename M::Single x) {
    return m.from_bits(m.both_bits(m.bits(x), m.constant(upper_12_bits)));
}

/// Clamps x to a range beyond which the result no longer changes. NaN stays.
template <class M> typename M::Single clamped(const M &m, typename M::Single x, float low, float high) {
    const auto upper = m.select(x > m.single(high), m.single(high), x);
    return m.select(upper < m.single(low), m.single(low), upper);
}

} // namespace fluorite::math_kernels
