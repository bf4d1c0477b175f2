// Operand types: the promotion rules of the language, in one file.

#include "language/operands.h"

#include "language/function.h"

#include "rewrite/fold.h"

#include <algorithm>
#include <cmath>

namespace fluorite {

void LocatedExpr::set_literal(int64_t value, bool too_large) {
    if (too_large) {
        expr = ir::make_uint(UInt(64), static_cast<uint64_t>(value));
    } else {
        expr = ir::make_int(Int(32).can_represent(value) ? Int(32) : Int(64), value);
    }
}

namespace language {

using ir::ExprKind;

void fail_operand(const Site &site, const char *slug, const std::string &text) {
    throw CompileError(slug, concat("in an expression, ", site.op, ": ", text), site.location);
}

Expr checked(const Site &site, const LocatedExpr &operand) {
    if (!operand.expr.defined()) {
        fail_operand(site, "undefined-operand",
                     "an operand is an undefined Expr; operands have a value; initialize the Expr before it is used");
    }
    if (operand.expr.type().is_handle()) {
        fail_operand(site, "handle-operand",
                     "an operand is a text or a pointer; operands are numbers; use texts in print and require only");
    }
    return operand.expr;
}

namespace {

bool is_double(const LocatedExpr &literal) { return ir::is_kind(literal.expr, ExprKind::FloatImm); }

/// The float constant nearest to the number. A finite number must stay finite.
Expr rounded(const Site &site, Type type, double number) {
    const Expr result = ir::make_float(type, number);
    double value = 0;
    ir::is_const_float(result, &value);
    if (std::isinf(value) && std::isfinite(number)) {
        fail_operand(site, "literal-out-of-range",
                     concat("the number ", number, " is beyond the greatest value of type ", type,
                            ", which it takes; cast the operand to float64"));
    }
    return result;
}

} // namespace

Expr literal_as(const Site &site, Type type, const LocatedExpr &literal) {
    double number = 0;
    if (ir::is_const_float(literal.expr, &number)) { // a double
        if (type.is_float()) {
            return rounded(site, type, number);
        }
        if (!type.can_represent(number)) {
            fail_operand(site, "literal-out-of-range",
                         concat("the number ", number, " is given where the type is ", type,
                                "; a number is one of the type's values; cast it, or give the other side a float "
                                "type"));
        }
        return ir::make_int(type, static_cast<int64_t>(number));
    }
    const bool is_wide = literal.expr.type().is_uint(); // exceeds the greatest int64
    int64_t value = 0;
    ir::is_const_int(literal.expr, &value);
    const bool fits = is_wide ? type.can_represent(literal.expr->uint_value()) : type.can_represent(value);
    if (!fits) {
        const std::string shown = is_wide ? std::to_string(literal.expr->uint_value()) : std::to_string(value);
        fail_operand(site, "literal-out-of-range",
                     concat("the integer ", shown, " meets an operand of type ", type,
                            "; an integer takes the type of the other operand and must be one of its values; cast the "
                            "operand to a wider type"));
    }
    return is_wide ? ir::make_uint(type, literal.expr->uint_value()) : ir::make_int(type, value);
}

namespace {

Type common_type(Type a, Type b) {
    const int lanes = std::max(a.lanes(), b.lanes());
    if (a.is_float() != b.is_float()) {
        return (a.is_float() ? a : b).with_lanes(lanes);
    }
    if (a.code() == b.code()) {
        return (a.bits() >= b.bits() ? a : b).with_lanes(lanes);
    }
    if (a.is_float()) { // float and bfloat of the same width: neither represents the other
        return a.bits() == b.bits() ? Float(32, lanes) : (a.bits() > b.bits() ? a : b).with_lanes(lanes);
    }
    return Int(std::max(a.bits(), b.bits()), lanes);
}

Expr in_lanes(const Expr &value, int lanes) {
    return value.type().lanes() == lanes ? value : ir::make_broadcast(value, lanes);
}

Operands to_common_type(const Expr &a, const Expr &b) {
    if (a.type() == b.type()) {
        return {a, b};
    }
    const Type type = common_type(a.type(), b.type());
    return {convert(type, in_lanes(a, type.lanes())), convert(type, in_lanes(b, type.lanes()))};
}

} // namespace

namespace {
/// Matches a literal with an operand: both take the operand's type, or float32 where a double meets an integer.
Operands beside(const Site &site, const LocatedExpr &literal, const Expr &operand) {
    if (is_double(literal) && !operand.type().is_float()) {
        const Type type = Float(32, operand.type().lanes());
        return {literal_as(site, type, literal), convert(type, operand)};
    }
    return {literal_as(site, operand.type(), literal), operand};
}
} // namespace

Operands match(const Site &site, const LocatedExpr &a, const LocatedExpr &b) {
    const Expr left = checked(site, a), right = checked(site, b);
    if (a.is_literal && !b.is_literal) {
        return beside(site, a, right);
    }
    if (b.is_literal && !a.is_literal) {
        const Operands swapped = beside(site, b, left);
        return {swapped.b, swapped.a};
    }
    return to_common_type(left, right);
}

Operands match(const Site &site, const Expr &a, const Expr &b) {
    return match(site, LocatedExpr(a, site.location), LocatedExpr(b, site.location));
}

Operands match_integers(const Site &site, const LocatedExpr &a, const LocatedExpr &b) {
    for (const LocatedExpr *operand : {&a, &b}) {
        checked_integer(site, *operand);
    }
    return match(site, a, b);
}

Expr checked_condition(const Site &site, const LocatedExpr &operand) {
    const Expr value = checked(site, operand);
    int64_t number = 0;
    if (!value.type().is_bool() && ir::is_const_int(value, &number) && (number == 0 || number == 1)) {
        return ir::make_bool(number == 1, value.type().lanes());
    }
    if (!value.type().is_bool()) {
        fail_operand(
            site, "not-a-condition",
            concat("an operand has type ", value.type(), "; a condition is a bool; compare it, as in value != 0"));
    }
    return value;
}

Expr checked_integer(const Site &site, const LocatedExpr &operand) {
    const Expr value = checked(site, operand);
    if (!value.type().is_int_or_uint()) {
        fail_operand(
            site, "not-an-integer",
            concat("an operand has type ", value.type(), "; this works on integers; cast it to an integer type"));
    }
    return value;
}

Expr checked_float(const Site &site, const LocatedExpr &operand) {
    const Expr value = checked(site, operand);
    return value.type().is_float() ? value : convert(Float(32, value.type().lanes()), value);
}

bool fits_int32(const Expr &value) {
    int64_t number = 0;
    if (ir::is_kind(value, ExprKind::UIntImm)) {
        return Int(32).can_represent(value->uint_value());
    }
    return !ir::is_const_int(value, &number) || Int(32).can_represent(number);
}

Expr nearest_int32(const Expr &value) {
    const Type type = value.type();
    const bool fits = type.bits() < 32 || (type.bits() == 32 && type.is_int());
    return fits || ir::is_const(value) ? convert(Int(32), value) : folded(ir::make_saturating_cast(Int(32), value));
}

bool is_value_of(Type type, const Expr &value) {
    int64_t integer = 0;
    double number = 0;
    return ir::is_const_int(value, &integer)    ? type.can_represent(integer)
           : ir::is_const_float(value, &number) ? type.can_represent(number)
                                                : type.element_of().can_represent(value.type().element_of());
}

void check_type(const Type &type, const std::string &who, const Location &location) {
    const int bits = type.bits();
    const bool is_power = bits == 8 || bits == 16 || bits == 32 || bits == 64;
    bool exists = type.lanes() >= 1;
    switch (type.code()) {
    case TypeCode::Int:
        exists = exists && is_power;
        break;
    case TypeCode::UInt:
        exists = exists && (is_power || bits == 1);
        break;
    case TypeCode::Float:
        exists = exists && is_power && bits != 8;
        break;
    case TypeCode::BFloat:
        exists = exists && bits == 16;
        break;
    case TypeCode::Handle:
        exists = exists && bits == 64;
        break;
    }
    if (!exists) {
        fail("bad-type", who,
             concat("the type ", type.is_void() ? "without bits" : to_string(type),
                    " is named; integers have 8, 16, 32 or 64 bits, floats 16, 32 or 64, a bool 1; use one of these"),
             location);
    }
}

void check_element_type(const Type &type, const std::string &who, const Location &location) {
    check_type(type, who, location);
    if (type.lanes() > 1) {
        fail("bad-type", who,
             concat("its values are to have the type ", type,
                    "; a value is one number, and vectors are a matter of schedules; give the type of a lane"),
             location);
    }
}

std::string types_text(const std::vector<Type> &types) {
    std::string text;
    for (const Type &type : types) {
        text += concat(text.empty() ? "" : ", ", type);
    }
    return text;
}

bool has_undef(const Expr &expr) {
    bool found = false;
    ir::for_each_node(expr, [&](const Expr &node) { found = found || node->kind() == ExprKind::Undef; });
    return found;
}

// ---- Folding.

Expr folded(const Expr &node) {
    for (const Expr &arg : node->args()) {
        if (!ir::is_const(arg)) {
            return node;
        }
    }
    const Expr constant = rewrite::fold(node);
    return constant.defined() ? constant : node;
}

Expr binary(ExprKind kind, const Expr &a, const Expr &b) { return folded(ir::make_binary(kind, a, b)); }
Expr unary(ExprKind kind, const Expr &a) { return folded(ir::make_unary(kind, a)); }
Expr convert(Type type, const Expr &value) { return value.type() == type ? value : folded(ir::make_cast(type, value)); }
Expr choose(const Expr &condition, const Expr &a, const Expr &b) {
    if (condition.type().is_scalar() && (ir::is_true(condition) || ir::is_false(condition))) {
        return ir::is_true(condition) ? a : b;
    }
    return ir::make_select(condition, a, b);
}
Expr math(ir::MathOp op, std::span<const Expr> args) { return folded(ir::make_math(op, args)); }

} // namespace language
} // namespace fluorite
