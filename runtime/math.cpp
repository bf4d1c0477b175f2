// The math functions of the language, and the hash behind random values.
//
// What: include/fluorite/runtime/math.h declares each function. They are the kernels of runtime/math_kernels.h for
// float32, and of runtime/math_kernels/float64.h, float64_inverses.h and float64_rare.h.
//
// Relies on: IEEE arithmetic in the width written (no contraction, no excess precision; the build sets
// -ffp-contract=off), round to nearest. The C library computes nothing but roots and fused products, which are exact.
// Does not do: errno, floating-point exceptions. Cost: some 5 to 30 ns; for large angles and long powers, 100 ns.

#include "fluorite/runtime/math.h"
#include "fluorite/runtime/math_kernels.h"
#include "fluorite/runtime/math_kernels/float64.h"
#include "fluorite/runtime/math_kernels/float64_inverses.h"
#include "fluorite/runtime/math_kernels/float64_rare.h"

#include <bit>
#include <cmath>

namespace {

namespace kernels = fluorite::math_kernels;
namespace float64 = fluorite::math_kernels::float64;

template <typename T> T modulo(T x, T y) { return x - y * kernels::floor(kernels::ScalarMath(), x / y); }

} // namespace

extern "C" {

float fluorite_sqrt_f32(float x) { return std::sqrt(x); }
double fluorite_sqrt_f64(double x) { return std::sqrt(x); }

#define FLUORITE_KERNELS_UNARY(name)                                                                                   \
    float fluorite_##name##_f32(float x) { return kernels::name(kernels::ScalarMath(), x); }                           \
    double fluorite_##name##_f64(double x) { return float64::name(kernels::ScalarMath(), x); }
FLUORITE_KERNELS_UNARY(exp)
FLUORITE_KERNELS_UNARY(log)
FLUORITE_KERNELS_UNARY(sinh)
FLUORITE_KERNELS_UNARY(cosh)
FLUORITE_KERNELS_UNARY(tanh)
FLUORITE_KERNELS_UNARY(atanh)
FLUORITE_KERNELS_UNARY(asinh)
FLUORITE_KERNELS_UNARY(acosh)
FLUORITE_KERNELS_UNARY(erf)
FLUORITE_KERNELS_UNARY(asin)
FLUORITE_KERNELS_UNARY(acos)
FLUORITE_KERNELS_UNARY(atan)
FLUORITE_KERNELS_UNARY(floor)
FLUORITE_KERNELS_UNARY(ceil)
FLUORITE_KERNELS_UNARY(round)
FLUORITE_KERNELS_UNARY(trunc)

// The kernels for usual arguments have the same bits as those for all, and are faster. The others are functions of
// their own, so that no registers are saved for them.
#define FLUORITE_KERNEL_ANGLE(name, wide_is_usual)                                                                     \
    [[gnu::noinline, gnu::cold]] static float rare_##name##_f32(float x) {                                             \
        return kernels::name(kernels::ScalarMath(), x);                                                                \
    }                                                                                                                  \
    [[gnu::noinline, gnu::cold]] static double rare_##name##_f64(double x) {                                           \
        return float64::name(kernels::ScalarMath(), x);                                                                \
    }                                                                                                                  \
    float fluorite_##name##_f32(float x) {                                                                             \
        const kernels::ScalarMath m;                                                                                   \
        return kernels::angle_is_usual(m, x) ? kernels::name##_usual(m, x) : rare_##name##_f32(x);                     \
    }                                                                                                                  \
    double fluorite_##name##_f64(double x) {                                                                           \
        const kernels::ScalarMath m;                                                                                   \
        return float64::wide_is_usual(m, x) ? float64::name##_usual(m, x) : rare_##name##_f64(x);                      \
    }
FLUORITE_KERNEL_ANGLE(sin, sin_is_usual)
FLUORITE_KERNEL_ANGLE(cos, cos_is_usual)
FLUORITE_KERNEL_ANGLE(tan, sin_is_usual)

#define FLUORITE_KERNEL_BINARY(name)                                                                                   \
    [[gnu::noinline, gnu::cold]] static double rare_##name##_f64(double x, double y) {                                 \
        return float64::name(kernels::ScalarMath(), x, y);                                                             \
    }                                                                                                                  \
    float fluorite_##name##_f32(float x, float y) { return kernels::name(kernels::ScalarMath(), x, y); }               \
    double fluorite_##name##_f64(double x, double y) {                                                                 \
        const kernels::ScalarMath m;                                                                                   \
        return float64::name##_is_usual(m, x, y) ? float64::name##_usual(m, x, y) : rare_##name##_f64(x, y);           \
    }
FLUORITE_KERNEL_BINARY(atan2)
FLUORITE_KERNEL_BINARY(hypot)
FLUORITE_KERNEL_BINARY(pow)

float fluorite_mod_f32(float x, float y) { return modulo(x, y); }
double fluorite_mod_f64(double x, double y) { return modulo(x, y); }
float fluorite_fma_f32(float a, float b, float c) { return std::fma(a, b, c); }
double fluorite_fma_f64(double a, double b, double c) { return std::fma(a, b, c); }

bool fluorite_is_nan_f32(float x) { return std::isnan(x); }
bool fluorite_is_nan_f64(double x) { return std::isnan(x); }
bool fluorite_is_inf_f32(float x) { return std::isinf(x); }
bool fluorite_is_inf_f64(double x) { return std::isinf(x); }
bool fluorite_is_finite_f32(float x) { return std::isfinite(x); }
bool fluorite_is_finite_f64(double x) { return std::isfinite(x); }

float fluorite_fast_exp_f32(float x) { return kernels::fast_exp(kernels::ScalarMath(), x); }
double fluorite_fast_exp_f64(double x) { return fluorite_exp_f64(x); }
float fluorite_fast_log_f32(float x) { return kernels::fast_log(kernels::ScalarMath(), x); }
double fluorite_fast_log_f64(double x) { return fluorite_log_f64(x); }
float fluorite_fast_sin_f32(float x) { return kernels::fast_sin(kernels::ScalarMath(), x); }
double fluorite_fast_sin_f64(double x) { return fluorite_sin_f64(x); }
float fluorite_fast_cos_f32(float x) { return kernels::fast_cos(kernels::ScalarMath(), x); }
double fluorite_fast_cos_f64(double x) { return fluorite_cos_f64(x); }
float fluorite_fast_pow_f32(float x, float y) { return kernels::fast_pow(kernels::ScalarMath(), x, y); }
double fluorite_fast_pow_f64(double x, double y) { return fluorite_pow_f64(x, y); }
float fluorite_fast_inverse_f32(float x) { return 1.0F / x; }
double fluorite_fast_inverse_f64(double x) { return 1.0 / x; }
float fluorite_fast_inverse_sqrt_f32(float x) { return 1.0F / std::sqrt(x); }
double fluorite_fast_inverse_sqrt_f64(double x) { return 1.0 / std::sqrt(x); }

uint32_t fluorite_random_combine(uint32_t hash, int32_t operand) {
    uint32_t h = hash * 0x9E3779B1U + static_cast<uint32_t>(operand);
    h ^= h >> 16;
    h *= 0x85EBCA6BU;
    h ^= h >> 13;
    h *= 0xC2B2AE35U;
    return h ^ h >> 16;
}

uint32_t fluorite_random_u32(const int32_t *operands, int32_t count) {
    uint32_t hash = fluorite_random_seed;
    for (int32_t i = 0; i < count; i++) {
        hash = fluorite_random_combine(hash, operands[i]);
    }
    return hash;
}

float fluorite_random_to_f32(uint32_t hash) { return static_cast<float>(hash >> 8) * 0x1p-24F; }
}
