// Conversions between types.

#include "fluorite/float_conversions.h"
#include "fluorite/ops.h"

#include "language/operands.h"

#include <atomic>

namespace fluorite {

using namespace language;

namespace {

std::atomic<FloatConversions> float_conversions{FloatConversions::Saturate};

/// Whether the operand becomes an int32 first, whose low bits are the result.
bool keeps_low_bits(Type from, Type to) {
    return from.is_float() && to.is_int_or_uint() && to.bits() > 1 && to.bits() < 32 &&
           float_conversions == FloatConversions::LowBits;
}

/// The type, with the lanes of the value if it was given as a scalar type.
Type in_lanes_of(const Expr &value, Type type) {
    return type.is_scalar() ? type.with_lanes(value.type().lanes()) : type;
}

} // namespace

Expr cast(Type type, const LocatedExpr &value) {
    const Site site{"cast", value.location};
    if (type.is_handle() && value.expr.defined() && value.expr.type().is_handle()) {
        return value.expr;
    }
    const Expr operand = checked(site, value);
    check_type(type, "an expression, cast", value.location);
    if (type.is_handle()) {
        fail_operand(site, "handle-operand",
                     concat("a value of type ", operand.type(),
                            " is cast to a pointer; numbers convert to numbers; use reinterpret of a uint64"));
    }
    const Type target = in_lanes_of(operand, type);
    return keeps_low_bits(operand.type(), target) ? convert(target, convert(in_lanes_of(operand, Int(32)), operand))
                                                  : convert(target, operand);
}

FloatConversions set_float_conversions(FloatConversions meaning) { return float_conversions.exchange(meaning); }

Expr saturating_cast(Type type, const LocatedExpr &value) {
    const Site site{"saturating_cast", value.location};
    const Expr operand = checked(site, value);
    check_type(type, "an expression, saturating_cast", value.location);
    const Type target = in_lanes_of(operand, type);
    return operand.type() == target ? operand : folded(ir::make_saturating_cast(target, operand));
}

Expr reinterpret(Type type, const LocatedExpr &value) {
    const Site site{"reinterpret", value.location};
    if (!value.expr.defined()) {
        return checked(site, value);
    }
    check_type(type, "an expression, reinterpret", value.location);
    const Type target = in_lanes_of(value.expr, type);
    if (target.bits() * target.lanes() != value.expr.type().bits() * value.expr.type().lanes()) {
        fail_operand(site, "reinterpret-width",
                     concat("a value of type ", value.expr.type(), " is read as ", type,
                            "; both types have the same number of bits; cast to a type of that width first"));
    }
    return value.expr.type() == target ? value.expr : folded(ir::make_reinterpret(target, value.expr));
}

Expr extract_bits(Type type, const LocatedExpr &value, const LocatedExpr &lsb) {
    const Site site{"extract_bits", value.location};
    const Expr operand = checked(site, value);
    const Expr from = checked_integer({"extract_bits", lsb.location}, lsb);
    const Type bits = UInt(operand.type().bits());
    int64_t first = 0;
    if (ir::is_const_int(from, &first) && (first < 0 || first >= bits.bits())) {
        fail_operand(site, "literal-out-of-range",
                     concat("bit ", first, " of a value of type ", operand.type(), " is named; it has bits 0 to ",
                            bits.bits() - 1, "; name one of them"));
    }
    const Expr shifted = reinterpret(bits, operand) >> cast(bits, from);
    return reinterpret(type, cast(UInt(type.bits()), shifted));
}

namespace {
/// `type uint8`, or `types uint8, uint16` where they differ.
std::string types_of(const std::vector<Expr> &values) {
    std::string all;
    bool same = true;
    for (const Expr &value : values) {
        all += concat(all.empty() ? "" : ", ", value.type());
        same = same && value.type() == values[0].type();
    }
    return same ? concat("type ", values[0].type()) : "types " + all;
}
} // namespace

Expr concat_bits(const std::vector<Expr> &values, const Location &location) {
    const Site site{"concat_bits", location};
    const size_t count = values.size();
    for (const Expr &value : values) {
        checked(site, LocatedExpr(value, location));
    }
    bool same = count == 2 || count == 4 || count == 8;
    for (size_t i = 1; same && i < count; i++) {
        same = values[i].type() == values[0].type();
    }
    const int bits = count > 0 ? values[0].type().bits() : 0, wide = bits * static_cast<int>(count);
    if (!same || bits < 8 || wide > 64) {
        fail_operand(site, "no-wider-type",
                     concat(count, " values", count > 0 ? concat(" of ", types_of(values)) : "",
                            " are joined; 2, 4 or 8 values of one type of 8 bits or more give a value of at most 64 "
                            "bits; pass such"));
    }
    Expr result = cast(UInt(wide), reinterpret(UInt(bits), values[0]));
    for (size_t i = 1; i < count; i++) {
        const Expr part = cast(UInt(wide), reinterpret(UInt(bits), values[i]));
        result = result | (part << cast(UInt(wide), static_cast<int>(i) * bits));
    }
    return reinterpret(Type(values[0].type().code(), wide), result);
}

} // namespace fluorite
