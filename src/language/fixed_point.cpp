// Arithmetic without intermediate overflow: absolute values and differences, interpolation, and the fixed-point
// functions.
//
// Each function is built from plain nodes of a wider type where one exists, the form that instruction selection
// recognizes; for 64-bit integers, from nodes of the type itself that do not overflow.

#include "fluorite/ops.h"

#include "language/operands.h"

#include <algorithm>

namespace fluorite {

using namespace language;
using ir::ExprKind;

Expr abs(const LocatedExpr &a) {
    const Expr value = checked({"abs", a.location}, a);
    return value.type().is_uint() ? value : unary(ExprKind::Abs, value);
}

Expr absd(const LocatedExpr &a, const LocatedExpr &b) {
    const Operands both = match({"absd", a.location}, a, b);
    return binary(ExprKind::AbsDiff, both.a, both.b);
}

namespace {

Expr integer_division(const char *op, ExprKind kind, const LocatedExpr &a, const LocatedExpr &b) {
    const Site site{op, a.location};
    const Operands both = match_integers(site, a, b);
    if (b.is_literal && ir::is_zero(both.b)) {
        fail_operand(site, "division-by-zero",
                     concat("a value of type ", both.a.type(),
                            " is divided by the number 0; a divisor that is a number is not zero (an Expr may be, and "
                            "then gives 0); divide by something else"));
    }
    return binary(kind, both.a, both.b);
}

} // namespace

Expr div_round_to_zero(const LocatedExpr &a, const LocatedExpr &b) {
    return integer_division("div_round_to_zero", ExprKind::Quotient, a, b);
}
Expr mod_round_to_zero(const LocatedExpr &a, const LocatedExpr &b) {
    return integer_division("mod_round_to_zero", ExprKind::Remainder, a, b);
}

// ---- Division by eight bits.

namespace {

/// The operands in a type that has the values of both. An int8 is divided in 16 bits, as an int8 cannot be 200.
std::pair<Expr, Expr> operands_of_fast_division(const char *name, const LocatedExpr &a, const LocatedExpr &b) {
    const Site site{name, a.location};
    const Expr dividend = checked_integer(site, a);
    Expr divisor = checked_integer(site, b);
    int64_t number = 0;
    if (ir::is_const_int(divisor, &number) && number >= 1 && number <= 255) {
        divisor = cast(UInt(8, divisor.type().lanes()), divisor);
    }
    const bool fits = dividend.type().bits() >= 8 && dividend.type().bits() <= 32;
    if (!fits || divisor.type().element_of() != UInt(8)) {
        fail_operand(site, "not-an-integer",
                     concat("a value of type ", dividend.type(), " is divided by one of type ", divisor.type(),
                            "; this divides integers of 8, 16 or 32 bits by unsigned ones of 8; cast the operands"));
    }
    const Type type = dividend.type().element_of() == Int(8) ? dividend.type().widen() : dividend.type();
    return {cast(type, dividend), cast(type, divisor)};
}

} // namespace

Expr fast_integer_divide(const LocatedExpr &a, const LocatedExpr &b) {
    const auto [dividend, divisor] = operands_of_fast_division("fast_integer_divide", a, b);
    return cast(a.expr.type(), LocatedExpr(dividend, a.location) / LocatedExpr(divisor, a.location));
}
Expr fast_integer_modulo(const LocatedExpr &a, const LocatedExpr &b) {
    const auto [dividend, divisor] = operands_of_fast_division("fast_integer_modulo", a, b);
    return cast(a.expr.type(), LocatedExpr(dividend, a.location) % LocatedExpr(divisor, a.location));
}
Expr fast_integer_divide_round_to_zero(const LocatedExpr &a, const LocatedExpr &b) {
    const auto [dividend, divisor] = operands_of_fast_division("fast_integer_divide_round_to_zero", a, b);
    return cast(a.expr.type(), div_round_to_zero(LocatedExpr(dividend, a.location), LocatedExpr(divisor, a.location)));
}

// ---- Interpolation.

namespace {

int next_width(int bits) {
    int width = 8;
    while (width < bits) {
        width *= 2;
    }
    return width;
}

Expr shift_right(const Expr &value, int bits) {
    return binary(ExprKind::ShiftRight, value, ir::make_int(value.type(), bits));
}

/// (zero * (greatest - weight) + one * weight) / greatest of unsigned integers, rounded to nearest. The greatest weight
/// is odd, so there are no ties.
Expr lerp_unsigned(const Expr &zero, const Expr &one, const Expr &weight) {
    const int weight_bits = weight.type().bits(), value_bits = zero.type().bits();
    const Type wide = UInt(next_width(value_bits + weight_bits), zero.type().lanes());
    const Expr greatest = convert(wide, ir::type_max(weight.type()));
    const Expr w = convert(wide, weight);
    const Expr sum = convert(wide, zero) * (greatest - w) + convert(wide, one) * w;
    if (value_bits <= weight_bits && weight_bits * 2 <= wide.bits()) {
        // Divides the product of two n-bit numbers by 2^n - 1 with shifts.
        const Expr rounded = sum + ir::make_uint(wide, uint64_t{1} << (weight_bits - 1));
        return convert(zero.type(), shift_right(rounded + shift_right(rounded, weight_bits), weight_bits));
    }
    return convert(zero.type(), (sum + shift_right(greatest, 1)) / greatest);
}

/// A float weight as a fraction of the greatest unsigned number of the width, rounded down. It saturates outside of
/// [0, 1].
Expr fixed_weight(const Expr &weight, int bits) {
    const Type real = Float(bits < 32 ? 32 : 64, weight.type().lanes());
    const Type fixed = UInt(bits, weight.type().lanes());
    const Expr scaled = convert(real, weight) * ir::make_float(real, static_cast<double>((uint64_t{1} << bits) - 1));
    return saturating_cast(fixed, scaled);
}

Expr lerp_integers(const Expr &zero, const Expr &one, const Expr &weight) {
    const Type type = zero.type();
    const Expr w = weight.type().is_float() ? fixed_weight(weight, type.bits()) : weight;
    if (type.is_uint()) {
        return lerp_unsigned(zero, one, w);
    }
    // Flipping the top bit maps signed to unsigned numbers in order, and back.
    const Type raw = type.with_code(TypeCode::UInt);
    const Expr top = ir::make_uint(raw, uint64_t{1} << (type.bits() - 1));
    const Expr result = lerp_unsigned(convert(raw, zero) ^ top, convert(raw, one) ^ top, w);
    return convert(type, result ^ top);
}

Expr lerp_floats(const Expr &zero, const Expr &one, const Expr &weight) {
    const Type type = zero.type();
    Expr w = convert(type, weight);
    if (!weight.type().is_float()) {
        w = w / convert(type, ir::type_max(weight.type()));
    }
    return zero * (ir::make_one(type) - w) + one * w;
}

} // namespace

Expr lerp(const LocatedExpr &zero, const LocatedExpr &one, const LocatedExpr &weight) {
    const Site site{"lerp", zero.location.known() ? zero.location : one.location};
    const Operands ends = match(site, zero, one);
    const Expr w = checked(site, weight);
    const Type type = ends.a.type();
    double number = 0;
    if (ir::is_const_float(w, &number) && !(number >= 0 && number <= 1)) {
        fail_operand(site, "lerp-weight",
                     concat("the weight is ", number, "; a float weight lies in [0, 1]; clamp it"));
    }
    if (w.type().is_int()) {
        fail_operand(site, "lerp-weight",
                     concat("the weight has type ", w.type(),
                            "; a weight is a float in [0, 1] or unsigned; cast it to a float or unsigned type"));
    }
    if (type.is_float()) {
        return lerp_floats(ends.a, ends.b, w);
    }
    if (type.is_bool() || w.type().is_bool()) {
        const Expr takes_one = w.type().is_bool()    ? w
                               : w.type().is_float() ? w > ir::make_float(w.type(), 0.5)
                                                     : w > shift_right(ir::type_max(w.type()), 1);
        return choose(takes_one, ends.b, ends.a);
    }
    if (type.bits() > 32 || (w.type().is_uint() && w.type().bits() > 32)) {
        fail_operand(site, "no-wider-type",
                     concat("values of type ", type, " and a weight of type ", w.type(),
                            "; integers of lerp have at most 32 bits; cast them to a float type or a narrower one"));
    }
    return lerp_integers(ends.a, ends.b, w);
}

// ---- Fixed point.

namespace {

bool any_signed(const Expr &a, const Expr &b) { return a.type().is_int() || b.type().is_int(); }

/// Both operands in a type of twice the width, which is signed if requested.
Operands widened(const Site &site, const LocatedExpr &a, const LocatedExpr &b, bool make_signed) {
    Expr x = checked(site, a), y = checked(site, b);
    if (a.is_literal != b.is_literal) {
        const Operands both = match(site, a, b);
        x = both.a, y = both.b;
    }
    if (x.type().is_float() || y.type().is_float()) {
        const Operands both = match(site, x, y);
        x = both.a, y = both.b;
    }
    const int bits = std::max(x.type().bits(), y.type().bits());
    if (bits > 32) {
        fail_operand(site, "no-wider-type",
                     concat("operands of types ", x.type(), " and ", y.type(),
                            "; the result has twice the width, at most 64 bits; cast the operands to narrower types"));
    }
    Type wide = x.type().is_float()               ? Float(bits * 2)
                : make_signed || any_signed(x, y) ? Int(bits * 2)
                                                  : UInt(bits * 2);
    wide = wide.with_lanes(std::max(x.type().lanes(), y.type().lanes()));
    return {convert(wide, x), convert(wide, y)};
}

Expr widening(const char *op, ExprKind kind, const LocatedExpr &a, const LocatedExpr &b, bool make_signed = false) {
    const Operands both = widened({op, a.location}, a, b, make_signed);
    return binary(kind, both.a, both.b);
}

/// a op widen(b), in the type of a.
Expr widen_right(const char *op, ExprKind kind, const LocatedExpr &a, const LocatedExpr &b) {
    const Site site{op, a.location};
    const Expr x = checked(site, a), y = checked(site, b);
    if (y.type().bits() * 2 != x.type().bits()) {
        fail_operand(site, "no-wider-type",
                     concat("operands of types ", x.type(), " and ", y.type(),
                            "; the first is twice as wide as the second; cast one of them"));
    }
    return binary(kind, x, convert(x.type(), y));
}

Expr saturating_wide(const char *op, ExprKind kind, const LocatedExpr &a, const LocatedExpr &b) {
    const Operands both = match({op, a.location}, a, b);
    const Type type = both.a.type();
    if (type.is_float()) {
        return binary(kind, both.a, both.b);
    }
    if (type.bits() < 64) {
        const bool make_signed = kind == ExprKind::Sub || type.is_int();
        const Type wide = (make_signed ? Int(type.bits() * 2) : UInt(type.bits() * 2)).with_lanes(type.lanes());
        return saturating_cast(type, binary(kind, convert(wide, both.a), convert(wide, both.b)));
    }
    const Expr &x = both.a, &y = both.b, result = binary(kind, x, y);
    if (type.is_uint()) {
        return kind == ExprKind::Add ? choose(result < x, ir::type_max(type), result)
                                     : choose(x < y, ir::make_zero(type), result);
    }
    // Signs reveal overflow: an Add of equal signs, or a Sub of different ones, has a result whose sign differs from
    // x's.
    const Expr overflow = kind == ExprKind::Add ? ((x ^ result) & (y ^ result)) < 0 : ((x ^ y) & (x ^ result)) < 0;
    return choose(overflow, choose(x < 0, ir::type_min(type), ir::type_max(type)), result);
}

/// floor((a op b + round) / 2).
Expr halving(const char *op, ExprKind kind, const LocatedExpr &a, const LocatedExpr &b, int round) {
    const Operands both = match_integers({op, a.location}, a, b);
    const Type type = both.a.type();
    if (type.bits() < 64) {
        const bool make_signed = kind == ExprKind::Sub || type.is_int();
        const Type wide = (make_signed ? Int(type.bits() * 2) : UInt(type.bits() * 2)).with_lanes(type.lanes());
        Expr sum = binary(kind, convert(wide, both.a), convert(wide, both.b));
        sum = round ? sum + round : sum;
        return convert(type, shift_right(sum, 1));
    }
    const Expr &x = both.a, &y = both.b;
    if (kind == ExprKind::Add) {
        return round ? (x | y) - shift_right(x ^ y, 1) : (x & y) + shift_right(x ^ y, 1);
    }
    return shift_right(x, 1) - shift_right(y, 1) - (~x & y & 1);
}

/// a shifted right by b, where a positive b rounds to nearest (ties up).
Expr rounding_shift(const Expr &a, const Expr &b) {
    const Expr amount = convert(b.type().with_bits(a.type().bits()), b);
    const Expr one = ir::make_one(amount.type());
    const Expr bit = (a >> (amount - one)) & ir::make_one(a.type());
    return choose(amount > ir::make_zero(amount.type()), (a >> amount) + bit, a >> amount);
}

Expr scaled_product(const char *op, const LocatedExpr &a, const LocatedExpr &b, const LocatedExpr &q, bool rounds) {
    const Site site{op, a.location};
    const Operands narrow = match_integers(site, a, b);
    const Operands both = widened(site, a, b, false);
    const Expr product = binary(ExprKind::Mul, both.a, both.b);
    const Type amount_type = UInt(product.type().bits(), product.type().lanes());
    const Expr amount =
        q.is_literal ? literal_as(site, amount_type, q) : convert(amount_type, checked_integer(site, q));
    return saturating_cast(narrow.a.type(), rounds ? rounding_shift(product, amount) : product >> amount);
}

} // namespace

Expr widen_right_add(const LocatedExpr &a, const LocatedExpr &b) {
    return widen_right("widen_right_add", ExprKind::Add, a, b);
}
Expr widen_right_mul(const LocatedExpr &a, const LocatedExpr &b) {
    return widen_right("widen_right_mul", ExprKind::Mul, a, b);
}
Expr widen_right_sub(const LocatedExpr &a, const LocatedExpr &b) {
    return widen_right("widen_right_sub", ExprKind::Sub, a, b);
}
Expr widening_add(const LocatedExpr &a, const LocatedExpr &b) { return widening("widening_add", ExprKind::Add, a, b); }
Expr widening_mul(const LocatedExpr &a, const LocatedExpr &b) { return widening("widening_mul", ExprKind::Mul, a, b); }
Expr widening_sub(const LocatedExpr &a, const LocatedExpr &b) {
    return widening("widening_sub", ExprKind::Sub, a, b, true);
}

namespace {
Expr widening_shift(const char *op, ExprKind kind, const LocatedExpr &a, const LocatedExpr &b) {
    const Site site{op, a.location};
    const Expr x = checked_integer(site, a);
    const Operands both = widened(site, LocatedExpr(x, site.location), LocatedExpr(x, site.location), false);
    const Type amount = both.a.type().with_code(TypeCode::Int);
    const Expr y = b.is_literal ? literal_as(site, amount, b) : checked_integer(site, b);
    return binary(kind, both.a, convert(y.type().with_bits(amount.bits()), y));
}
} // namespace

Expr widening_shift_left(const LocatedExpr &a, const LocatedExpr &b) {
    return widening_shift("widening_shift_left", ExprKind::ShiftLeft, a, b);
}
Expr widening_shift_right(const LocatedExpr &a, const LocatedExpr &b) {
    return widening_shift("widening_shift_right", ExprKind::ShiftRight, a, b);
}

Expr rounding_shift_right(const LocatedExpr &a, const LocatedExpr &b) {
    const Site site{"rounding_shift_right", a.location};
    const Expr x = checked_integer(site, a);
    const Type amount = x.type().with_code(TypeCode::Int);
    return rounding_shift(x, b.is_literal ? literal_as(site, amount, b) : checked_integer(site, b));
}
Expr rounding_shift_left(const LocatedExpr &a, const LocatedExpr &b) {
    const Site site{"rounding_shift_left", a.location};
    const Expr x = checked_integer(site, a);
    const Type amount = x.type().with_code(TypeCode::Int);
    const Expr y = b.is_literal ? literal_as(site, amount, b) : checked_integer(site, b);
    return rounding_shift(x, -convert(amount.with_lanes(y.type().lanes()), y));
}
Expr saturating_add(const LocatedExpr &a, const LocatedExpr &b) {
    return saturating_wide("saturating_add", ExprKind::Add, a, b);
}
Expr saturating_sub(const LocatedExpr &a, const LocatedExpr &b) {
    return saturating_wide("saturating_sub", ExprKind::Sub, a, b);
}
Expr halving_add(const LocatedExpr &a, const LocatedExpr &b) { return halving("halving_add", ExprKind::Add, a, b, 0); }
Expr halving_sub(const LocatedExpr &a, const LocatedExpr &b) { return halving("halving_sub", ExprKind::Sub, a, b, 0); }
Expr rounding_halving_add(const LocatedExpr &a, const LocatedExpr &b) {
    return halving("rounding_halving_add", ExprKind::Add, a, b, 1);
}
Expr mul_shift_right(const LocatedExpr &a, const LocatedExpr &b, const LocatedExpr &q) {
    return scaled_product("mul_shift_right", a, b, q, false);
}
Expr rounding_mul_shift_right(const LocatedExpr &a, const LocatedExpr &b, const LocatedExpr &q) {
    return scaled_product("rounding_mul_shift_right", a, b, q, true);
}

} // namespace fluorite
