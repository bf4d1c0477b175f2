#pragma once
// Math functions of float64: exp, log, sin, cos and powers with small exponents. See fluorite/runtime_math_kernels.h;
// the methods are those of float32, with 53 bits. Sums are kept in two numbers where a rounding error would be visible:
// within 0.8 units in the last place. The C library computes what is not usual.

#include "fluorite/math_kernels/arithmetic.h"

namespace fluorite::math_kernels::float64 {

/// The upper 26 bits: a product of two such numbers is exact.
template <class M> typename M::Double upper_part(const M &m, typename M::Double x) {
    return m.from_bits(m.both_bits(m.bits(x), m.constant(static_cast<int64_t>(0xFFFFFFFFF8000000))));
}

template <class M> typename M::Bool is_positive_normal(const M &m, typename M::Double x) {
    return m.both(x > m.number(0x1.fffffffffffffp-1023), x < m.number(infinity));
}

// ---- exp.

template <class M> typename M::Bool exp_is_usual(const M &m, typename M::Double x) { return m.abs(x) < m.number(700); }

/// exp(x) = 2^k value, where k is an integer below 2^11.
template <class M> struct Exponential {
    typename M::Double k, value;
};

template <class M> Exponential<M> reduce_exp(const M &m, typename M::Double x) {
    const auto counted = x * m.number(0x1.71547652b82fep0) + m.number(round_magic);
    const auto k = counted - m.number(round_magic);
    const auto high = m.add_exact_product(k, m.number(-0x1.62e42fefa38p-1), x);
    const auto low = k * m.number(0x1.ef35793c7673p-45);
    const auto r = high - low, lost = (high - r) - low;
    const auto p = polynomial(m, r,
                              {2.5000053878886233e-08, 2.763024842243285e-07, 2.755758639674158e-06,
                               2.4801493098733352e-05, 0.00019841269506555356, 0.0013888888943630361,
                               0.00833333333349447, 0.041666666666530155, 0.16666666666666413, 0.5000000000000011});
    const auto sum = m.number(1) + r;
    return {k, sum + ((r - (sum - m.number(1))) + (r * r * p + lost))};
}

/// k as it is added to a float64's exponent.
template <class M> typename M::Long exponent_bits(const M &m, typename M::Double k) {
    return m.left(m.bits(k + m.number(round_magic)), 52);
}

template <class M> typename M::Double exp_usual(const M &m, typename M::Double x) {
    const Exponential<M> e = reduce_exp(m, x);
    return m.from_bits(m.plus(m.bits(e.value), exponent_bits(m, e.k)));
}

/// All arguments; the bits of exp_usual for those. 2^k is multiplied in two steps.
template <class M> typename M::Double exp(const M &m, typename M::Double x) {
    const auto upper = m.select(x > m.number(710), m.number(710), x);
    const Exponential<M> e = reduce_exp(m, m.select(upper < m.number(-746), m.number(-746), upper));
    const auto half = (e.k * m.number(0.5) + m.number(round_magic)) - m.number(round_magic), one = m.number(1);
    const auto first = m.from_bits(m.plus(m.bits(one), exponent_bits(m, half)));
    return e.value * first * m.from_bits(m.plus(m.bits(one), exponent_bits(m, e.k - half)));
}

// ---- Logarithms.

/// x = 2^k (1 + fraction) with 1 + fraction in [sqrt(1/2), sqrt(2)), for positive normal x. The fraction is exact.
template <class M> struct Parts {
    typename M::Double k, fraction;
};

template <class M> Parts<M> parts(const M &m, typename M::Double x) {
    constexpr int64_t bias = 1023;
    const auto above = m.minus(m.bits(x), m.constant(int64_t{0x3FE6A09E667F3BCC}));
    const auto exponent = m.both_bits(above, m.constant(static_cast<int64_t>(0xFFF0000000000000)));
    const auto biased = m.right(m.plus(above, m.constant(bias << 52)), 52);
    const auto k = m.from_bits(m.either_bits(biased, m.bits(m.number(0x1p52)))) - m.number(0x1p52 + bias);
    return {k, m.from_bits(m.minus(m.bits(x), exponent)) - m.number(1)};
}

template <class M> typename M::Bool log_is_usual(const M &m, typename M::Double x) { return is_positive_normal(m, x); }

/// log(1 + f) = f - (h - s (h / 2 + s^2 p(s^2))) with s = f / (1 + f / 2) and h = f^2 / 2.
template <class M> typename M::Double log_of(const M &m, const Parts<M> &of) {
    const auto f = of.fraction, half = m.number(0.5) * f, square = half * f;
    const auto s = f / (m.number(1) + half), z = s * s;
    const auto p =
        polynomial(m, z,
                   {4.53745275758318e-06, 1.868445677819534e-05, 8.878853594694275e-05, 0.00043402718025616527,
                    0.0022321428764575245, 0.012499999999691725, 0.08333333333333512});
    const auto tail = square - s * (m.number(0.5) * square + z * p);
    const auto whole = of.k * m.number(0x1.62e42fefa38p-1);
    const auto sum = whole + f;
    const auto lost = of.k * m.number(0x1.ef35793c7673p-45) + (f - (sum - whole));
    return sum + (lost - tail);
}

template <class M> typename M::Double log_usual(const M &m, typename M::Double x) { return log_of(m, parts(m, x)); }

/// All arguments; the bits of log_usual for those.
template <class M> typename M::Double log(const M &m, typename M::Double x) {
    const auto zero = m.number(0), edge = m.number(infinity);
    const auto is_tiny = x < m.number(0x1p-1022);
    Parts<M> of = parts(m, m.select(is_tiny, x * m.number(0x1p54), x));
    of.k = m.select(is_tiny, of.k - m.number(54), of.k);
    const auto value = log_of(m, of);
    const auto nan = m.number(std::numeric_limits<double>::quiet_NaN());
    const auto negative = m.select(x < zero, nan, x); // infinity and NaN stay
    return m.select(m.both(x > zero, x < edge), value, m.select(x == zero, zero - edge, negative));
}

// ---- Circles.

template <class M> typename M::Bool angle_is_usual(const M &m, typename M::Double x) {
    return m.abs(x) < m.number(0x1p20);
}

/// The sine of -0 is not usual: sums lose its sign.
template <class M> typename M::Bool sin_is_usual(const M &m, typename M::Double x) {
    const auto negative_zero = m.constant(std::numeric_limits<int64_t>::min());
    return m.both(angle_is_usual(m, x), m.negate(m.is_zero(m.other_bits(m.bits(x), negative_zero))));
}
template <class M> typename M::Bool cos_is_usual(const M &m, typename M::Double x) { return angle_is_usual(m, x); }

/// The sine of x + quadrants pi/2. x = k pi/2 + r + low, with pi/2 in parts of 33, 33 and 53 bits.
template <class M> typename M::Double sine(const M &m, typename M::Double x, int64_t quadrants) {
    const auto counted = x * m.number(0x1.45f306dc9c883p-1) + m.number(round_magic);
    const auto k = counted - m.number(round_magic);
    const auto first = m.add_exact_product(k, m.number(-0x1.921fb544p0), x);
    const auto part = k * m.number(0x1.0b4611a6p-34);
    const auto second = first - part;
    const auto rest = k * m.number(0x1.3198a2e037073p-69) - ((first - second) - part);
    const auto r = second - rest, low = (second - r) - rest;
    const auto z = r * r, half = m.number(0.5) * z;
    const auto s = polynomial(m, z,
                              {1.589679590824503e-10, -2.505075812044478e-08, 2.755731369195842e-06,
                               -0.0001984126982980796, 0.008333333333322413, -0.16666666666666632});
    const auto c = polynomial(m, z,
                              {-1.1359647560875724e-11, 2.0875723269958747e-09, -2.7557314352322114e-07,
                               2.4801587289482208e-05, -0.0013888888888874125, 0.0416666666666666});
    const auto of_sine = r + (r * z * s + (low - half * low));
    const auto head = m.number(1) - half;
    const auto of_cosine = head + (((m.number(1) - head) - half) + (z * z * c - r * low));
    const auto quadrant = m.plus(m.bits(counted), m.constant(quadrants));
    const auto is_even = m.is_zero(m.both_bits(quadrant, m.constant(int64_t{1})));
    const auto value = m.select(is_even, of_sine, of_cosine);
    const auto sign = m.left(m.both_bits(quadrant, m.constant(int64_t{2})), 62);
    return m.from_bits(m.other_bits(m.bits(value), sign));
}

template <class M> typename M::Double sin_usual(const M &m, typename M::Double x) { return sine(m, x, 0); }
template <class M> typename M::Double cos_usual(const M &m, typename M::Double x) { return sine(m, x, 1); }

// ---- Powers.

inline constexpr double most_for_short_power = 16;

/// Small exponents, or bases that are powers of two, if neither the base nor the result is near the ends of the range.
template <class M> typename M::Bool pow_is_usual(const M &m, typename M::Double x, typename M::Double y) {
    const Parts<M> of = parts(m, x);
    const auto is_within = m.abs(y * of.k) < m.number(1000);
    const auto is_large = m.abs(y) > m.number(most_for_short_power); // false for NaN, which is not within
    const auto is_short = m.either(m.negate(is_large), of.fraction == m.number(0));
    return m.both(is_positive_normal(m, x), m.both(is_within, is_short));
}

/// Positive normal x. log2(x) = whole + rest, where `whole` has at most 26 bits, of which 15 are fractional.
template <class M> typename M::Double pow_usual(const M &m, typename M::Double x, typename M::Double y) {
    const Parts<M> of = parts(m, x);
    const auto f = of.fraction, half = m.number(0.5) * f;
    const auto inverse = m.number(1) / (m.number(1) + half);
    const auto s = f * inverse, s_high = upper_part(m, s), half_high = upper_part(m, half);
    // f - s_high (1 + f / 2), which is exact
    auto left = m.add_exact_product(m.number(0) - s_high, half_high, f - s_high);
    left = m.add_exact_product(m.number(0) - s_high, half - half_high, left);
    const auto z = s * s;
    const auto p =
        polynomial(m, z,
                   {1.4660417692825584e-06, 5.830047631956158e-06, 2.709897190944153e-05, 0.00012807979445821996,
                    0.0006261697390636721, 0.0032203014301469416, 0.018033688011117165, 0.12022458674074693});
    // log2(e) is this factor, of 24 bits, and the remainder.
    const auto factor = m.number(0x1.715476p0);
    const auto fixed = m.add_exact_product(s_high, factor, m.number(0x1.8p37)) - m.number(0x1.8p37);
    const auto part = m.add_exact_product(s_high, factor, m.number(0) - fixed);
    const auto rest = part + (left * inverse * factor + s * (z * p + m.number(0x1.4ae0bf85ddf44p-26)));
    const auto whole = of.k + fixed, y_high = upper_part(m, y);
    const auto product = y_high * whole, low_product = (y - y_high) * whole + y * rest;
    // 2^(product + low_product); the parts down to 2^-26 are exact.
    const auto rounded = (product + low_product) + m.number(0x1.8p26) - m.number(0x1.8p26);
    const auto counted = rounded + m.number(round_magic);
    const auto high = rounded - (counted - m.number(round_magic));
    const auto low = (product - rounded) + low_product;
    const auto r = high + low;
    const auto q = polynomial(m, r,
                              {4.436299220492225e-10, 7.073585828470765e-09, 1.0178184727122295e-07,
                               1.3215436574425896e-06, 1.5252733546597672e-05, 0.00015403530454128844,
                               0.0013333558146686475, 0.009618129107596941, 0.05550410866482073, 0.24022650695910122});
    const auto tail = r * r * q + (low * m.number(ln2) + high * m.number(0x1.be8e7bcd5e4f2p-27));
    const auto value = m.add_exact_product(high, m.number(0x1.62e42f8p-1), m.number(1)) + tail;
    return m.from_bits(m.plus(m.bits(value), m.left(m.bits(counted), 52)));
}

} // namespace fluorite::math_kernels::float64
