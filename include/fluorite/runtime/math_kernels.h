#pragma once
// The float32 math functions, written once: the runtime instantiates them as scalar C functions, a code generator as
// vector instructions of any width. Both execute the same IEEE operations in the same order, so their bits agree.
//
// No kernel needs a fused multiply-add, so that all processors give the same bits: products and sums round apart. Where
// a product is exact, `add_exact_product` says so, and a fused operation may be used. The widths of constants are
// chosen for that: an integer of 8 bits times the upper 15 bits of ln(2), numbers of 12 bits times numbers of 12 bits.
//
// Method: most are computed in float64, where range, cancellation and subnormal results are no concern, with
// polynomials whose relative error is below 2^-27, and rounded once at the end: within 0.62 units in the last place of
// float32, in most cases correctly rounded. exp, log, erf and many powers stay in float32, which is faster: within
// 1.0, 1.0, 1.15 and 0.95 units. Tests measure each.
//   exp(x) = 2^k exp(r)             k = round(x / ln 2), added to the exponent; |r| <= ln(2)/2
//   log(x) = k ln 2 + log(1 + f)    1 + f in [sqrt(1/2), sqrt(2)); by s = f / (1 + f / 2), in whose square the series is
//                                   short; the division runs beside the other operations
//   pow(x, y) = 2^(y log2(x))       in float32 with sums of two numbers for |y| <= 3 and for powers of 2^k, else in float64
//   sin, cos                        x - k pi with pi in two parts; for |x| >= 2^24 by the words of 2/pi (large_angles.h)
//   tan                             sine over cosine of x - k pi/2
//   atan(t) on [0, 1]               else pi/2 - atan(1/t); atan2 by octants
//   asin(a) for a <= 1/2            else pi/2 - 2 asin(sqrt((1 - a) / 2))
//   sinh, tanh                      exp(x) - 1 without cancellation
//   asinh, acosh, atanh             logarithms; series for small arguments
//   erf                             an odd polynomial below 0.85, 1 - exp(-p(x)) above
// Coefficients are minimax fits of the relative error.
//
// Some functions exist twice: NAME_usual(x) handles the arguments for which NAME_is_usual(x), without the steps for
// zeros, infinities, large angles and the ends of the range; NAME(x) handles all, with the same bits for those. A code
// generator branches. None calls the C library.
//
// M provides the arithmetic: the types Single, Double, Int (32 bits), Long (64 bits) and Bool with operators, and the
// functions of ScalarMath (arithmetic.h, which has M's rules).
//
// Relies on: IEEE arithmetic in the width written, without contraction; round to nearest.

#include "fluorite/runtime/math_kernels/circles.h"
#include "fluorite/runtime/math_kernels/exponentials.h"
#include "fluorite/runtime/math_kernels/fast.h"
#include "fluorite/runtime/math_kernels/powers.h"
#include "fluorite/runtime/math_kernels/roundings.h"
