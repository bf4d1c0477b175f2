// Conversions between types.

#include "fluorite/ops.h"

#include "language/operands.h"

namespace fluorite {

using namespace language;

namespace {

/// The type with the lanes of the value, where it was given without.
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
    if (type.is_handle()) {
        fail_operand(site, "handle-operand",
                     concat("a value of type ", operand.type(),
                            " is cast to a pointer; numbers convert to numbers; use reinterpret of a uint64"));
    }
    return convert(in_lanes_of(operand, type), operand);
}

Expr saturating_cast(Type type, const LocatedExpr &value) {
    const Site site{"saturating_cast", value.location};
    const Expr operand = checked(site, value);
    const Type target = in_lanes_of(operand, type);
    return operand.type() == target ? operand : folded(ir::make_saturating_cast(target, operand));
}

Expr reinterpret(Type type, const LocatedExpr &value) {
    const Site site{"reinterpret", value.location};
    if (!value.expr.defined()) {
        return checked(site, value);
    }
    const Type target = in_lanes_of(value.expr, type);
    if (target.bits() * target.lanes() != value.expr.type().bits() * value.expr.type().lanes()) {
        fail_operand(site, "reinterpret-width",
                     concat("a value of type ", value.expr.type(), " is read as ", type,
                            "; both types have the same number of bits; cast to a type of that width first"));
    }
    return value.expr.type() == target ? value.expr : folded(ir::make_reinterpret(target, value.expr));
}

} // namespace fluorite
