#pragma once
// Inverse functions of float64, and erf: arcs, area functions and the error function. See
// fluorite/runtime/math_kernels.h; the methods are those of float32, with 53 bits.
//   asin(a), acos(a)    for a <= 1/2 a + a^3 p(a^2); else by pi/2 - 2 asin(sqrt((1 - a) / 2))
//   atan(t), atan2      one division: the arc is 0, pi/4 or pi/2 and that of a ratio of at most 0.66
//   asinh(a)            for a < 1/2 a + a^3 p(a^2); else log(a + sqrt(a^2 + 1))
//   acosh(a)            for a < 3/2, with t = a - 1, sqrt(2 t) (1 + t p(t)); else log(a + sqrt(a^2 - 1))
//   erf(a)              for a < 0.7 a + a p(a^2); else 1 - exp(-(3/2 a + a p(a)))
// Arguments of logarithms and roots are sums of two numbers: within 0.9 units in the last place. The low part of a root
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

// ---- Area functions.

/// log(x.high + x.low), where the low part is below an ulp of the high one; log(2 `large`) where that is given.
template <class M>
typename M::Double log_of_sum(const M &m, const Sum<M> &x, typename M::Bool is_large, typename M::Double large) {
    const auto rough = rough_inverse(m, x.high), inverse = rough * (m.number(2) - x.high * rough);
    Parts<M> of = parts(m, m.select(is_large, large, x.high));
    of.k = m.select(is_large, of.k + m.number(1), of.k);
    const Sum<M> log = log_of(m, of);
    const auto value = log.high + (log.low + m.select(is_large, m.number(0), x.low * inverse));
    return m.select(large < m.number(infinity), value, large); // infinity and NaN stay
}

inline constexpr double most_for_root = 0x1p30; // above, a + sqrt(a^2 + 1) is 2 a

template <class M> typename M::Double asinh(const M &m, typename M::Double x) {
    const auto a = m.abs(x);
    const auto is_large = a > m.number(most_for_root);
    const auto z = a * a;
    const auto p =
        polynomial(m, z,
                   {0.0018854117655039003, -0.004992717198142511, 0.007622309427481728, -0.009591452221673173,
                    0.011526210169675569, -0.013962235682232349, 0.01735258771519257, -0.022372151449922602,
                    0.030381944248546365, -0.044642857140252436, 0.0749999999999864, -0.16666666666666666});
    const Sum<M> sum = exact_sum(m, z, m.number(1));
    const auto root = m.sqrt(sum.high);
    const auto rest = root_rest(m, sum.high, root) + (sum.low + square_error(m, a, z));
    const auto whole = root + a, low = ((root - whole) + a) + root_error(m, root, rest);
    const auto large = log_of_sum(m, {whole, low}, is_large, a);
    return with_sign(m, m.select(a < m.number(0.5), a + a * (z * p), large), x);
}

template <class M> typename M::Double acosh(const M &m, typename M::Double x) {
    const auto zero = m.number(0), one = m.number(1), t = x - one;
    const auto is_small = x<m.number(1.5), is_large = x> m.number(most_for_root);
    const auto p =
        polynomial(m, t,
                   {4.6030560681247566e-07, -2.437850194405523e-06, 7.443661550275125e-06, -1.8733305120455416e-05,
                    4.502425847529519e-05, -0.00010907996626744022, 0.0002711341830498839, -0.0006991297328100813,
                    0.0018988715155341478, -0.0055803571425315545, 0.0187499999999966, -0.08333333333333333});
    const auto z = x * x;
    const Sum<M> sum = exact_sum(m, z, zero - one);
    const auto square = m.select(is_small, t + t, sum.high), root = m.sqrt(square);
    const auto rest = m.select(is_small, zero, sum.low + square_error(m, x, z));
    const auto root_low = root_error(m, root, root_rest(m, square, root) + rest);
    const auto small = root + (root_low + root * (t * p));
    const auto whole = x + root, low = ((x - whole) + root) + root_low;
    return m.select(is_small, small, log_of_sum(m, {whole, low}, is_large, x));
}

// ---- erf.

template <class M> typename M::Double erf(const M &m, typename M::Double x) {
    const auto a = clamped(m, m.abs(x), 6), z = a * a;
    const auto ratio =
        polynomial(m, z,
                   {1.1800511424551558e-08, -1.6022858870806116e-07, 1.6439551639371642e-06, -1.4924721137472728e-05,
                    0.00012055308296795711, -0.0008548326601313971, 0.005223977620934993, -0.02686617064485022,
                    0.11283791670954227, -0.3761263890318374, 0.1283791670955126});
    // -log(1 - erf(a)) = 3/2 a + a p(a); where a p(a) is the larger one, what the sum loses is irrelevant.
    const auto p = polynomial(
        m, a, {7.959315386263009e-14,   -3.221186036485307e-12,  5.86264248177663e-11,    -6.191017925505452e-10,
               3.9449194633126e-09,     -1.1861279408495528e-08, -3.8768621087550883e-08, 6.966220160263956e-07,
               -4.5403199516563155e-06, 1.9140450975215616e-05,  -5.5505083997454735e-05, 9.786924515876251e-05,
               -8.525167692646863e-06,  -0.000561988509118895,   0.001678169444220362,    -0.00020032906310670214,
               -0.019131670214795764,   0.10277341911654428,     0.6366196441546015,      -0.3716208234930068});
    const auto half = m.number(0.5) * a, most = a + half, part = a * p, power = most + part;
    const auto low = ((a - most) + half) + ((most - power) + part);
    // 1 - 2^k (1 + r + tail), where 1 - 2^k is exact
    const auto zero = m.number(0);
    const Exponential<M> e = reduce_exp(m, zero - power);
    const auto scale = power_of_2(m, e.counted, 1);
    const auto large = rounded_sum(m, m.number(1) - scale, zero - scale * e.r, zero - scale * (e.tail - low));
    return with_sign(m, m.select(a < m.number(0.7), a + a * ratio, large), x);
}

} // namespace fluorite::math_kernels::float64
