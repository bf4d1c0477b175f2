// Conversions of vectors, for vectors.h.
//
// Compilers convert integers, which wrap, and to floats, which rounds to nearest. A float out of the range of an
// integer has no defined conversion, so those lanes are replaced before, and the limits of the type are selected after.

#include "backends/c/vectors.h"

#include "backends/c/words.h"
#include "backends/c_text/c_text.h"
#include "backends/c_text/limits.h"
#include "support/check.h"

namespace fluorite::backends::c {

using c_text::is_short_float;

using c_text::greatest;
using c_text::least;
using c_text::text_of_greatest;
using c_text::text_of_least;

/// Through the integer of the float's width, as instructions do, which has all values of the type.
std::string Vectors::native_float_to_narrow(Type from, Type to) {
    const Type in = from.element_of(), out = to.element_of(), middle = Int(from.bits(), to.lanes());
    const std::string floats = type_name(from), mask = type_name(mask_of(from));
    const std::string most = c_text::text_of_power(in, static_cast<double>(greatest(out))),
                      limit = c_text::text_of_power(in, static_cast<double>(least(out)));
    return concat(
        "    const ", floats, " zero = FLUORITE_ZERO, v = ", selected(from, "a < " + limit, "zero + " + limit, "a"),
        ", w = ", selected(from, "v > " + most, "zero + " + most, "v"), ";\n    const ", floats, " number = (", floats,
        ")((", mask, ")w & (", mask, ")(a == a));\n    return __builtin_convertvector(__builtin_convertvector(number, ",
        type_name(middle), "), ", type_name(to), ");\n");
}

std::string Vectors::native_float_to_int(Type from, Type to) {
    if (to.bits() < from.bits()) {
        return native_float_to_narrow(from, to);
    }
    const Type in = from.element_of(), out = to.element_of();
    const std::string floats = type_name(from), mask = type_name(mask_of(from)), result = type_name(to),
                      result_mask = type_name(mask_of(to));
    const std::string ends =
        concat("    const ", floats, " none = FLUORITE_ZERO;\n    const ", result, " zero = FLUORITE_ZERO;\n    const ",
               mask, " high = a >= ", c_text::text_above(out, in),
               ", low = a <= ", c_text::text_of_power(in, static_cast<double>(least(out))),
               ", inside = ~(high | low) & (", mask, ")(a == a);\n");
    const std::string whole = concat("    const ", result, " whole = __builtin_convertvector(",
                                     selected(from, "inside", "a", "none"), ", ", result, ");\n");
    const std::string masks = concat("    const ", result_mask, " most = __builtin_convertvector(high, ", result_mask,
                                     "), least = __builtin_convertvector(low, ", result_mask, ");\n");
    const std::string upper = selected(to, "most", "zero + " + text_of_greatest(out, out), "whole");
    return concat(ends, whole, masks, "    const ", result, " upper = ", upper, ";\n    return ",
                  selected(to, "least", "zero + " + text_of_least(out, out), "upper"), ";\n");
}

std::string Vectors::native_clamp(Type from, Type to) {
    const Type in = from.element_of(), out = to.element_of();
    const std::string source = type_name(from);
    std::string text = concat("    const ", source, " zero = FLUORITE_ZERO;\n    ", source, " v = a + zero;\n");
    if (greatest(in) > greatest(out)) {
        const std::string most = text_of_greatest(out, in);
        text += concat("    v = ", selected(from, concat("v > ", most), concat("zero + ", most), "v"), ";\n");
    }
    if (least(in) < least(out)) {
        const std::string limit = text_of_least(out, in);
        text += concat("    v = ", selected(from, concat("v < ", limit), concat("zero + ", limit), "v"), ";\n");
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
    const OfHalves of_halves = [=, this](const auto &h) { return cast(to.with_lanes(h[0].held.lanes()), h[0]); };
    if (to.is_bool()) {
        const std::string mask = type_name(mask_of(a.held));
        return call(
            "truth", {a},
            {to, mask_of(a.held), lane,
             is_short_float(from) ? concat("(", mask, ")((a & (ushort)0x7FFF) != 0)") : concat("(", mask, ")(a != 0)")},
            of_halves);
    }
    std::string native;
    if (!is_short && from.is_float() && to.is_int_or_uint()) {
        native = native_float_to_int(a.held, held);
    } else if (!is_short) {
        native = concat("__builtin_convertvector(", from.is_bool() ? "-a" : "a", ", ", type_name(held), ")");
    }
    return call("to_" + short_name(to), {a}, {to, held, lane, native}, of_halves);
}

Vector Vectors::saturating_cast(Type to, const Vector &a) {
    const Type from = a.type;
    if (to.is_float() || from.is_bool() || from == to) {
        return cast(to, a);
    }
    const std::string lane = operators_.saturating_cast(from.element_of(), to.element_of(), "x");
    const OfHalves of_halves = [=, this](const auto &h) {
        return saturating_cast(to.with_lanes(h[0].held.lanes()), h[0]);
    };
    if (to.is_bool()) {
        return call("positive", {a}, {to, mask_of(a.held), lane}, of_halves);
    }
    const std::string native = is_short_float(from) ? ""
                               : from.is_float()    ? native_float_to_int(a.held, to)
                                                    : native_clamp(a.held, to);
    return call("saturating_" + short_name(to), {a}, {to, to, lane, native}, of_halves);
}

/// The bytes of a vector as another one, which may have more or fewer lanes.
Vector Vectors::reinterpret(Type to, const Vector &a) {
    const Type held = held_as(to);
    if (held == a.held) {
        return {to, held, a.text};
    }
    check(!to.is_bool() && !a.type.is_bool(), "the bits of a Bool are of a byte");
    const std::string source = type_name(a.held), result = type_name(held),
                      name = concat("fluorite_bits_", short_name(a.held), "x", a.held.lanes(), "_", short_name(held),
                                    "x", held.lanes());
    helpers().with(name, [&] {
        std::string native = concat("(", result, ")a");
        if (types_.is_pair(held)) {
            const Type low_from = VectorTypes::low(a.held), high_from = VectorTypes::high(a.held);
            const Vector low{low_from, low_from, types_.low(a.held, "a")},
                high{high_from, high_from, types_.high(a.held, "a")};
            native = types_.joined(held, reinterpret(VectorTypes::low(held), low).text,
                                   reinterpret(VectorTypes::high(held), high).text);
        }
        return concat("static ", result, " ", name, "(", source, " a) {\n#if FLUORITE_VECTORS\n    return ", native,
                      ";\n#else\n    ", result, " r = FLUORITE_ZERO;\n    memcpy(&r, &a, ", held.lanes() * held.bytes(),
                      ");\n    return r;\n#endif\n}");
    });
    return {to, held, concat(name, "(", a.text, ")")};
}

} // namespace fluorite::backends::c
