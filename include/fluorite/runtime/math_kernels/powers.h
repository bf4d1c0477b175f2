#pragma once
// Powers of float32. See fluorite/runtime/math_kernels.h.
//
// pow_short computes in float32: y log2(x) as the sum of two numbers, all of whose large parts are exact products of
// numbers with 12 bits. It handles small exponents and bases that are powers of two, if neither the base nor the result
// is near the ends of the range. pow_long computes in float64 and handles all arguments. pow_is_short decides, for each
// lane, from the values alone: so a constant gives the same bits as a variable.

#include "fluorite/runtime/math_kernels/exponentials.h"
#include "fluorite/runtime/math_kernels/roundings.h"

#include <optional>

namespace fluorite::math_kernels {

/// What a code generator knows about the exponents.
struct KnownExponent {
    bool is_small = false;        // |y| <= most_for_short_power
    bool keeps_the_range = false; // the power of any normal number is far from the ends of the range
    bool is_positive = false;
};

inline constexpr float most_for_short_power = 3;

inline KnownExponent know_exponent(float y) {
    // The logarithm of a normal number is at most 128.
    return {std::fabs(y) <= most_for_short_power, std::fabs(y) < 0.9F, y > 0};
}

/// log2(x) = whole + rest; `whole` has at most 12 bits, of which four are fractional.
template <class M> struct ShortLogarithm {
    typename M::Single whole, rest;
};

/// With s = f / (1 + f / 2) in two parts: log2(1 + f) = log2(e) (s + s^3 p(s^2)).
template <class M> ShortLogarithm<M> short_logarithm(const M &m, const ShortParts<M> &of) {
    const auto f = of.fraction, half = m.single(0.5F) * f;
    const auto inverse = m.single(1) / (m.single(1) + half);
    const auto s = f * inverse;
    const auto s_high = upper_part(m, s), half_high = upper_part(m, half);
    // f - s_high (1 + f / 2), which is exact
    auto left = m.add_exact_product(m.single(0) - s_high, half_high, f - s_high);
    left = m.add_exact_product(m.single(0) - s_high, half - half_high, left);
    const auto s_low = left * inverse;
    const auto z = s * s;
    const auto p =
        (m.single(0.0033769825776089808F) * z + m.single(0.01802178265330671F)) * z + m.single(0.12022485746381947F);
    // log2(e) is 0x1.71p0 and the remainder: s_high keeps 12 bits, so this factor has 9.
    const auto factor = m.single(0x1.71p0F);
    const auto sixteenths = m.add_exact_product(s_high, factor, m.single(0x1.8p19F)) - m.single(0x1.8p19F);
    const auto part = m.add_exact_product(s_high, factor, m.single(0) - sixteenths);
    const auto rest = part + (s_low * factor + s * (z * p + m.single(0x1.51d94ap-10F)));
    return {m.to_single(of.k) + sixteenths, rest};
}

/// 2^(rounded + low) for normal results, where `rounded` is a multiple of 2^-11, and `low` at most that.
template <class M> typename M::Single exp2_of_parts(const M &m, typename M::Single rounded, typename M::Single low) {
    const auto counted = rounded + m.single(short_magic);
    const auto high = rounded - (counted - m.single(short_magic));
    const auto r = high + low, square = r * r;
    const auto p = (m.single(0.00015320873842523649F) * square +
                    (m.single(0.0013390387584629663F) * r + m.single(0.009618529327797684F))) *
                       square +
                   (m.single(0.05550361864374615F) * r + m.single(0.24022647512895914F));
    const auto tail = square * p + (low * m.single(0x1.62e43p-1F) + high * m.single(0x1.0bfbe8p-15F));
    const auto value = m.add_exact_product(high, m.single(0x1.62ep-1F), m.single(1)) + tail;
    return m.from_bits(m.plus(m.bits(value), m.left(m.bits(counted), 23)));
}

template <class M> typename M::Single rounded_to_2048ths(const M &m, typename M::Single x) {
    return (x + m.single(0x1.8p12F)) - m.single(0x1.8p12F);
}

/// Whether a constant logarithm is a power of two, as that of 2, 4 and 1/4: its products are exact as they are.
template <class M> bool is_simple(const M &m, const ShortLogarithm<M> &log) {
    const std::optional<float> whole = m.known(log.whole), rest = m.known(log.rest);
    int exponent = 0;
    return whole && rest && *rest == 0 && std::fabs(std::frexp(*whole, &exponent)) == 0.5F;
}

/// Precondition: x is positive and pow_is_short.
template <class M> typename M::Single pow_short(const M &m, typename M::Single x, typename M::Single y) {
    const ShortLogarithm<M> log = short_logarithm(m, parts(m, x));
    if (is_simple(m, log)) { // the same bits with fewer operations
        const auto product = y * log.whole, rounded = rounded_to_2048ths(m, product);
        return exp2_of_parts(m, rounded, product - rounded);
    }
    const auto y_high = upper_part(m, y);
    const auto whole = y_high * log.whole, rest = (y - y_high) * log.whole + y * log.rest;
    const auto rounded = rounded_to_2048ths(m, whole + rest);
    return exp2_of_parts(m, rounded, (whole - rounded) + rest);
}

/// Precondition: x is a positive normal number. False for an infinite or undefined exponent.
template <class M>
typename M::Bool pow_is_short(const M &m, typename M::Single x, typename M::Single y, const KnownExponent &known) {
    const ShortParts<M> of = parts(m, x);
    const auto is_within = m.abs(y * m.to_single(of.k)) < m.single(120);
    if (known.is_small) {
        return known.keeps_the_range ? x == x : is_within;
    }
    const auto is_large = m.abs(y) > m.single(most_for_short_power); // false for NaN, which is not within
    return m.both(is_within, m.either(m.negate(is_large), of.fraction == m.single(0)));
}

/// Whether pow_usual handles the arguments: no negative bases, and zeros with positive exponents only.
template <class M>
typename M::Bool pow_is_usual(const M &m, typename M::Single x, typename M::Single y, const KnownExponent &known) {
    const auto is_nonzero = is_positive_normal(m, x);
    const auto is_usual =
        known.is_small && known.keeps_the_range ? is_nonzero : m.both(is_nonzero, pow_is_short(m, x, y, known));
    const auto is_zero = m.is_zero(m.bits(x)); // not -0
    return m.either(is_usual, known.is_positive ? is_zero : m.both(is_zero, y > m.single(0)));
}

template <class M> typename M::Single pow_usual(const M &m, typename M::Single x, typename M::Single y) {
    const auto zero = m.single(0);
    return m.select(x == zero, zero, pow_short(m, x, y));
}

/// Applies the sign, and replaces what is no number; `value` is |x|^y.
template <class M>
typename M::Single signed_power(const M &m, typename M::Single x, typename M::Single y, typename M::Single value) {
    const auto one = m.single(1), nan = m.single(std::numeric_limits<float>::quiet_NaN());
    value = m.select(is_odd(m, y), with_sign(m, value, x), value);
    const auto is_negative = m.both(x < m.single(0), m.negate(x == m.single(-infinity)));
    const auto has_none = m.either(m.both(is_negative, m.negate(is_whole(m, y))), m.negate(m.both(x == x, y == y)));
    value = m.select(has_none, nan, value);
    return m.select(m.either(x == one, y == m.single(0)), one, value);
}

/// |x|^y in float64.
template <class M> typename M::Single pow_long(const M &m, typename M::Single magnitude, typename M::Single y) {
    const auto edge = m.number(infinity);
    auto log = log_double(m, magnitude);
    log = m.select(magnitude == m.single(0), m.number(0) - edge, log);
    log = m.select(magnitude == m.single(infinity), edge, log);
    const auto power = m.widen(y) * log;
    const auto upper = m.select(power > m.number(90), m.number(90), power);
    const auto value = m.narrow(exp_double(m, m.select(upper < m.number(-110), m.number(-110), upper)));
    // An infinite exponent times log(1) is undefined.
    return m.select(magnitude == m.single(1), m.single(1), value);
}

/// All arguments; the bits of pow_usual for those.
template <class M> typename M::Single pow(const M &m, typename M::Single x, typename M::Single y) {
    const auto magnitude = m.abs(x);
    const auto is_short = m.both(is_positive_normal(m, magnitude), pow_is_short(m, magnitude, y, {}));
    const auto value = m.select(is_short, pow_short(m, magnitude, y), pow_long(m, magnitude, y));
    return signed_power(m, x, y, value);
}

template <class M> typename M::Single hypot(const M &m, typename M::Single x, typename M::Single y) {
    const auto a = m.widen(x), b = m.widen(y);
    const auto is_infinite = m.either(m.abs(x) == m.single(infinity), m.abs(y) == m.single(infinity));
    return m.select(is_infinite, m.single(infinity), m.narrow(m.sqrt(m.add_exact_product(a, a, b * b))));
}

} // namespace fluorite::math_kernels
