#pragma once
// The two 16-bit floats: IEEE binary16 and bfloat16 (binary32 truncated to its upper 16 bits).
//
// Both are storage types. Conversion to them rounds once, to nearest with ties to even, from the exact source value (a
// double converts directly to 16 bits, never through a float). Overflow gives infinity, and a NaN stays a quiet NaN.
// Conversion from them is exact. Arithmetic is done in float and rounded back. For +, -, *, / and sqrt this equals the
// correctly rounded 16-bit result, because a float has more than twice the digits; bfloat16 results below 2^-126, where
// float itself is subnormal, may be rounded twice. No hardware support is needed.

#include "fluorite/require_cxx17.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <type_traits>

// Whether the compiler has IEEE binary16 as a type of its own.
#if (defined(__clang__) ? __clang_major__ >= 15 : __GNUC__ >= 12) && defined(__x86_64__) &&                            \
    !defined(__SANITIZE_ADDRESS__)
#define FLUORITE_HAS_FLOAT16_
#endif

namespace fluorite {

namespace float16_detail {

/// The float with 1 sign bit, `exponent_bits` and `mantissa_bits` that is nearest to a double.
template <int exponent_bits, int mantissa_bits> constexpr uint16_t round_from_double(double value) {
    static_assert(1 + exponent_bits + mantissa_bits == 16);
    constexpr int bias = (1 << (exponent_bits - 1)) - 1;
    constexpr uint16_t infinity = static_cast<uint16_t>(((1 << exponent_bits) - 1) << mantissa_bits);
    const uint64_t bits = __builtin_bit_cast(uint64_t, value);
    const uint16_t sign = static_cast<uint16_t>((bits >> 63) << 15);
    const uint64_t fraction = bits & ((uint64_t{1} << 52) - 1);
    const int biased = static_cast<int>((bits >> 52) & 0x7FF);
    if (biased == 0x7FF) {
        // Keeps the upper bits of a NaN's payload and sets the quiet bit.
        const uint16_t payload = static_cast<uint16_t>(fraction >> (52 - mantissa_bits));
        const uint16_t quiet = static_cast<uint16_t>(1 << (mantissa_bits - 1));
        return static_cast<uint16_t>(sign | infinity | (fraction != 0 ? payload | quiet : 0));
    }
    if (biased == 0) {
        return sign; // zeros and doubles far below the smallest subnormal
    }
    const int exponent = biased - 1023 + bias; // biased for the result, before rounding
    if (exponent >= (1 << exponent_bits) - 1) {
        return static_cast<uint16_t>(sign | infinity);
    }
    const uint64_t significand = fraction | uint64_t{1} << 52;
    // A subnormal result drops one more bit for each step below the smallest normal exponent.
    const int dropped = 52 - mantissa_bits + (exponent < 1 ? 1 - exponent : 0);
    if (dropped > 54) {
        return sign;
    }
    const uint64_t kept = significand >> dropped;
    const uint64_t rest = significand & ((uint64_t{1} << dropped) - 1);
    const uint64_t half = uint64_t{1} << (dropped - 1);
    const uint64_t up = rest > half || (rest == half && (kept & 1) != 0) ? 1 : 0;
    // The implicit bit of a normal `kept` adds one to the exponent; so does a carry out of the mantissa.
    const uint64_t base = exponent < 1 ? 0 : static_cast<uint64_t>(exponent - 1) << mantissa_bits;
    return static_cast<uint16_t>(sign | static_cast<uint16_t>(base + kept + up));
}

/// A double that rounds to 16 bits as the integer itself does: a sticky bit represents the digits below 53 bits.
template <typename T, std::enable_if_t<std::is_integral_v<T>, int> = 0> constexpr double sticky_double(T value) {
    if constexpr (sizeof(T) < 8) {
        return static_cast<double>(value);
    } else {
        const bool negative = value < 0;
        uint64_t magnitude = static_cast<uint64_t>(value);
        magnitude = negative ? 0 - magnitude : magnitude;
        if (magnitude >> 53 != 0) {
            magnitude = (magnitude & ~uint64_t{0xFFF}) | ((magnitude & 0xFFF) != 0 ? 0x800 : 0);
        }
        const double result = static_cast<double>(magnitude);
        return negative ? -result : result;
    }
}

constexpr float half_to_float(uint16_t half) {
    const uint32_t sign = static_cast<uint32_t>(half & 0x8000) << 16;
    const uint32_t exponent = (half >> 10) & 0x1F;
    const uint32_t mantissa = half & 0x3FF;
    if (exponent == 0x1F) {
        return __builtin_bit_cast(float, sign | 0x7F800000U | mantissa << 13);
    }
    if (exponent != 0) {
        return __builtin_bit_cast(float, sign | (exponent + 112) << 23 | mantissa << 13);
    }
    const float magnitude = static_cast<float>(mantissa) * 0x1p-24F;
    return __builtin_bit_cast(float, sign | __builtin_bit_cast(uint32_t, magnitude));
}

constexpr float bfloat_to_float(uint16_t bits) { return __builtin_bit_cast(float, static_cast<uint32_t>(bits) << 16); }

} // namespace float16_detail

/// IEEE binary16: 11 significant bits, largest value 65504, smallest positive 2^-24.
struct float16_t {
    static constexpr int mantissa_bits = 10;
    static constexpr uint16_t sign_mask = 0x8000, exponent_mask = 0x7C00, mantissa_mask = 0x03FF;

    constexpr float16_t() = default;
    /// The nearest number, ties to even; infinity beyond the range.
    explicit constexpr float16_t(double value) : bits_(float16_detail::round_from_double<5, 10>(value)) {}
    explicit constexpr float16_t(float value) : float16_t(static_cast<double>(value)) {}
    template <typename T, std::enable_if_t<std::is_integral_v<T>, int> = 0>
    explicit constexpr float16_t(T value) : float16_t(float16_detail::sticky_double(value)) {}

#ifdef FLUORITE_HAS_FLOAT16_
    /// From and to the compiler's own type of the same format.
    template <typename T, std::enable_if_t<std::is_same_v<T, _Float16>, int> = 0>
    explicit constexpr float16_t(T value) : bits_(__builtin_bit_cast(uint16_t, value)) {}
    template <typename T, std::enable_if_t<std::is_same_v<T, _Float16>, int> = 0>
    constexpr explicit operator T() const {
        return __builtin_bit_cast(T, bits_);
    }
#endif

    /// The value, exactly; as an integer, rounded toward zero.
    constexpr explicit operator float() const { return float16_detail::half_to_float(bits_); }
    constexpr explicit operator double() const { return static_cast<double>(static_cast<float>(*this)); }
    template <typename T, std::enable_if_t<std::is_integral_v<T>, int> = 0> constexpr explicit operator T() const {
        return static_cast<T>(static_cast<float>(*this));
    }

    /// The number of these 16 bits, and the bits of a number.
    static constexpr float16_t make_from_bits(uint16_t bits) {
        float16_t result;
        result.bits_ = bits;
        return result;
    }
    constexpr uint16_t to_bits() const { return bits_; }

    /// Special values; make_nan is a quiet NaN.
    static constexpr float16_t make_zero() { return make_from_bits(0); }
    static constexpr float16_t make_negative_zero() { return make_from_bits(0x8000); }
    static constexpr float16_t make_infinity() { return make_from_bits(0x7C00); }
    static constexpr float16_t make_negative_infinity() { return make_from_bits(0xFC00); }
    static constexpr float16_t make_nan() { return make_from_bits(0x7E00); }

    /// Kinds of values; the sign of a NaN or zero counts as negative, too.
    constexpr bool is_nan() const { return (bits_ & 0x7FFF) > 0x7C00; }
    constexpr bool is_infinity() const { return (bits_ & 0x7FFF) == 0x7C00; }
    constexpr bool is_negative() const { return (bits_ & 0x8000) != 0; }
    constexpr bool is_zero() const { return (bits_ & 0x7FFF) == 0; }

  private:
    uint16_t bits_ = 0;
};

/// bfloat16: 8 significant bits and the exponent range of a float.
struct bfloat16_t {
    static constexpr int mantissa_bits = 7;
    static constexpr uint16_t sign_mask = 0x8000, exponent_mask = 0x7F80, mantissa_mask = 0x007F;
    static const bfloat16_t zero, negative_zero, infinity, negative_infinity, nan;

    constexpr bfloat16_t() = default;
    /// The nearest number, ties to even; infinity beyond the range.
    explicit constexpr bfloat16_t(double value) : bits_(float16_detail::round_from_double<8, 7>(value)) {}
    explicit constexpr bfloat16_t(float value) : bfloat16_t(static_cast<double>(value)) {}
    template <typename T, std::enable_if_t<std::is_integral_v<T>, int> = 0>
    explicit constexpr bfloat16_t(T value) : bfloat16_t(float16_detail::sticky_double(value)) {}

    /// The value, exactly; as an integer, rounded toward zero.
    constexpr explicit operator float() const { return float16_detail::bfloat_to_float(bits_); }
    constexpr explicit operator double() const { return static_cast<double>(static_cast<float>(*this)); }
    template <typename T, std::enable_if_t<std::is_integral_v<T>, int> = 0> constexpr explicit operator T() const {
        return static_cast<T>(static_cast<float>(*this));
    }

    /// The number of these 16 bits, and the bits of a number.
    static constexpr bfloat16_t make_from_bits(uint16_t bits) {
        bfloat16_t result;
        result.bits_ = bits;
        return result;
    }
    constexpr uint16_t to_bits() const { return bits_; }

    /// Special values; make_nan is a quiet NaN.
    static constexpr bfloat16_t make_zero() { return make_from_bits(0); }
    static constexpr bfloat16_t make_negative_zero() { return make_from_bits(0x8000); }
    static constexpr bfloat16_t make_infinity() { return make_from_bits(0x7F80); }
    static constexpr bfloat16_t make_negative_infinity() { return make_from_bits(0xFF80); }
    static constexpr bfloat16_t make_nan() { return make_from_bits(0x7FC0); }

    /// Kinds of values; the sign of a NaN or zero counts as negative, too.
    constexpr bool is_nan() const { return (bits_ & 0x7FFF) > 0x7F80; }
    constexpr bool is_infinity() const { return (bits_ & 0x7FFF) == 0x7F80; }
    constexpr bool is_negative() const { return (bits_ & 0x8000) != 0; }
    constexpr bool is_zero() const { return (bits_ & 0x7FFF) == 0; }

  private:
    uint16_t bits_ = 0;
};

template <typename T> inline constexpr bool is_float16 = std::is_same_v<T, float16_t> || std::is_same_v<T, bfloat16_t>;

/// Arithmetic in float32, rounded to nearest even; this gives the correctly rounded result of each single operation.
/// Comparisons are those of the values: NaN is unequal to everything, and -0 equals 0.
template <typename T, std::enable_if_t<is_float16<T>, int> = 0> constexpr T operator-(T a) {
    return T::make_from_bits(static_cast<uint16_t>(a.to_bits() ^ 0x8000));
}
template <typename T, std::enable_if_t<is_float16<T>, int> = 0> constexpr T operator+(T a, T b) {
    return T(static_cast<float>(a) + static_cast<float>(b));
}
template <typename T, std::enable_if_t<is_float16<T>, int> = 0> constexpr T operator-(T a, T b) {
    return T(static_cast<float>(a) - static_cast<float>(b));
}
template <typename T, std::enable_if_t<is_float16<T>, int> = 0> constexpr T operator*(T a, T b) {
    return T(static_cast<float>(a) * static_cast<float>(b));
}
template <typename T, std::enable_if_t<is_float16<T>, int> = 0> constexpr T operator/(T a, T b) {
    return T(static_cast<float>(a) / static_cast<float>(b));
}
template <typename T, std::enable_if_t<is_float16<T>, int> = 0> constexpr T &operator+=(T &a, T b) { return a = a + b; }
template <typename T, std::enable_if_t<is_float16<T>, int> = 0> constexpr T &operator-=(T &a, T b) { return a = a - b; }
template <typename T, std::enable_if_t<is_float16<T>, int> = 0> constexpr T &operator*=(T &a, T b) { return a = a * b; }
template <typename T, std::enable_if_t<is_float16<T>, int> = 0> constexpr T &operator/=(T &a, T b) { return a = a / b; }
template <typename T, std::enable_if_t<is_float16<T>, int> = 0> constexpr bool operator==(T a, T b) {
    return static_cast<float>(a) == static_cast<float>(b);
}
template <typename T, std::enable_if_t<is_float16<T>, int> = 0> constexpr bool operator!=(T a, T b) {
    return !(a == b);
}
template <typename T, std::enable_if_t<is_float16<T>, int> = 0> constexpr bool operator<(T a, T b) {
    return static_cast<float>(a) < static_cast<float>(b);
}
template <typename T, std::enable_if_t<is_float16<T>, int> = 0> constexpr bool operator>(T a, T b) { return b < a; }
template <typename T, std::enable_if_t<is_float16<T>, int> = 0> constexpr bool operator<=(T a, T b) {
    return static_cast<float>(a) <= static_cast<float>(b);
}
template <typename T, std::enable_if_t<is_float16<T>, int> = 0> constexpr bool operator>=(T a, T b) { return b <= a; }

inline const bfloat16_t bfloat16_t::zero = bfloat16_t::make_zero();
inline const bfloat16_t bfloat16_t::negative_zero = bfloat16_t::make_negative_zero();
inline const bfloat16_t bfloat16_t::infinity = bfloat16_t::make_infinity();
inline const bfloat16_t bfloat16_t::negative_infinity = bfloat16_t::make_negative_infinity();
inline const bfloat16_t bfloat16_t::nan = bfloat16_t::make_nan();

static_assert(sizeof(float16_t) == 2 && sizeof(bfloat16_t) == 2);

} // namespace fluorite

template <> struct std::numeric_limits<fluorite::float16_t> {
    static constexpr bool is_specialized = true, is_signed = true, is_integer = false, is_exact = false;
    static constexpr bool has_infinity = true, has_quiet_NaN = true, is_iec559 = true, is_bounded = true;
    static constexpr int digits = 11, digits10 = 3, max_digits10 = 5, radix = 2;
    static constexpr int min_exponent = -13, max_exponent = 16;
    using T = fluorite::float16_t;
    /// Least positive normal, least positive, greatest and least finite number; the distance from 1 to the next number.
    static constexpr T min() { return T::make_from_bits(0x0400); }
    static constexpr T denorm_min() { return T::make_from_bits(0x0001); }
    static constexpr T max() { return T::make_from_bits(0x7BFF); }
    static constexpr T lowest() { return T::make_from_bits(0xFBFF); }
    static constexpr T epsilon() { return T::make_from_bits(0x1400); }
    static constexpr T infinity() { return T::make_infinity(); }
    static constexpr T quiet_NaN() { return T::make_nan(); }
};

template <> struct std::numeric_limits<fluorite::bfloat16_t> {
    static constexpr bool is_specialized = true, is_signed = true, is_integer = false, is_exact = false;
    static constexpr bool has_infinity = true, has_quiet_NaN = true, is_iec559 = false, is_bounded = true;
    static constexpr int digits = 8, digits10 = 2, max_digits10 = 4, radix = 2;
    static constexpr int min_exponent = -125, max_exponent = 128;
    using T = fluorite::bfloat16_t;
    /// Least positive normal, least positive, greatest and least finite number; the distance from 1 to the next number.
    static constexpr T min() { return T::make_from_bits(0x0080); }
    static constexpr T denorm_min() { return T::make_from_bits(0x0001); }
    static constexpr T max() { return T::make_from_bits(0x7F7F); }
    static constexpr T lowest() { return T::make_from_bits(0xFF7F); }
    static constexpr T epsilon() { return T::make_from_bits(0x3C00); }
    static constexpr T infinity() { return T::make_infinity(); }
    static constexpr T quiet_NaN() { return T::make_nan(); }
};
