// Conversions of vectors, for vectors.h.
//
// Compilers convert integers, which wrap, and to floats, which rounds to nearest. A float out of the range of an
// integer has no defined conversion, so those lanes are replaced before, and the limits of the type are selected after.

#include "backends/c/vectors.h"

#include "backends/c/words.h"
#include "backends/c_text/c_text.h"
#include "support/check.h"

namespace fluorite::backends::c {

using c_text::is_short_float;
using c_text::text_of_number;

namespace {

/// The digits of the values of an integer type, without the sign.
int digits_of(Type type) { return type.bits() - (type.is_int() ? 1 : 0); }
uint64_t greatest(Type type) { return digits_of(type) == 64 ? UINT64_MAX : (uint64_t{1} << digits_of(type)) - 1; }
int64_t least(Type type) { return type.is_int() ? -static_cast<int64_t>(greatest(type)) - 1 : 0; }

/// A power of two, or its negative, in a float type.
std::string float_text(Type type, double value) {
    return type.bits() == 64 ? c_text::text_of(value) : c_text::text_of(static_cast<float>(value));
}

std::string greatest_text(Type of, Type in) {
    return in.is_int() ? c_text::text_of_int(in, static_cast<int64_t>(greatest(of)))
                       : c_text::text_of_uint(in, greatest(of));
}

} // namespace

std::string Vectors::native_float_to_int(Type from, Type to) {
    const Type int_type = to.element_of();
    // Conversions to fewer bits go through the integer of the float's width, as instructions do.
    const Type middle = to.bits() < from.bits() ? Int(from.bits(), to.lanes()) : to;
    const std::string floats = type_name(from), mask = type_name(mask_of(from)), result = type_name(to),
                      result_mask = type_name(mask_of(to));
    const std::string above = float_text(from, static_cast<double>(uint64_t{1} << (digits_of(int_type) - 1)) * 2),
                      below = float_text(from, static_cast<double>(least(int_type)));
    const std::string limit = to.is_int() ? text_of_number(int_type, least(int_type)) : text_of_number(int_type, 0);
    return concat("    const ", floats, " none = FLUORITE_ZERO;\n    const ", result, " zero = FLUORITE_ZERO;\n",
                  "    const ", mask, " high = a >= ", above, ", low = a <= ", below, ", inside = ~(high | low) & (",
                  mask, ")(a == a);\n", "    const ", floats, " safe = FLUORITE_SELECT(", floats, ", ", mask,
                  ", inside, a, none);\n", "    const ", type_name(middle), " whole = __builtin_convertvector(safe, ",
                  type_name(middle), ");\n", "    const ", result, " inner = __builtin_convertvector(whole, ", result,
                  ");\n", "    const ", result_mask, " most = __builtin_convertvector(high, ", result_mask,
                  "), least = __builtin_convertvector(low, ", result_mask, ");\n", "    const ", result,
                  " upper = FLUORITE_SELECT(", result, ", ", result_mask, ", most, zero + ",
                  greatest_text(int_type, int_type), ", inner);\n", "    return FLUORITE_SELECT(", result, ", ",
                  result_mask, ", least, zero + ", limit, ", upper);\n");
}

std::string Vectors::native_clamp(Type from, Type to) {
    const Type in = from.element_of(), out = to.element_of();
    const std::string source = type_name(from), mask = type_name(mask_of(from));
    std::string text = concat("    const ", source, " zero = FLUORITE_ZERO;\n    ", source, " v = a + zero;\n");
    if (greatest(in) > greatest(out)) {
        const std::string most = greatest_text(out, in);
        text += concat("    v = FLUORITE_SELECT(", source, ", ", mask, ", v > ", most, ", zero + ", most, ", v);\n");
    }
    if (least(in) < least(out)) {
        const std::string limit = in.is_int() ? c_text::text_of_int(in, least(out)) : c_text::text_of_uint(in, 0);
        text += concat("    v = FLUORITE_SELECT(", source, ", ", mask, ", v < ", limit, ", zero + ", limit, ", v);\n");
    }
    return concat(text, "    return __builtin_convertvector(v, ", type_name(to), ");\n");
}

Vector Vectors::cast(Type to, const Vector &a) {
    const Type from = a.type, held = held_as(to);
    if (from == to) {
        return a;
    }
    const std::string lane = operators_.cast(from.element_of(), to.element_of(), "x");
    const bool is_short = is_short_float(from) || is_short_float(to);
    if (to.is_bool()) {
        const std::string mask = type_name(mask_of(a.held));
        return call_bool("truth", mask_of(a.held), {a},
                         is_short_float(from) ? concat("(", mask, ")((a & (ushort)0x7FFF) != 0)")
                                              : concat("(", mask, ")(a != 0)"),
                         lane);
    }
    std::string native;
    if (is_short) {
        native = "";
    } else if (from.is_float() && to.is_int_or_uint()) {
        native = native_float_to_int(a.held, held);
    } else {
        native = concat("__builtin_convertvector(", from.is_bool() ? "-a" : "a", ", ", type_name(held), ")");
    }
    return call("to_" + short_name(to), to, held, {a}, native, lane);
}

Vector Vectors::saturating_cast(Type to, const Vector &a) {
    const Type from = a.type;
    if (to.is_float() || from.is_bool() || from == to) {
        return cast(to, a);
    }
    const std::string lane = operators_.saturating_cast(from.element_of(), to.element_of(), "x");
    if (to.is_bool()) {
        return call_bool("positive", mask_of(a.held), {a}, "", lane);
    }
    const bool is_short = is_short_float(from);
    const std::string native = is_short          ? ""
                               : from.is_float() ? native_float_to_int(a.held, to)
                                                 : native_clamp(a.held, to);
    return call("saturating_" + short_name(to), to, to, {a}, native, lane);
}

Vector Vectors::reinterpret(Type to, const Vector &a) {
    const Type held = held_as(to);
    if (held == a.held) {
        return {to, held, a.text};
    }
    check(!to.is_bool() && !a.type.is_bool(), "the bits of a Bool are of a byte");
    const std::string source = type_name(a.held), result = type_name(held),
                      name = concat("fluorite_bits_", short_name(a.held), "x", a.held.lanes(), "_", short_name(held),
                                    "x", held.lanes());
    helpers_.with(name, [&] {
        return concat("static ", result, " ", name, "(", source, " a) {\n    ", result,
                      " r = FLUORITE_ZERO;\n    memcpy(&r, &a, ", held.lanes() * held.bytes(), ");\n    return r;\n}");
    });
    return {to, held, concat(name, "(", a.text, ")")};
}

} // namespace fluorite::backends::c
