#pragma once
// Inverse functions of float64: arcs. See
// fluorite/runtime/math_kernels.h; the methods are those of float32, with 53 bits.
//   asin(a), acos(a)    for a <= 1/2 a + a^3 p(a^2); else by pi/2 - 2 asin(sqrt((1 - a) / 2))
//   atan(t), atan2      one division: the arc is 0, pi/4 or pi/2 and that of a ratio of at most 0.66
// Roots are sums of two numbers: within 0.9 units in the last place. The low part of a root
// is its remainder over twice the root; a few bits of that quotient suffice, so an approximation of the inverse does.
// Coefficients are near minimax, with errors below 2^-57 of the result.

#include "fluorite/runtime/math_kernels/float64.h"

namespace fluorite::math_kernels::float64 {

/// 1 / x within 6 percent, for positive normal x; a large finite number for 0.
template <class M> typename M::Double rough_inverse(const M &m, typename M::Double x) {
    return m.from_bits(m.minus(m.constant(int64_t{0x7FDE6238E0000000}), m.bits(x)));
}

/// What sqrt(root^2 + rest) has more than the root.
template <class M> typename M::Double root_error(const M &m, typename M::Double root, typename M::Double rest) {
    return m.number(0.5) * rest * rough_inverse(m, root);
}

/// x - root^2, where that is small beside x.
template <class M> typename M::Double root_rest(const M &m, typename M::Double x, typename M::Double root) {
    const auto square = root * root;
    return (x - square) - square_error(m, root, square);
}

/// base + value + tail, where |base| >= |value| or base is 0, and the tail is small: rounded once at the end.
template <class M>
typename M::Double rounded_sum(const M & /*m*/, typename M::Double base, typename M::Double value,
                               typename M::Double tail) {
    const auto sum = base + value;
    return sum + (((base - sum) + value) + tail);
}

// ---- Arcs.

inline constexpr double half_pi_low = 0x1.1a62633145c07p-54;

/// asin(a) for a < 1/2, and asin(sqrt((1 - a) / 2)) else, is v + low + v z p(z).
template <class M> struct SmallArc {
    typename M::Bool is_small;
    typename M::Double root, low, ratio; // the root, its error, z p(z)
};

template <class M> SmallArc<M> small_arc(const M &m, typename M::Double a) {
    const auto is_small = a < m.number(0.5);
    const auto z = m.select(is_small, a * a, m.number(0.5) - m.number(0.5) * a);
    const auto root = m.sqrt(z);
    const auto p = polynomial(m, z,
                              {0.028757851367421566, -0.014851887071247204, 0.01740087944269402, 0.005457506718640358,
                               0.01032281435018578, 0.011479177415184906, 0.013971212973552933, 0.017352392720869973,
                               0.02237217294214989, 0.030381944138531247, 0.04464285714635543, 0.07499999999998433,
                               0.16666666666666669});
    return {is_small, root, root_error(m, root, root_rest(m, z, root)), z * p};
}

template <class M> typename M::Double asin(const M &m, typename M::Double x) {
    const auto a = m.abs(x), zero = m.number(0);
    const SmallArc<M> arc = small_arc(m, a);
    const auto value = m.select(arc.is_small, a, m.number(-2) * arc.root);
    const auto low = m.select(arc.is_small, zero, m.number(half_pi_low) - m.number(2) * arc.low);
    const auto base = m.select(arc.is_small, zero, m.number(half_pi));
    return with_sign(m, rounded_sum(m, base, value, low + value * arc.ratio), x);
}

template <class M> typename M::Double acos(const M &m, typename M::Double x) {
    const auto zero = m.number(0), two = m.number(2);
    const SmallArc<M> arc = small_arc(m, m.abs(x));
    const auto is_positive = x > zero;
    const auto factor = m.select(is_positive, two, zero - two);
    const auto value = m.select(arc.is_small, zero - x, factor * arc.root);
    const auto quarters = m.select(arc.is_small, m.number(1), m.select(is_positive, zero, two));
    const auto low = m.select(arc.is_small, zero, factor * arc.low) + quarters * m.number(half_pi_low);
    return rounded_sum(m, quarters * m.number(half_pi), value, low + value * arc.ratio);
}

/// The arc whose tangent is y / x for y, x >= 0: eighths pi/4 + atan(above / below).
template <class M> struct Ratio {
    typename M::Double eighths, above, below;
};

template <class M> Ratio<M> reduce_ratio(const M &m, typename M::Double y, typename M::Double x) {
    const auto is_above = y > m.number(0.66) * x, is_steep = y > m.number(1.6) * x; // false for NaN
    const auto zero = m.number(0);
    return {m.select(is_steep, m.number(2), m.select(is_above, m.number(1), zero)),
            m.select(is_steep, zero - x, m.select(is_above, y - x, y)),
            m.select(is_steep, y, m.select(is_above, y + x, x))};
}

/// eighths pi/4 + atan(t + low), for |t| <= 0.66.
template <class M>
typename M::Double arc_of(const M &m, typename M::Double eighths, typename M::Double t, typename M::Double low) {
    const auto z = t * t;
    const auto p = polynomial(m, z,
                              {-0.0022331903226341927, 0.009710654827910925, -0.021243411686277976, 0.03244043171156607,
                               -0.04078361874157361, 0.04690618976510973, -0.05249245606674334, 0.0588037381846034,
                               -0.0666646564159431, 0.07692293584058214, -0.09090908440859424, 0.1111111109298794,
                               -0.14285714285448603, 0.19999999999998458, -0.3333333333333333});
    // pi/4 is this number of 50 bits, whose products with eighths are exact, and the remainder.
    const auto base = eighths * m.number(0x1.921fb54442d18p-1), rest = eighths * m.number(0.5 * half_pi_low);
    return rounded_sum(m, base, t, (rest + low) + t * (z * p));
}

template <class M> typename M::Double atan(const M &m, typename M::Double x) {
    const Ratio<M> of = reduce_ratio(m, m.abs(x), m.number(1));
    return with_sign(m, arc_of(m, of.eighths, of.above / of.below, m.number(0)), x);
}

/// Zeros, and numbers whose quotient and its remainder are normal.
template <class M> typename M::Bool leg_is_usual(const M &m, typename M::Double x) {
    const auto a = m.abs(x);
    return m.both(a < m.number(0x1p450), m.either(a > m.number(0x1p-450), a == m.number(0)));
}

template <class M> typename M::Bool atan2_is_usual(const M &m, typename M::Double y, typename M::Double x) {
    return m.both(leg_is_usual(m, y), leg_is_usual(m, x));
}

template <class M> typename M::Double atan2_usual(const M &m, typename M::Double y, typename M::Double x) {
    const Ratio<M> of = reduce_ratio(m, m.abs(y), m.abs(x));
    const auto below = of.below + m.number(0x1p-600); // which only changes a divisor of zero
    const auto t = of.above / below;
    // atan(t + low) = atan(t) + low / (1 + t^2)
    const auto rest = minus_product(m, of.above, t, below) * rough_inverse(m, below);
    const auto low = rest * (m.number(1) - m.number(0.7) * (t * t));
    const auto sign = m.both_bits(m.bits(x), m.constant(std::numeric_limits<int64_t>::min()));
    const auto eighths = m.select(m.is_zero(sign), of.eighths, m.number(4) - of.eighths);
    const auto signed_like_x = [&](typename M::Double value) { return m.from_bits(m.other_bits(m.bits(value), sign)); };
    return with_sign(m, arc_of(m, eighths, signed_like_x(t), signed_like_x(low)), y);
}

} // namespace fluorite::math_kernels::float64
