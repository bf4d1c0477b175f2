#pragma once
// Exponentials and logarithms of float32. See fluorite/runtime/math_kernels.h.

#include "fluorite/runtime/math_kernels/arithmetic.h"

namespace fluorite::math_kernels {

// ---- exp, in float32.

/// exp(x) = 2^k (1 + tail); the low bits of `counted` are k.
template <class M> struct ShortExponential {
    typename M::Single counted, tail;
};

/// Precondition: |x| < 2^7. k ln(2) is subtracted in two parts, of which the first is exact.
template <class M> ShortExponential<M> reduce_exp(const M &m, typename M::Single x) {
    const auto counted = x * m.single(0x1.715476p+0F) + m.single(short_magic);
    const auto k = counted - m.single(short_magic);
    const auto r = m.add_exact_product(k, m.single(-0x1.62e4p-1F), x) - k * m.single(0x1.7f7d1cp-20F);
    const auto square = r * r;
    const auto p = (m.single(0.0013813144393223088F) * square +
                    (m.single(0.008369418846549887F) * r + m.single(0.041668456789796665F))) *
                       square +
                   (m.single(0.16666514791278023F) * r + m.single(0.49999993050712355F));
    return {counted, square * p + r};
}

/// The exponents k as they are added to a float32's.
template <class M> typename M::Int exponent_bits(const M &m, const ShortExponential<M> &e) {
    return m.left(m.bits(e.counted), 23);
}

/// Whether 2^k and the result are normal numbers.
template <class M> typename M::Bool exp_is_usual(const M &m, typename M::Single x) {
    return m.abs(x) < m.single(86.5F);
}

template <class M> typename M::Single exp_usual(const M &m, typename M::Single x) {
    const ShortExponential<M> e = reduce_exp(m, x);
    return m.from_bits(m.plus(m.bits(e.tail + m.single(1)), exponent_bits(m, e)));
}

/// value 2^k in two steps, which also give the numbers near the ends of the range.
template <class M> typename M::Single scaled_by_halves(const M &m, typename M::Single value, typename M::Int k) {
    const auto half = m.both_bits(m.right(k, 1), m.constant(sign_and_exponent)), one = m.bits(m.single(1));
    return value * m.from_bits(m.plus(half, one)) * m.from_bits(m.plus(m.minus(k, half), one));
}

/// All arguments; the bits of exp_usual for those. A subnormal result is counted in
/// units of the least number, because many processors take 100 times as long for operations on such numbers.
template <class M> typename M::Single exp(const M &m, typename M::Single x) {
    const auto within = clamped(m, x, -104.0F, 89.0F);
    const ShortExponential<M> e = reduce_exp(m, within);
    const auto value = e.tail + m.single(1);
    const auto k = exponent_bits(m, e);
    const auto scaled = scaled_by_halves(m, value, k);
    const auto units = m.from_bits(m.plus(m.bits(value), m.plus(k, m.constant(149 << 23)))) + m.single(0x1p23F);
    const auto subnormal = m.from_bits(m.minus(m.bits(units), m.bits(m.single(0x1p23F))));
    return m.select(x < m.single(-87.34F), subnormal, scaled);
}

// ---- exp in float64, for results that are rounded to float32.

/// exp(x) = 2^k (1 + tail); the low bits of `count` are k.
template <class M> struct Exponential {
    typename M::Long count;
    typename M::Double tail;
};

/// Precondition: |x| < 700. ln(2) has 42 bits here, so that its products with k are exact.
template <class M>
Exponential<M> reduce_exp(const M &m, typename M::Double x, std::initializer_list<double> coefficients) {
    const auto counted = x * m.number(0x1.71547652b82fep0) + m.number(round_magic);
    const auto k = counted - m.number(round_magic);
    const auto r = m.add_exact_product(k, m.number(-0x1.62e42fefa38p-1), x);
    return {m.bits(counted), r * r * polynomial(m, r, coefficients) + r};
}

inline constexpr std::initializer_list<double> exp_coefficients = {
    0.0013813144393223088, 0.008369418846549887, 0.041668456789796665, 0.16666514791278023, 0.49999993050712355};
inline constexpr std::initializer_list<double> exp_minus_1_coefficients = {0.0001978926143872599, 0.001394575228208561,
                                                                           0.008333503756040824,  0.04166628032544829,
                                                                           0.16666665820089369,   0.500000007167186};

/// Precondition: |x| < 700.
template <class M> typename M::Double exp_double(const M &m, typename M::Double x) {
    const Exponential<M> e = reduce_exp(m, x, exp_coefficients);
    return m.from_bits(m.plus(m.bits(e.tail + m.number(1)), m.left(e.count, 52)));
}

/// exp(x) - 1 with a small relative error. Precondition: |x| < 700.
template <class M> typename M::Double exp_minus_1(const M &m, typename M::Double x) {
    const Exponential<M> e = reduce_exp(m, x, exp_minus_1_coefficients);
    const auto scale = m.from_bits(m.plus(m.left(e.count, 52), m.bits(m.number(1))));
    return m.add_exact_product(scale, e.tail, scale - m.number(1));
}

template <class M> typename M::Single sinh(const M &m, typename M::Single x) {
    const auto signed_x = m.widen(clamped(m, x, -91.0F, 91.0F));
    const auto e = exp_minus_1(m, m.abs(signed_x));
    return m.narrow(with_sign(m, m.number(0.5) * (e + e / (e + m.number(1))), signed_x));
}

template <class M> typename M::Single cosh(const M &m, typename M::Single x) {
    const auto e = exp_double(m, m.widen(clamped(m, m.abs(x), 0.0F, 91.0F)));
    return m.narrow(m.number(0.5) * (e + m.number(1) / e));
}

template <class M> typename M::Single tanh(const M &m, typename M::Single x) {
    const auto signed_x = m.widen(clamped(m, x, -10.0F, 10.0F));
    const auto e = exp_minus_1(m, m.abs(signed_x) * m.number(2));
    return m.narrow(with_sign(m, e / (e + m.number(2)), signed_x));
}

/// Entirely in float32. 1 - 2^k (1 + tail) is rounded once: 1 - 2^k is exact for the relevant k.
template <class M> typename M::Single erf(const M &m, typename M::Single x) {
    const auto a = clamped(m, m.abs(x), 0.0F, 4.0F);
    const auto small = x * short_polynomial(m, a * a,
                                            {-0.0006348518654704094F, 0.0050577037036418915F, -0.026807287707924843F,
                                             0.11282864958047867F, -0.37612590193748474F, 0.12837916612625122F}) +
                       x;
    const auto power =
        short_polynomial(m, a,
                         {8.664928827784024e-06F, -0.0002973981900140643F, 0.0035403973888605833F,
                          -0.023549024015665054F, 0.10599306970834732F, 0.6352964639663696F, 0.12861333787441254F}) *
            a +
        a;
    const ShortExponential<M> e = reduce_exp(m, m.single(0) - power);
    const auto scale = m.from_bits(m.plus(m.bits(m.single(1)), exponent_bits(m, e)));
    const auto large = m.add_exact_product(m.single(0) - scale, e.tail, m.single(1) - scale);
    const auto is_negative = x < m.single(0);
    return m.select(a < m.single(0.85F), small, m.select(is_negative, m.single(0) - large, large));
}

// ---- Logarithms.

/// Whether x is a positive normal number.
template <class M> typename M::Bool is_positive_normal(const M &m, typename M::Single x) {
    // As unsigned numbers: bits(x) - bits(least normal) < bits(infinity) - bits(least normal).
    const auto shifted = m.minus(m.bits(x), m.constant(static_cast<int32_t>(0x80800000)));
    return m.is_less(shifted, m.constant(static_cast<int32_t>(0xFF000000)));
}

/// x = 2^k (1 + fraction) with 1 + fraction in [sqrt(1/2), sqrt(2)), for positive normal x. The fraction is exact.
template <class M> struct ShortParts {
    typename M::Int k;
    typename M::Single fraction;
};

template <class M> ShortParts<M> parts(const M &m, typename M::Single x) {
    const auto above = m.minus(m.bits(x), m.constant(0x3F3504F3));
    const auto mantissa = m.minus(m.bits(x), m.both_bits(above, m.constant(sign_and_exponent)));
    return {m.right(above, 23), m.from_bits(mantissa) - m.single(1)};
}

/// Entirely in float32: log(1 + f) = f - s (f / 2 - s^2 p(s^2)) with s = f / (1 + f / 2). k ln(2) has an exact part,
/// and the rounding error of its sum with f is added back.
template <class M> typename M::Single log_of(const M &m, typename M::Single k, typename M::Single f) {
    const auto half = m.single(0.5F) * f;
    const auto s = f / (m.single(1) + half);
    const auto z = s * s;
    const auto p =
        (m.single(0.0023407459524697216F) * z + m.single(0.012491747834803677F)) * z + m.single(0.08333352098426776F);
    const auto tail = s * (half - z * p);
    const auto whole = k * m.single(0x1.628p-1F);
    const auto sum = whole + f;
    const auto lost = k * m.single(0x1.90bfbep-11F) + (f - (sum - whole));
    return sum + (lost - tail);
}

template <class M> typename M::Bool log_is_usual(const M &m, typename M::Single x) { return is_positive_normal(m, x); }

template <class M> typename M::Single log_usual(const M &m, typename M::Single x) {
    const ShortParts<M> of = parts(m, x);
    return log_of(m, m.to_single(of.k), of.fraction);
}

/// All arguments; the bits of log_usual for those.
template <class M> typename M::Single log(const M &m, typename M::Single x) {
    const auto is_tiny = x < m.single(0x1p-126F);
    const ShortParts<M> of = parts(m, m.select(is_tiny, x * m.single(0x1p24F), x));
    const auto k = m.to_single(m.select(is_tiny, m.minus(of.k, m.constant(24)), of.k));
    const auto value = log_of(m, k, of.fraction);
    const auto zero = m.single(0), nan = m.single(std::numeric_limits<float>::quiet_NaN());
    const auto negative = m.select(x < zero, nan, x); // infinity and NaN stay
    const auto is_usual = m.both(x > zero, x < m.single(infinity));
    return m.select(is_usual, value, m.select(x == zero, m.single(-infinity), negative));
}

// ---- Logarithms in float64, for results that are rounded to float32.

/// log(1 + f) for 1 + f in [sqrt(1/2), sqrt(2)), in the form of log_of().
template <class M> typename M::Double log_1_plus(const M &m, typename M::Double f) {
    const auto s = f / (m.number(1) + m.number(0.5) * f);
    const auto z = s * s;
    const auto p =
        polynomial(m, z, {0.0004622869220405549, 0.002229066467247044, 0.012500135667015485, 0.08333333135504628});
    return s + s * z * p;
}

/// The natural logarithm of a positive finite number; an unspecified finite value for others.
template <class M> typename M::Double log_double(const M &m, typename M::Single x) {
    const auto is_tiny = x < m.single(0x1p-126F);
    const ShortParts<M> of = parts(m, m.select(is_tiny, x * m.single(0x1p24F), x));
    const auto k = m.select(is_tiny, m.minus(of.k, m.constant(24)), of.k);
    return m.to_double(k) * m.number(ln2) + log_1_plus(m, m.widen(of.fraction));
}

/// The same of a normal float64.
template <class M> typename M::Double log_double(const M &m, typename M::Double x) {
    constexpr int64_t root_half = 0x3FE6A09E667F3BCC, bias = 1023;
    // The exponent's bias keeps the difference positive.
    const auto above = m.plus(m.minus(m.bits(x), m.constant(root_half)), m.constant(bias << 52));
    const auto k = m.right(above, 52);
    const auto mantissa = m.minus(m.plus(m.bits(x), m.constant(bias << 52)), m.left(k, 52));
    const auto count = m.from_bits(m.either_bits(k, m.bits(m.number(0x1p52)))) - m.number(0x1p52 + bias);
    return count * m.number(ln2) + log_1_plus(m, m.from_bits(mantissa) - m.number(1));
}

template <class M> typename M::Single asinh(const M &m, typename M::Single x) {
    const auto wide = m.widen(x), a = m.abs(wide), square = a * a;
    // 1 + a would lose bits of a small a.
    const auto small = a - a * square * m.number(1.0 / 6);
    const auto value = log_double(m, a + m.sqrt(square + m.number(1)));
    const auto usual = m.select(a < m.number(0x1p-10), small, value);
    return m.narrow(with_sign(m, m.select(a < m.number(infinity), usual, a), wide));
}

template <class M> typename M::Single acosh(const M &m, typename M::Single x) {
    const auto wide = m.widen(x);
    const auto value = log_double(m, wide + m.sqrt(wide * wide - m.number(1)));
    const auto nan = m.number(std::numeric_limits<double>::quiet_NaN());
    const auto is_within = m.negate(wide < m.number(1));
    const auto usual = m.select(wide < m.number(infinity), value, wide);
    return m.narrow(m.select(is_within, usual, nan));
}

template <class M> typename M::Single atanh(const M &m, typename M::Single x) {
    const auto wide = m.widen(x), a = m.abs(wide);
    const auto small = a + a * a * a * m.number(1.0 / 3);
    const auto value = m.number(0.5) * log_double(m, (m.number(1) + a) / (m.number(1) - a));
    const auto nan = m.number(std::numeric_limits<double>::quiet_NaN());
    const auto edge = m.select(a == m.number(1), m.number(infinity), nan);
    const auto usual = m.select(a < m.number(0x1p-9), small, value);
    return m.narrow(with_sign(m, m.select(a < m.number(1), usual, edge), wide));
}

} // namespace fluorite::math_kernels
