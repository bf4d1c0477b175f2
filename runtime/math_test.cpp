// The math functions: the library's values, the error bounds of the fast ones, and the hash of random values.

#include "fluorite/runtime/math.h"
#include "fluorite/runtime/math_kernels.h"
#include "fluorite/runtime/math_kernels/float64.h"
#include "fluorite/runtime/math_kernels/float64_inverses.h"
#include "fluorite/runtime/math_kernels/float64_rare.h"

#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <random>

namespace fluorite::math_test {

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

double relative_error(float got, double wanted) { return std::abs((static_cast<double>(got) - wanted) / wanted); }

/// The error of a float32 result in units in the last place.
double units(float got, double wanted) {
    const float nearest = static_cast<float>(wanted);
    if (std::isnan(got) || std::isnan(wanted)) {
        return std::isnan(got) == std::isnan(wanted) ? 0 : 1e9;
    }
    if (got == nearest) {
        return got == 0 && std::signbit(got) != std::signbit(wanted) ? 1e9 : 0;
    }
    if (std::isinf(got) || std::isinf(nearest)) {
        return std::abs(wanted) > 3.4e38 ? 0.5 : 1e9;
    }
    int exponent = 0;
    (void)std::frexp(wanted, &exponent);
    return std::abs(static_cast<double>(got) - wanted) / std::ldexp(1.0, std::max(exponent - 24, -149));
}

TEST(Math, AccurateFunctionsOfFloat32AreWithinAUnit) {
    const auto test = [](const char *name, float (*function)(float), double (*wanted)(double), double bound = 0.62) {
        double worst = 0;
        float at = 0;
        // -0, and where the errors of erf, log and exp are greatest
        const float known[] = {-0.0F, 0.866152704F, 0.706525624F, 5.20221519F};
        for (uint64_t i = 0; i <= 65540; i++) {
            const float x = i > 65536 ? known[i - 65537] : std::bit_cast<float>(static_cast<uint32_t>(i * 65525));
            const double distance = units(function(x), wanted(static_cast<double>(x)));
            if (distance > worst) {
                worst = distance;
                at = x;
            }
        }
        EXPECT_LT(worst, bound) << name << " of " << at;
    };
    test("exp", fluorite_exp_f32, std::exp, 1.0);
    test("log", fluorite_log_f32, std::log, 1.0);
    test("sin", fluorite_sin_f32, std::sin);
    test("cos", fluorite_cos_f32, std::cos);
    test("tan", fluorite_tan_f32, std::tan);
    test("asin", fluorite_asin_f32, std::asin);
    test("acos", fluorite_acos_f32, std::acos);
    test("atan", fluorite_atan_f32, std::atan);
    test("sinh", fluorite_sinh_f32, std::sinh);
    test("cosh", fluorite_cosh_f32, std::cosh);
    test("tanh", fluorite_tanh_f32, std::tanh);
    test("asinh", fluorite_asinh_f32, std::asinh);
    test("acosh", fluorite_acosh_f32, std::acosh);
    test("atanh", fluorite_atanh_f32, std::atanh);
    test("erf", fluorite_erf_f32, std::erf, 1.15);
}

/// The error of a float64 result.
double units(double got, long double wanted) {
    const auto nearest = static_cast<double>(wanted);
    if (std::isnan(got) || std::isnan(nearest)) {
        return std::isnan(got) == std::isnan(nearest) ? 0 : 1e9;
    }
    if (got == nearest) {
        return std::signbit(got) == std::signbit(nearest) ? 0 : 1e9;
    }
    if (std::isinf(got) || std::isinf(nearest)) {
        return 1e9;
    }
    int exponent = 0;
    (void)std::frexp(wanted, &exponent);
    return static_cast<double>(std::abs(got - wanted) / std::ldexp(1.0L, std::max(exponent - 53, -1074)));
}

TEST(Math, KernelsOfFloat64AreWithinAUnit) {
    using Wide = long double;
    const auto test = [](const char *name, double (*function)(double), Wide (*wanted)(Wide), double bound) {
        std::mt19937_64 random(11);
        std::uniform_real_distribution<double> near(-20, 20), far(-745, 710), large(-1e6, 1e6);
        const auto at = [&](double x) { EXPECT_LT(units(function(x), wanted(x)), bound) << name << " of " << x; };
        for (const double x : {0.0, -0.0, 1.0, -1.0, 5e-324, 1e-310, 0x1p-1022, 1.7e308, HUGE_VAL, -HUGE_VAL, 709.7,
                               709.8, -745.1, -745.2, 1.5707963267948966, 3.141592653589793, std::nan(""),
                               // the greatest known errors of exp, log, sin
                               -291.45706215170298, 0.70588520823572753, -11.797475744601513}) {
            at(x);
        }
        for (int i = 0; i < 20000; i++) {
            at(near(random)), at(std::abs(near(random))), at(far(random)), at(large(random));
            at(near(random) / 20), at(std::exp(far(random))), at(1 + near(random) / 1000),
                at(std::bit_cast<double>(uint64_t{random()}));
        }
    };
    test("exp", fluorite_exp_f64, [](Wide x) { return std::exp(x); }, 0.8);
    test("log", fluorite_log_f64, [](Wide x) { return std::log(x); }, 0.95);
    test("sin", fluorite_sin_f64, [](Wide x) { return std::sin(x); }, 0.85);
    test("cos", fluorite_cos_f64, [](Wide x) { return std::cos(x); }, 0.85);
    test("tan", fluorite_tan_f64, [](Wide x) { return std::tan(x); }, 1.2);
    test("sinh", fluorite_sinh_f64, [](Wide x) { return std::sinh(x); }, 1.2);
    test("cosh", fluorite_cosh_f64, [](Wide x) { return std::cosh(x); }, 1.0);
    test("tanh", fluorite_tanh_f64, [](Wide x) { return std::tanh(x); }, 1.2);
    test("atanh", fluorite_atanh_f64, [](Wide x) { return std::atanh(x); }, 1.2);
    test("asin", fluorite_asin_f64, [](Wide x) { return std::asin(x); }, 0.75);
    test("acos", fluorite_acos_f64, [](Wide x) { return std::acos(x); }, 0.75);
    test("atan", fluorite_atan_f64, [](Wide x) { return std::atan(x); }, 0.9);
    test("asinh", fluorite_asinh_f64, [](Wide x) { return std::asinh(x); }, 0.75);
    test("acosh", fluorite_acosh_f64, [](Wide x) { return std::acosh(x); }, 0.75);
    test("erf", fluorite_erf_f64, [](Wide x) { return std::erf(x); }, 1.0);
}

// The other functions with intervals of their own, on both sides of each end.
TEST(Math, KernelsOfFloat64AreWithinAUnitAtTheEndsOfTheirIntervals) {
    using Wide = long double;
    const auto test = [](const char *name, double (*function)(double), Wide (*wanted)(Wide),
                         std::initializer_list<double> ends) {
        for (const double end : ends) {
            double below = end, above = end;
            for (int i = 0; i < 1000; i++) {
                for (const double x : {below, above, -below, -above}) {
                    EXPECT_LT(units(function(x), wanted(x)), 1.0) << name << " of " << x;
                }
                below = std::nextafter(below, 0.0), above = std::nextafter(above, HUGE_VAL);
            }
        }
    };
    test("asin", fluorite_asin_f64, [](Wide x) { return std::asin(x); }, {0.5, 1});
    test("acos", fluorite_acos_f64, [](Wide x) { return std::acos(x); }, {0.5, 1});
    test("atan", fluorite_atan_f64, [](Wide x) { return std::atan(x); }, {0.66, 1, 1.6});
    test("asinh", fluorite_asinh_f64, [](Wide x) { return std::asinh(x); }, {0x1p-1022, 0x1p-28, 0.5, 0x1p30});
    test("acosh", fluorite_acosh_f64, [](Wide x) { return std::acosh(x); }, {1, 1.5, 0x1p30});
    test("erf", fluorite_erf_f64, [](Wide x) { return std::erf(x); }, {0x1p-1022, 0.7, 5.9, 6});
}

// Of all numbers of the type, the first of each list is the nearest to a multiple of pi/2.
TEST(Math, LargeAnglesAreWithinAUnit) {
    using Wide = long double;
    std::mt19937_64 random(15);
    const auto singles = [](float x) {
        const double wide = x;
        EXPECT_LT(units(fluorite_sin_f32(x), std::sin(wide)), 0.62) << "sin of " << x;
        EXPECT_LT(units(fluorite_cos_f32(x), std::cos(wide)), 0.62) << "cos of " << x;
        EXPECT_LT(units(fluorite_tan_f32(x), std::tan(wide)), 0.62) << "tan of " << x;
    };
    const auto doubles = [](double x) {
        const Wide wide = x;
        EXPECT_LT(units(fluorite_sin_f64(x), std::sin(wide)), 0.85) << "sin of " << x;
        EXPECT_LT(units(fluorite_cos_f64(x), std::cos(wide)), 0.85) << "cos of " << x;
        EXPECT_LT(units(fluorite_tan_f64(x), std::tan(wide)), 1.2) << "tan of " << x;
    };
    for (const float x : {16367173 * 0x1p72F, 0x1p24F, 0x1.fffffep23F, 1e22F, 3.4e38F, infinity, std::nanf("")}) {
        singles(x), singles(-x);
    }
    for (const double x : {6381956970095103 * 0x1p797, 0x1p20, 0x1.fffffffffffffp19, 1e22, 1.7e308, HUGE_VAL,
                           -6.4158973341271953e+58, std::nan("")}) {
        doubles(x), doubles(-x);
    }
    for (int i = 0; i < 10000; i++) {
        const auto bits = static_cast<uint32_t>(random()), exponent = 127 + 24 + i % 104U;
        singles(std::bit_cast<float>((bits & 0x807FFFFF) | exponent << 23));
        const uint64_t wide_exponent = 1023 + 20 + i % 1004U;
        doubles(std::bit_cast<double>((uint64_t{random()} & 0x800FFFFFFFFFFFFF) | wide_exponent << 52));
    }
}

// Where a rounding to 53 bits and one to a subnormal number were two roundings, the error was 0.815.
TEST(Math, SubnormalResultsAreRoundedOnce) {
    const double known = -708.72156100146037;
    EXPECT_LT(units(fluorite_exp_f64(known), std::exp(static_cast<long double>(known))), 0.8);
    std::mt19937_64 random(16);
    std::uniform_real_distribution<double> below(-745, -708), base(0, 10);
    for (int i = 0; i < 20000; i++) {
        const double x = below(random), v = base(random), w = x / std::log(v);
        EXPECT_LT(units(fluorite_exp_f64(x), std::exp(static_cast<long double>(x))), 0.8) << x;
        const long double power = std::pow(static_cast<long double>(v), static_cast<long double>(w));
        EXPECT_LT(units(fluorite_pow_f64(v, w), power), 0.8) << v << ", " << w;
        const double a = std::ldexp(v, -1040), b = std::ldexp(base(random), -1040);
        EXPECT_LT(units(fluorite_hypot_f64(a, b), std::hypot(static_cast<long double>(a), static_cast<long double>(b))),
                  0.6)
            << a << ", " << b;
    }
}

TEST(Math, RoundingsAreExact) {
    std::mt19937_64 random(17);
    const auto at = [](double x) {
        const auto narrow = static_cast<float>(x);
        const auto same = [&](const char *name, double got, double wanted) {
            EXPECT_TRUE(std::isnan(got) ? std::isnan(wanted)
                                        : got == wanted && std::signbit(got) == std::signbit(wanted))
                << name << " of " << x << " is " << got;
        };
        same("floor", fluorite_floor_f64(x), std::floor(x)),
            same("floor", fluorite_floor_f32(narrow), std::floor(narrow));
        same("ceil", fluorite_ceil_f64(x), std::ceil(x)), same("ceil", fluorite_ceil_f32(narrow), std::ceil(narrow));
        same("trunc", fluorite_trunc_f64(x), std::trunc(x)),
            same("trunc", fluorite_trunc_f32(narrow), std::trunc(narrow));
        same("round", fluorite_round_f64(x), std::nearbyint(x));
        same("round", fluorite_round_f32(narrow), std::nearbyint(narrow));
    };
    for (const double x : {0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.5, 0x1p22 + 0.5, 0x1p23 - 0.5, 0x1p23 + 1, 0x1p51 + 0.5,
                           0x1p52 - 0.5, 0x1p52 + 1, 0x1p53 + 2, 1e300, 5e-324, HUGE_VAL, std::nan("")}) {
        at(x), at(-x);
    }
    for (int i = 0; i < 20000; i++) {
        at(std::bit_cast<double>(uint64_t{random()}));
        at(std::ldexp(static_cast<double>(static_cast<int64_t>(random())), -60 - i % 8));
    }
}

// Analyses of ranges rely on it.
TEST(Math, ErfOfFloat64IsWithinOne) {
    for (double x = 4; x < 7; x += 0x1p-14) {
        EXPECT_LE(std::abs(fluorite_erf_f64(x)), 1) << x;
    }
}

TEST(Math, AnglesOfPointsInFloat64AreWithinAUnit) {
    std::mt19937_64 random(14);
    std::uniform_real_distribution<double> near(-20, 20), exponent(-700, 700), some(-300, 300);
    const auto at = [](double y, double x) {
        const long double wanted = std::atan2(static_cast<long double>(y), static_cast<long double>(x));
        EXPECT_LT(units(fluorite_atan2_f64(y, x), wanted), 0.9) << y << ", " << x;
    };
    const double special[] = {0.0,   -0.0,  1.0,     -1.0,     3.0,       5e-324,  -1e-310,  1e-140,
                              1e140, 1e300, 1.7e308, HUGE_VAL, -HUGE_VAL, 0x1p450, 0x1p-450, std::nan("")};
    for (const double y : special) {
        for (const double x : special) {
            at(y, x);
        }
    }
    for (int i = 0; i < 20000; i++) {
        at(near(random), near(random)), at(std::exp(exponent(random)), near(random));
        at(near(random), std::exp(exponent(random))), at(std::exp(some(random)), -std::exp(some(random)));
        const double scale = std::exp(exponent(random));
        at(scale * near(random), scale * near(random));
    }
}

TEST(Math, LengthsOfFloat64AreWithinAUnit) {
    std::mt19937_64 random(13);
    std::uniform_real_distribution<double> near(-20, 20), exponent(-700, 700);
    const auto at = [](double x, double y) {
        const long double wanted = std::hypot(static_cast<long double>(x), static_cast<long double>(y));
        EXPECT_LT(units(fluorite_hypot_f64(x, y), wanted), 0.6) << x << ", " << y;
    };
    for (const double x : {0.0, -0.0, 1.0, -3.0, 5e-324, 1e-310, 1e300, 1.2e308, HUGE_VAL, -HUGE_VAL, std::nan("")}) {
        for (const double y : {0.0, -0.0, 1.0, 4.0, 5e-324, 1e-160, 1e300, 1.2e308, HUGE_VAL, std::nan("")}) {
            at(x, y);
        }
    }
    for (int i = 0; i < 20000; i++) {
        at(near(random), near(random)), at(std::exp(exponent(random)), std::exp(exponent(random)));
        const double x = std::exp(exponent(random));
        at(x, x * near(random)), at(x * 1e-8 * near(random), x);
    }
    EXPECT_EQ(fluorite_hypot_f32(3.0F, 4.0F), 5.0F);
}

TEST(Math, PowersOfFloat64AreWithinAUnit) {
    std::mt19937_64 random(12);
    std::uniform_real_distribution<double> base(0, 10), exponent(-700, 700), root(-16, 16);
    const auto at = [](double x, double y) {
        EXPECT_LT(units(fluorite_pow_f64(x, y), std::pow(static_cast<long double>(x), static_cast<long double>(y))),
                  0.8)
            << x << ", " << y;
    };
    for (const double x : {0.0, -0.0, 1.0, -1.0, 2.0, -2.0, 0.5, 5e-324, 1.7e308, HUGE_VAL, -HUGE_VAL, std::nan("")}) {
        for (const double y : {0.0, -0.0, 1.0, -1.0, 2.5, -3.0, 3.0, 17.0, 1e300, HUGE_VAL, -HUGE_VAL, std::nan("")}) {
            at(x, y);
        }
    }
    at(0.70277934991252977, 15.842300392433017); // the error was 0.845
    for (int i = 0; i < 20000; i++) {
        at(base(random), root(random)), at(std::exp(exponent(random)), root(random) / 5);
        at(0.5 + base(random) / 10, root(random));
        at(1 + base(random) / 1000, root(random)), at(2, root(random) * 60), at(base(random), exponent(random) / 3);
        // Large exponents, bases near 1, subnormal bases, and negative bases with whole exponents.
        const double near = 1 + std::ldexp(root(random), -i % 48);
        at(near, exponent(random) / std::log(near)), at(std::ldexp(base(random), -1040), root(random) / 16);
        at(-base(random), std::round(exponent(random) / 3));
    }
}

TEST(Math, AccurateFunctionsOfTwoOperandsAreWithinAUnit) {
    const float special[] = {0.0F, -0.0F, 1.0F, -1.0F, infinity, -infinity, std::nanf(""), 2.0F,
                             3.0F, -3.0F, 0.5F, -0.5F, 1e-45F,   3e38F,     -2.0F,         0x1p25F};
    std::mt19937 random(7);
    const auto test = [&](const char *name, float (*function)(float, float), double (*wanted)(double, double)) {
        const auto at = [&](float x, float y) {
            const double distance = units(function(x, y), wanted(static_cast<double>(x), static_cast<double>(y)));
            int exponent = 0;
            const bool is_power_of_2 = std::frexp(x, &exponent) == 0.5F;
            const bool is_short = function == fluorite_pow_f32 && (std::abs(y) <= 3 || is_power_of_2);
            EXPECT_LT(distance, is_short ? 0.95 : 0.62) << name << " of " << x << ", " << y;
        };
        for (const float x : special) {
            for (const float y : special) {
                at(x, y);
            }
        }
        std::uniform_real_distribution<float> base(0.0F, 20.0F), power(-20.0F, 20.0F), root(-3.0F, 3.0F);
        for (int i = 0; i < 20000; i++) {
            at(base(random), power(random));
            at(std::bit_cast<float>(static_cast<uint32_t>(random()) >> 1), root(random));
            at(base(random) / 20, root(random));
            at(-base(random), std::round(power(random)));
            at(std::bit_cast<float>(static_cast<uint32_t>(random())),
               std::bit_cast<float>(static_cast<uint32_t>(random())));
        }
    };
    test("pow", fluorite_pow_f32, std::pow);
    test("atan2", fluorite_atan2_f32, std::atan2);
    test("hypot", fluorite_hypot_f32, std::hypot);
}

// The kernels without the steps for zeros, infinities and the ends of the range.
TEST(Math, KernelsForUsualArgumentsHaveTheBitsOfThoseForAll) {
    namespace kernels = math_kernels;
    const kernels::ScalarMath m;
    const auto same = [](const char *name, float x, float y, float usual, float all) {
        EXPECT_EQ(std::bit_cast<uint32_t>(usual), std::bit_cast<uint32_t>(all)) << name << " of " << x << ", " << y;
    };
    std::mt19937 random(9);
    std::uniform_real_distribution<float> near(-4.0F, 4.0F);
    for (uint64_t bits = 0; bits < uint64_t{1} << 32; bits += 65521) {
        const float x = std::bit_cast<float>(static_cast<uint32_t>(bits)), y = near(random);
        if (kernels::exp_is_usual(m, x)) {
            same("exp", x, 0, kernels::exp_usual(m, x), kernels::exp(m, x));
        }
        if (kernels::fast_exp_is_usual(m, x)) {
            same("fast_exp", x, 0, kernels::fast_exp_usual(m, x), kernels::fast_exp(m, x));
        }
        if (kernels::angle_is_usual(m, x)) {
            same("sin", x, 0, kernels::sin_usual(m, x), kernels::sin(m, x));
            same("cos", x, 0, kernels::cos_usual(m, x), kernels::cos(m, x));
            same("tan", x, 0, kernels::tan_usual(m, x), kernels::tan(m, x));
        }
        if (kernels::log_is_usual(m, x)) {
            same("log", x, 0, kernels::log_usual(m, x), kernels::log(m, x));
        }
        if (kernels::fast_log_is_usual(m, x)) {
            same("fast_log", x, 0, kernels::fast_log_usual(m, x), kernels::fast_log(m, x));
        }
        if (kernels::fast_pow_is_usual(m, x, y)) {
            same("fast_pow", x, y, kernels::fast_pow_usual(m, x, y), kernels::fast_pow(m, x, y));
        }
        for (const kernels::KnownExponent &known : {kernels::KnownExponent{}, kernels::know_exponent(y)}) {
            if (kernels::pow_is_usual(m, x, y, known)) {
                same("pow", x, y, kernels::pow_usual(m, x, y), kernels::pow(m, x, y));
            }
        }
    }
}

TEST(Math, KernelsOfFloat64ForUsualArgumentsHaveTheBitsOfThoseForAll) {
    namespace float64 = math_kernels::float64;
    const math_kernels::ScalarMath m;
    const auto same = [](const char *name, double x, double y, double usual, double all) {
        EXPECT_EQ(std::bit_cast<uint64_t>(usual), std::bit_cast<uint64_t>(all)) << name << " of " << x << ", " << y;
    };
    std::mt19937_64 random(18);
    std::uniform_real_distribution<double> near(-20, 20);
    const auto at = [&](double x, double y) {
        if (float64::sin_is_usual(m, x)) {
            same("sin", x, 0, float64::sin_usual(m, x), float64::sin(m, x));
            same("cos", x, 0, float64::cos_usual(m, x), float64::cos(m, x));
            same("tan", x, 0, float64::tan_usual(m, x), float64::tan(m, x));
        }
        if (float64::exp_is_usual(m, x)) {
            same("exp", x, 0, float64::exp_usual(m, x), float64::exp(m, x));
        }
        if (float64::log_is_usual(m, x)) {
            same("log", x, 0, float64::log_usual(m, x), float64::log(m, x));
        }
        if (float64::atan2_is_usual(m, x, y)) {
            same("atan2", x, y, float64::atan2_usual(m, x, y), float64::atan2(m, x, y));
        }
        if (float64::hypot_is_usual(m, x, y)) {
            same("hypot", x, y, float64::hypot_usual(m, x, y), float64::hypot(m, x, y));
        }
        if (float64::pow_is_usual(m, x, y)) {
            same("pow", x, y, float64::pow_usual(m, x, y), float64::pow(m, x, y));
        }
    };
    for (int i = 0; i < 3000; i++) {
        const auto any = std::bit_cast<double>(uint64_t{random()});
        at(near(random), near(random)), at(any, near(random)), at(near(random), any), at(any, any * near(random));
        at(std::abs(any), near(random)), at(0, near(random)), at(near(random), 0);
    }
}

// A processor may fuse the products that kernels call exact, and those whose errors they ask for.
TEST(Math, ExactProductsAreExact) {
    struct Fusing : math_kernels::ScalarMath {
        float add_exact_product(float a, float b, float c) const { return std::fma(a, b, c); }
        double add_exact_product(double a, double b, double c) const { return std::fma(a, b, c); }
        std::optional<double> fused(double a, double b, double c) const { return std::fma(a, b, c); }
    };
    const Fusing m;
    std::mt19937 random(10);
    const auto same = [](const char *name, float x, float fused, float plain) {
        const bool both_nan = std::isnan(fused) && std::isnan(plain);
        EXPECT_TRUE(both_nan || std::bit_cast<uint32_t>(fused) == std::bit_cast<uint32_t>(plain))
            << name << " of " << x;
    };
    for (uint64_t bits = 0; bits < uint64_t{1} << 32; bits += 65521 * 19) {
        const float x = std::bit_cast<float>(static_cast<uint32_t>(bits));
        const float y = std::bit_cast<float>(static_cast<uint32_t>(random()));
        const float root = static_cast<float>(random() % 6000) / 1000 - 3;
#define FLUORITE_SAME(name) same(#name, x, math_kernels::name(m, x), fluorite_##name##_f32(x))
        FLUORITE_SAME(exp), FLUORITE_SAME(log), FLUORITE_SAME(erf), FLUORITE_SAME(sinh), FLUORITE_SAME(cosh);
        FLUORITE_SAME(tanh), FLUORITE_SAME(fast_exp), FLUORITE_SAME(fast_log), FLUORITE_SAME(fast_sin);
        FLUORITE_SAME(sin), FLUORITE_SAME(cos), FLUORITE_SAME(tan);
        const double wide = static_cast<double>(x) * (1 + 0x1p-30 * y), narrow = std::fmod(wide, 1000.0);
        using namespace math_kernels;
        const auto same_of_double = [&](const char *name, double fused, double plain) {
            EXPECT_TRUE((std::isnan(fused) && std::isnan(plain)) || fused == plain) << name << " of " << wide;
        };
        same_of_double("exp", float64::exp(m, narrow), fluorite_exp_f64(narrow));
        same_of_double("log", float64::log(m, wide), fluorite_log_f64(wide));
        same_of_double("sinh", float64::sinh(m, narrow), fluorite_sinh_f64(narrow));
        same_of_double("cosh", float64::cosh(m, narrow), fluorite_cosh_f64(narrow));
        same_of_double("atanh", float64::atanh(m, narrow / 1000), fluorite_atanh_f64(narrow / 1000));
        same_of_double("tanh", float64::tanh(m, narrow), fluorite_tanh_f64(narrow));
        same_of_double("asinh", float64::asinh(m, narrow), fluorite_asinh_f64(narrow));
        same_of_double("acosh", float64::acosh(m, narrow), fluorite_acosh_f64(narrow));
        same_of_double("erf", float64::erf(m, narrow), fluorite_erf_f64(narrow));
        same_of_double("asin", float64::asin(m, narrow / 1000), fluorite_asin_f64(narrow / 1000));
        same_of_double("acos", float64::acos(m, narrow / 1000), fluorite_acos_f64(narrow / 1000));
        for (const double angle : {narrow, wide, std::ldexp(wide, 80), std::ldexp(wide, 800)}) {
            same_of_double("sin", float64::sin(m, angle), fluorite_sin_f64(angle));
            same_of_double("cos", float64::cos(m, angle), fluorite_cos_f64(angle));
            same_of_double("tan", float64::tan(m, angle), fluorite_tan_f64(angle));
        }
        for (const double other : {double{root}, narrow, double{y}, std::ldexp(wide, -40)}) {
            same_of_double("pow", float64::pow(m, wide, other), fluorite_pow_f64(wide, other));
            same_of_double("pow", float64::pow(m, 1 + narrow / 8000, other),
                           fluorite_pow_f64(1 + narrow / 8000, other));
            same_of_double("atan2", float64::atan2(m, wide, other), fluorite_atan2_f64(wide, other));
            same_of_double("hypot", float64::hypot(m, wide, other), fluorite_hypot_f64(wide, other));
        }
#undef FLUORITE_SAME
        same("pow", x, math_kernels::pow(m, x, y), fluorite_pow_f32(x, y));
        same("pow", x, math_kernels::pow(m, x, root), fluorite_pow_f32(x, root));
        same("hypot", x, math_kernels::hypot(m, x, y), fluorite_hypot_f32(x, y));
    }
}

TEST(Math, RoundTakesTiesToEven) {
    EXPECT_EQ(fluorite_round_f32(0.5F), 0.0F);
    EXPECT_EQ(fluorite_round_f32(1.5F), 2.0F);
    EXPECT_EQ(fluorite_round_f64(-2.5), -2.0);
    EXPECT_TRUE(std::signbit(fluorite_round_f32(-0.25F)));
}

TEST(Math, ModHasTheSignOfTheDivisor) {
    EXPECT_EQ(fluorite_mod_f32(5.5F, 2.0F), 1.5F);
    EXPECT_EQ(fluorite_mod_f32(-5.5F, 2.0F), 0.5F);
    EXPECT_EQ(fluorite_mod_f64(5.5, -2.0), -0.5);
    EXPECT_TRUE(std::isnan(fluorite_mod_f32(1.0F, 0.0F)));
}

TEST(Math, FastExp) {
    std::mt19937 random(1);
    std::uniform_real_distribution<float> range(-87.0F, 88.0F);
    for (int i = 0; i < 20000; i++) {
        const float x = range(random);
        ASSERT_LT(relative_error(fluorite_fast_exp_f32(x), std::exp(static_cast<double>(x))), 1e-6) << x;
    }
    EXPECT_EQ(fluorite_fast_exp_f32(0.0F), 1.0F);
    EXPECT_EQ(fluorite_fast_exp_f32(infinity), infinity);
    EXPECT_EQ(fluorite_fast_exp_f32(-infinity), 0.0F);
    EXPECT_TRUE(std::isnan(fluorite_fast_exp_f32(std::nanf(""))));
}

TEST(Math, FastLog) {
    std::mt19937 random(2);
    std::uniform_real_distribution<float> exponent(-125.0F, 127.0F);
    for (int i = 0; i < 20000; i++) {
        const float x = i % 2 == 0 ? std::exp2(exponent(random)) : 1.0F + exponent(random) / 512;
        if (x == 1.0F) {
            continue;
        }
        ASSERT_LT(relative_error(fluorite_fast_log_f32(x), std::log(static_cast<double>(x))), 1e-6) << x;
    }
    EXPECT_EQ(fluorite_fast_log_f32(1.0F), 0.0F);
    EXPECT_EQ(fluorite_fast_log_f32(0.0F), -infinity);
    EXPECT_EQ(fluorite_fast_log_f32(infinity), infinity);
    EXPECT_TRUE(std::isnan(fluorite_fast_log_f32(-1.0F)));
    EXPECT_TRUE(std::isnan(fluorite_fast_log_f32(std::nanf(""))));
}

TEST(Math, FastSinAndCos) {
    std::mt19937 random(3);
    std::uniform_real_distribution<float> range(-8192.0F, 8192.0F);
    for (int i = 0; i < 20000; i++) {
        const float x = i % 2 == 0 ? range(random) : range(random) / 1024;
        ASSERT_NEAR(fluorite_fast_sin_f32(x), std::sin(static_cast<double>(x)), 1e-6) << x;
        ASSERT_NEAR(fluorite_fast_cos_f32(x), std::cos(static_cast<double>(x)), 1e-6) << x;
    }
    EXPECT_EQ(fluorite_fast_sin_f32(0.0F), 0.0F);
    EXPECT_TRUE(std::signbit(fluorite_fast_sin_f32(-0.0F)));
    EXPECT_EQ(fluorite_fast_cos_f32(0.0F), 1.0F);
    EXPECT_TRUE(std::isnan(fluorite_fast_sin_f32(infinity)));
}

TEST(Math, FastPow) {
    EXPECT_NEAR(fluorite_fast_pow_f32(2.0F, 10.0F), 1024.0F, 0.01F);
    EXPECT_EQ(fluorite_fast_pow_f32(0.0F, 0.0F), 1.0F);
    EXPECT_EQ(fluorite_fast_pow_f32(0.0F, 2.5F), 0.0F);
    EXPECT_EQ(fluorite_fast_pow_f32(-3.0F, 0.0F), 1.0F);
}

TEST(Math, RandomIsTheStatedHash) {
    const int32_t operands[] = {3, -7};
    uint32_t hash = fluorite_random_seed;
    for (int32_t operand : operands) {
        hash = hash * 0x9E3779B1U + static_cast<uint32_t>(operand);
        hash = (hash ^ hash >> 16) * 0x85EBCA6BU;
        hash = (hash ^ hash >> 13) * 0xC2B2AE35U;
        hash ^= hash >> 16;
    }
    EXPECT_EQ(fluorite_random_u32(operands, 2), hash);
    EXPECT_EQ(fluorite_random_to_f32(0xFFFFFFFFU), 1.0F - 0x1p-24F);
}

TEST(Math, RandomFillsTheInterval) {
    int buckets[16] = {};
    for (int32_t y = 0; y < 64; y++) {
        for (int32_t x = 0; x < 64; x++) {
            const int32_t at[] = {x, y};
            buckets[static_cast<int>(fluorite_random_to_f32(fluorite_random_u32(at, 2)) * 16)]++;
        }
    }
    for (int count : buckets) {
        EXPECT_NEAR(count, 256, 80);
    }
}

} // namespace

} // namespace fluorite::math_test
