// The math functions: the library's values, the error bounds of the fast ones, and the hash of random values.

#include "fluorite/runtime_math.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <random>

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

double relative_error(float got, double wanted) { return std::abs((static_cast<double>(got) - wanted) / wanted); }

TEST(Math, AccurateFunctionsAreTheLibrarysOfTheirWidth) {
    EXPECT_EQ(fluorite_sin_f32(1.25F), sinf(1.25F));
    EXPECT_EQ(fluorite_sin_f64(1.25), sin(1.25));
    EXPECT_EQ(fluorite_pow_f32(1.25F, 3.5F), powf(1.25F, 3.5F));
    EXPECT_EQ(fluorite_atan2_f64(-1.0, -2.0), atan2(-1.0, -2.0));
    EXPECT_EQ(fluorite_hypot_f32(3.0F, 4.0F), 5.0F);
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
