#pragma once
// Circular functions of float32 and their inverses, in float64. See fluorite/runtime/math_kernels.h.

#include "fluorite/runtime/math_kernels/arithmetic.h"
#include "fluorite/runtime/math_kernels/large_angles.h"

namespace fluorite::math_kernels {

template <class M> typename M::Bool angle_is_usual(const M &m, typename M::Single x) {
    return m.abs(x) < m.single(0x1p24F);
}

/// x - count pi, where count is a multiple of a half below 2^25 and the result below 2: the first product and its
/// difference are exact.
template <class M> typename M::Double minus_multiple_of_pi(const M &m, typename M::Double x, typename M::Double count) {
    const auto near = m.add_exact_product(count, m.number(-0x1.921fb54p1), x);
    return near - count * m.number(0x1.10b4611a62633p-29);
}

/// The sine of `rest`, in [-pi/2, pi/2], with the sign of (-1)^count.
template <class M> typename M::Single signed_sine(const M &m, typename M::Double rest, typename M::Long count) {
    const auto z = rest * rest;
    const auto p = polynomial(m, z,
                              {-2.3886597418723092e-08, 2.752525621414147e-06, -0.00019840865775094314,
                               0.008333331090515234, -0.16666666625735296});
    const auto sine = rest * (z * p + m.number(1)); // keeps the sign of -0
    return m.narrow(m.from_bits(m.other_bits(m.bits(sine), m.left(count, 63))));
}

/// A reduced angle: a sine has the low bit of the count as its sign, a tangent counts quarters.
template <class M> struct ReducedAngle {
    typename M::Double rest;
    typename M::Long count;
};

template <class M> ReducedAngle<M> reduce_for_sine(const M &m, typename M::Double x) {
    const auto counted = x * m.number(0x1.45f306dc9c883p-2) + m.number(round_magic);
    return {minus_multiple_of_pi(m, x, counted - m.number(round_magic)), m.bits(counted)};
}

/// cos(x) = sin(x + pi/2).
template <class M> ReducedAngle<M> reduce_for_cosine(const M &m, typename M::Double x) {
    const auto counted = (x * m.number(0x1.45f306dc9c883p-2) + m.number(0.5)) + m.number(round_magic);
    const auto count = (counted - m.number(round_magic)) - m.number(0.5);
    return {minus_multiple_of_pi(m, x, count), m.bits(counted)};
}

/// x = k pi/2 + rest.
template <class M> ReducedAngle<M> reduce_for_tangent(const M &m, typename M::Double x) {
    const auto counted = x * m.number(0x1.45f306dc9c883p-1) + m.number(round_magic);
    const auto count = (counted - m.number(round_magic)) * m.number(0.5);
    return {minus_multiple_of_pi(m, x, count), m.bits(counted)};
}

/// x = k pi/2 + rest for angles that are not usual. The rest's relative error is that of one rounding or two.
template <class M> ReducedAngle<M> reduce_large_for_tangent(const M &m, typename M::Double x) {
    const auto of = reduce_large_angle<words_of_float32>(m, x);
    const auto fraction = of.parts[0] + of.parts[1];
    const auto top = m.constant(std::numeric_limits<int64_t>::min()), zero = m.constant(int64_t{0});
    const auto sign = m.both_bits(m.bits(x), top), of_fraction = m.select(of.is_above, top, zero);
    const auto rest = m.bits(fraction * m.number(half_pi));
    return {m.from_bits(m.other_bits(rest, m.other_bits(of_fraction, sign))),
            m.select(m.is_zero(sign), of.quadrant, m.minus(zero, of.quadrant))};
}

/// The same for the sine of x + quadrants pi/2: that of k pi/2 + rest for odd k is, with a sign, that of pi/2 - |rest|.
template <class M> ReducedAngle<M> reduce_large_for_sine(const M &m, typename M::Double x, int64_t quadrants) {
    const ReducedAngle<M> angle = reduce_large_for_tangent(m, x);
    const auto quadrant = m.plus(angle.count, m.constant(quadrants));
    const auto is_even = m.is_zero(m.both_bits(quadrant, m.constant(int64_t{1})));
    return {m.select(is_even, angle.rest, m.number(half_pi) - m.abs(angle.rest)), m.right(quadrant, 1)};
}

template <class M>
ReducedAngle<M> selected(const M &m, typename M::Bool condition, const ReducedAngle<M> &yes,
                         const ReducedAngle<M> &no) {
    return {m.select(condition, yes.rest, no.rest), m.select(condition, yes.count, no.count)};
}

/// What the circular functions give of infinities and NaN is NaN.
template <class M> typename M::Single of_finite(const M &m, typename M::Single x, typename M::Single value) {
    const auto nan = m.single(std::numeric_limits<float>::quiet_NaN());
    return m.select(m.abs(x) < m.single(infinity), value, nan);
}

template <class M> typename M::Single sin_usual(const M &m, typename M::Single x) {
    const ReducedAngle<M> angle = reduce_for_sine(m, m.widen(x));
    return signed_sine(m, angle.rest, angle.count);
}

/// All angles; the bits of sin_usual for those.
template <class M> typename M::Single sin(const M &m, typename M::Single x) {
    const auto wide = m.widen(x);
    const ReducedAngle<M> angle =
        selected(m, angle_is_usual(m, x), reduce_for_sine(m, wide), reduce_large_for_sine(m, wide, 0));
    return of_finite(m, x, signed_sine(m, angle.rest, angle.count));
}

template <class M> typename M::Single cos_usual(const M &m, typename M::Single x) {
    const ReducedAngle<M> angle = reduce_for_cosine(m, m.widen(x));
    return signed_sine(m, angle.rest, angle.count);
}

/// All angles; the bits of cos_usual for those.
template <class M> typename M::Single cos(const M &m, typename M::Single x) {
    const auto wide = m.widen(x);
    const ReducedAngle<M> angle =
        selected(m, angle_is_usual(m, x), reduce_for_cosine(m, wide), reduce_large_for_sine(m, wide, 1));
    return of_finite(m, x, signed_sine(m, angle.rest, angle.count));
}

template <class M> typename M::Single tangent(const M &m, const ReducedAngle<M> &angle) {
    const auto r = angle.rest, z = r * r;
    const auto s =
        polynomial(m, z, {2.7116901503689475e-06, -0.0001983858288217423, 0.008333326848279551, -0.166666666177921});
    const auto c = polynomial(m, z, {2.436934412287264e-05, -0.0013886720852471185, 0.041666632627330835});
    const auto sine = r * (z * s + m.number(1)), cosine = z * z * c + (m.number(1) - m.number(0.5) * z);
    const auto is_even = m.is_zero(m.both_bits(angle.count, m.constant(int64_t{1})));
    const auto above = m.select(is_even, sine, m.number(0) - cosine);
    return m.narrow(above / m.select(is_even, cosine, sine));
}

template <class M> typename M::Single tan_usual(const M &m, typename M::Single x) {
    return tangent(m, reduce_for_tangent(m, m.widen(x)));
}

/// All angles; the bits of tan_usual for those.
template <class M> typename M::Single tan(const M &m, typename M::Single x) {
    const auto wide = m.widen(x);
    const ReducedAngle<M> angle =
        selected(m, angle_is_usual(m, x), reduce_for_tangent(m, wide), reduce_large_for_tangent(m, wide));
    return of_finite(m, x, tangent(m, angle));
}

/// 0 <= t <= 1
template <class M> typename M::Double atan_within(const M &m, typename M::Double t) {
    const auto z = t * t;
    const auto p = polynomial(m, z,
                              {0.0011137427066788333, -0.007317726610375588, 0.022539379332385125,
                               -0.044689369275989384, 0.06741556569344148, -0.08811073610856, 0.11058218964222055,
                               -0.14279832337927695, 0.1999967106930295, -0.33333326898125154});
    return t * z * p + t;
}

template <class M> typename M::Single atan(const M &m, typename M::Single x) {
    const auto wide = m.widen(x), a = m.abs(wide);
    const auto is_large = a > m.number(1);
    const auto value = atan_within(m, m.select(is_large, m.number(1) / a, a));
    return m.narrow(with_sign(m, m.select(is_large, m.number(half_pi) - value, value), wide));
}

template <class M> typename M::Single atan2(const M &m, typename M::Single y, typename M::Single x) {
    const auto wide_y = m.widen(y);
    const auto up = m.abs(wide_y), along = m.abs(m.widen(x));
    const auto is_steep = up > along;
    const auto above = m.select(is_steep, along, up), below = m.select(is_steep, up, along);
    const auto is_corner = m.both(above == below, m.either(below == m.number(0), below == m.number(infinity)));
    const auto corner = m.select(below == m.number(0), m.number(0), m.number(1));
    auto value = atan_within(m, m.select(is_corner, corner, above / below));
    value = m.select(is_steep, m.number(half_pi) - value, value);
    value = m.select(m.is_less(m.bits(x), m.constant(0)), m.number(pi) - value, value);
    return m.narrow(with_sign(m, value, wide_y));
}

/// asin(a) below a half; asin(sqrt((1 - a) / 2)) above.
template <class M> typename M::Double half_asin(const M &m, typename M::Double a, typename M::Bool is_large) {
    const auto z = m.select(is_large, (m.number(1) - a) * m.number(0.5), a * a);
    const auto t = m.select(is_large, m.sqrt(z), a);
    const auto p = polynomial(m, z,
                              {0.037529383057262715, 0.014429837800204409, 0.031809912213225225, 0.04451670831708702,
                               0.07500505382789983, 0.16666659972672698});
    return t * z * p + t;
}

template <class M> typename M::Single asin(const M &m, typename M::Single x) {
    const auto wide = m.widen(x), a = m.abs(wide);
    const auto is_large = a > m.number(0.5);
    const auto part = half_asin(m, a, is_large);
    const auto value = m.select(is_large, m.number(half_pi) - m.number(2) * part, part);
    return m.narrow(with_sign(m, value, wide));
}

template <class M> typename M::Single acos(const M &m, typename M::Single x) {
    const auto a = m.abs(m.widen(x));
    const auto is_large = a > m.number(0.5);
    const auto part = half_asin(m, a, is_large);
    const auto value = m.select(is_large, m.number(2) * part, m.number(half_pi) - part);
    return m.narrow(m.select(x < m.single(0), m.number(pi) - value, value));
}

} // namespace fluorite::math_kernels
