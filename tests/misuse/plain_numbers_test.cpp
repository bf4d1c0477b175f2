// Functions of plain C++ numbers that C and <math.h> declare beside the library's: which of them a call finds, in a
// program that uses the library's namespace. docs/guides/from_halide.md says so.
#include <math.h>
#include <stdlib.h>

#include "fluorite/fluorite.h"
#include "support/test_errors.h"

#include <concepts>
#include <cstdint>
#include <gtest/gtest.h>

namespace plain_numbers_test {
using namespace fluorite;

namespace {

/// Whether a call of lerp with three numbers of the type finds one function.
template <typename T>
concept MeansOneLerp = requires(T number) { lerp(number, number, number); };

// Beside std::lerp, which extrapolates, a call with plain numbers has to say which it means.
static_assert(!MeansOneLerp<int> && !MeansOneLerp<float> && !MeansOneLerp<double>);
static_assert(std::same_as<decltype(lerp(Expr(0), 42, 0.5F)), Expr>);
static_assert(std::same_as<decltype(fluorite::lerp(0, 42, 0.5F)), Expr>);
// C++'s: a plain number, of the same value.
static_assert(std::same_as<decltype(abs(-2.5F)), float> && std::same_as<decltype(abs(-2.5)), double>);
static_assert(std::same_as<decltype(abs(int64_t(-3))), int64_t>);
static_assert(std::same_as<decltype(abs(3000000000U)), uint32_t>);
static_assert(std::same_as<decltype(abs(-3)), int>);
static_assert(std::same_as<decltype(sqrt(2.0)), double> && std::same_as<decltype(pow(2, 3)), double>);
// Where one operand is an Expr, the library's.
static_assert(std::same_as<decltype(pow(Expr(2), 3)), Expr> && std::same_as<decltype(round(Expr(2.5F))), Expr>);
static_assert(std::same_as<decltype(min(1, Expr(2))), Expr> && std::same_as<decltype(max(1, 2)), Expr>);
static_assert(std::same_as<decltype(clamp(7, 1, 3)), Expr>);

TEST(PlainNumbers, WeightsOfLerpAreThoseOfTheLibrary) {
    expect_error<CompileError>([] { (void)fluorite::lerp(0, 42, 1.5F); }, "lerp-weight",
                               "in an expression, lerp: the weight is 1.5; a float weight lies in [0, 1]; clamp it",
                               {"plain_numbers_test.cpp", __LINE__ - 2});
    Func half("half");
    half() = fluorite::lerp(0, 42, 0.5F);
    EXPECT_EQ(half.type(), Int(32)) << "std::lerp gives a float";
    EXPECT_EQ((Buffer<int, 0>(half.realize())()), 21);
}

TEST(PlainNumbers, AbsoluteValuesKeepTheirFractionsAndBits) {
    EXPECT_EQ(abs(-2.5F), 2.5F);
    EXPECT_EQ(abs(-2.75), 2.75);
    EXPECT_FALSE(signbit(abs(-0.0)));
    EXPECT_TRUE(isnan(abs(-NAN)));
    EXPECT_EQ(abs(-(int64_t(1) << 40)), int64_t(1) << 40);
    EXPECT_EQ(abs(3000000000U), 3000000000U);
    EXPECT_EQ(abs(-3), 3);
}

TEST(PlainNumbers, HalvesAreRoundedByWhoeverIsCalled) {
    EXPECT_EQ(round(2.5), 3.0) << "C's: halves away from zero";
    EXPECT_EQ(evaluate<float>(round(Expr(2.5F))), 2.0F) << "the library's: halves to even";
}

} // namespace
} // namespace plain_numbers_test
