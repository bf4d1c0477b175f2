// The C++ operators on Exprs.

#include "fluorite/ops.h"

#include "language/operands.h"

#include <limits>

namespace fluorite {

using namespace language;
using ir::ExprKind;

namespace {

Expr arithmetic(const char *op, ExprKind kind, const LocatedExpr &a, const LocatedExpr &b) {
    const Operands operands = match({op, place_of(a, b)}, a, b);
    return binary(kind, operands.a, operands.b);
}

[[noreturn]] void refuse_bools(const Site &site) {
    fail_operand(site, "sum-of-bools",
                 "both operands are bools; a value keeps its type when it is added up, and a bool holds 0 or 1; cast "
                 "one of them, as in cast<int>(a) + b, or use ||, && or ^");
}

/// Sums and differences. Two bools are refused: their sum modulo 2 is rarely intended.
Expr additive(const char *op, ExprKind kind, const LocatedExpr &a, const LocatedExpr &b) {
    const Site site{op, place_of(a, b)};
    const Operands operands = match(site, a, b);
    if (operands.a.type().is_bool()) {
        refuse_bools(site);
    }
    return binary(kind, operands.a, operands.b);
}

/// Division and modulo. Refuses the C++ number 0 as a divisor of integers; an Expr that is 0 gives 0.
Expr division(const char *op, ExprKind kind, const LocatedExpr &a, const LocatedExpr &b) {
    const Site site{op, place_of(a, b)};
    const Operands operands = match(site, a, b);
    if (b.is_literal && operands.b.type().is_int_or_uint() && ir::is_zero(operands.b)) {
        fail_operand(site, "division-by-zero",
                     concat("a value of type ", operands.a.type(),
                            " is divided by the number 0; a divisor that is a number is not zero (an Expr may be, and "
                            "then gives 0); divide by something else"));
    }
    return binary(kind, operands.a, operands.b);
}

Expr compare(const char *op, ExprKind kind, const LocatedExpr &a, const LocatedExpr &b) {
    return arithmetic(op, kind, a, b);
}

Expr logic(const char *op, ExprKind kind, const LocatedExpr &a, const LocatedExpr &b) {
    const Site site{op, place_of(a, b)};
    return binary(kind, checked_condition(site, a), checked_condition(site, b));
}

/// The result has the wider of both types; at equal width, the first.
Expr bitwise(const char *op, ExprKind kind, const LocatedExpr &a, const LocatedExpr &b) {
    const Site site{op, place_of(a, b)};
    const Expr x = checked_integer(site, a), y = checked_integer(site, b);
    if (a.is_literal || b.is_literal || x.type() == y.type()) {
        const Operands operands = match(site, a, b);
        return binary(kind, operands.a, operands.b);
    }
    const Type type = (y.type().bits() > x.type().bits() ? y.type() : x.type())
                          .with_lanes(std::max(x.type().lanes(), y.type().lanes()));
    return binary(kind, convert(type, x), convert(type, y));
}

/// The result has the first operand's signedness and the wider of both widths.
Expr shift(const char *op, ExprKind kind, const LocatedExpr &a, const LocatedExpr &b) {
    const Site site{op, place_of(a, b)};
    const Expr x = checked_integer(site, a), y = checked_integer(site, b);
    if (b.is_literal && !a.is_literal) {
        const Type amount = x.type().is_bool() ? x.type() : x.type().with_code(TypeCode::Int);
        return binary(kind, x, literal_as(site, amount, b));
    }
    if (a.is_literal && !b.is_literal) {
        const Type type = y.type();
        return binary(kind, literal_as(site, type.is_bool() ? type : type.with_code(TypeCode::Int), a), y);
    }
    const int bits = std::max(x.type().bits(), y.type().bits());
    return binary(kind, convert(x.type().with_bits(bits), x), convert(y.type().with_bits(bits), y));
}

Expr in_place(Expr &a, const LocatedExpr &b, Expr (*op)(const LocatedExpr &, const LocatedExpr &)) {
    // The result keeps the type of the left operand, as in C++, where an integer and a double compute in double.
    LocatedExpr right = b;
    right.is_literal = b.is_literal && !(a.defined() && !a.type().is_float() && b.expr.type().is_float());
    const Expr result = op(LocatedExpr(a, b.location), right);
    a = a.defined() && a.type() != result.type() ? convert(a.type(), result) : result;
    return a;
}

} // namespace

Expr operator+(const LocatedExpr &a, const LocatedExpr &b) { return additive("operator +", ExprKind::Add, a, b); }
Expr operator-(const LocatedExpr &a, const LocatedExpr &b) { return additive("operator -", ExprKind::Sub, a, b); }
Expr operator*(const LocatedExpr &a, const LocatedExpr &b) { return arithmetic("operator *", ExprKind::Mul, a, b); }
Expr operator/(const LocatedExpr &a, const LocatedExpr &b) { return division("operator /", ExprKind::Div, a, b); }
Expr operator%(const LocatedExpr &a, const LocatedExpr &b) { return division("operator %", ExprKind::Mod, a, b); }

Expr operator-(const LocatedExpr &a) {
    const Site site{"operator -", a.location};
    const Expr value = checked(site, a);
    if (value.type().is_bool()) {
        fail_operand(
            site, "sum-of-bools",
            "its operand is a bool; a bool holds 0 or 1 and has no other sign; cast it, as in -cast<int>(a), or "
            "use !");
    }
    // -0.0 - x flips the sign of every float, zeros and NaNs included.
    const Expr zero = value.type().is_float() ? ir::make_float(value.type(), -0.0) : ir::make_zero(value.type());
    return binary(ExprKind::Sub, zero, value);
}
Expr operator+(const LocatedExpr &a) { return checked({"operator +", a.location}, a); }

Expr &operator+=(Expr &a, const LocatedExpr &b) { return in_place(a, b, operator+), a; }
Expr &operator-=(Expr &a, const LocatedExpr &b) { return in_place(a, b, operator-), a; }
Expr &operator*=(Expr &a, const LocatedExpr &b) { return in_place(a, b, operator*), a; }
Expr &operator/=(Expr &a, const LocatedExpr &b) { return in_place(a, b, operator/), a; }

Expr operator==(const LocatedExpr &a, const LocatedExpr &b) { return compare("operator ==", ExprKind::EQ, a, b); }
Expr operator!=(const LocatedExpr &a, const LocatedExpr &b) { return compare("operator !=", ExprKind::NE, a, b); }
Expr operator<(const LocatedExpr &a, const LocatedExpr &b) { return compare("operator <", ExprKind::LT, a, b); }
Expr operator<=(const LocatedExpr &a, const LocatedExpr &b) { return compare("operator <=", ExprKind::LE, a, b); }
Expr operator>(const LocatedExpr &a, const LocatedExpr &b) { return compare("operator >", ExprKind::GT, a, b); }
Expr operator>=(const LocatedExpr &a, const LocatedExpr &b) { return compare("operator >=", ExprKind::GE, a, b); }

Expr operator&&(const LocatedExpr &a, const LocatedExpr &b) { return logic("operator &&", ExprKind::And, a, b); }
Expr operator||(const LocatedExpr &a, const LocatedExpr &b) { return logic("operator ||", ExprKind::Or, a, b); }
Expr operator!(const LocatedExpr &a) { return unary(ExprKind::Not, checked_condition({"operator !", a.location}, a)); }

Expr operator&(const LocatedExpr &a, const LocatedExpr &b) { return bitwise("operator &", ExprKind::BitAnd, a, b); }
Expr operator|(const LocatedExpr &a, const LocatedExpr &b) { return bitwise("operator |", ExprKind::BitOr, a, b); }
Expr operator^(const LocatedExpr &a, const LocatedExpr &b) { return bitwise("operator ^", ExprKind::BitXor, a, b); }
Expr operator~(const LocatedExpr &a) { return unary(ExprKind::BitNot, checked_integer({"operator ~", a.location}, a)); }
Expr operator<<(const LocatedExpr &a, const LocatedExpr &b) { return shift("operator <<", ExprKind::ShiftLeft, a, b); }
Expr operator>>(const LocatedExpr &a, const LocatedExpr &b) { return shift("operator >>", ExprKind::ShiftRight, a, b); }

namespace {
Expr count(const char *op, ExprKind kind, const LocatedExpr &a) {
    return unary(kind, checked_integer({op, a.location}, a));
}
} // namespace

Expr popcount(const LocatedExpr &a) { return count("popcount", ExprKind::CountOnes, a); }
Expr count_leading_zeros(const LocatedExpr &a) { return count("count_leading_zeros", ExprKind::CountLeadingZeros, a); }
Expr count_trailing_zeros(const LocatedExpr &a) {
    return count("count_trailing_zeros", ExprKind::CountTrailingZeros, a);
}

} // namespace fluorite
