#pragma once
/* The math functions of the language as C functions: one for each row of the table of math functions, in float32 and
 * float64, and the hash behind random values.
 *
 * The interpreter and machine code both call these functions, one lane at a time, so their bits agree. 16-bit floats
 * call the float32 function and round its result once. A code generator may replace a call by instructions only if the
 * bits stay the same: sqrt, floor, ceil, round (ties to even), trunc and is_* are exact; mod and fast_* are defined
 * below as a fixed sequence of IEEE operations; the others are the kernels of runtime/math_kernels.h, and random. None
 * depends on the C library of the machine.
 *
 * This header is C99 and C++; it includes nothing of the compiler. */

#ifdef __cplusplus
#include <cstdint>
extern "C" {
#else
#include <stdbool.h>
#include <stdint.h>
#endif

/* F(name) for the functions of one operand, T -> T. */
/* clang-format off */
#define FLUORITE_RUNTIME_MATH_UNARY(F)                                                                              \
    F(sqrt) F(sin) F(cos) F(tan) F(asin) F(acos) F(atan) F(sinh) F(cosh) F(tanh) F(asinh) F(acosh) F(atanh) F(exp)   \
    F(log) F(erf) F(floor) F(ceil) F(round) F(trunc) F(fast_log) F(fast_exp) F(fast_sin) F(fast_cos) F(fast_inverse) \
    F(fast_inverse_sqrt)
/* clang-format on */

/* F(name) for the functions of two operands, T x T -> T. mod is the language's % on floats: x - y * floor(x / y), each
 * operation rounded. */
#define FLUORITE_RUNTIME_MATH_BINARY(F) F(atan2) F(pow) F(hypot) F(fast_pow) F(mod)

/* F(name) for the tests, T -> bool. */
#define FLUORITE_RUNTIME_MATH_TEST(F) F(is_nan) F(is_inf) F(is_finite)

/* fluorite_<name>_f32 and fluorite_<name>_f64. The fast_ functions in float64 are the accurate ones; in float32:
 *   fast_exp, fast_log, fast_sin, fast_cos   polynomials, see runtime/math_kernels.h; relative error below 1e-6 in the
 *       ranges [-87, 88], normal x > 0 (subnormals count as 0), and absolute error below 1e-6 for |x| < 8192
 *   fast_pow(x, y) = fast_exp(fast_log(x) * y), and 1 where y is 0, and 0 where x is 0 and y > 0
 *   fast_inverse(x) = 1 / x, fast_inverse_sqrt(x) = 1 / sqrt(x) */
#define FLUORITE_DECLARE(name)                                                                                         \
    float fluorite_##name##_f32(float x);                                                                              \
    double fluorite_##name##_f64(double x);
FLUORITE_RUNTIME_MATH_UNARY(FLUORITE_DECLARE)
#undef FLUORITE_DECLARE
#define FLUORITE_DECLARE(name)                                                                                         \
    float fluorite_##name##_f32(float x, float y);                                                                     \
    double fluorite_##name##_f64(double x, double y);
FLUORITE_RUNTIME_MATH_BINARY(FLUORITE_DECLARE)
#undef FLUORITE_DECLARE
#define FLUORITE_DECLARE(name)                                                                                         \
    bool fluorite_##name##_f32(float x);                                                                               \
    bool fluorite_##name##_f64(double x);
FLUORITE_RUNTIME_MATH_TEST(FLUORITE_DECLARE)
#undef FLUORITE_DECLARE

/* a * b + c, rounded once. */
float fluorite_fma_f32(float a, float b, float c);
double fluorite_fma_f64(double a, double b, double c);

/* Random values: hash = fluorite_random_seed; then, for each Int32 operand in order, hash = combine(hash, operand),
 * that is, in wrapping 32-bit arithmetic:
 *   h = hash * 0x9E3779B1 + operand;  h ^= h >> 16;  h *= 0x85EBCA6B;  h ^= h >> 13;  h *= 0xC2B2AE35;  h ^= h >> 16
 * UInt32 and Int32 results are the hash itself, Float32 is (hash >> 8) * 2^-24, which lies in [0, 1). */
enum { fluorite_random_seed = 0x3C6EF372 };
uint32_t fluorite_random_combine(uint32_t hash, int32_t operand);
uint32_t fluorite_random_u32(const int32_t *operands, int32_t count);
float fluorite_random_to_f32(uint32_t hash);

#ifdef __cplusplus
}
#endif
