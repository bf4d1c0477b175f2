// The math functions of the language, and the hash behind random values.
//
// What: include/fluorite/runtime/math.h declares each function. The float32 functions are the kernels of
// runtime/math_kernels.h (except for large angles); rare arguments of float64 functions are those of
// the C library, the others the kernels of runtime/math_kernels/float64.h and float64_inverses.h.
//
// Relies on: IEEE arithmetic in the width written (no contraction, no excess precision; the build sets
// -ffp-contract=off), round to nearest, the C library. Does not do: errno, floating-point exceptions. Cost: that of the
// C library; some 5 ns for a fast_ function.

#include "fluorite/runtime/math.h"
#include "fluorite/runtime/math_kernels.h"
#include "fluorite/runtime/math_kernels/float64.h"
#include "fluorite/runtime/math_kernels/float64_inverses.h"

#include <bit>
#include <cmath>

namespace {

namespace kernels = fluorite::math_kernels;
namespace float64 = fluorite::math_kernels::float64;

template <typename T> T modulo(T x, T y) { return x - y * std::floor(x / y); }

} // namespace

extern "C" {

#define FLUORITE_LIBRARY_UNARY(name)                                                                                   \
    float fluorite_##name##_f32(float x) { return std::name(x); }                                                      \
    double fluorite_##name##_f64(double x) { return std::name(x); }
FLUORITE_LIBRARY_UNARY(sqrt)
FLUORITE_LIBRARY_UNARY(floor)
FLUORITE_LIBRARY_UNARY(ceil)
FLUORITE_LIBRARY_UNARY(trunc)

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

#define FLUORITE_KERNEL_ANGLE(name)                                                                                    \
    float fluorite_##name##_f32(float x) {                                                                             \
        const kernels::ScalarMath m;                                                                                   \
        return kernels::angle_is_usual(m, x) ? kernels::name(m, x) : static_cast<float>(std::name(double{x}));         \
    }
FLUORITE_KERNEL_ANGLE(sin)
FLUORITE_KERNEL_ANGLE(cos)
FLUORITE_KERNEL_ANGLE(tan)
#define FLUORITE_KERNEL_WIDE_ANGLE(name, is_usual)                                                                     \
    double fluorite_##name##_f64(double x) {                                                                           \
        const kernels::ScalarMath m;                                                                                   \
        return float64::is_usual(m, x) ? float64::name##_usual(m, x) : std::name(x);                                   \
    }
FLUORITE_KERNEL_WIDE_ANGLE(sin, sin_is_usual)
FLUORITE_KERNEL_WIDE_ANGLE(cos, cos_is_usual)
FLUORITE_KERNEL_WIDE_ANGLE(tan, sin_is_usual)

float fluorite_atan2_f32(float y, float x) { return kernels::atan2(kernels::ScalarMath(), y, x); }
double fluorite_atan2_f64(double y, double x) {
    const kernels::ScalarMath m;
    return float64::atan2_is_usual(m, y, x) ? float64::atan2_usual(m, y, x) : std::atan2(y, x);
}
float fluorite_hypot_f32(float x, float y) { return kernels::hypot(kernels::ScalarMath(), x, y); }
double fluorite_hypot_f64(double x, double y) {
    const kernels::ScalarMath m;
    return float64::hypot_is_usual(m, x, y) ? float64::hypot_usual(m, x, y) : std::hypot(x, y);
}
float fluorite_pow_f32(float x, float y) { return kernels::pow(kernels::ScalarMath(), x, y); }
double fluorite_pow_f64(double x, double y) {
    const kernels::ScalarMath m;
    return float64::pow_is_usual(m, x, y) ? float64::pow_usual(m, x, y) : std::pow(x, y);
}

// Precondition: the rounding mode is to nearest, ties to even.
float fluorite_round_f32(float x) { return std::nearbyint(x); }
double fluorite_round_f64(double x) { return std::nearbyint(x); }
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
