// Conversions of one lane, for operators.h.
//
// A value is rounded to a 16-bit float directly from its source: a wider number is first rounded to a float whose last
// bit is 1 where anything was lost ("to odd"), which a second rounding to 14 or fewer digits cannot tell from the
// number itself.

#include "backends/c_text/c_text.h"
#include "backends/c_text/limits.h"
#include "backends/c_text/operators.h"
#include "ir/expr_traits.h"
#include "support/check.h"

namespace fluorite::backends::c_text {

using ir::ExprKind;

namespace {

constexpr const char *from_half = R"(static float fluorite_from_half(ushort half_bits) {
    const uint sign = (uint)(half_bits & 0x8000) << 16, exponent = (half_bits >> 10) & 0x1F, mantissa = half_bits & 0x3FF;
    if (exponent == 0x1F) {
        return as_float(sign | 0x7F800000U | mantissa << 13);
    }
    if (exponent != 0) {
        return as_float(sign | (exponent + 112) << 23 | mantissa << 13);
    }
    return as_float(sign | as_uint((float)mantissa * 0x1p-24f));
})";
constexpr const char *to_half = R"(static ushort fluorite_to_half(float x) {
    const uint bits = as_uint(x), sign = (bits >> 16) & 0x8000U, magnitude = bits & 0x7FFFFFFFU;
    if (magnitude >= 0x477FF000U) { // 65520
        return (ushort)(sign | (magnitude > 0x7F800000U ? 0x7E00U : 0x7C00U));
    }
    if (magnitude < 0x38800000U) { // 2^-14: a multiple of 2^-24, as the last digit of 0.5 is
        return (ushort)(sign | (as_uint(as_float(magnitude) + 0.5f) - 0x3F000000U));
    }
    return (ushort)(sign | ((magnitude - 0x38000000U + 0xFFFU + ((magnitude >> 13) & 1)) >> 13));
})";
constexpr const char *from_bfloat = R"(static float fluorite_from_bfloat(ushort bfloat_bits) {
    return as_float((uint)bfloat_bits << 16);
})";
constexpr const char *to_bfloat = R"(static ushort fluorite_to_bfloat(float x) {
    const uint bits = as_uint(x);
    if ((bits & 0x7FFFFFFFU) > 0x7F800000U) {
        return (ushort)(bits >> 16 | 0x40U);
    }
    return (ushort)((bits + 0x7FFFU + ((bits >> 16) & 1)) >> 16);
})";
constexpr const char *odd_of_double = R"(static float fluorite_odd_of_double(double x) {
    const float nearest = (float)x;
    if ((double)nearest == x || x != x) {
        return nearest;
    }
    return as_float((as_uint(nearest) - (fabs((double)nearest) > fabs(x) ? 1U : 0U)) | 1U);
})";
constexpr const char *odd_of_ulong = R"(static float fluorite_odd_of_ulong(ulong x) {
    const int dropped = 40 - (int)clz(x);
    if (dropped <= 0) {
        return (float)x;
    }
    const ulong kept = x >> dropped;
    return (float)(kept | ((kept << dropped) != x ? 1UL : 0UL)) * as_float((uint)(127 + dropped) << 23);
})";
constexpr const char *odd_of_long = R"(static float fluorite_odd_of_long(long x) {
    return x < 0 ? -fluorite_odd_of_ulong(0UL - (ulong)x) : fluorite_odd_of_ulong((ulong)x);
})";
constexpr const char *to_integer = R"(static $T fluorite_$T_of_$F($F x) {
    return x != x ? 0 : x >= $A ? $H : x <= $B ? $L : ($T)x;
})";

} // namespace

std::string Operators::widened(Type type, const std::string &a) {
    const std::string name = type.is_bfloat() ? "fluorite_from_bfloat" : "fluorite_from_half";
    return concat(helpers_.with(name, [&] { return std::string(type.is_bfloat() ? from_bfloat : from_half); }), "(", a,
                  ")");
}

std::string Operators::rounded(Type type, const std::string &a) {
    const std::string name = type.is_bfloat() ? "fluorite_to_bfloat" : "fluorite_to_half";
    return concat(helpers_.with(name, [&] { return std::string(type.is_bfloat() ? to_bfloat : to_half); }), "(", a,
                  ")");
}

std::string Operators::to_short_float(Type from, Type to, const std::string &a) {
    if (from == to) {
        return a;
    }
    if (is_short_float(from)) {
        return rounded(to, widened(from, a));
    }
    if (from == Float(64)) {
        return rounded(to, concat(helpers_.with("fluorite_odd_of_double", [] { return std::string(odd_of_double); }),
                                  "(", a, ")"));
    }
    if (from == Float(32) || from.bits() <= 16) { // a float represents the value
        return rounded(to, from.is_float() ? a : "(float)" + a);
    }
    const auto of_ulong = [&] {
        return helpers_.with("fluorite_odd_of_ulong", [] { return std::string(odd_of_ulong); });
    };
    const std::string name = !from.is_int() ? of_ulong() : helpers_.with("fluorite_odd_of_long", [&] {
        of_ulong();
        return std::string(odd_of_long);
    });
    return rounded(to, concat(name, "(", a, ")"));
}

/// Truncates, and stops at the ends of the type; NaN gives 0.
std::string Operators::float_to_int(Type from, Type to, const std::string &a) {
    if (is_short_float(from)) {
        return float_to_int(Float(32), to, widened(from, a));
    }
    const std::string result = value_type(to), source = value_type(from);
    const std::string name = concat("fluorite_", result, "_of_", source);
    return concat(helpers_.with(name,
                                [&] {
                                    return with_names(to_integer,
                                                      {{'T', result},
                                                       {'F', source},
                                                       {'A', text_above(to, from)},
                                                       {'B', text_of_power(from, static_cast<double>(least(to)))},
                                                       {'H', text_of_greatest(to, to)},
                                                       {'L', text_of_least(to, to)}});
                                }),
                  "(", a, ")");
}

std::string Operators::cast(Type from, Type to, const std::string &a) {
    if (to.is_bool()) {
        return from.is_bool()         ? a
               : is_short_float(from) ? concat("(", a, " & 0x7FFF) != 0")
               : from.is_float()      ? concat("!(", a, " == 0)")
                                      : a + " != 0";
    }
    if (is_short_float(to)) {
        return to_short_float(from, to, a);
    }
    const std::string prefix = concat("(", value_type(to), ")");
    if (to.is_float()) {
        return prefix + (is_short_float(from) ? widened(from, a) : a);
    }
    return from.is_float() ? float_to_int(from, to, a) : prefix + a;
}

/// An integer in another type's range.
std::string Operators::clamped(Type from, Type to, const std::string &a) {
    const bool above = greatest(from) > greatest(to), below = least(from) < least(to);
    const std::string prefix = concat("(", value_type(to), ")"), plain = prefix + a;
    std::string result = plain;
    if (above) {
        result = concat(a, " > ", text_of_greatest(to, from), " ? ", text_of_greatest(to, to), " : ", result);
    }
    if (below) {
        result = concat(a, " < ", text_of_least(to, from), " ? ", text_of_least(to, to), " : ", result);
    }
    return result;
}

std::string Operators::saturating_cast(Type from, Type to, const std::string &a) {
    if (to.is_float() || from.is_bool()) {
        return cast(from, to, a);
    }
    if (to.is_bool()) {
        return is_short_float(from) ? widened(from, a) + " >= 1" : from.is_float() ? a + " >= 1" : a + " > 0";
    }
    return from.is_float() ? float_to_int(from, to, a) : clamped(from, to, a);
}

std::string Operators::reinterpret(Type from, Type to, const std::string &a) {
    const std::string source = value_type(from), result = value_type(to);
    const bool changes = from.is_float() != to.is_float() && !is_short_float(from) && !is_short_float(to);
    return source == result ? a : concat(changes ? "as_" + result : concat("(", result, ")"), "(", a, ")");
}

std::string Operators::bits_of(Type type, const std::string &a) {
    return type.is_bool() ? concat("(ulong)", a) : concat("(ulong)", reinterpret(type, UInt(type.bits()), a));
}

std::string Operators::from_bits(Type type, const std::string &bits) {
    if (type.is_bool()) {
        return concat("(uchar)", bits, " != 0");
    }
    const Type of_bits = UInt(type.bits());
    return reinterpret(of_bits, type, concat("(", value_type(of_bits), ")", bits));
}

} // namespace fluorite::backends::c_text
