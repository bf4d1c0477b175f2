// Constant folding against independent statements of the semantics.

#include "rewrite/fold.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <random>

namespace fold_test {

using namespace fluorite;
using namespace fluorite::rewrite;
using ir::ExprKind;

namespace {

constexpr Type int_types[] = {Int(8), Int(16), Int(32), Int(64), UInt(8), UInt(16), UInt(32), UInt(64)};

int64_t fold_ints(ExprKind kind, Type type, int64_t a, int64_t b) {
    return fold_binary(kind, int_scalar(type, a), int_scalar(type, b))->as_int();
}
double fold_floats(ExprKind kind, Type type, double a, double b) {
    return fold_binary(kind, float_scalar(type, a), float_scalar(type, b))->as_float();
}

/// All pairs of int8 and uint8 satisfy q * b + r = a modulo 2^8 with 0 <= r < |b|; a zero divisor gives zero.
TEST(Fold, DivisionIsEuclidean) {
    for (Type type : {Int(8), UInt(8)}) {
        for (int a = 0; a < 256; a++) {
            for (int b = 0; b < 256; b++) {
                const Scalar x = int_scalar(type, a), y = int_scalar(type, b);
                const int64_t q = fold_binary(ExprKind::Div, x, y)->as_int();
                const int64_t r = fold_binary(ExprKind::Mod, x, y)->as_int();
                if (b == 0) {
                    ASSERT_TRUE(q == 0 && r == 0);
                    continue;
                }
                ASSERT_EQ(static_cast<uint8_t>(q * y.as_int() + r), static_cast<uint8_t>(a));
                ASSERT_TRUE(r >= 0 && r < std::abs(y.as_int())) << x.as_int() << " % " << y.as_int();
            }
        }
    }
    EXPECT_EQ(fold_ints(ExprKind::Div, Int(32), INT32_MIN, -1), INT32_MIN);
    EXPECT_EQ(fold_ints(ExprKind::Div, Int(64), INT64_MIN, -1), INT64_MIN);
    EXPECT_EQ(fold_ints(ExprKind::Mod, Int(64), INT64_MIN, -1), 0);
    EXPECT_EQ(fold_ints(ExprKind::Quotient, Int(32), -7, 2), -3);
    EXPECT_EQ(fold_ints(ExprKind::Remainder, Int(32), -7, 2), -1);
    EXPECT_EQ(fold_ints(ExprKind::Quotient, Int(64), INT64_MIN, -1), INT64_MIN);
    EXPECT_EQ(fold_ints(ExprKind::Remainder, Int(32), -7, 0), 0);
}

TEST(Fold, SumsWrapInTheirWidth) {
    EXPECT_EQ(fold_ints(ExprKind::Add, UInt(8), 200, 100), 44);
    EXPECT_EQ(fold_ints(ExprKind::Sub, Int(8), -128, 1), 127);
    EXPECT_EQ(fold_ints(ExprKind::Mul, Int(16), 300, 300), static_cast<int16_t>(90000));
    EXPECT_EQ(fold_ints(ExprKind::Add, Int(32), INT32_MAX, 1), INT32_MIN);
    EXPECT_EQ(fold_ints(ExprKind::AbsDiff, Int(8), -128, 127), 255);
    EXPECT_EQ(fold_unary(ExprKind::Abs, int_scalar(Int(8), -128))->as_uint(), 128u);
    EXPECT_EQ(fold_unary(ExprKind::Abs, int_scalar(Int(64), INT64_MIN))->as_uint(), uint64_t{1} << 63);
}

TEST(Fold, ShiftsByAnyAmount) {
    for (Type type : int_types) {
        const int bits = type.bits();
        EXPECT_EQ(fold_ints(ExprKind::ShiftLeft, type, 1, bits), 0);
        EXPECT_EQ(fold_ints(ExprKind::ShiftRight, type, 100, bits), 0);
        EXPECT_EQ(fold_ints(ExprKind::ShiftRight, type, 100, 2), 25);
    }
    EXPECT_EQ(fold_ints(ExprKind::ShiftRight, Int(32), -100, 40), -1);
    EXPECT_EQ(fold_ints(ExprKind::ShiftLeft, Int(32), 100, -2), 25);
    EXPECT_EQ(fold_ints(ExprKind::ShiftRight, Int(32), 25, -2), 100);
    EXPECT_EQ(fold_ints(ExprKind::ShiftRight, Int(8), -128, -128), 0);
    EXPECT_EQ(fold_ints(ExprKind::ShiftLeft, Int(64), -5, INT64_MIN), -1);
}

TEST(Fold, ComparesByTheSignOfTheType) {
    EXPECT_EQ(fold_ints(ExprKind::LT, Int(8), -1, 1), 1);
    EXPECT_EQ(fold_ints(ExprKind::LT, UInt(8), -1, 1), 0);
    EXPECT_EQ(fold_ints(ExprKind::Max, UInt(64), -1, 1), -1);
    EXPECT_EQ(fold_ints(ExprKind::Min, Int(64), -1, 1), -1);
}

TEST(Fold, FloatsRoundOnceInTheirType) {
    EXPECT_EQ(fold_floats(ExprKind::Add, Float(32), 16777216, 1), 16777216);
    EXPECT_EQ(fold_floats(ExprKind::Add, Float(64), 16777216, 1), 16777217);
    EXPECT_EQ(fold_floats(ExprKind::Add, Float(16), 2048, 1), 2048);
    EXPECT_EQ(fold_floats(ExprKind::Mul, Float(16), 300, 300), HUGE_VAL);
    EXPECT_EQ(fold_floats(ExprKind::Add, BFloat(16), 256, 1), 256);
    EXPECT_EQ(fold_floats(ExprKind::Mod, Float(32), -7, 3), 2);
    EXPECT_TRUE(std::signbit(fold_floats(ExprKind::Min, Float(32), 0.0, -0.0)));
    EXPECT_TRUE(std::isnan(fold_floats(ExprKind::Min, Float(32), 1, NAN)));
    EXPECT_EQ(fold_floats(ExprKind::Min, Float(32), NAN, 1), 1);
    EXPECT_EQ(
        fold_fma(float_scalar(Float(32), 16777217), float_scalar(Float(32), 1), float_scalar(Float(32), 1)).as_float(),
        16777216);
}

TEST(Fold, FloatToIntegerSaturates) {
    auto to = [](Type type, double value) { return fold_cast(type, float_scalar(Float(64), value)); };
    EXPECT_EQ(to(Int(8), 1e9).as_int(), 127);
    EXPECT_EQ(to(Int(8), -1e9).as_int(), -128);
    EXPECT_EQ(to(Int(8), -128.9).as_int(), -128);
    EXPECT_EQ(to(UInt(8), -0.9).as_int(), 0);
    EXPECT_EQ(to(UInt(8), -5).as_int(), 0);
    EXPECT_EQ(to(Int(32), NAN).as_int(), 0);
    EXPECT_EQ(to(Int(64), 0x1p63).as_int(), INT64_MAX);
    EXPECT_EQ(to(Int(64), -0x1p63).as_int(), INT64_MIN);
    EXPECT_EQ(to(UInt(64), 0x1p64).as_uint(), UINT64_MAX);
    EXPECT_EQ(to(UInt(64), HUGE_VAL).as_uint(), UINT64_MAX);
    EXPECT_EQ(to(UInt(64), 0x1.8p63).as_uint(), uint64_t{3} << 62);
    EXPECT_EQ(to(Bool(), NAN).as_int(), 1);
    EXPECT_EQ(to(Bool(), -0.0).as_int(), 0);
}

TEST(Fold, IntegerToFloatRoundsOnce) {
    // Through float32 these would round twice.
    EXPECT_EQ(fold_cast(Float(16), int_scalar(Int(32), 2049)).as_float(), 2048);
    EXPECT_EQ(fold_cast(Float(32), int_scalar(Int(64), (int64_t{1} << 53) + 1)).as_float(), 0x1p53);
    EXPECT_EQ(fold_cast(Float(32), uint_scalar(UInt(64), UINT64_MAX)).as_float(), 0x1p64);
    EXPECT_EQ(fold_cast(Float(64), int_scalar(Int(64), INT64_MAX)).as_float(), 0x1p63);
    EXPECT_EQ(fold_cast(BFloat(16), int_scalar(Int(64), (int64_t{257} << 40) + 1)).as_float(), std::ldexp(258, 40));
}

TEST(Fold, SaturatingCastClamps) {
    EXPECT_EQ(fold_saturating_cast(UInt(8), int_scalar(Int(32), -5)).as_int(), 0);
    EXPECT_EQ(fold_saturating_cast(UInt(8), int_scalar(Int(32), 500)).as_int(), 255);
    EXPECT_EQ(fold_saturating_cast(Int(8), uint_scalar(UInt(64), UINT64_MAX)).as_int(), 127);
    EXPECT_EQ(fold_saturating_cast(Int(64), uint_scalar(UInt(64), UINT64_MAX)).as_int(), INT64_MAX);
    EXPECT_EQ(fold_saturating_cast(Bool(), int_scalar(Int(32), -5)).as_int(), 0);
    EXPECT_EQ(fold_saturating_cast(Bool(), float_scalar(Float(32), 0.5)).as_int(), 0);
}

TEST(Fold, ReinterpretKeepsBits) {
    EXPECT_EQ(fold_reinterpret(UInt(32), float_scalar(Float(32), 1.0)).as_uint(), 0x3F800000u);
    EXPECT_EQ(fold_reinterpret(Float(16), uint_scalar(UInt(16), 0x3C00)).as_float(), 1.0);
    EXPECT_EQ(fold_reinterpret(Int(8), uint_scalar(UInt(8), 255)).as_int(), -1);
    EXPECT_EQ(fold_reinterpret(UInt(16), float_scalar(BFloat(16), -2.0)).as_uint(), 0xC000u);
}

TEST(Fold, CountsBitsInTheWidth) {
    EXPECT_EQ(fold_unary(ExprKind::CountLeadingZeros, int_scalar(Int(8), 1))->as_int(), 7);
    EXPECT_EQ(fold_unary(ExprKind::CountLeadingZeros, int_scalar(UInt(16), 0))->as_int(), 16);
    EXPECT_EQ(fold_unary(ExprKind::CountTrailingZeros, int_scalar(Int(32), 0))->as_int(), 32);
    EXPECT_EQ(fold_unary(ExprKind::CountOnes, int_scalar(Int(8), -1))->as_int(), 8);
}

/// Vectors fold only where all lanes are equal, and only pure scalar operations fold.
TEST(Fold, Nodes) {
    const Expr three = ir::make_int(Int(32, 4), 3);
    EXPECT_TRUE(ir::equal(fold(ir::add(three, three)), ir::make_int(Int(32, 4), 6)));
    EXPECT_FALSE(fold(ir::make_ramp(Expr(1), Expr(2), 4)).defined());
    EXPECT_FALSE(fold(ir::add(ir::make_var(Int(32), ir::Symbol(ir::SymbolKind::Var, "x")), Expr(1))).defined());
    const Expr angle[] = {Expr(1.0f)};
    EXPECT_FALSE(fold(ir::make_math(ir::MathOp::Sin, angle)).defined());
    const Expr nine[] = {Expr(9.0f)};
    EXPECT_TRUE(ir::equal(fold(ir::make_math(ir::MathOp::Sqrt, nine)), Expr(3.0f)));
}

} // namespace

} // namespace fold_test
