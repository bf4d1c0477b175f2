#pragma once
// Math functions on Exprs. Integers are converted to float32; float16 and bfloat16 compute in float32 and round.

#include "fluorite/require_cxx20.h"

#include "fluorite/located.h"

namespace fluorite {

Expr sqrt(const LocatedExpr &x);
Expr sin(const LocatedExpr &x);
Expr cos(const LocatedExpr &x);
Expr tan(const LocatedExpr &x);
Expr asin(const LocatedExpr &x);
Expr acos(const LocatedExpr &x);
Expr atan(const LocatedExpr &x);
Expr atan2(const LocatedExpr &y, const LocatedExpr &x);
Expr sinh(const LocatedExpr &x);
Expr cosh(const LocatedExpr &x);
Expr tanh(const LocatedExpr &x);
Expr asinh(const LocatedExpr &x);
Expr acosh(const LocatedExpr &x);
Expr atanh(const LocatedExpr &x);
Expr exp(const LocatedExpr &x);
Expr log(const LocatedExpr &x);
/// x to the power y. A constant integer y is expanded into multiplications, and then an integer x stays an integer.
Expr pow(const LocatedExpr &x, const LocatedExpr &y);
Expr hypot(const LocatedExpr &x, const LocatedExpr &y);
Expr erf(const LocatedExpr &x);
Expr floor(const LocatedExpr &x);
Expr ceil(const LocatedExpr &x);
/// Rounds to nearest, ties to even.
Expr round(const LocatedExpr &x);
Expr trunc(const LocatedExpr &x);
/// x - trunc(x).
Expr fract(const LocatedExpr &x);
Expr is_nan(const LocatedExpr &x);
Expr is_inf(const LocatedExpr &x);
Expr is_finite(const LocatedExpr &x);

/// Approximations in float32 with about 1e-5 relative error in the ranges that images need.
Expr fast_log(const LocatedExpr &x);
Expr fast_exp(const LocatedExpr &x);
Expr fast_sin(const LocatedExpr &x);
Expr fast_cos(const LocatedExpr &x);
Expr fast_pow(const LocatedExpr &x, const LocatedExpr &y);
Expr fast_inverse(const LocatedExpr &x);
Expr fast_inverse_sqrt(const LocatedExpr &x);

} // namespace fluorite
