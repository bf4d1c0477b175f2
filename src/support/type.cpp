// Which values scalar types can represent, and the names of types.
//
// All queries are about exact values: a float type represents an integer only if the conversion rounds nothing. NaN and
// the infinities are values of every float type.

#include "fluorite/type.h"

#include "fluorite/errors.h"
#include "support/numeric.h"

#include <bit>
#include <cmath>
#include <iterator>
#include <ostream>
#include <string>

namespace fluorite {

void detail::refuse_type(const char *what, int count, int most) {
    const bool is_bits = what == std::string("bits");
    throw CompileError("bad-type",
                       "in a Type: it is to have " + std::to_string(count) + " " + what +
                           (is_bits ? "; integers have 8, 16, 32 or 64, floats 16, 32 or 64; use one of these"
                                    : "; a vector has 1 to " + std::to_string(most) + "; use fewer"));
}

namespace {

/// Significant binary digits of a float type.
int digits_of(Type type) {
    if (type.is_bfloat()) {
        return 8;
    }
    return type.bits() == 16 ? 11 : type.bits() == 32 ? 24 : 53;
}

/// Whether a float type represents the integer of this magnitude. All formats except float16 extend beyond 2^64.
bool float_holds(Type type, uint64_t magnitude) {
    if (magnitude == 0) {
        return true;
    }
    if (type == Float(16, type.lanes()) && magnitude > 65504) {
        return false;
    }
    return static_cast<int>(std::bit_width(magnitude)) - std::countr_zero(magnitude) <= digits_of(type);
}

/// Whether every float of type `b` is a float of type `a`.
bool float_includes(Type a, Type b) {
    if (a.code() == b.code()) {
        return a.bits() >= b.bits();
    }
    return b.is_bfloat() && a.bits() >= 32;
}

} // namespace

bool Type::can_represent(Type other) const {
    if (lanes() != other.lanes()) {
        return false;
    }
    if (is_int()) {
        return (other.is_int() && bits() >= other.bits()) || (other.is_uint() && bits() > other.bits());
    }
    if (is_uint()) {
        return other.is_uint() && bits() >= other.bits();
    }
    if (is_float()) {
        if (other.is_float()) {
            return float_includes(*this, other);
        }
        const int magnitude_bits = other.bits() - (other.is_int() ? 1 : 0);
        return other.is_int_or_uint() && magnitude_bits <= digits_of(*this);
    }
    return *this == other;
}

bool Type::can_represent(int64_t value) const {
    if (value >= 0) {
        return can_represent(static_cast<uint64_t>(value));
    }
    if (is_int()) {
        return wrap_signed(value, bits()) == value;
    }
    return is_float() && float_holds(*this, 0 - static_cast<uint64_t>(value));
}

bool Type::can_represent(uint64_t value) const {
    if (is_int()) {
        return wrap_unsigned(value, bits() - 1) == value;
    }
    if (is_uint()) {
        return wrap_unsigned(value, bits()) == value;
    }
    return is_float() && float_holds(*this, value);
}

bool Type::can_represent(double value) const {
    if (is_float()) {
        return std::isnan(value) || round_to_float(*this, value) == value;
    }
    if (!is_int_or_uint() || std::trunc(value) != value || std::abs(value) >= 0x1p64) {
        return false;
    }
    if (value >= 0) {
        return can_represent(static_cast<uint64_t>(value));
    }
    return value >= -0x1p63 && can_represent(static_cast<int64_t>(value));
}

bool Type::is_max(int64_t value) const {
    if (is_int()) {
        return value == static_cast<int64_t>(wrap_unsigned(~uint64_t{0}, bits() - 1));
    }
    return is_uint() && bits() < 64 && value == static_cast<int64_t>(wrap_unsigned(~uint64_t{0}, bits()));
}

bool Type::is_min(int64_t value) const {
    if (is_int()) {
        return value == wrap_signed(static_cast<int64_t>(uint64_t{1} << (bits() - 1)), bits());
    }
    return is_uint() && value == 0;
}

std::string to_string(Type type) {
    if (type.is_void()) {
        return "void";
    }
    std::string text;
    if (type.is_bool()) {
        text = "bool";
    } else {
        static const char *const names[] = {"int", "uint", "float", "handle", "bfloat"};
        const auto code = static_cast<size_t>(type.code());
        text = code < std::size(names) ? names[code] : "unknown";
        if (!(type.is_handle() && type.bits() == 64)) {
            text += std::to_string(type.bits());
        }
    }
    return type.lanes() == 1 ? text : text + "x" + std::to_string(type.lanes());
}

std::ostream &operator<<(std::ostream &stream, Type type) { return stream << to_string(type); }

} // namespace fluorite
