#pragma once
// The float32 math functions, written once: the runtime instantiates them as scalar C functions, a code generator as
// vector instructions of any width. Both execute the same IEEE operations in the same order, so their bits agree.
//
// Method: most are computed in float64, where range, cancellation and subnormal results are no concern, with
// polynomials whose relative error is below 2^-27, and rounded once at the end: within 0.62 units in the last place of
// float32, in most cases correctly rounded. exp, log and erf stay in float32, which is faster: within 0.97, 0.87 and
// 0.93 units. Tests measure each.
//   exp(x) = 2^k exp(r)             k = round(x / ln 2), added to the exponent; |r| <= ln(2)/2
//   log(x) = k ln 2 + log(1 + f)    1 + f in [sqrt(1/2), sqrt(2))
//   pow(x, y) = exp(y log(x))       with a longer logarithm, in float32 for |y| <= 3; signs, zeros and ones apart
//   sin, cos, tan                   x - k pi/2 with pi/2 in two parts and fused operations; |x| < 2^40
//   atan(t) on [0, 1]               else pi/2 - atan(1/t); atan2 by octants
//   asin(a) for a <= 1/2            else pi/2 - 2 asin(sqrt((1 - a) / 2))
//   sinh, tanh                      exp(x) - 1 without cancellation
//   erf                             an odd polynomial below 0.85, 1 - exp(-p(x)) above
// Coefficients are minimax fits of the relative error.
//
// M provides the arithmetic: the types Single, Double, Int (32 bits), Long (64 bits) and Bool with operators, and the
// functions of ScalarMath below. The C library computes arguments for which `..._is_rare` holds: call the scalar
// function for them.
//
// Relies on: fused multiply-add in hardware or library; no contraction; round to nearest.

#include "fluorite/require_cxx20.h"

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>

namespace fluorite::math_kernels {

/// The operations on plain numbers.
struct ScalarMath {
    using Single = float;
    using Double = double;
    using Int = int32_t;
    using Long = int64_t;
    using Bool = bool;
    Single single(float value) const { return value; }
    Double number(double value) const { return value; }
    Double fma(Double a, Double b, Double c) const { return std::fma(a, b, c); }
    Single fma(Single a, Single b, Single c) const { return std::fma(a, b, c); }
    Double widen(Single x) const { return x; }
    Single narrow(Double x) const { return static_cast<float>(x); }
    Double to_double(Int x) const { return x; }
    Single to_single(Int x) const { return static_cast<float>(x); }
    Int bits(Single x) const { return std::bit_cast<int32_t>(x); }
    Long bits(Double x) const { return std::bit_cast<int64_t>(x); }
    Single from_bits(Int x) const { return std::bit_cast<float>(x); }
    Double from_bits(Long x) const { return std::bit_cast<double>(x); }
    Int minus(Int a, Int b) const { return static_cast<int32_t>(static_cast<uint32_t>(a) - static_cast<uint32_t>(b)); }
    Int minus_constant(Int a, int32_t b) const { return minus(a, b); }
    Int plus(Int a, Int b) const { return static_cast<int32_t>(static_cast<uint32_t>(a) + static_cast<uint32_t>(b)); }
    Long plus(Long a, Long b) const {
        return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
    }
    Long plus_constant(Long a, int64_t b) const { return plus(a, b); }
    Long both_bits(Long a, int64_t mask) const { return a & mask; }
    Long other_bits(Long a, Long b) const { return a ^ b; }
    Long either_bits(Long a, Long b) const { return a | b; }
    Int left(Int a, int by) const { return static_cast<int32_t>(static_cast<uint32_t>(a) << by); }
    Long left(Long a, int by) const { return static_cast<int64_t>(static_cast<uint64_t>(a) << by); }
    Int right(Int a, int by) const { return a >> by; }
    Bool is_zero(Long a) const { return a == 0; }
    Bool has_bit(Int a, int32_t bit) const { return (a & bit) != 0; }
    Bool is_negative(Int a) const { return a < 0; }
    Double abs(Double x) const { return std::fabs(x); }
    Single abs(Single x) const { return std::fabs(x); }
    Double sqrt(Double x) const { return std::sqrt(x); }
    Single trunc(Single x) const { return std::trunc(x); }
    Bool both(Bool a, Bool b) const { return a && b; }
    Bool either(Bool a, Bool b) const { return a || b; }
    Bool negate(Bool a) const { return !a; }
    template <typename T> T select(Bool condition, T yes, T no) const { return condition ? yes : no; }
};

inline constexpr double round_magic = 0x1.8p52; // x + this: x rounded to an integer, in the low bits
inline constexpr double ln2 = 0x1.62e42fefa39efp-1;
inline constexpr double half_pi = 0x1.921fb54442d18p0;
inline constexpr double half_pi_low = 0x1.1a62633145c07p-54;
inline constexpr double pi = 0x1.921fb54442d18p1;
inline constexpr float infinity = std::numeric_limits<float>::infinity();

/// Horner's scheme with fused steps for each `step`-th coefficient from `begin` on, highest power first.
template <class T, class M, class Number, class Constant>
T horner(const M &m, T x, std::initializer_list<Number> coefficients, size_t begin, size_t step, Constant constant) {
    const Number *of = coefficients.begin();
    T p = constant(of[begin]);
    for (size_t i = begin + step; i < coefficients.size(); i += step) {
        p = m.fma(p, x, constant(of[i]));
    }
    return p;
}

/// A polynomial, highest power first, evaluated in interleaved parts so that the dependence chains stay short: a
/// processor that evaluates a function of only one vector waits for its longest chain.
template <class T, class M, class Number, class Constant>
T in_parts(const M &m, T x, std::initializer_list<Number> coefficients, Constant constant) {
    const size_t count = coefficients.size();
    const auto part = [&](T power, size_t below,
                          size_t step) { // coefficients whose powers are `below` more than multiples of `step`
        return horner(m, power, coefficients, (count - 1 - below) % step, step, constant);
    };
    if (count < 6) {
        return part(x, 0, 1);
    }
    const T square = x * x;
    if (count < 8) {
        return m.fma(part(square, 1, 2), x, part(square, 0, 2));
    }
    const T fourth = square * square;
    const T low = m.fma(part(fourth, 1, 4), x, part(fourth, 0, 4));
    const T high = m.fma(part(fourth, 3, 4), x, part(fourth, 2, 4));
    return m.fma(high, square, low);
}

template <class M>
typename M::Double polynomial(const M &m, typename M::Double x, std::initializer_list<double> coefficients) {
    return in_parts(m, x, coefficients, [&](double value) { return m.number(value); });
}

template <class M>
typename M::Single short_polynomial(const M &m, typename M::Single x, std::initializer_list<float> coefficients) {
    return in_parts(m, x, coefficients, [&](float value) { return m.single(value); });
}

template <class M> typename M::Double with_sign(const M &m, typename M::Double magnitude, typename M::Double sign) {
    constexpr int64_t top = std::numeric_limits<int64_t>::min();
    return m.from_bits(m.either_bits(m.bits(magnitude), m.both_bits(m.bits(sign), top)));
}

/// Clamps x to a range beyond which the float32 result no longer changes.
template <class M> typename M::Single clamped(const M &m, typename M::Single x, float low, float high) {
    const auto upper = m.select(x > m.single(high), m.single(high), x);
    return m.select(upper < m.single(low), m.single(low), upper);
}

// ---- Exponentials.

/// exp(x) = 2^k (1 + tail); the low bits of `count` are k.
template <class M> struct Exponential {
    typename M::Long count;
    typename M::Double tail;
};

template <class M>
Exponential<M> reduce_exp(const M &m, typename M::Double x, std::initializer_list<double> coefficients) {
    const auto counted = m.fma(x, m.number(0x1.71547652b82fep0), m.number(round_magic));
    const auto k = counted - m.number(round_magic);
    const auto r = m.fma(k, m.number(-ln2), x);
    return {m.bits(counted), m.fma(r * r, polynomial(m, r, coefficients), r)};
}

inline constexpr std::initializer_list<double> exp_coefficients = {
    0.0013813144393223088, 0.008369418846549887, 0.041668456789796665, 0.16666514791278023, 0.49999993050712355};
inline constexpr std::initializer_list<float> exp_coefficients_short = {
    0.0013813144393223088F, 0.008369418846549887F, 0.041668456789796665F, 0.16666514791278023F, 0.49999993050712355F};
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
    const auto scale = m.from_bits(m.plus_constant(m.left(e.count, 52), std::bit_cast<int64_t>(1.0)));
    return m.fma(scale, e.tail, scale - m.number(1));
}

/// The same in float32; the low bits of `counted` are k.
template <class M> struct ShortExponential {
    typename M::Single counted, tail;
};

template <class M> ShortExponential<M> reduce_exp(const M &m, typename M::Single x) {
    const auto counted = m.fma(x, m.single(0x1.715476p+0F), m.single(0x1.8p23F));
    const auto k = counted - m.single(0x1.8p23F);
    const auto r = m.fma(k, m.single(0x1.05c61p-29F), m.fma(k, m.single(-0x1.62e43p-1F), x));
    return {counted, m.fma(r * r, short_polynomial(m, r, exp_coefficients_short), r)};
}

/// Entirely in float32. Powers near the ends of the range are scaled in two steps.
template <class M> typename M::Single exp(const M &m, typename M::Single x) {
    const auto within = clamped(m, x, -105.0F, 89.0F);
    const ShortExponential<M> e = reduce_exp(m, within);
    const auto value = e.tail + m.single(1);
    const auto is_low = within < m.single(-86.0F);
    const auto raised = m.select(is_low, e.counted + m.single(64), e.counted);
    const auto scaled = m.from_bits(m.plus(m.bits(value), m.left(m.bits(raised), 23)));
    const auto result = m.select(is_low, scaled * m.single(0x1p-64F), scaled);
    return m.select(x > m.single(88.7228394F), m.single(infinity), m.select(x == x, result, x));
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
    const auto small = m.fma(x,
                             short_polynomial(m, a * a,
                                              {-0.0006348518654704094F, 0.0050577037036418915F, -0.026807287707924843F,
                                               0.11282864958047867F, -0.37612590193748474F, 0.12837916612625122F}),
                             x);
    const auto power = m.fma(
        short_polynomial(m, a,
                         {8.664928827784024e-06F, -0.0002973981900140643F, 0.0035403973888605833F,
                          -0.023549024015665054F, 0.10599306970834732F, 0.6352964639663696F, 0.12861333787441254F}),
        a, a);
    const ShortExponential<M> e = reduce_exp(m, m.single(0) - power);
    const auto scale = m.from_bits(m.plus(m.bits(m.single(1)), m.left(m.bits(e.counted), 23)));
    const auto large = m.fma(m.single(0) - scale, e.tail, m.single(1) - scale);
    const auto is_negative = x < m.single(0);
    return m.select(a < m.single(0.85F), small, m.select(is_negative, m.single(0) - large, large));
}

// ---- Logarithms.

/// The natural logarithm of a positive finite number; an unspecified finite value for others. The coefficients are
/// those of (log(1 + f) - f + f^2/2) / f^3.
template <class M>
typename M::Double log_double(const M &m, typename M::Single x, std::initializer_list<double> coefficients) {
    const auto is_tiny = x < m.single(0x1p-126F);
    const auto scaled = m.select(is_tiny, x * m.single(0x1p24F), x);
    const auto k = m.right(m.minus_constant(m.bits(scaled), 0x3F3504F3), 23);
    const auto f = m.widen(m.from_bits(m.minus(m.bits(scaled), m.left(k, 23)))) - m.number(1);
    const auto count = m.to_double(m.select(is_tiny, m.minus_constant(k, 24), k));
    const auto tail = m.fma(f, polynomial(m, f, coefficients), m.number(-0.5));
    return m.fma(count, m.number(ln2), m.fma(f * f, tail, f));
}

inline constexpr std::initializer_list<float> log_coefficients = {
    -0.07634383990838028F, 0.1276542637401965F,  -0.13162004867510171F, 0.14201368907054576F,
    -0.16623144415873164F, 0.20001235863950964F, -0.2500082676966141F,  0.3333333168213562F};
inline constexpr std::initializer_list<double> pow_coefficients = {
    0.05386744946422235, -0.09866899059532883, 0.09990993827343274, -0.09924125785909763,
    0.11014309728387457, -0.12498283095444587, 0.14290206141062836, -0.16666856434653304,
    0.19999910439432536, -0.24999997048210798, 0.3333333389866826};

/// Entirely in float32: k ln(2) has an exact part, and the rounding error of its sum with f is added back.
template <class M> typename M::Single log(const M &m, typename M::Single x) {
    const auto is_tiny = x < m.single(0x1p-126F);
    const auto scaled = m.select(is_tiny, x * m.single(0x1p24F), x);
    const auto k = m.right(m.minus_constant(m.bits(scaled), 0x3F3504F3), 23);
    const auto f = m.from_bits(m.minus(m.bits(scaled), m.left(k, 23))) - m.single(1);
    const auto count = m.to_single(m.select(is_tiny, m.minus_constant(k, 24), k));
    const auto p = short_polynomial(m, f, log_coefficients);
    const auto whole = count * m.single(0x1.628p-1F);
    const auto sum = whole + f;
    const auto lost = m.fma(count, m.single(0x1.90bfbep-11F), f - (sum - whole));
    const auto value = sum + m.fma(m.fma(p, f, m.single(-0.5F)), f * f, lost);
    const auto zero = m.single(0), nan = m.single(std::numeric_limits<float>::quiet_NaN());
    const auto negative = m.select(x < zero, nan, x); // infinity and NaN stay
    const auto is_usual = m.both(x > zero, x < m.single(infinity));
    return m.select(is_usual, value, m.select(x == zero, m.single(-infinity), negative));
}

/// Whether pow_short handles the exponent y: roots, gammas and small powers.
template <class M> typename M::Bool pow_is_short(const M &m, typename M::Single y) {
    return m.negate(m.abs(y) > m.single(3));
}

/// The binary exponent of |x| over sqrt(1/2), for normal x.
template <class M> typename M::Int exponent(const M &m, typename M::Single magnitude) {
    return m.right(m.minus_constant(m.bits(magnitude), 0x3F3504F3), 23);
}

/// For short exponents also subnormal bases, and results near the ends of the range.
template <class M> typename M::Bool pow_is_rare(const M &m, typename M::Single x, typename M::Single y) {
    const auto magnitude = m.abs(x);
    const auto is_finite = m.both(magnitude < m.single(infinity), m.abs(y) < m.single(infinity));
    const auto is_normal = m.negate(magnitude < m.single(0x1p-126F));
    const auto is_within = m.abs(y * m.to_single(exponent(m, magnitude))) < m.single(120);
    const auto is_easy = m.either(m.both(is_normal, is_within), x == m.single(0));
    return m.negate(m.both(is_finite, m.either(is_easy, m.negate(pow_is_short(m, y)))));
}

/// Applies signs and zeros; `value` is |x|^y for finite nonzero x.
template <class M>
typename M::Single signed_power(const M &m, typename M::Single x, typename M::Single y, typename M::Single value) {
    const auto zero = m.single(0), one = m.single(1), half = m.single(0.5F);
    value = m.select(x == zero, m.select(y < zero, m.single(infinity), m.select(y == zero, one, zero)), value);
    const auto is_whole = m.trunc(y) == y;
    const auto is_odd = m.both(is_whole, m.negate(m.trunc(y * half) == y * half));
    const auto has_sign = m.is_negative(m.bits(x));
    value = m.select(m.both(has_sign, is_odd), zero - value, value);
    // 0 - 0 is +0, so negative zeros are set here.
    value = m.select(m.both(m.both(has_sign, is_odd), value == zero), m.single(-0.0F), value);
    const auto has_none = m.both(x < zero, m.negate(is_whole));
    return m.select(has_none, m.single(std::numeric_limits<float>::quiet_NaN()), value);
}

template <class M> typename M::Single pow_long(const M &m, typename M::Single x, typename M::Single y) {
    const auto power = m.widen(y) * log_double(m, m.abs(x), pow_coefficients);
    const auto upper = m.select(power > m.number(90), m.number(90), power);
    const auto value = m.narrow(exp_double(m, m.select(upper < m.number(-110), m.number(-110), upper)));
    return signed_power(m, x, y, value);
}

/// Entirely in float32. y log2(x) = y k + y log2(e) (f + g), with 1 + f and k as in log(). Products and sums carry
/// their rounding errors; only g = log(1 + f) - f, which is small, is rounded.
template <class M> typename M::Single pow_short(const M &m, typename M::Single x, typename M::Single y) {
    const auto magnitude = m.abs(x);
    const auto k = exponent(m, magnitude);
    const auto f = m.from_bits(m.minus(m.bits(magnitude), m.left(k, 23))) - m.single(1);
    const auto count = m.to_single(k);
    const auto g = m.fma(short_polynomial(m, f, log_coefficients), f, m.single(-0.5F)) * (f * f);
    const auto slope = y * m.single(0x1.715476p0F);
    const auto slope_low = m.fma(y, m.single(0x1.4ae0cp-26F), m.fma(y, m.single(0x1.715476p0F), m.single(0) - slope));
    const auto logarithm = f + g;
    const auto whole = y * count, part = slope * logarithm;
    auto low =
        m.fma(slope, g - (logarithm - f), m.fma(slope_low, logarithm, m.fma(slope, logarithm, m.single(0) - part)));
    low = m.fma(y, count, m.single(0) - whole) + low;
    const auto sum = whole + part, added = sum - whole;
    low = ((whole - (sum - added)) + (part - added)) + low;
    // 2^(sum + low)
    const auto counted = sum + m.single(0x1.8p23F);
    const auto rest = sum - (counted - m.single(0x1.8p23F));
    const auto product = rest * m.single(0x1.62e43p-1F);
    const auto product_low =
        m.fma(low, m.single(0x1.62e43p-1F),
              m.fma(rest, m.single(-0x1.05c61p-29F), m.fma(rest, m.single(0x1.62e43p-1F), m.single(0) - product)));
    const auto r = product + product_low, r_low = product_low - (r - product), square = r * r;
    const auto p = m.fma(m.fma(m.single(0.0013813144393223088F), square, m.single(0.041668456789796665F)), square,
                         m.single(0.49999993050712355F));
    const auto q = m.fma(m.single(0.008369418846549887F), square, m.single(0.16666514791278023F));
    const auto head = r + m.single(1);
    const auto tail = m.fma(square, m.fma(q, r, p), (r - (head - m.single(1))) + r_low);
    const auto value = m.from_bits(m.plus(m.bits(head + tail), m.left(m.bits(counted), 23)));
    return signed_power(m, x, y, value);
}

// ---- Circles.

/// x = k pi/2 + rest; the low bits of `quadrant` are k.
template <class M> struct Angle {
    typename M::Long quadrant;
    typename M::Double sine, cosine; // of the rest
};

template <class M> typename M::Bool angle_is_rare(const M &m, typename M::Single x) {
    return m.negate(m.abs(x) < m.single(0x1p40F));
}

template <class M> Angle<M> reduce_angle(const M &m, typename M::Single single) {
    const auto x = m.widen(single);
    const auto counted = m.fma(x, m.number(0x1.45f306dc9c883p-1), m.number(round_magic));
    const auto k = counted - m.number(round_magic);
    const auto r = m.fma(k, m.number(-half_pi_low), m.fma(k, m.number(-half_pi), x));
    const auto z = r * r;
    const auto s =
        polynomial(m, z, {2.7116901503689475e-06, -0.0001983858288217423, 0.008333326848279551, -0.166666666177921});
    const auto c = polynomial(m, z, {2.436934412287264e-05, -0.0013886720852471185, 0.041666632627330835});
    return {m.bits(counted), r * m.fma(z, s, m.number(1)), m.fma(z * z, c, m.fma(z, m.number(-0.5), m.number(1)))};
}

template <class M> typename M::Single sine_of(const M &m, const Angle<M> &angle, int64_t quadrants) {
    const auto quadrant = m.plus_constant(angle.quadrant, quadrants);
    const auto is_even = m.is_zero(m.both_bits(quadrant, 1));
    const auto value = m.select(is_even, angle.sine, angle.cosine);
    return m.narrow(m.from_bits(m.other_bits(m.bits(value), m.left(m.both_bits(quadrant, 2), 62))));
}

template <class M> typename M::Single sin(const M &m, typename M::Single x) {
    return sine_of(m, reduce_angle(m, x), 0);
}
template <class M> typename M::Single cos(const M &m, typename M::Single x) {
    return sine_of(m, reduce_angle(m, x), 1);
}
template <class M> typename M::Single tan(const M &m, typename M::Single x) {
    const Angle<M> angle = reduce_angle(m, x);
    const auto is_even = m.is_zero(m.both_bits(angle.quadrant, 1));
    const auto above = m.select(is_even, angle.sine, m.number(0) - angle.cosine);
    return m.narrow(above / m.select(is_even, angle.cosine, angle.sine));
}

/// 0 <= t <= 1
template <class M> typename M::Double atan_within(const M &m, typename M::Double t) {
    const auto z = t * t;
    const auto p = polynomial(m, z,
                              {0.0011137427066788333, -0.007317726610375588, 0.022539379332385125,
                               -0.044689369275989384, 0.06741556569344148, -0.08811073610856, 0.11058218964222055,
                               -0.14279832337927695, 0.1999967106930295, -0.33333326898125154});
    return t * m.fma(z, p, m.number(1));
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
    value = m.select(m.is_negative(m.bits(x)), m.number(pi) - value, value);
    return m.narrow(with_sign(m, value, wide_y));
}

/// asin(a) below a half; asin(sqrt((1 - a) / 2)) above.
template <class M> typename M::Double half_asin(const M &m, typename M::Double a, typename M::Bool is_large) {
    const auto z = m.select(is_large, (m.number(1) - a) * m.number(0.5), a * a);
    const auto t = m.select(is_large, m.sqrt(z), a);
    const auto p = polynomial(m, z,
                              {0.037529383057262715, 0.014429837800204409, 0.031809912213225225, 0.04451670831708702,
                               0.07500505382789983, 0.16666659972672698});
    return t * m.fma(z, p, m.number(1));
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

template <class M> typename M::Single hypot(const M &m, typename M::Single x, typename M::Single y) {
    const auto a = m.widen(x), b = m.widen(y);
    const auto is_infinite = m.either(m.abs(x) == m.single(infinity), m.abs(y) == m.single(infinity));
    return m.select(is_infinite, m.single(infinity), m.narrow(m.sqrt(m.fma(a, a, b * b))));
}

// ---- The fast_ functions: float32 throughout, with errors of a few units in the last place.

inline constexpr float short_magic = 0x1.8p23F;
inline constexpr float short_ln2 = 0x1.62e43p-1F;
inline constexpr float short_ln2_low = -0x1.05c61p-29F;
inline constexpr float short_half_pi = 0x1.921fb6p0F;
inline constexpr float short_half_pi_low = -0x1.777a5cp-25F;

/// Gives 0 for results below the normal numbers.
template <class M> typename M::Single fast_exp(const M &m, typename M::Single x) {
    const auto low = m.single(-87.3F), high = m.single(88.722F);
    const auto upper = m.select(x > high, high, x);
    const auto within = m.select(upper < low, low, upper);
    const auto counted = m.fma(within, m.single(0x1.715476p+0F), m.single(short_magic));
    const auto k = counted - m.single(short_magic);
    const auto r = m.fma(k, m.single(-short_ln2_low), m.fma(k, m.single(-short_ln2), within));
    const auto q =
        short_polynomial(m, r, {0.0013926926614F, 0.00836377387441F, 0.0416665501103F, 0.166665733819F, 0.5F});
    const auto value = m.fma(r * r, q, r) + m.single(1);
    const auto scaled = m.from_bits(m.plus(m.bits(value), m.left(m.bits(counted), 23)));
    const auto usual = m.select(x > high, m.single(infinity), scaled);
    return m.select(m.either(x > low, x == low), usual, m.select(x < low, m.single(0), x));
}

/// Treats subnormal numbers as 0.
template <class M> typename M::Single fast_log(const M &m, typename M::Single x) {
    const auto smallest = m.single(std::numeric_limits<float>::min());
    const auto k = m.right(m.minus_constant(m.bits(x), 0x3F3504F3), 23);
    const auto f = m.from_bits(m.minus(m.bits(x), m.left(k, 23))) - m.single(1);
    const auto count = m.to_single(k);
    const auto p = short_polynomial(m, f,
                                    {-0.0790364370452F, 0.1262373853F, -0.129984906239F, 0.142143565228F,
                                     -0.166412474641F, 0.200010483989F, -0.250003070334F, 0.333333307167F});
    const auto tail = m.fma(m.fma(p, f, m.single(-0.5F)), f * f, count * m.single(short_ln2_low));
    const auto value = m.fma(count, m.single(short_ln2), tail + f);
    const auto nan = m.single(std::numeric_limits<float>::quiet_NaN());
    const auto rare = m.select(x < smallest, m.select(m.abs(x) < smallest, m.single(-infinity), nan), x);
    return m.select(m.both(m.either(x > smallest, x == smallest), x < m.single(infinity)), value, rare);
}

/// The sine of x + quadrants pi/2; NaN for |x| of 2^22 or more.
template <class M> typename M::Single fast_sine(const M &m, typename M::Single x, int quadrants) {
    const auto counted = m.fma(x, m.single(0x1.45f306p-1F), m.single(short_magic + static_cast<float>(quadrants)));
    const auto k = counted - m.single(short_magic + static_cast<float>(quadrants));
    const auto r = m.fma(k, m.single(-short_half_pi_low), m.fma(k, m.single(-short_half_pi), x));
    const auto z = r * r;
    const auto s = short_polynomial(m, z, {-0.000195828306788F, 0.00833272461378F, -0.166666645394F});
    const auto c = short_polynomial(m, z, {2.45428711105e-5F, -0.00138882793306F, 0.0416666645363F});
    const auto sine = m.fma(s * z, r, r), cosine = m.fma(z * z, c, m.fma(z, m.single(-0.5F), m.single(1)));
    const auto value = m.select(m.has_bit(m.bits(counted), 1), cosine, sine);
    const auto result = m.select(m.has_bit(m.bits(counted), 2), m.single(0) - value, value);
    const auto nan = m.single(std::numeric_limits<float>::quiet_NaN());
    return m.select(m.abs(x) < m.single(0x1p22F), result, nan);
}
template <class M> typename M::Single fast_sin(const M &m, typename M::Single x) { return fast_sine(m, x, 0); }
template <class M> typename M::Single fast_cos(const M &m, typename M::Single x) { return fast_sine(m, x, 1); }

template <class M> typename M::Single fast_pow(const M &m, typename M::Single x, typename M::Single y) {
    const auto zero = m.single(0);
    const auto value = fast_exp(m, fast_log(m, x) * y);
    const auto of_zero = m.select(y > zero, zero, value);
    return m.select(y == zero, m.single(1), m.select(x == zero, of_zero, value));
}

} // namespace fluorite::math_kernels
