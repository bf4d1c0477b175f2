#pragma once
// Inverse functions of float64: arcs. See
// fluorite/runtime/math_kernels.h; the methods are those of float32, with 53 bits.
//   asin(a), acos(a)    for a <= 1/2 a + a^3 p(a^2); else by pi/2 - 2 asin(sqrt((1 - a) / 2))
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

} // namespace fluorite::math_kernels::float64
