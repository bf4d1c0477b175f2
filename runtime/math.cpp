// The math functions of the language, and the hash behind random values.
//
// What: include/fluorite/runtime_math.h names each function. The accurate ones in float32 are the kernels of
// runtime_math_kernels.h (the inverse hyperbolic ones and rare arguments apart), in float64 the C library's. The fast_ ones in
// float32 are polynomials written here.
//
// Method of the fast_ functions: reduce the argument to a short interval around 0, evaluate a polynomial there
// (Chebyshev fits of the part that the leading terms leave over, relative error below 2e-7), undo the reduction on
// the exponent bits. They are sequences of single IEEE operations without branches on values, so that vector code can
// repeat them exactly; selects below stand for vector selects.
//   exp(x) = 2^k exp(r), r = x - k ln 2, |r| <= ln(2)/2
//   log(x) = k ln 2 + log(1 + f), 1 + f in [sqrt(1/2), sqrt(2))
//   sin(x), cos(x): r = x - k pi/2, |r| <= pi/4; the quadrant k mod 4 chooses sine or cosine of r, and the sign
//
// Relies on: IEEE arithmetic in the width written (no contraction, no excess precision; the build says
// -ffp-contract=off), round to nearest, the C library. Does not do: errno, floating-point exceptions.
// Cost: that of the C library; some 5 ns for a fast_ function.

#include "fluorite/runtime_math.h"
#include "fluorite/runtime_math_kernels.h"

#include <bit>
#include <cmath>
#include <limits>

namespace {

namespace kernels = fluorite::math_kernels;

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

// ln 2 in two parts: a multiple of the first by |k| <= 1024 is exact.
constexpr float ln2_high = 0x1.628p-1F;
constexpr float ln2_low = 0x1.90bfbep-11F;
// pi/2 in three parts: multiples of the first two by |k| <= 8192 are exact.
constexpr float half_pi_high = 0x1.92p+0F;
constexpr float half_pi_middle = 0x1.fb4p-12F;
constexpr float half_pi_low = 0x1.4442dp-24F;

float power_of_two(int k) { return std::bit_cast<float>(static_cast<uint32_t>(k + 127) << 23); }

float fast_exp(float x) {
    const float clamped = x < -104.0F ? -104.0F : (x > 89.0F ? 89.0F : x); // a NaN passes
    const float k = std::nearbyintf((x == x ? clamped : 0.0F) * 0x1.715476p+0F);
    const float r = (clamped - k * ln2_high) - k * ln2_low;
    float p = 0.0013926926614F;
    p = p * r + 0.00836377387441F;
    p = p * r + 0.0416665501103F;
    p = p * r + 0.166665733819F;
    p = p * r + 0.5F;
    const float value = ((p * r) * r + r) + 1.0F;
    // In two steps, as 2^k itself may lie outside the normal range.
    const int whole = static_cast<int>(k);
    const int half = whole >> 1;
    return (value * power_of_two(half)) * power_of_two(whole - half);
}

float fast_log(float x) {
    const uint32_t bits = std::bit_cast<uint32_t>(x);
    constexpr uint32_t sqrt_half = 0x3F3504F3; // the bits of sqrt(1/2)
    const int k = static_cast<int32_t>(bits - sqrt_half) >> 23;
    const float f = std::bit_cast<float>(bits - (static_cast<uint32_t>(k) << 23)) - 1.0F;
    const float e = static_cast<float>(k);
    float p = -0.0790364370452F;
    p = p * f + 0.1262373853F;
    p = p * f + -0.129984906239F;
    p = p * f + 0.142143565228F;
    p = p * f + -0.166412474641F;
    p = p * f + 0.200010483989F;
    p = p * f + -0.250003070334F;
    p = p * f + 0.333333307167F;
    const float square = f * f;
    const float small = ((p * f) * square - 0.5F * square) + e * ln2_low;
    const float value = (small + f) + e * ln2_high;
    if (!(x >= 0.0F)) {
        return x > -std::numeric_limits<float>::min() ? -infinity : not_a_number;
    }
    return x < std::numeric_limits<float>::min() ? -infinity : (x == infinity ? infinity : value);
}

/// The sine of x + quadrant * pi/2.
float fast_sine(float x, uint32_t quadrant) {
    const float scaled = x * 0x1.45f306p-1F;
    const bool in_range = scaled > -0x1p+30F && scaled < 0x1p+30F;
    const float k = in_range ? std::nearbyintf(scaled) : 0.0F;
    const float r = ((x - k * half_pi_high) - k * half_pi_middle) - k * half_pi_low;
    const float z = r * r;
    float s = -0.000195828306788F;
    s = s * z + 0.00833272461378F;
    s = s * z + -0.166666645394F;
    const float sine = (s * z) * r + r;
    float c = 2.45428711105e-5F;
    c = c * z + -0.00138882793306F;
    c = c * z + 0.0416666645363F;
    const float cosine = ((c * z) * z - 0.5F * z) + 1.0F;
    const uint32_t q = static_cast<uint32_t>(static_cast<int32_t>(k)) + quadrant;
    const float value = (q & 1) != 0 ? cosine : sine;
    const float result = (q & 2) != 0 ? -value : value;
    return in_range ? result : not_a_number;
}

float fast_pow(float x, float y) {
    const float value = fast_exp(fast_log(x) * y);
    const float zero_base = y > 0.0F ? 0.0F : value;
    return y == 0.0F ? 1.0F : (x == 0.0F ? zero_base : value);
}

template <typename T> T modulo(T x, T y) { return x - y * std::floor(x / y); }

} // namespace

extern "C" {

#define FLUORITE_LIBRARY_UNARY(name)                                                                                   \
    float fluorite_##name##_f32(float x) { return std::name(x); }                                                      \
    double fluorite_##name##_f64(double x) { return std::name(x); }
FLUORITE_LIBRARY_UNARY(sqrt)
FLUORITE_LIBRARY_UNARY(asinh)
FLUORITE_LIBRARY_UNARY(acosh)
FLUORITE_LIBRARY_UNARY(atanh)
FLUORITE_LIBRARY_UNARY(floor)
FLUORITE_LIBRARY_UNARY(ceil)
FLUORITE_LIBRARY_UNARY(trunc)

#define FLUORITE_KERNEL_UNARY(name)                                                                                    \
    float fluorite_##name##_f32(float x) { return kernels::name(kernels::ScalarMath(), x); }                           \
    double fluorite_##name##_f64(double x) { return std::name(x); }
FLUORITE_KERNEL_UNARY(exp)
FLUORITE_KERNEL_UNARY(log)
FLUORITE_KERNEL_UNARY(sinh)
FLUORITE_KERNEL_UNARY(cosh)
FLUORITE_KERNEL_UNARY(tanh)
FLUORITE_KERNEL_UNARY(erf)
FLUORITE_KERNEL_UNARY(asin)
FLUORITE_KERNEL_UNARY(acos)
FLUORITE_KERNEL_UNARY(atan)

#define FLUORITE_KERNEL_ANGLE(name)                                                                                    \
    float fluorite_##name##_f32(float x) {                                                                             \
        const kernels::ScalarMath m;                                                                                   \
        return kernels::angle_is_rare(m, x) ? static_cast<float>(std::name(double{x})) : kernels::name(m, x);          \
    }                                                                                                                  \
    double fluorite_##name##_f64(double x) { return std::name(x); }
FLUORITE_KERNEL_ANGLE(sin)
FLUORITE_KERNEL_ANGLE(cos)
FLUORITE_KERNEL_ANGLE(tan)

float fluorite_atan2_f32(float y, float x) { return kernels::atan2(kernels::ScalarMath(), y, x); }
double fluorite_atan2_f64(double y, double x) { return std::atan2(y, x); }
float fluorite_hypot_f32(float x, float y) { return kernels::hypot(kernels::ScalarMath(), x, y); }
double fluorite_hypot_f64(double x, double y) { return std::hypot(x, y); }
float fluorite_pow_f32(float x, float y) {
    const kernels::ScalarMath m;
    return kernels::pow_is_rare(m, x, y) ? std::pow(x, y) : kernels::pow(m, x, y);
}
double fluorite_pow_f64(double x, double y) { return std::pow(x, y); }

// The rounding mode is always to nearest, ties to even.
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

float fluorite_fast_exp_f32(float x) { return fast_exp(x); }
double fluorite_fast_exp_f64(double x) { return std::exp(x); }
float fluorite_fast_log_f32(float x) { return fast_log(x); }
double fluorite_fast_log_f64(double x) { return std::log(x); }
float fluorite_fast_sin_f32(float x) { return fast_sine(x, 0); }
double fluorite_fast_sin_f64(double x) { return std::sin(x); }
float fluorite_fast_cos_f32(float x) { return fast_sine(x, 1); }
double fluorite_fast_cos_f64(double x) { return std::cos(x); }
float fluorite_fast_pow_f32(float x, float y) { return fast_pow(x, y); }
double fluorite_fast_pow_f64(double x, double y) { return std::pow(x, y); }
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
