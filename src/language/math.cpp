// Math functions on Exprs: rows of ir/math_ops.def, and compositions of them.

#include "fluorite/math.h"

#include "fluorite/ops.h"
#include "language/operands.h"

namespace fluorite {

using namespace language;
using ir::MathOp;

namespace {

Expr call(MathOp op, const LocatedExpr &x) {
    const Expr args[] = {checked_float({ir::math_name(op), x.location}, x)};
    return math(op, args);
}

Expr call(MathOp op, const LocatedExpr &x, const LocatedExpr &y) {
    const Site site{ir::math_name(op), x.location.known() ? x.location : y.location};
    const bool any_float =
        (x.expr.defined() && x.expr.type().is_float()) || (y.expr.defined() && y.expr.type().is_float());
    const Operands both = any_float ? match(site, x, y) : Operands{checked_float(site, x), checked_float(site, y)};
    const Expr args[] = {both.a, both.b};
    return math(op, args);
}

/// The approximations exist in float32 only.
Expr call_fast(MathOp op, const LocatedExpr &x) {
    const Site site{ir::math_name(op), x.location};
    const Expr value = checked_float(site, x);
    if (value.type().bits() > 32) {
        fail_operand(site, "fast-math-type",
                     concat("the operand has type ", value.type(),
                            "; the fast_ functions work in float32; cast it, or use the exact function"));
    }
    const Expr args[] = {convert(Float(32, value.type().lanes()), value)};
    return math(op, args);
}

/// x^n by repeated squaring.
Expr integer_power(const Expr &x, int64_t n) {
    if (n == 0) {
        return ir::make_one(x.type());
    }
    if (n == 1) {
        return x;
    }
    const Expr half = integer_power(x, n / 2);
    const Expr square = half * half;
    return n % 2 == 0 ? square : square * x;
}

} // namespace

Expr sqrt(const LocatedExpr &x) { return call(MathOp::Sqrt, x); }
Expr sin(const LocatedExpr &x) { return call(MathOp::Sin, x); }
Expr cos(const LocatedExpr &x) { return call(MathOp::Cos, x); }
Expr tan(const LocatedExpr &x) { return call(MathOp::Tan, x); }
Expr asin(const LocatedExpr &x) { return call(MathOp::Asin, x); }
Expr acos(const LocatedExpr &x) { return call(MathOp::Acos, x); }
Expr atan(const LocatedExpr &x) { return call(MathOp::Atan, x); }
Expr atan2(const LocatedExpr &y, const LocatedExpr &x) { return call(MathOp::Atan2, y, x); }
Expr sinh(const LocatedExpr &x) { return call(MathOp::Sinh, x); }
Expr cosh(const LocatedExpr &x) { return call(MathOp::Cosh, x); }
Expr tanh(const LocatedExpr &x) { return call(MathOp::Tanh, x); }
Expr asinh(const LocatedExpr &x) { return call(MathOp::Asinh, x); }
Expr acosh(const LocatedExpr &x) { return call(MathOp::Acosh, x); }
Expr atanh(const LocatedExpr &x) { return call(MathOp::Atanh, x); }
Expr exp(const LocatedExpr &x) { return call(MathOp::Exp, x); }
Expr log(const LocatedExpr &x) { return call(MathOp::Log, x); }
Expr hypot(const LocatedExpr &x, const LocatedExpr &y) { return call(MathOp::Hypot, x, y); }
Expr erf(const LocatedExpr &x) { return call(MathOp::Erf, x); }
Expr floor(const LocatedExpr &x) { return call(MathOp::Floor, x); }
Expr ceil(const LocatedExpr &x) { return call(MathOp::Ceil, x); }
Expr round(const LocatedExpr &x) { return call(MathOp::Round, x); }
Expr trunc(const LocatedExpr &x) { return call(MathOp::Trunc, x); }
Expr is_nan(const LocatedExpr &x) { return call(MathOp::IsNan, x); }
Expr is_inf(const LocatedExpr &x) { return call(MathOp::IsInf, x); }
Expr is_finite(const LocatedExpr &x) { return call(MathOp::IsFinite, x); }

Expr fract(const LocatedExpr &x) {
    const Expr value = checked_float({"fract", x.location}, x);
    return value - trunc(value);
}

Expr pow(const LocatedExpr &x, const LocatedExpr &y) {
    const Site site{"pow", x.location};
    const Expr base = checked(site, x);
    int64_t exponent = 0;
    if (ir::is_const_int(checked(site, y), &exponent) && exponent >= -64 && exponent <= 64) {
        if (exponent >= 0) {
            return integer_power(base, exponent);
        }
        const Expr value = checked_float(site, x);
        return ir::make_one(value.type()) / integer_power(value, -exponent);
    }
    // An integer base or exponent becomes float32 unless the other operand is wider.
    return call(MathOp::Pow, x.is_literal ? x : LocatedExpr(checked_float(site, x), site.location), y);
}

Expr fast_log(const LocatedExpr &x) { return call_fast(MathOp::FastLog, x); }
Expr fast_exp(const LocatedExpr &x) { return call_fast(MathOp::FastExp, x); }
Expr fast_sin(const LocatedExpr &x) { return call_fast(MathOp::FastSin, x); }
Expr fast_cos(const LocatedExpr &x) { return call_fast(MathOp::FastCos, x); }
Expr fast_inverse(const LocatedExpr &x) { return call_fast(MathOp::FastInverse, x); }
Expr fast_inverse_sqrt(const LocatedExpr &x) { return call_fast(MathOp::FastInverseSqrt, x); }

Expr fast_pow(const LocatedExpr &x, const LocatedExpr &y) {
    const Site site{"fast_pow", x.location};
    int64_t exponent = 0;
    if (ir::is_const_int(checked(site, y), &exponent)) {
        return pow(x, y);
    }
    const Operands both = match(site, x.is_literal ? x : LocatedExpr(checked_float(site, x), x.location),
                                y.is_literal ? y : LocatedExpr(checked_float(site, y), y.location));
    const Expr base = checked_float(site, both.a), power = checked_float(site, both.b);
    for (const Expr &operand : {base, power}) {
        if (operand.type().bits() > 32) {
            fail_operand(site, "fast-math-type",
                         concat("an operand has type ", operand.type(),
                                "; the fast_ functions work in float32; cast it, or use the exact function"));
        }
    }
    const Expr args[] = {convert(Float(32, base.type().lanes()), base),
                         convert(Float(32, power.type().lanes()), power)};
    return math(MathOp::FastPow, args);
}

} // namespace fluorite
