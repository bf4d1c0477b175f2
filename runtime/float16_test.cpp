// Conversions of the 16-bit floats against exact arithmetic: every 16-bit value, every midpoint, random doubles.

#include "fluorite/float16.h"

#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace float16_test {

namespace {

using fluorite::bfloat16_t;
using fluorite::float16_t;

template <typename T> class Float16Test : public testing::Test {};
using Types = testing::Types<float16_t, bfloat16_t>;
TYPED_TEST_SUITE(Float16Test, Types);

// The exact value of positive bits; infinity counts as the next power of two, as in rounding.
template <typename T> double exact(uint16_t bits) {
    if (T::make_from_bits(bits).is_infinity()) {
        return std::ldexp(1.0, std::numeric_limits<T>::max_exponent);
    }
    return static_cast<double>(T::make_from_bits(bits));
}

TYPED_TEST(Float16Test, EveryValueSurvivesARoundTrip) {
    using T = TypeParam;
    for (uint32_t bits = 0; bits < 0x10000; bits++) {
        const T value = T::make_from_bits(static_cast<uint16_t>(bits));
        const T by_float(static_cast<float>(value));
        const T by_double(static_cast<double>(value));
        if (value.is_nan()) {
            EXPECT_TRUE(by_float.is_nan() && by_double.is_nan());
            EXPECT_TRUE(std::isnan(static_cast<float>(value)));
            EXPECT_EQ(by_float.is_negative(), value.is_negative());
        } else {
            ASSERT_EQ(by_float.to_bits(), bits);
            ASSERT_EQ(by_double.to_bits(), bits);
            EXPECT_EQ(std::signbit(static_cast<float>(value)), value.is_negative());
        }
    }
}

// Between two neighbours, the midpoint rounds to the even one; the doubles next to the midpoint round to their own
// sides.
TYPED_TEST(Float16Test, MidpointsRoundToEven) {
    using T = TypeParam;
    const uint16_t infinity = T::make_infinity().to_bits();
    for (uint16_t low = 0; low < infinity; low++) {
        const auto high = static_cast<uint16_t>(low + 1);
        const double middle = (exact<T>(low) + exact<T>(high)) / 2;
        const uint16_t even = low % 2 == 0 ? low : high;
        ASSERT_EQ(T(middle).to_bits(), even);
        ASSERT_EQ(T(std::nextafter(middle, 0)).to_bits(), low);
        ASSERT_EQ(T(std::nextafter(middle, 1e300)).to_bits(), high);
        ASSERT_EQ(T(-middle).to_bits(), even | 0x8000);
    }
}

TYPED_TEST(Float16Test, RandomDoublesGoToTheNearest) {
    using T = TypeParam;
    std::mt19937_64 random(7);
    for (int i = 0; i < 200000; i++) {
        const double value = std::abs(std::bit_cast<double>(random()));
        const T rounded(value);
        if (std::isnan(value)) {
            ASSERT_TRUE(rounded.is_nan());
            continue;
        }
        const uint16_t bits = rounded.to_bits();
        const double error = std::abs(value - exact<T>(bits));
        if (bits > 0) {
            ASSERT_LE(error, std::abs(value - exact<T>(static_cast<uint16_t>(bits - 1))));
        }
        if (!rounded.is_infinity()) {
            ASSERT_LE(error, std::abs(value - exact<T>(static_cast<uint16_t>(bits + 1))));
        }
    }
}

TYPED_TEST(Float16Test, IntegersRoundOnce) {
    using T = TypeParam;
    std::mt19937_64 random(9);
    for (int i = 0; i < 100000; i++) {
        const int64_t value = static_cast<int64_t>(random()) >> (random() % 64);
        // long double represents every 64-bit integer; the nearest 16-bit float is searched among neighbours.
        const T rounded(value);
        const long double target = std::abs(static_cast<long double>(value));
        const auto bits = static_cast<uint16_t>(rounded.to_bits() & 0x7FFF);
        const long double error = std::abs(target - exact<T>(bits));
        EXPECT_EQ(rounded.is_negative(), value < 0);
        for (const int step : {-1, 1}) {
            const int other = bits + step;
            if (other >= 0 && other <= T::make_infinity().to_bits()) {
                const long double other_error = std::abs(target - exact<T>(static_cast<uint16_t>(other)));
                ASSERT_TRUE(error < other_error || (error == other_error && bits % 2 == 0)) << value;
            }
        }
    }
    // One above a tie, beyond the precision of a double: conversion to double would yield the tie, which rounds down.
    EXPECT_EQ(static_cast<double>(bfloat16_t((int64_t{1} << 62) + (int64_t{1} << 54) + 1)), 0x1.02p62);
    EXPECT_EQ(T(uint64_t{0}).to_bits(), 0);
    EXPECT_EQ(static_cast<float>(T(-3)), -3.0F);
    EXPECT_EQ(static_cast<int>(T(2.75)), 2);
}

TYPED_TEST(Float16Test, ArithmeticAndComparison) {
    using T = TypeParam;
    T a(1.5), b(2);
    EXPECT_EQ(static_cast<float>(a + b), 3.5F);
    EXPECT_EQ(static_cast<float>(a - b), -0.5F);
    EXPECT_EQ(static_cast<float>(a * b), 3.0F);
    EXPECT_EQ(static_cast<float>(a / b), 0.75F);
    EXPECT_EQ((-a).to_bits(), a.to_bits() | 0x8000);
    a += b;
    EXPECT_TRUE(a == T(3.5) && a != b && a > b && b < a && a >= b && b <= a);
    const T nan = T::make_nan();
    EXPECT_FALSE(nan == nan || nan < a || nan > a || nan <= nan || nan >= nan);
    EXPECT_TRUE(T::make_zero() == T::make_negative_zero());
    EXPECT_TRUE((T(1) / T::make_zero()).is_infinity());
    static_assert(T(0.5).to_bits() != 0, "conversions are constant expressions");
}

TEST(Float16, KnownBits) {
    EXPECT_EQ(float16_t(1.0).to_bits(), 0x3C00);
    EXPECT_EQ(float16_t(65504.0).to_bits(), 0x7BFF);
    EXPECT_EQ(float16_t(65519.99).to_bits(), 0x7BFF);
    EXPECT_EQ(float16_t(65520.0).to_bits(), 0x7C00);
    EXPECT_EQ(float16_t(0x1p-24).to_bits(), 1);
    EXPECT_EQ(float16_t(0x1p-25).to_bits(), 0);
    EXPECT_EQ(float16_t(0x1.00000000001p-25).to_bits(), 1);
    // Rounding through a float would round twice and yield the even neighbour.
    EXPECT_EQ(float16_t(1.0 + 0x1p-11 + 0x1p-40).to_bits(), 0x3C01);
    EXPECT_EQ(bfloat16_t(1.0).to_bits(), 0x3F80);
    EXPECT_EQ(bfloat16_t(3.4e38).to_bits(), 0x7F80);
    EXPECT_EQ(std::numeric_limits<float16_t>::epsilon(), float16_t(0x1p-10));
    EXPECT_EQ(std::numeric_limits<bfloat16_t>::epsilon(), bfloat16_t(0x1p-7));
    EXPECT_EQ(static_cast<float>(std::numeric_limits<bfloat16_t>::min()), 0x1p-126F);
    EXPECT_EQ(static_cast<float>(std::numeric_limits<float16_t>::min()), 0x1p-14F);
}

} // namespace

} // namespace float16_test
