#pragma once
// Math functions of float64: exponentials, logarithms, circles, lengths and powers with small exponents;
// float64_inverses.h has the others, float64_rare.h the arguments that are not usual here. See
// fluorite/runtime/math_kernels.h; the methods are those of float32, with 53 bits. Sums are kept in two numbers where a
// rounding error would be visible: within 0.95 units in the last place.

#include "fluorite/runtime/math_kernels/arithmetic.h"

namespace fluorite::math_kernels::float64 {

/// The upper 26 bits: a product of two such numbers is exact.
template <class M> typename M::Double upper_part(const M &m, typename M::Double x) {
    return m.from_bits(m.both_bits(m.bits(x), m.constant(static_cast<int64_t>(0xFFFFFFFFF8000000))));
}

/// The sum of a number and a small one.
template <class M> struct Sum {
    typename M::Double high, low;
};

/// a + b, exactly.
template <class M> Sum<M> exact_sum(const M & /*m*/, typename M::Double a, typename M::Double b) {
    const auto sum = a + b, of_b = sum - a;
    return {sum, (a - (sum - of_b)) + (b - of_b)};
}

/// x = high + low, of 26 bits each: products of such numbers are exact.
template <class M> Sum<M> halves(const M &m, typename M::Double x) {
    const auto high = upper_part(m, m.from_bits(m.plus(m.bits(x), m.constant(int64_t{1} << 26))));
    return {high, x - high};
}

/// a b - product, where that is a b rounded: exact, but for products near the ends of the range.
template <class M>
typename M::Double product_error(const M &m, typename M::Double a, typename M::Double b, typename M::Double product) {
    if (const auto fused = m.fused(a, b, m.number(0) - product)) {
        return *fused;
    }
    const Sum<M> of_a = halves(m, a), of_b = halves(m, b);
    return ((of_a.high * of_b.high - product) + of_a.high * of_b.low + of_a.low * of_b.high) + of_a.low * of_b.low;
}

/// a - b c, where b c is near a.
template <class M>
typename M::Double minus_product(const M &m, typename M::Double a, typename M::Double b, typename M::Double c) {
    const auto product = b * c;
    return (a - product) - product_error(m, b, c, product);
}

/// a^2 - square, where that is a^2 rounded.
template <class M> typename M::Double square_error(const M &m, typename M::Double a, typename M::Double square) {
    if (const auto fused = m.fused(a, a, m.number(0) - square)) {
        return *fused;
    }
    const Sum<M> of = halves(m, a);
    return ((of.high * of.high - square) + m.number(2) * of.high * of.low) + of.low * of.low;
}

/// The quotient is corrected by its remainder.
template <class M> Sum<M> quotient(const M &m, const Sum<M> &above, const Sum<M> &below) {
    const auto inverse = m.number(1) / (below.high + below.low), value = (above.high + above.low) * inverse;
    const auto rest = minus_product(m, above.high, value, below.high) + (above.low - value * below.low);
    return {value, rest * inverse};
}

template <class M> typename M::Bool is_positive_normal(const M &m, typename M::Double x) {
    return m.both(x > m.number(0x1.fffffffffffffp-1023), x < m.number(infinity));
}

// ---- exp.

template <class M> typename M::Bool exp_is_usual(const M &m, typename M::Double x) { return m.abs(x) < m.number(700); }

/// exp(x) = 2^k (1 + r + tail), where k is an integer below 2^11, and the tail is small beside r. The low bits of
/// `counted` are k.
template <class M> struct Exponential {
    typename M::Double counted, k, r, tail;
};

template <class M> Exponential<M> reduce_exp(const M &m, typename M::Double x) {
    const auto counted = x * m.number(0x1.71547652b82fep0) + m.number(round_magic);
    const auto k = counted - m.number(round_magic);
    // What is left of x is high - low; the polynomial takes the rounded difference, its sum with 1 both numbers.
    const auto high = m.add_exact_product(k, m.number(-0x1.62e42fefa38p-1), x);
    const auto low = k * m.number(0x1.ef35793c7673p-45);
    const auto r = high - low;
    const auto p = polynomial(m, r,
                              {2.5000053878886233e-08, 2.763024842243285e-07, 2.755758639674158e-06,
                               2.4801493098733352e-05, 0.00019841269506555356, 0.0013888888943630361,
                               0.00833333333349447, 0.041666666666530155, 0.16666666666666413, 0.5000000000000011});
    return {counted, k, high, r * r * p - low};
}

/// 1 + r + tail.
template <class M> typename M::Double value_of(const M &m, const Exponential<M> &e) {
    const auto sum = m.number(1) + e.r;
    return sum + ((e.r - (sum - m.number(1))) + e.tail);
}

/// The low bits of `counted`, as they are added to a float64's exponent.
template <class M> typename M::Long exponent_bits(const M &m, typename M::Double counted) {
    return m.left(m.bits(counted), 52);
}

/// scale 2^k for a power of two, where the low bits of `counted` are k.
template <class M> typename M::Double power_of_2(const M &m, typename M::Double counted, double scale) {
    return m.from_bits(m.plus(m.bits(m.number(scale)), exponent_bits(m, counted)));
}

/// 2^k (head + tail); the low bits of `counted` are k. The tail is small beside the head.
template <class M> struct Power {
    typename M::Double counted, head, tail;
};

/// Its value. Precondition: |k| < 1100. A subnormal result is rounded once, too: the power is computed times 2^200, and
/// what its rounding loses is added to the rest of the sum.
template <class M> typename M::Double rounded_once(const M &m, const Power<M> &power) {
    const auto k = power.counted - m.number(round_magic);
    const auto is_small = k < m.number(-960);
    const auto shifted = m.select(is_small, k + m.number(200), k);
    // 2^k is multiplied in two steps.
    const auto half = shifted * m.number(0.5) + m.number(round_magic), rest = shifted - (half - m.number(round_magic));
    const auto scale = power_of_2(m, half, 1), more = power_of_2(m, rest + m.number(round_magic), 1);
    const auto sum = power.head + power.tail;
    const auto value = sum * scale * more, rounded = value * m.number(0x1p-200);
    const auto lost = (value - rounded * m.number(0x1p200)) + ((power.head - sum) + power.tail) * scale * more;
    const auto subnormal = rounded + lost * m.number(0x1p-200);
    return m.select(is_small, m.select(rounded < m.number(0x1p-1022), subnormal, rounded), value);
}

template <class M> typename M::Double exp_usual(const M &m, typename M::Double x) {
    const Exponential<M> e = reduce_exp(m, x);
    return m.from_bits(m.plus(m.bits(value_of(m, e)), exponent_bits(m, e.counted)));
}

/// All arguments; the bits of exp_usual for those.
template <class M> typename M::Double exp(const M &m, typename M::Double x) {
    const auto upper = m.select(x > m.number(710), m.number(710), x);
    const Exponential<M> e = reduce_exp(m, m.select(upper < m.number(-746), m.number(-746), upper));
    const auto sum = m.number(1) + e.r;
    return rounded_once(m, Power<M>{e.counted, sum, (e.r - (sum - m.number(1))) + e.tail});
}

template <class M> typename M::Double clamped(const M &m, typename M::Double magnitude, double greatest) {
    return m.select(magnitude > m.number(greatest), m.number(greatest), magnitude);
}

/// scale (exp(x) - 1) with a small relative error, for a power of two. Precondition: 0 <= x < 711, or NaN.
template <class M> Sum<M> exp_minus_1(const M &m, typename M::Double x, double scale) {
    const Exponential<M> e = reduce_exp(m, x);
    const auto power = power_of_2(m, e.counted, scale);
    const Sum<M> sum = exact_sum(m, power - m.number(scale), power * e.r);
    return {sum.high, sum.low + power * e.tail};
}

/// With e = exp(x) - 1: (e + e / (e + 1)) / 2. A quarter of e is finite wherever the result is.
template <class M> typename M::Double sinh(const M &m, typename M::Double x) {
    const auto a = m.abs(x);
    const Sum<M> e = exp_minus_1(m, clamped(m, a, 710.7), 0.25);
    const Sum<M> above = exact_sum(m, e.high, m.number(0.25));
    const Sum<M> part = quotient(m, e, {above.high, above.low + e.low});
    const Sum<M> sum = exact_sum(m, e.high, m.number(0.25) * part.high);
    const auto value = m.number(2) * (sum.high + (sum.low + (e.low + m.number(0.25) * part.low)));
    return with_sign(m, m.select(a < m.number(0x1p-28), a, value), x);
}

template <class M> typename M::Double cosh(const M &m, typename M::Double x) {
    const Exponential<M> e = reduce_exp(m, clamped(m, m.abs(x), 710.7));
    const auto power = power_of_2(m, e.counted, 0.25), sum = m.number(1) + e.r;
    const auto tail = (e.r - (sum - m.number(1))) + e.tail;
    const auto inverse = m.number(0.0625) / (power * (sum + tail));
    return m.number(2) * (power * sum + (power * tail + inverse));
}

/// With e = exp(2 x) - 1: e / (e + 2).
template <class M> typename M::Double tanh(const M &m, typename M::Double x) {
    const auto a = m.abs(x);
    const Sum<M> e = exp_minus_1(m, m.number(2) * clamped(m, a, 20), 1);
    const Sum<M> above = exact_sum(m, e.high, m.number(2));
    const Sum<M> value = quotient(m, e, {above.high, above.low + e.low});
    return with_sign(m, m.select(a < m.number(0x1p-28), a, value.high + value.low), x);
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
template <class M> Sum<M> log_of(const M &m, const Parts<M> &of) {
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
    return {sum, lost - tail};
}

template <class M> typename M::Double log_usual(const M &m, typename M::Double x) {
    const Sum<M> log = log_of(m, parts(m, x));
    return log.high + log.low;
}

/// All arguments; the bits of log_usual for those.
template <class M> typename M::Double log(const M &m, typename M::Double x) {
    const auto zero = m.number(0), edge = m.number(infinity);
    const auto is_tiny = x < m.number(0x1p-1022);
    Parts<M> of = parts(m, m.select(is_tiny, x * m.number(0x1p54), x));
    of.k = m.select(is_tiny, of.k - m.number(54), of.k);
    const Sum<M> log = log_of(m, of);
    const auto value = log.high + log.low;
    const auto nan = m.number(std::numeric_limits<double>::quiet_NaN());
    const auto negative = m.select(x < zero, nan, x); // infinity and NaN stay
    return m.select(m.both(x > zero, x < edge), value, m.select(x == zero, zero - edge, negative));
}

/// log((1 + a) / (1 - a)) / 2; the low part of the quotient is a factor 1 + low / high.
template <class M> typename M::Double atanh(const M &m, typename M::Double x) {
    const auto a = m.abs(x), one = m.number(1);
    const Sum<M> ratio = quotient(m, exact_sum(m, one, a), exact_sum(m, one, m.number(0) - a));
    const Sum<M> log = log_of(m, parts(m, ratio.high));
    const auto value = m.number(0.5) * (log.high + (log.low + ratio.low / ratio.high));
    const auto nan = m.number(std::numeric_limits<double>::quiet_NaN());
    const auto edge = m.select(a == one, m.number(infinity), nan);
    return with_sign(m, m.select(a < m.number(0x1p-28), a, m.select(a < one, value, edge)), x);
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

/// x = k pi/2 + rest, where the low bits of `quadrant` are k.
template <class M> struct ReducedAngle {
    typename M::Long quadrant;
    Sum<M> rest;
};

/// The sine and the cosine of the rest.
template <class M> struct Angle {
    typename M::Long quadrant;
    Sum<M> sine, cosine;
};

/// Precondition: the angle is usual. pi/2 has parts of 33, 33 and 53 bits.
template <class M> ReducedAngle<M> reduce_angle(const M &m, typename M::Double x) {
    const auto counted = x * m.number(0x1.45f306dc9c883p-1) + m.number(round_magic);
    const auto k = counted - m.number(round_magic);
    const auto first = m.add_exact_product(k, m.number(-0x1.921fb544p0), x);
    const auto part = k * m.number(0x1.0b4611a6p-34);
    const auto second = first - part;
    const auto rest = k * m.number(0x1.3198a2e037073p-69) - ((first - second) - part);
    const auto r = second - rest;
    return {m.bits(counted), {r, (second - r) - rest}};
}

template <class M> Angle<M> angle_of(const M &m, const ReducedAngle<M> &of) {
    const auto r = of.rest.high, low = of.rest.low;
    const auto z = r * r, half = m.number(0.5) * z;
    const auto s = polynomial(m, z,
                              {1.589679590824503e-10, -2.505075812044478e-08, 2.755731369195842e-06,
                               -0.0001984126982980796, 0.008333333333322413, -0.16666666666666632});
    const auto c = polynomial(m, z,
                              {-1.1359647560875724e-11, 2.0875723269958747e-09, -2.7557314352322114e-07,
                               2.4801587289482208e-05, -0.0013888888888874125, 0.0416666666666666});
    const auto head = m.number(1) - half;
    const auto cosine_low = ((m.number(1) - head) - half) + (z * z * c - r * low);
    return {of.quadrant, {r, r * z * s + (low - half * low)}, {head, cosine_low}};
}

/// The sine of the angle + quadrants pi/2.
template <class M> typename M::Double sine(const M &m, const Angle<M> &angle, int64_t quadrants) {
    const auto quadrant = m.plus(angle.quadrant, m.constant(quadrants));
    const auto is_even = m.is_zero(m.both_bits(quadrant, m.constant(int64_t{1})));
    const auto value = m.select(is_even, angle.sine.high + angle.sine.low, angle.cosine.high + angle.cosine.low);
    const auto sign = m.left(m.both_bits(quadrant, m.constant(int64_t{2})), 62);
    return m.from_bits(m.other_bits(m.bits(value), sign));
}

/// The low part of the cosine, with the rounding error of the square that the cosine is built of.
template <class M> typename M::Double exact_cosine_low(const M &m, const Angle<M> &angle) {
    const auto r = angle.sine.high;
    return angle.cosine.low - m.number(0.5) * square_error(m, r, r * r);
}

template <class M> typename M::Double tangent(const M &m, const Angle<M> &angle) {
    const auto cosine_low = exact_cosine_low(m, angle);
    const auto is_even = m.is_zero(m.both_bits(angle.quadrant, m.constant(int64_t{1})));
    const Sum<M> above = {m.select(is_even, angle.sine.high, angle.cosine.high),
                          m.select(is_even, angle.sine.low, cosine_low)};
    const Sum<M> below = {m.select(is_even, angle.cosine.high, angle.sine.high),
                          m.select(is_even, cosine_low, angle.sine.low)};
    const Sum<M> value = quotient(m, above, below);
    const auto parity = m.left(angle.quadrant, 63);
    return m.from_bits(m.other_bits(m.bits(value.high + value.low), parity));
}

template <class M> typename M::Double sin_usual(const M &m, typename M::Double x) {
    return sine(m, angle_of(m, reduce_angle(m, x)), 0);
}
template <class M> typename M::Double cos_usual(const M &m, typename M::Double x) {
    return sine(m, angle_of(m, reduce_angle(m, x)), 1);
}
template <class M> typename M::Double tan_usual(const M &m, typename M::Double x) {
    return tangent(m, angle_of(m, reduce_angle(m, x)));
}

// ---- Lengths.

template <class M> typename M::Bool hypot_is_usual(const M &m, typename M::Double x, typename M::Double y) {
    const auto a = m.abs(x), b = m.abs(y), most = m.number(0x1p500), least = m.number(0x1p-450);
    const auto is_zero = m.both(a == m.number(0), b == m.number(0));
    return m.both(m.both(a < most, b < most), m.either(is_zero, m.either(a > least, b > least)));
}

/// The root h and its correction by (x^2 + y^2 - h^2) / (2 h), for legs that are usual.
template <class M> Sum<M> length(const M &m, typename M::Double x, typename M::Double y) {
    const auto u = m.abs(x), v = m.abs(y);
    const auto is_greater = u > v;
    const auto a = m.select(is_greater, u, v), b = m.select(is_greater, v, u);
    const auto of_a = a * a, of_b = b * b, h = m.sqrt(of_a + of_b), of_h = h * h;
    const auto errors = square_error(m, a, of_a) + (square_error(m, b, of_b) - square_error(m, h, of_h));
    const auto rest = ((of_a - of_h) + of_b) + errors;
    // The addend only changes a divisor of zero.
    return {h, m.number(0.5) * rest / (h + m.number(0x1p-600))};
}

template <class M> typename M::Double hypot_usual(const M &m, typename M::Double x, typename M::Double y) {
    const Sum<M> of = length(m, x, y);
    return of.high + of.low;
}

// ---- Powers.

// The error grows with the exponent: 0.75 units here, 0.88 for exponents of 16.
inline constexpr double most_for_short_power = 10;

/// Small exponents, or bases that are powers of two, if neither the base nor the result is near the ends of the range.
template <class M> typename M::Bool pow_is_usual(const M &m, typename M::Double x, typename M::Double y) {
    const Parts<M> of = parts(m, x);
    const auto is_within = m.abs(y * of.k) < m.number(1000);
    const auto is_large = m.abs(y) > m.number(most_for_short_power); // false for NaN, which is not within
    const auto is_short = m.either(m.negate(is_large), of.fraction == m.number(0));
    return m.both(is_positive_normal(m, x), m.both(is_within, is_short));
}

/// 2^(high + low), whose parts down to 2^-26 are exact. Precondition: the exponent is below 2^24.
template <class M> Power<M> exp2_of_sum(const M &m, const Sum<M> &exponent) {
    const auto rounded = (exponent.high + exponent.low) + m.number(0x1.8p26) - m.number(0x1.8p26);
    const auto counted = rounded + m.number(round_magic);
    const auto high = rounded - (counted - m.number(round_magic));
    const auto low = (exponent.high - rounded) + exponent.low;
    const auto r = high + low;
    const auto q = polynomial(m, r,
                              {4.436299220492225e-10, 7.073585828470765e-09, 1.0178184727122295e-07,
                               1.3215436574425896e-06, 1.5252733546597672e-05, 0.00015403530454128844,
                               0.0013333558146686475, 0.009618129107596941, 0.05550410866482073, 0.24022650695910122});
    const auto tail = r * r * q + (low * m.number(ln2) + high * m.number(0x1.be8e7bcd5e4f2p-27));
    return {counted, m.add_exact_product(high, m.number(0x1.62e42f8p-1), m.number(1)), tail};
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
    const Power<M> power = exp2_of_sum(m, {product, low_product});
    return m.from_bits(m.plus(m.bits(power.head + power.tail), exponent_bits(m, power.counted)));
}

} // namespace fluorite::math_kernels::float64
