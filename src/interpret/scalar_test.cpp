// Scalars: compares all pairs of 8-bit integers and random wider ones with 128-bit arithmetic, and floats with the
// machine's.

#include "interpret/scalar.h"

#include "fluorite/float16.h"
#include "fluorite/runtime/math.h"

#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <random>

namespace fluorite::interpret::scalar_test {
namespace {

using ir::ExprKind;
__extension__ using Wide = __int128;

/// Wraps any integer into a cell of an integer type of `bits` bits.
Cell cell_of(Wide value, Type type) {
    const Wide modulus = Wide{1} << type.bits();
    Wide rest = value % modulus;
    rest = rest < 0 ? rest + modulus : rest;
    if (type.is_int() && rest >= modulus / 2) {
        rest -= modulus;
    }
    return static_cast<Cell>(rest);
}

Wide value_of(Cell cell, Type type) { return type.is_int() ? Wide{static_cast<int64_t>(cell)} : Wide{cell}; }

const Type integer_types[] = {Int(8), Int(16), Int(32), Int(64), UInt(8), UInt(16), UInt(32), UInt(64), Bool()};

/// All values of 8-bit types; corner cases and random values of wider ones.
std::vector<Wide> values(Type type) {
    const Wide low = type.is_int() ? -(Wide{1} << (type.bits() - 1)) : Wide{0};
    const Wide high = low + (Wide{1} << type.bits()) - 1;
    std::vector<Wide> result;
    if (type.bits() <= 8) {
        for (Wide a = low; a <= high; a++) {
            result.push_back(a);
        }
        return result;
    }
    result = {low, low + 1, Wide{0}, Wide{1}, Wide{2}, Wide{7}, high / 2, high - 1, high};
    if (type.is_int()) {
        result.push_back(-1);
        result.push_back(-7);
    }
    std::mt19937_64 random(static_cast<uint64_t>(type.bits()));
    for (int i = 0; i < 60; i++) {
        result.push_back(
            value_of(cell_of(Wide{random()} >> random() % static_cast<unsigned>(type.bits()), type), type));
    }
    return result;
}

std::vector<std::pair<Wide, Wide>> pairs(Type type) {
    std::vector<std::pair<Wide, Wide>> result;
    for (Wide a : values(type)) {
        for (Wide b : values(type)) {
            result.emplace_back(a, b);
        }
    }
    return result;
}

Wide floor_div(Wide a, Wide b) {
    const Wide q = a / b;
    return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}
/// Euclidean: the remainder lies in [0, |b|).
Wide euclid_mod(Wide a, Wide b) {
    const Wide size = b < 0 ? -b : b;
    return a - floor_div(a, size) * size;
}
Wide expected_binary(ExprKind kind, Wide a, Wide b) {
    switch (kind) {
    case ExprKind::Add:
        return a + b;
    case ExprKind::Sub:
        return a - b;
    case ExprKind::Mul:
        return static_cast<Wide>(static_cast<unsigned __int128>(a) * static_cast<unsigned __int128>(b));
    case ExprKind::Div:
        return b == 0 ? Wide{0} : (a - euclid_mod(a, b)) / b;
    case ExprKind::Mod:
        return b == 0 ? Wide{0} : euclid_mod(a, b);
    case ExprKind::Quotient:
        return b == 0 ? Wide{0} : a / b;
    case ExprKind::Remainder:
        return b == 0 ? Wide{0} : a % b;
    case ExprKind::Min:
        return a < b ? a : b;
    case ExprKind::Max:
        return a > b ? a : b;
    case ExprKind::BitAnd:
        return a & b;
    case ExprKind::BitOr:
        return a | b;
    case ExprKind::BitXor:
        return a ^ b;
    default:
        ADD_FAILURE();
        return 0;
    }
}

TEST(Scalar, IntegerArithmetic) {
    for (Type type : integer_types) {
        for (ExprKind kind :
             {ExprKind::Add, ExprKind::Sub, ExprKind::Mul, ExprKind::Div, ExprKind::Mod, ExprKind::Quotient,
              ExprKind::Remainder, ExprKind::Min, ExprKind::Max, ExprKind::BitAnd, ExprKind::BitOr, ExprKind::BitXor}) {
            const Binary function = find_binary(kind, type);
            ASSERT_NE(function, nullptr);
            for (const auto &[a, b] : pairs(type)) {
                ASSERT_EQ(function(cell_of(a, type), cell_of(b, type)), cell_of(expected_binary(kind, a, b), type))
                    << ir::kind_name(kind) << " of " << to_string(type) << " " << static_cast<int64_t>(a) << ", "
                    << static_cast<int64_t>(b);
            }
        }
    }
}

TEST(Scalar, EuclideanDivisionByHand) {
    const Binary div = find_binary(ExprKind::Div, Int(8)), mod = find_binary(ExprKind::Mod, Int(8));
    const auto cell = [](int value) { return cell_of(value, Int(8)); };
    EXPECT_EQ(div(cell(-7), cell(2)), cell(-4));
    EXPECT_EQ(mod(cell(-7), cell(2)), cell(1));
    EXPECT_EQ(div(cell(-7), cell(-2)), cell(4));
    EXPECT_EQ(mod(cell(-7), cell(-2)), cell(1));
    EXPECT_EQ(div(cell(7), cell(-2)), cell(-3));
    EXPECT_EQ(mod(cell(7), cell(-2)), cell(1));
    EXPECT_EQ(div(cell(-128), cell(-1)), cell(-128));
    EXPECT_EQ(mod(cell(-128), cell(-1)), cell(0));
    EXPECT_EQ(div(cell(5), cell(0)), cell(0));
    EXPECT_EQ(mod(cell(5), cell(0)), cell(0));
}

TEST(Scalar, IntegerComparisonsAndDistances) {
    for (Type type : integer_types) {
        const Type distance = type.is_int() ? type.with_code(TypeCode::UInt) : type;
        for (const auto &[a, b] : pairs(type)) {
            const Cell ca = cell_of(a, type), cb = cell_of(b, type);
            ASSERT_EQ(find_binary(ExprKind::EQ, type)(ca, cb), Cell{a == b});
            ASSERT_EQ(find_binary(ExprKind::NE, type)(ca, cb), Cell{a != b});
            ASSERT_EQ(find_binary(ExprKind::LT, type)(ca, cb), Cell{a < b});
            ASSERT_EQ(find_binary(ExprKind::LE, type)(ca, cb), Cell{a <= b});
            ASSERT_EQ(find_binary(ExprKind::GT, type)(ca, cb), Cell{a > b});
            ASSERT_EQ(find_binary(ExprKind::GE, type)(ca, cb), Cell{a >= b});
            ASSERT_EQ(find_binary(ExprKind::AbsDiff, type)(ca, cb), cell_of(a < b ? b - a : a - b, distance));
            ASSERT_EQ(find_unary(ExprKind::Abs, type)(ca), cell_of(a < 0 ? -a : a, distance));
            ASSERT_EQ(find_unary(ExprKind::BitNot, type)(ca), cell_of(-1 - a, type));
        }
    }
}

TEST(Scalar, ShiftsByAnyAmount) {
    for (Type type : integer_types) {
        if (type.is_bool()) {
            continue;
        }
        for (Type amount_type : {type.with_code(TypeCode::Int), type.with_code(TypeCode::UInt)}) {
            const Binary left = find_shift(ExprKind::ShiftLeft, type, amount_type);
            const Binary right = find_shift(ExprKind::ShiftRight, type, amount_type);
            for (Wide a : values(type)) {
                for (Wide raw = -140; raw < 140; raw++) {
                    const Wide amount = value_of(cell_of(raw, amount_type), amount_type);
                    const bool far = amount > 100 || amount < -100;
                    const int n = far ? 100 : static_cast<int>(amount < 0 ? -amount : amount);
                    const Wide bigger = n >= type.bits() ? Wide{0} : a * (Wide{1} << n);
                    const Wide smaller = floor_div(a, Wide{1} << n);
                    ASSERT_EQ(left(cell_of(a, type), cell_of(amount, amount_type)),
                              cell_of(amount < 0 ? smaller : bigger, type));
                    ASSERT_EQ(right(cell_of(a, type), cell_of(amount, amount_type)),
                              cell_of(amount < 0 ? bigger : smaller, type));
                }
            }
        }
    }
}

TEST(Scalar, BitCounts) {
    for (Type type : integer_types) {
        for (Wide a : values(type)) {
            const Cell cell = cell_of(a, type);
            int ones = 0, leading = 0, trailing = 0;
            for (int bit = 0; bit < type.bits(); bit++) {
                ones += static_cast<int>(cell >> bit & 1);
                leading = (cell >> bit & 1) != 0 ? 0 : leading + 1;
                trailing += trailing == bit && (cell >> bit & 1) == 0 ? 1 : 0;
            }
            ASSERT_EQ(find_unary(ExprKind::CountOnes, type)(cell), cell_of(ones, type));
            ASSERT_EQ(find_unary(ExprKind::CountLeadingZeros, type)(cell), cell_of(leading, type));
            ASSERT_EQ(find_unary(ExprKind::CountTrailingZeros, type)(cell), cell_of(trailing, type));
        }
    }
}

TEST(Scalar, IntegerCastsWrapOrSaturate) {
    for (Type from : integer_types) {
        for (Type to : integer_types) {
            const Wide low = to.is_int() ? -(Wide{1} << (to.bits() - 1)) : Wide{0};
            const Wide high = low + (Wide{1} << to.bits()) - 1;
            for (Wide a : values(from)) {
                const Cell cell = cell_of(a, from);
                const Cell wrapped = to.is_bool() ? Cell{a != 0} : cell_of(a, to);
                ASSERT_EQ(find_cast(from, to)(cell), wrapped);
                ASSERT_EQ(find_saturating_cast(from, to)(cell), cell_of(a < low ? low : (a > high ? high : a), to));
                if (from.bits() == to.bits()) {
                    ASSERT_EQ(find_reinterpret(from, to)(cell), cell_of(a, to));
                }
            }
        }
    }
}

// ---- Floats.

Cell cell_of(float value) { return std::bit_cast<uint32_t>(value); }
Cell cell_of(double value) { return std::bit_cast<uint64_t>(value); }
constexpr float infinity = std::numeric_limits<float>::infinity();
const float quiet = std::numeric_limits<float>::quiet_NaN();

TEST(Scalar, FloatToIntegerTruncatesAndSaturates) {
    const auto cast = [](float value, Type to) { return find_cast(Float(32), to)(cell_of(value)); };
    EXPECT_EQ(cast(2.9F, Int(8)), 2U);
    EXPECT_EQ(cast(-2.9F, Int(8)), cell_of(Wide{-2}, Int(8)));
    EXPECT_EQ(cast(128.0F, Int(8)), 127U);
    EXPECT_EQ(cast(-1000.0F, Int(8)), cell_of(Wide{-128}, Int(8)));
    EXPECT_EQ(cast(-0.9F, UInt(8)), 0U);
    EXPECT_EQ(cast(-5.0F, UInt(16)), 0U);
    EXPECT_EQ(cast(3e9F, Int(32)), 0x7FFFFFFFU);
    EXPECT_EQ(cast(3e9F, UInt(32)), 3000000000U);
    EXPECT_EQ(cast(infinity, Int(64)), 0x7FFFFFFFFFFFFFFFU);
    EXPECT_EQ(cast(-infinity, Int(64)), 0x8000000000000000U);
    EXPECT_EQ(cast(0x1p63F, Int(64)), 0x7FFFFFFFFFFFFFFFU);
    EXPECT_EQ(cast(0x1p63F, UInt(64)), 0x8000000000000000U);
    EXPECT_EQ(cast(1e30F, UInt(64)), UINT64_MAX);
    for (Type to : integer_types) {
        EXPECT_EQ(cast(quiet, to), to.is_bool() ? 1U : 0U) << to_string(to);
        EXPECT_EQ(find_saturating_cast(Float(32), to)(cell_of(quiet)), 0U) << to_string(to);
    }
    EXPECT_EQ(cast(0.25F, Bool()), 1U);
    EXPECT_EQ(cast(-0.0F, Bool()), 0U);
    EXPECT_EQ(find_saturating_cast(Float(32), Bool())(cell_of(0.25F)), 0U);
    EXPECT_EQ(find_saturating_cast(Float(32), Bool())(cell_of(9.0F)), 1U);
    EXPECT_EQ(find_cast(Float(64), Int(32))(cell_of(2147483647.9)), 0x7FFFFFFFU);
    EXPECT_EQ(find_cast(Float(16), UInt(16))(float16_t(60000.0F).to_bits()), 60000U);
}

TEST(Scalar, IntegerToFloatRoundsOnceToNearestEven) {
    EXPECT_EQ(find_cast(Int(32), Float(32))(cell_of(Wide{16777217}, Int(32))), cell_of(16777216.0F));
    EXPECT_EQ(find_cast(UInt(64), Float(32))(UINT64_MAX), cell_of(0x1p64F));
    EXPECT_EQ(find_cast(UInt(64), Float(64))(0xFFFFFFFFFFFFFC00U), cell_of(0x1p64));               // a tie
    EXPECT_EQ(find_cast(UInt(64), Float(64))(0xFFFFFFFFFFFFF400U), cell_of(0x1.ffffffffffffep63)); // a tie
    EXPECT_EQ(find_cast(Int(32), Float(16))(2049), float16_t(2048.0F).to_bits());
    // Halfway between two values of the type once the last bit is cut off: rounding to float32 first would lose it.
    EXPECT_EQ(find_cast(Int(64), BFloat(16))((Wide{257} << 32) + 1), bfloat16_t(258.0F * 0x1p32F).to_bits());
    EXPECT_EQ(find_cast(Float(64), Float(16))(cell_of(1.0 + 0x1p-11 + 0x1p-40)), 0x3C01U);
    EXPECT_EQ(find_cast(Float(64), Float(16))(cell_of(1.0 + 0x1p-11)), 0x3C00U);
    EXPECT_EQ(find_cast(Bool(), Float(32))(1), cell_of(1.0F));
}

TEST(Scalar, FloatArithmeticIsTheMachines) {
    std::mt19937 random(4);
    for (int i = 0; i < 20000; i++) {
        const float a = std::bit_cast<float>(static_cast<uint32_t>(random()));
        const float b = std::bit_cast<float>(static_cast<uint32_t>(random()));
        if (std::isnan(a) || std::isnan(b)) {
            continue;
        }
        const auto expect = [&](ExprKind kind, float value) {
            const Cell cell = find_binary(kind, Float(32))(cell_of(a), cell_of(b));
            if (std::isnan(value)) {
                EXPECT_TRUE(std::isnan(std::bit_cast<float>(static_cast<uint32_t>(cell))));
            } else {
                EXPECT_EQ(cell, cell_of(value)) << ir::kind_name(kind) << " " << a << " " << b;
            }
        };
        expect(ExprKind::Add, a + b);
        expect(ExprKind::Sub, a - b);
        expect(ExprKind::Mul, a * b);
        expect(ExprKind::Div, a / b);
        expect(ExprKind::Mod, a - b * std::floor(a / b));
        expect(ExprKind::AbsDiff, std::fabs(a - b));
    }
    EXPECT_EQ(find_fma(Float(32))(cell_of(1.0F + 0x1p-23F), cell_of(1.0F - 0x1p-23F), cell_of(-1.0F)),
              cell_of(-0x1p-46F));
}

TEST(Scalar, MinAndMaxAreTheStatedComparison) {
    const Binary min = find_binary(ExprKind::Min, Float(32)), max = find_binary(ExprKind::Max, Float(32));
    const Cell nan = cell_of(quiet), one = cell_of(1.0F), zero = cell_of(0.0F), minus_zero = cell_of(-0.0F);
    EXPECT_EQ(min(nan, one), one); // nan < 1 is false: b
    EXPECT_EQ(min(one, nan), nan);
    EXPECT_EQ(max(nan, one), one);
    EXPECT_EQ(max(one, nan), nan);
    EXPECT_EQ(min(zero, minus_zero), minus_zero);
    EXPECT_EQ(min(minus_zero, zero), zero);
    EXPECT_EQ(max(zero, minus_zero), minus_zero);
}

TEST(Scalar, ComparisonsOfNanAreFalseButForNotEqual) {
    for (ExprKind kind : {ExprKind::EQ, ExprKind::LT, ExprKind::LE, ExprKind::GT, ExprKind::GE}) {
        EXPECT_EQ(find_binary(kind, Float(32))(cell_of(quiet), cell_of(1.0F)), 0U);
        EXPECT_EQ(find_binary(kind, Float(16))(float16_t::make_nan().to_bits(), 0x3C00), 0U);
    }
    EXPECT_EQ(find_binary(ExprKind::NE, Float(32))(cell_of(quiet), cell_of(quiet)), 1U);
}

TEST(Scalar, SixteenBitFloatsRoundEachOperation) {
    const auto h = [](float value) { return Cell{float16_t(value).to_bits()}; };
    const auto b = [](float value) { return Cell{bfloat16_t(value).to_bits()}; };
    EXPECT_EQ(find_binary(ExprKind::Add, Float(16))(h(2048), h(1)), h(2048));
    EXPECT_EQ(find_binary(ExprKind::Mul, Float(16))(h(300), h(300)), h(infinity));
    EXPECT_EQ(find_binary(ExprKind::Div, BFloat(16))(b(1), b(3)), b(1.0F / 3.0F));
    EXPECT_EQ(find_binary(ExprKind::AbsDiff, BFloat(16))(b(1), b(3)), b(2));
    EXPECT_EQ(find_unary(ExprKind::Abs, Float(16))(h(-0.0F)), h(0.0F));
    EXPECT_EQ(find_fma(Float(16))(h(2048), h(1), h(1)), h(2048));
    EXPECT_EQ(find_fma(Float(16))(h(1.0F + 0x1p-10F), h(1.0F + 0x1p-10F), h(-1)), h(0x1p-9F));
    EXPECT_EQ(find_math_unary(ir::MathOp::Exp, Float(16))(h(1.5F)), h(expf(1.5F)));
    EXPECT_EQ(find_math_unary(ir::MathOp::IsInf, BFloat(16))(b(infinity)), 1U);
    EXPECT_EQ(find_math_binary(ir::MathOp::Pow, BFloat(16))(b(3), b(2)), b(9));
}

TEST(Scalar, EveryMathOpHasItsFunction) {
    const float x = 0.75F, y = 0.5F;
#define FLUORITE_MATH(op, text, arity, ...)                                                                            \
    for (Type type : {Float(16), BFloat(16), Float(32), Float(64)}) {                                                  \
        const ir::MathOp name = ir::MathOp::op;                                                                        \
        EXPECT_EQ(find_math_unary(name, type) != nullptr, arity == 1) << text;                                         \
        EXPECT_EQ(find_math_binary(name, type) != nullptr, arity == 2) << text;                                        \
        EXPECT_EQ(find_math_unary(name, Int(32)), nullptr) << text;                                                    \
    }
#include "ir/math_ops.def"
#undef FLUORITE_MATH
#define FLUORITE_EXPECT(op, name)                                                                                      \
    EXPECT_EQ(find_math_unary(ir::MathOp::op, Float(32))(cell_of(x)), cell_of(fluorite_##name##_f32(x)));              \
    EXPECT_EQ(find_math_unary(ir::MathOp::op, Float(64))(cell_of(double{x})), cell_of(fluorite_##name##_f64(x)))
    FLUORITE_EXPECT(Sqrt, sqrt);
    FLUORITE_EXPECT(Sin, sin);
    FLUORITE_EXPECT(Cos, cos);
    FLUORITE_EXPECT(Tan, tan);
    FLUORITE_EXPECT(Asin, asin);
    FLUORITE_EXPECT(Acos, acos);
    FLUORITE_EXPECT(Atan, atan);
    FLUORITE_EXPECT(Sinh, sinh);
    FLUORITE_EXPECT(Cosh, cosh);
    FLUORITE_EXPECT(Tanh, tanh);
    FLUORITE_EXPECT(Asinh, asinh);
    FLUORITE_EXPECT(Atanh, atanh);
    FLUORITE_EXPECT(Exp, exp);
    FLUORITE_EXPECT(Log, log);
    FLUORITE_EXPECT(Erf, erf);
    FLUORITE_EXPECT(Floor, floor);
    FLUORITE_EXPECT(Ceil, ceil);
    FLUORITE_EXPECT(Round, round);
    FLUORITE_EXPECT(Trunc, trunc);
    FLUORITE_EXPECT(FastLog, fast_log);
    FLUORITE_EXPECT(FastExp, fast_exp);
    FLUORITE_EXPECT(FastSin, fast_sin);
    FLUORITE_EXPECT(FastCos, fast_cos);
    FLUORITE_EXPECT(FastInverse, fast_inverse);
    FLUORITE_EXPECT(FastInverseSqrt, fast_inverse_sqrt);
#undef FLUORITE_EXPECT
    EXPECT_EQ(find_math_binary(ir::MathOp::Atan2, Float(32))(cell_of(x), cell_of(y)), cell_of(atan2f(x, y)));
    EXPECT_EQ(find_math_binary(ir::MathOp::Hypot, Float(32))(cell_of(x), cell_of(y)), cell_of(hypotf(x, y)));
    EXPECT_EQ(find_math_binary(ir::MathOp::FastPow, Float(32))(cell_of(x), cell_of(y)),
              cell_of(fluorite_fast_pow_f32(x, y)));
}

TEST(Scalar, ReinterpretKeepsTheBits) {
    EXPECT_EQ(find_reinterpret(Float(32), Int(32))(cell_of(-0.0F)), 0xFFFFFFFF80000000U);
    EXPECT_EQ(find_reinterpret(Int(32), Float(32))(0xFFFFFFFF80000000U), cell_of(-0.0F));
    EXPECT_EQ(find_reinterpret(BFloat(16), UInt(16))(0xBF80), 0xBF80U);
    EXPECT_EQ(find_reinterpret(Int(32), Int(64)), nullptr);
}

TEST(Scalar, ElementsInMemory) {
    const int8_t small = -3;
    EXPECT_EQ(find_loader(Int(8))(&small), static_cast<Cell>(int64_t{-3}));
    EXPECT_EQ(element_bits(static_cast<Cell>(int64_t{-3}), Int(8)), 0xFDU);
    const uint8_t odd_bool = 7;
    EXPECT_EQ(find_loader(Bool())(&odd_bool), 1U);
    uint16_t half = 0xFFFF;
    store_element(&half, Float(16), 0x3C00);
    EXPECT_EQ(half, 0x3C00);
}

TEST(Scalar, OperatorsRefuseTypesThatTheyHaveNoMeaningFor) {
    EXPECT_EQ(find_binary(ExprKind::BitAnd, Float(32)), nullptr);
    EXPECT_EQ(find_binary(ExprKind::Quotient, Float(32)), nullptr);
    EXPECT_EQ(find_binary(ExprKind::And, Int(32)), nullptr);
    EXPECT_EQ(find_binary(ExprKind::Add, Handle()), nullptr);
    EXPECT_EQ(find_unary(ExprKind::Not, UInt(8)), nullptr);
    EXPECT_EQ(find_unary(ExprKind::CountOnes, Float(64)), nullptr);
    EXPECT_EQ(find_fma(Int(32)), nullptr);
    EXPECT_EQ(find_shift(ExprKind::ShiftLeft, Int(32), Float(32)), nullptr);
}

} // namespace
} // namespace fluorite::interpret::scalar_test
