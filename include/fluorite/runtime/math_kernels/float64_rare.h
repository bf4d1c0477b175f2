#pragma once
// The circular functions, atan2, hypot and pow of float64 for all arguments. See fluorite/runtime/math_kernels.h. Each
// gives the bits of NAME_usual for the arguments that are usual there, by the same operations.
//   sin, cos, tan   large_angles.h reduces; the sum of the fraction times pi/2 has 100 bits
//   atan2, hypot    both legs times 2^700 or 2^-700; a leg far below the other one does not change the angle or length,
//                   but a small angle is the quotient
//   pow             log2(|x|) as a sum of two numbers with 70 bits: the logarithm's series, by u = f / (2 + f), with sums
//                   of two numbers for its first terms. Its product with y has an absolute error below 2^-58
// A result that is a subnormal number is rounded once, too: what its first rounding loses is added to the rest.

#include "fluorite/runtime/math_kernels/float64.h"
#include "fluorite/runtime/math_kernels/float64_inverses.h"
#include "fluorite/runtime/math_kernels/large_angles.h"
#include "fluorite/runtime/math_kernels/roundings.h"

namespace fluorite::math_kernels::float64 {

inline constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

template <class M> Sum<M> selected(const M &m, typename M::Bool condition, const Sum<M> &yes, const Sum<M> &no) {
    return {m.select(condition, yes.high, no.high), m.select(condition, yes.low, no.low)};
}

/// a b, exactly but for products near the ends of the range.
template <class M> Sum<M> exact_product(const M &m, typename M::Double a, typename M::Double b) {
    const auto product = a * b;
    return {product, product_error(m, a, b, product)};
}

/// The product of two sums, within 2^-102 of it.
template <class M> Sum<M> product(const M &m, const Sum<M> &a, const Sum<M> &b) {
    const Sum<M> high = exact_product(m, a.high, b.high);
    return {high.high, high.low + (a.high * b.low + a.low * b.high)};
}

template <class M> Sum<M> plus(const M &m, const Sum<M> &a, const Sum<M> &b) {
    const Sum<M> high = exact_sum(m, a.high, b.high);
    return {high.high, high.low + (a.low + b.low)};
}

template <class M> Sum<M> constant(const M &m, double high, double low) { return {m.number(high), m.number(low)}; }

// ---- Circles.

/// Precondition: a finite angle that is not usual.
template <class M> ReducedAngle<M> reduce_large(const M &m, typename M::Double x) {
    const auto of = reduce_large_angle<words_of_float64>(m, x);
    // Where the first parts are zeros or small, their sum is exact, and the last ones count.
    const Sum<M> first = exact_sum(m, of.parts[0], of.parts[1]), second = exact_sum(m, first.low, of.parts[2]);
    const Sum<M> high = exact_sum(m, first.high, second.high);
    const Sum<M> fraction = {high.high, high.low + (second.low + of.parts[3])};
    const Sum<M> angle = product(m, fraction, constant(m, half_pi, half_pi_low));
    const auto r = angle.high + angle.low, low = (angle.high - r) + angle.low;
    const auto top = m.constant(std::numeric_limits<int64_t>::min()), zero = m.constant(int64_t{0});
    const auto sign = m.both_bits(m.bits(x), top);
    const auto of_rest = m.other_bits(sign, m.select(of.is_above, top, zero));
    const auto with = [&](typename M::Double value) { return m.from_bits(m.other_bits(m.bits(value), of_rest)); };
    return {m.select(m.is_zero(sign), of.quadrant, m.minus(zero, of.quadrant)), {with(r), with(low)}};
}

template <class M> ReducedAngle<M> reduce_any(const M &m, typename M::Double x) {
    const auto is_usual = angle_is_usual(m, x);
    const ReducedAngle<M> near = reduce_angle(m, x), large = reduce_large(m, x);
    return {m.select(is_usual, near.quadrant, large.quadrant), selected(m, is_usual, near.rest, large.rest)};
}

/// NaN for infinities and NaN.
template <class M> typename M::Double of_finite(const M &m, typename M::Double x, typename M::Double value) {
    return m.select(m.abs(x) < m.number(infinity), value, m.number(not_a_number));
}

/// The sine of x + quadrants pi/2.
template <class M> typename M::Double sine_of_any(const M &m, typename M::Double x, int64_t quadrants) {
    Angle<M> angle = angle_of(m, reduce_any(m, x));
    angle.cosine.low = m.select(angle_is_usual(m, x), angle.cosine.low, exact_cosine_low(m, angle));
    return of_finite(m, x, sine(m, angle, quadrants));
}

template <class M> typename M::Double sin(const M &m, typename M::Double x) {
    return m.select(x == m.number(0), x, sine_of_any(m, x, 0));
}
template <class M> typename M::Double cos(const M &m, typename M::Double x) { return sine_of_any(m, x, 1); }
template <class M> typename M::Double tan(const M &m, typename M::Double x) {
    const auto value = of_finite(m, x, tangent(m, angle_of(m, reduce_any(m, x))));
    return m.select(x == m.number(0), x, value);
}

// ---- Angles of points, and lengths.

/// 1, or where the greater leg is large 2^-700, where it is small 2^700; and the inverse of that. The greater leg is
/// then within [2^-374, 2^400], so that a leg below 2^-450 is small beside it.
template <class M> struct Scale {
    typename M::Double factor, inverse;
};

template <class M> Scale<M> scale_of(const M &m, typename M::Double greatest) {
    const auto is_small = greatest<m.number(0x1p-300), is_large = greatest> m.number(0x1p400);
    const auto one = m.number(1), up = m.number(0x1p700), down = m.number(0x1p-700);
    return {m.select(is_small, up, m.select(is_large, down, one)),
            m.select(is_small, down, m.select(is_large, up, one))};
}

template <class M> typename M::Double greatest(const M &m, typename M::Double a, typename M::Double b) {
    return m.select(a > b, a, b);
}

/// Usual legs with the same angle. One of two infinities is as long as the other one.
template <class M> struct Legs {
    typename M::Double y, x;
};

template <class M> Legs<M> usual_legs(const M &m, typename M::Double y, typename M::Double x) {
    const auto a = m.abs(y), b = m.abs(x), zero = m.number(0), one = m.number(1), edge = m.number(infinity);
    const auto y_is_infinite = a == edge, x_is_infinite = b == edge;
    const auto any_is = m.either(y_is_infinite, x_is_infinite);
    const auto factor = scale_of(m, greatest(m, a, b)).factor;
    const auto leg = [&](typename M::Double magnitude, typename M::Bool is_infinite, typename M::Double with_sign_of) {
        const auto scaled = magnitude * factor;
        const auto finite =
            m.select(m.either(scaled < m.number(0x1p-450), m.both(any_is, scaled == scaled)), zero, scaled);
        return with_sign(m, m.select(is_infinite, one, finite), with_sign_of);
    };
    return {leg(a, y_is_infinite, y), leg(b, x_is_infinite, x)};
}

template <class M> typename M::Double atan2(const M &m, typename M::Double y, typename M::Double x) {
    const auto is_usual = atan2_is_usual(m, y, x);
    const Legs<M> legs = usual_legs(m, y, x);
    const auto value = atan2_usual(m, m.select(is_usual, y, legs.y), m.select(is_usual, x, legs.x));
    // The angle of a point beside the positive axis.
    const auto is_flat = m.both(legs.y == m.number(0), legs.x > m.number(0));
    return m.select(m.both(m.negate(is_usual), is_flat), y / x, value);
}

template <class M> typename M::Double hypot(const M &m, typename M::Double x, typename M::Double y) {
    const auto a = m.abs(x), b = m.abs(y), edge = m.number(infinity);
    const Scale<M> scale = scale_of(m, greatest(m, a, b));
    const auto is_usual = hypot_is_usual(m, x, y);
    const auto one = m.number(1), factor = m.select(is_usual, one, scale.factor);
    const auto inverse = m.select(is_usual, one, scale.inverse);
    const Sum<M> of = length(m, x * factor, y * factor);
    const auto whole = (of.high + of.low) * inverse;
    const auto is_subnormal = whole < m.number(0x1p-1022);
    const auto rounded = of.high * inverse, rest = (of.high - rounded * factor) + of.low;
    // Where it does not count, the rest is 0: operations on subnormal numbers take long.
    const auto value = m.select(is_subnormal, rounded + m.select(is_subnormal, rest, m.number(0)) * inverse, whole);
    return m.select(m.either(a == edge, b == edge), edge, value);
}

// ---- Powers.

/// log2(1 + f) = 2 / log(2) (u + u^3 / 3 + u^5 / 5 + ...) with u = f / (2 + f). The first three terms are sums of two
/// numbers.
template <class M> Sum<M> long_logarithm(const M &m, typename M::Double f) {
    const Sum<M> u = quotient(m, {f, m.number(0)}, exact_sum(m, m.number(2), f)), w = product(m, u, u);
    const auto rest =
        w.high * polynomial(m, w.high,
                            {0.09949620971648024, 0.1068662993251084, 0.11541560327111708, 0.12545174268599682,
                             0.1373995277037108, 0.15186263588304877, 0.16972882833987804, 0.19235933878519512,
                             0.22195308321368667, 0.2623081892525388, 0.3205988979753252, 0.4121985831111324});
    Sum<M> series = plus(m, constant(m, 0x1.2776c50ef9bfep-1, 0x1.e4b29ccc535d4p-55), {rest, m.number(0)});
    series = plus(m, constant(m, 0x1.ec709dc3a03fdp-1, 0x1.d27f05548af0cp-55), product(m, w, series));
    series = plus(m, constant(m, 0x1.71547652b82fep1, 0x1.777d0ffda0d24p-55), product(m, w, series));
    return product(m, u, series);
}

/// Applies the sign, and replaces what is no number; `value` is |x|^y.
template <class M>
typename M::Double signed_power(const M &m, typename M::Double x, typename M::Double y, typename M::Double value) {
    value = m.select(is_odd(m, y), with_sign(m, value, x), value);
    const auto is_negative = m.both(x < m.number(0), m.negate(x == m.number(-infinity)));
    const auto has_none = m.either(m.both(is_negative, m.negate(is_whole(m, y))), m.negate(m.both(x == x, y == y)));
    value = m.select(has_none, m.number(not_a_number), value);
    return m.select(m.either(x == m.number(1), y == m.number(0)), m.number(1), value);
}

/// |x|^y for positive |x| where pow_is_usual does not hold.
template <class M> typename M::Double long_power(const M &m, typename M::Double magnitude, typename M::Double y) {
    const auto zero = m.number(0), edge = m.number(infinity), one = m.number(1);
    const auto is_tiny = magnitude < m.number(0x1p-1022);
    const Parts<M> of = parts(m, m.select(is_tiny, magnitude * m.number(0x1p54), magnitude));
    const auto k = m.select(is_tiny, of.k - m.number(54), of.k);
    const Sum<M> log = plus(m, {k, zero}, long_logarithm(m, of.fraction));
    const auto is_zero = magnitude == zero, is_infinite = magnitude == edge;
    const auto about = y * m.select(is_zero, zero - edge, m.select(is_infinite, edge, log.high));
    const auto most = m.number(1030), least = m.number(-1080);
    const auto is_within = m.both(about<most, about> least);
    const Sum<M> exponent = product(m, {m.select(is_within, y, zero), zero}, log);
    const auto value = rounded_once(m, exp2_of_sum(m, selected(m, is_within, exponent, {zero, zero})));
    const auto beyond = m.select(about > zero, edge, zero);
    // An infinite exponent times log(1) is undefined.
    return m.select(magnitude == one, one, m.select(is_within, value, beyond));
}

template <class M> typename M::Double pow(const M &m, typename M::Double x, typename M::Double y) {
    const auto magnitude = m.abs(x);
    const auto value = m.select(pow_is_usual(m, magnitude, y), pow_usual(m, magnitude, y), long_power(m, magnitude, y));
    return signed_power(m, x, y, value);
}

} // namespace fluorite::math_kernels::float64
