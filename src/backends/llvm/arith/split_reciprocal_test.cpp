// Quotients by split reciprocals against divisions by the processor: all mantissas of floats, and doubles at random.

#include "backends/llvm/arith/split_reciprocal.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <random>

namespace fluorite::backends::split_reciprocal_test {
namespace {

template <class T> T quotient(T x, const SplitReciprocal<T> &split) { return std::fma(x, split.high, x * split.low); }

template <class T> bool same(T a, T b) {
    return std::isnan(a) ? std::isnan(b) : a == b && std::signbit(a) == std::signbit(b);
}

TEST(SplitReciprocal, IsExactForAllMantissas) {
    int compared = 0;
    for (float divisor : {3.0F, -7.0F, 0.1F, 65535.0F, std::nextafter(2.0F, 0.0F), std::nextafter(1.0F, 2.0F)}) {
        const auto split = split_reciprocal(divisor);
        if (!split) {
            continue; // a few have none
        }
        compared++;
        for (uint32_t bits = std::bit_cast<uint32_t>(1.0F); bits < std::bit_cast<uint32_t>(2.0F); bits++) {
            const float x = std::bit_cast<float>(bits);
            ASSERT_EQ(quotient(x, *split), x / divisor) << x << " / " << divisor;
        }
    }
    EXPECT_GE(compared, 4);
}

/// The search finds every mantissa that a split without it gets wrong: of divisors that have no split, the nearest sum
/// of two numbers is wrong for some mantissa.
TEST(SplitReciprocal, IsRefusedOnlyWhereSomeQuotientIsWrong) {
    std::mt19937 random(5);
    int refused = 0;
    for (int i = 0; refused < 3 && i < 1000; i++) {
        const float divisor = 1 + static_cast<float>(random() >> 9) * 0x1p-23F;
        if (split_reciprocal(divisor)) {
            continue;
        }
        refused++;
        float high = 1 / divisor;
        high = std::fma(high, divisor, -1.0F) > 0 ? std::nextafter(high, 0.0F) : high;
        const float low = std::fma(-high, divisor, 1.0F) / divisor;
        bool is_wrong = low == 0;
        for (uint32_t bits = std::bit_cast<uint32_t>(1.0F); !is_wrong && bits < std::bit_cast<uint32_t>(2.0F); bits++) {
            const float x = std::bit_cast<float>(bits);
            is_wrong = quotient(x, {high, low, 0}) != x / divisor;
        }
        EXPECT_TRUE(is_wrong) << divisor;
    }
    EXPECT_EQ(refused, 3);
}

template <class T> void compare_at_random(int least_exponent, int most_exponent) {
    std::mt19937_64 random(7);
    std::uniform_real_distribution<T> mantissa(1, 2);
    std::uniform_int_distribution<int> of_divisors(-20, 20);
    int found = 0;
    for (int i = 0; i < 2000; i++) {
        T divisor = std::ldexp(mantissa(random), of_divisors(random));
        divisor = i % 3 == 0 ? static_cast<T>(i + 3) : i % 3 == 1 ? -divisor : divisor;
        const auto split = split_reciprocal(divisor);
        if (!split) {
            continue;
        }
        found++;
        for (T x : {T(0), -T(0), split->least, -split->least, std::numeric_limits<T>::max(),
                    std::numeric_limits<T>::infinity(), -std::numeric_limits<T>::infinity(),
                    std::numeric_limits<T>::quiet_NaN()}) {
            ASSERT_TRUE(same(quotient(x, *split), x / divisor)) << x << " / " << divisor;
        }
        std::uniform_int_distribution<int> exponent(std::max(least_exponent, std::ilogb(split->least)), most_exponent);
        for (int k = 0; k < 100; k++) {
            const T x = std::ldexp(mantissa(random), exponent(random));
            ASSERT_TRUE(same(quotient(x, *split), x / divisor)) << x << " / " << divisor;
        }
    }
    EXPECT_GT(found, 1900);
}

TEST(SplitReciprocal, IsExactFromTheLeastMagnitudeToInfinity) {
    compare_at_random<float>(-126, 127);
    compare_at_random<double>(-1022, 1023);
}

TEST(SplitReciprocal, ExistsForIntegersButNotForPowersOfTwo) {
    for (int i = 3; i < 2000; i++) {
        const bool is_power = std::has_single_bit(static_cast<unsigned>(i));
        EXPECT_EQ(split_reciprocal(static_cast<float>(i)).has_value(), !is_power) << i;
        EXPECT_EQ(split_reciprocal(static_cast<double>(-i)).has_value(), !is_power) << i;
    }
}

TEST(SplitReciprocal, IsRefusedForWhatIsNoOrdinaryNumber) {
    for (float divisor : {0.0F, -0.0F, 1.0F, -0.5F, 1e30F, -3e-30F, 1e-42F, std::numeric_limits<float>::infinity(),
                          std::numeric_limits<float>::quiet_NaN()}) {
        EXPECT_FALSE(split_reciprocal(divisor)) << divisor;
    }
    EXPECT_FALSE(split_reciprocal(1e300));
    EXPECT_TRUE(split_reciprocal(1e30));
}

} // namespace
} // namespace fluorite::backends::split_reciprocal_test
