#pragma once
// Math functions on Exprs. Integers are converted to float32; float16 and bfloat16 compute in float32 and round, so
// their results are the nearest ones, except where the float32 result lies beside the middle of two.
//
// Each gives the same bits in the interpreter, in scalar code and in vectors of any width, and on every processor: all
// are our own kernels, for all operands, and none calls the C library.
//
// Errors are in units in the last place (ulp) of the result: the greatest that tests of the runtime allow over the
// whole range, large angles and subnormal numbers included, and in parentheses the greatest of 10^6 operands in each of
// some ranges (of exp, log and erf in float32, of all operands where they are greatest).
//
//                              float32          float64
//     exp                      1.0  (0.99)      0.8  (0.78)
//     log                      1.0  (0.96)      0.95 (0.90)
//     pow                      0.95 (0.66)      0.8  (0.74)
//     sin, cos                 0.62 (0.50)      0.85 (0.83)
//     tan                      0.62 (0.51)      1.2  (1.14)
//     asin, acos               0.62 (0.50)      0.75 (0.71)
//     atan, atan2              0.62 (0.51)      0.9  (0.87)
//     sinh, tanh, atanh        0.62 (0.51)      1.2  (1.01)
//     cosh                     0.62 (0.54)      1.0  (0.88)
//     asinh, acosh             0.62 (0.50)      0.75 (0.62)
//     hypot                    0.62 (0.50)      0.6  (0.50)
//     erf                      1.15 (1.14)      1.0  (0.86)
//     sqrt                     0.5, correctly rounded
//     floor, ceil, round, trunc, fract: exact
//
// Zeros of both signs, infinities and NaN give what the C library's functions give.

#include "fluorite/require_cxx17.h"

#include "fluorite/located.h"

namespace fluorite {

/// The square root, correctly rounded; NaN below 0.
Expr sqrt(const LocatedExpr &x);
/// Of angles in radians, of any size: the reduction to a quarter of the circle is exact enough for the errors above.
Expr sin(const LocatedExpr &x);
Expr cos(const LocatedExpr &x);
Expr tan(const LocatedExpr &x);
/// Angles in radians: asin and atan in [-pi/2, pi/2], acos in [0, pi]; NaN for operands of asin and acos beyond 1.
Expr asin(const LocatedExpr &x);
Expr acos(const LocatedExpr &x);
Expr atan(const LocatedExpr &x);
/// The angle of the point (x, y), in [-pi, pi].
Expr atan2(const LocatedExpr &y, const LocatedExpr &x);
/// Hyperbolic functions and their inverses. acosh is NaN below 1, atanh beyond 1 of either sign.
Expr sinh(const LocatedExpr &x);
Expr cosh(const LocatedExpr &x);
Expr tanh(const LocatedExpr &x);
Expr asinh(const LocatedExpr &x);
Expr acosh(const LocatedExpr &x);
Expr atanh(const LocatedExpr &x);
/// e to the power x, and the natural logarithm: -infinity of 0, NaN below 0.
Expr exp(const LocatedExpr &x);
Expr log(const LocatedExpr &x);
/// x to the power y. A constant integer y is expanded into multiplications, and then an integer x stays an integer.
Expr pow(const LocatedExpr &x, const LocatedExpr &y);
/// The root of x * x + y * y, which overflows only where the result does.
Expr hypot(const LocatedExpr &x, const LocatedExpr &y);
/// The error function: 2 / sqrt(pi) times the integral of exp(-t * t) from 0 to x.
Expr erf(const LocatedExpr &x);
/// To whole numbers, as floats: downward, upward, to nearest with ties to even, toward zero. -0 stays -0.
Expr floor(const LocatedExpr &x);
Expr ceil(const LocatedExpr &x);
Expr round(const LocatedExpr &x);
Expr trunc(const LocatedExpr &x);
/// x - trunc(x).
Expr fract(const LocatedExpr &x);
/// What kind of float it is, as Bool. Finite numbers are neither infinite nor NaN.
Expr is_nan(const LocatedExpr &x);
Expr is_inf(const LocatedExpr &x);
Expr is_finite(const LocatedExpr &x);

/// Approximations in float32: tests of the runtime allow fast_exp and fast_log relative errors of 1e-6, fast_sin and
/// fast_cos an absolute error of 1e-6. The greatest measured errors are 2.3 ulp of fast_exp, 3.1 of fast_log, 4.4 of
/// fast_sin and fast_cos, 17 of fast_pow. Subnormal numbers count as 0. The bits are the same everywhere, too.
Expr fast_log(const LocatedExpr &x);
Expr fast_exp(const LocatedExpr &x);
Expr fast_sin(const LocatedExpr &x);
Expr fast_cos(const LocatedExpr &x);
Expr fast_pow(const LocatedExpr &x, const LocatedExpr &y);
/// 1 / x and 1 / sqrt(x) in float32, by a division and a root: exact but for the rounding of each.
Expr fast_inverse(const LocatedExpr &x);
Expr fast_inverse_sqrt(const LocatedExpr &x);

} // namespace fluorite
