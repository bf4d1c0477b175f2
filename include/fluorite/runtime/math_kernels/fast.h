#pragma once
// The fast_ functions: float32 throughout, with errors of a few units in the last place. See
// fluorite/runtime/math_kernels.h.

#include "fluorite/runtime/math_kernels/exponentials.h"

namespace fluorite::math_kernels {

template <class M> ShortExponential<M> reduce_fast_exp(const M &m, typename M::Single x) {
    const auto counted = x * m.single(0x1.715476p+0F) + m.single(short_magic);
    const auto k = counted - m.single(short_magic);
    const auto r = m.add_exact_product(k, m.single(-0x1.62e4p-1F), x) - k * m.single(0x1.7f7d1cp-20F);
    const auto square = r * r;
    const auto p = (m.single(0.008312490710549193F) * r + m.single(0.041890550246345346F)) * square +
                   (m.single(0.16667116162367684F) * r + m.single(0.499992288282793F));
    return {counted, square * p + r};
}

template <class M> typename M::Bool fast_exp_is_usual(const M &m, typename M::Single x) { return exp_is_usual(m, x); }

template <class M> typename M::Single fast_exp_usual(const M &m, typename M::Single x) {
    const ShortExponential<M> e = reduce_fast_exp(m, x);
    return m.from_bits(m.plus(m.bits(e.tail + m.single(1)), exponent_bits(m, e)));
}

/// All arguments; the bits of fast_exp_usual for those. Gives 0 for results below the normal numbers.
template <class M> typename M::Single fast_exp(const M &m, typename M::Single x) {
    const auto low = m.single(-87.3F), high = m.single(88.722F);
    const ShortExponential<M> e = reduce_fast_exp(m, clamped(m, x, -87.3F, 88.722F));
    const auto scaled = scaled_by_halves(m, e.tail + m.single(1), exponent_bits(m, e));
    const auto usual = m.select(x > high, m.single(infinity), scaled);
    return m.select(m.either(x > low, x == low), usual, m.select(x < low, m.single(0), x));
}

template <class M> typename M::Single fast_log_of(const M &m, const ShortParts<M> &of) {
    const auto f = of.fraction, half = m.single(0.5F) * f;
    const auto s = f / (m.single(1) + half);
    const auto z = s * s;
    const auto p = m.single(0.01290242156078971F) * z + m.single(0.08331677746985339F);
    return m.to_single(of.k) * m.single(0x1.62e43p-1F) + (f - s * (half - z * p));
}

template <class M> typename M::Bool fast_log_is_usual(const M &m, typename M::Single x) {
    return is_positive_normal(m, x);
}

template <class M> typename M::Single fast_log_usual(const M &m, typename M::Single x) {
    return fast_log_of(m, parts(m, x));
}

/// All arguments; the bits of fast_log_usual for those. Treats subnormal numbers as 0.
template <class M> typename M::Single fast_log(const M &m, typename M::Single x) {
    const auto smallest = m.single(std::numeric_limits<float>::min());
    const auto nan = m.single(std::numeric_limits<float>::quiet_NaN());
    const auto rare = m.select(x < smallest, m.select(m.abs(x) < smallest, m.single(-infinity), nan), x);
    return m.select(is_positive_normal(m, x), fast_log_of(m, parts(m, x)), rare);
}

/// x - count pi, in [-pi/2, pi/2], and (sine / rest - 1) of that.
template <class M> struct FastAngle {
    typename M::Single rest, slope;
};

template <class M> FastAngle<M> fast_angle(const M &m, typename M::Single x, typename M::Single count) {
    // The first two parts of pi have 11 bits each: their products with small counts are exact.
    const auto r =
        ((x - count * m.single(0x1.92p1F)) - count * m.single(0x1.fb4p-11F)) - count * m.single(0x1.4442d2p-23F);
    const auto z = r * r;
    return {r, z * short_polynomial(
                       m, z, {2.6054810245792156e-06F, -0.00019809474728641014F, 0.008333064616F, -0.1666665673F})};
}

/// The sine with the sign of (-1)^count; NaN for |x| of 2^22 or more.
template <class M>
typename M::Single fast_sine(const M &m, typename M::Single x, typename M::Single sine, typename M::Single counted) {
    const auto value = m.from_bits(m.other_bits(m.bits(sine), m.left(m.bits(counted), 31)));
    return m.select(m.abs(x) < m.single(0x1p22F), value, m.single(std::numeric_limits<float>::quiet_NaN()));
}
template <class M> typename M::Single fast_sin(const M &m, typename M::Single x) {
    const auto counted = x * m.single(0x1.45f306p-2F) + m.single(short_magic);
    const FastAngle<M> angle = fast_angle(m, x, counted - m.single(short_magic));
    return fast_sine(m, x, angle.rest * (angle.slope + m.single(1)), counted); // keeps the sign of -0
}
template <class M> typename M::Single fast_cos(const M &m, typename M::Single x) {
    const auto counted = (x * m.single(0x1.45f306p-2F) + m.single(0.5F)) + m.single(short_magic);
    const FastAngle<M> angle = fast_angle(m, x, (counted - m.single(short_magic)) - m.single(0.5F));
    return fast_sine(m, x, angle.rest * angle.slope + angle.rest, counted); // exact for 0
}

/// Whether both parts of the power are usual.
template <class M> typename M::Bool fast_pow_is_usual(const M &m, typename M::Single x, typename M::Single y) {
    const auto is_within = fast_exp_is_usual(m, fast_log_usual(m, x) * y);
    return m.both(is_positive_normal(m, x), is_within);
}

template <class M> typename M::Single fast_pow_usual(const M &m, typename M::Single x, typename M::Single y) {
    return fast_exp_usual(m, fast_log_usual(m, x) * y);
}

/// All arguments; the bits of fast_pow_usual for those.
template <class M> typename M::Single fast_pow(const M &m, typename M::Single x, typename M::Single y) {
    const auto zero = m.single(0);
    const auto value = fast_exp(m, fast_log(m, x) * y);
    const auto of_zero = m.select(y > zero, zero, value);
    return m.select(y == zero, m.single(1), m.select(x == zero, of_zero, value));
}

} // namespace fluorite::math_kernels
