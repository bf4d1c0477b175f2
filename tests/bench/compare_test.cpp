// The comparison of the benchmarks' outputs finds a single wrong element at any position.

#include "benchmarks/compare/compare.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <numeric>

namespace bench {
namespace {

constexpr Tolerance rounding = {1e-6, 0};

template <typename T>
Difference differences(const std::vector<T> &is, const std::vector<T> &expected,
                       const std::vector<std::size_t> &extents, const Tolerance &most = rounding) {
    EXPECT_EQ(is.size(), expected.size());
    return compare(is.data(), expected.data(), is.size(), extents, most);
}

/// Values between 1 and 2 that vary from element to element.
std::vector<float> wavy(std::size_t count) {
    std::vector<float> values(count);
    for (std::size_t i = 0; i < count; i++) {
        values[i] = 1.5f + 0.5f * std::sin(static_cast<float>(i));
    }
    return values;
}

TEST(Compare, FindsAWrongElementAnywhere) {
    const std::vector<std::size_t> extents = {7, 5, 3};
    const std::vector<float> expected = wavy(105);
    EXPECT_EQ(differences(expected, expected, extents).count, 0u);
    for (std::size_t i = 0; i < expected.size(); i++) {
        std::vector<float> is = expected;
        is[i] *= 1.00001f;
        const Difference found = differences(is, expected, extents);
        EXPECT_EQ(found.count, 1u);
        EXPECT_EQ(found.beyond, 1u) << i;
        EXPECT_EQ(found.first, i);
    }
}

TEST(Compare, AllowsRoundingAndSaysHowMuch) {
    const std::vector<float> expected = wavy(20);
    std::vector<float> is = expected;
    is[3] = std::nextafter(is[3], 2.0f);
    const Difference found = differences(is, expected, {20});
    EXPECT_EQ(found.count, 1u);
    EXPECT_EQ(found.beyond, 0u);
    EXPECT_GT(found.worst, 0);
    EXPECT_LT(found.worst, 1e-6);
}

TEST(Compare, JudgesSmallElementsByTheirOwnScale) {
    // A spectrum: a peak of a million, and values around 1. Relative to the peak, an error of 1e-3 would be negligible.
    std::vector<float> expected = wavy(64);
    expected[0] = 1e6f;
    for (std::size_t i = 0; i < expected.size(); i++) {
        std::vector<float> is = expected;
        is[i] += i == 0 ? 0.5f : 1e-3f;
        const bool beside_peak = i % 8 < 2 && i / 8 < 2;
        EXPECT_EQ(differences(is, expected, {8, 8}).beyond, beside_peak ? 0u : 1u) << i;
    }
}

TEST(Compare, JudgesCancelledElementsByTheirNeighbours) {
    // The difference of large sums may be tiny, but has their rounding error.
    std::vector<float> expected(9, 1.0f), is(9, 1.0f);
    expected[4] = 1e-9f;
    is[4] = 3e-7f;
    EXPECT_EQ(differences(is, expected, {3, 3}).beyond, 0u);
    is[4] = 3e-6f;
    EXPECT_EQ(differences(is, expected, {3, 3}).beyond, 1u);
}

TEST(Compare, TakesNeighboursOfTheSamePlaneOnly) {
    std::vector<float> expected(18, 1.0f), is;
    std::fill(expected.begin() + 9, expected.end(), 1e6f);
    is = expected;
    is[8] += 1e-3f; // in memory, the last element of the small plane precedes the first of the large one
    EXPECT_EQ(differences(is, expected, {3, 3, 2}).beyond, 1u);
    // In memory, the end of a row precedes the start of the next one, too.
    std::vector<float> rows = {1, 1, 1, 1, 1, 1e6f};
    is = rows;
    is[3] += 1e-3f;
    EXPECT_EQ(differences(is, rows, {3, 2}).beyond, 1u);
}

TEST(Compare, NeverTakesNaNForAResult) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const std::vector<float> expected = wavy(10);
    std::vector<float> is = expected, both = expected;
    is[6] = both[6] = nan;
    const Tolerance generous = {1e9, 1e9};
    EXPECT_EQ(differences(is, expected, {10}, generous).beyond, 1u);
    EXPECT_EQ(differences(expected, is, {10}, generous).beyond, 1u);
    EXPECT_EQ(differences(is, both, {10}, generous).beyond, 1u);
}

TEST(Compare, WantsTheSameInfinities) {
    const float infinity = std::numeric_limits<float>::infinity();
    const std::vector<float> expected = {1, infinity, 1};
    const Tolerance generous = {1e9, 1e9};
    EXPECT_EQ(differences(expected, expected, {3}).count, 0u);
    EXPECT_EQ(differences({1, 3e38f, 1}, expected, {3}, generous).beyond, 1u);
    EXPECT_EQ(differences({1, -infinity, 1}, expected, {3}, generous).beyond, 1u);
    EXPECT_EQ(differences({1, 1, 1}, expected, {3}, generous).beyond, 1u);
    // A neighbouring infinity does not determine the scale of an element.
    EXPECT_EQ(differences({1.001f, infinity, 1}, expected, {3}).beyond, 1u);
}

TEST(Compare, WantsZerosWhereAllAroundIsZero) {
    const std::vector<float> expected(9, 0.0f);
    std::vector<float> is = expected;
    is[4] = 1e-30f;
    EXPECT_EQ(differences(is, expected, {3, 3}).beyond, 1u);
    EXPECT_EQ(differences(is, expected, {3, 3}, {1e-6, 1e-20}).beyond, 0u);
    is[4] = -0.0f;
    EXPECT_EQ(differences(is, expected, {3, 3}).count, 0u);
}

TEST(Compare, WantsEqualIntegers) {
    std::vector<std::uint16_t> expected(100);
    std::iota(expected.begin(), expected.end(), std::uint16_t(65000));
    for (const std::size_t i : {0u, 50u, 99u}) {
        std::vector<std::uint16_t> is = expected;
        is[i]++;
        const Difference found = differences(is, expected, {10, 10});
        EXPECT_EQ(found.beyond, 1u);
        EXPECT_EQ(found.worst, 1);
        EXPECT_EQ(differences(is, expected, {10, 10}, {0, 1}).beyond, 0u);
        is[i]++;
        EXPECT_EQ(differences(is, expected, {10, 10}, {0, 1}).beyond, 1u);
    }
}

} // namespace
} // namespace bench
