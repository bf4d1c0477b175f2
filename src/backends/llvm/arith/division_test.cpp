// Vectors of floats divided by constants, as machine code, against the scalar division of the interpreter: where all
// lanes are multiplied, where some are too small for that, and where they come from integers; and small integers, which
// are multiplied as floats.

#include "backends/llvm/test_support.h"
#include "interpret/scalar.h"
#include "ir/test_targets.h"
#include "support/test_text.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace fluorite::backends::division_test {
namespace {

using namespace ir;
using interpret::Cell;

constexpr int elements = 240; // a multiple of 16 and of 5

/// What the lanes of a test hold.
enum class Lanes { Ordinary, SomeSmall, Integers };

std::vector<double> values_of(Lanes kind, Type type, std::mt19937_64 &random) {
    const int most = type.bits() == 64 ? 900 : type.bits() == 32 || type.is_bfloat() ? 100 : 14;
    const int least = type.bits() == 64 ? -1074 : type.bits() == 32 ? -149 : -24;
    std::uniform_real_distribution<double> mantissa(1, 2);
    std::uniform_int_distribution<int> exponent(kind == Lanes::SomeSmall ? least : -14,
                                                kind == Lanes::SomeSmall ? least + 50 : most);
    std::vector<double> values{0.0, -0.0, HUGE_VAL, -HUGE_VAL, std::nan(""), 1.0, -1.0};
    while (values.size() < elements) {
        values.push_back(std::ldexp(random() % 2 == 0 ? mantissa(random) : -mantissa(random), exponent(random)));
    }
    return values;
}

/// The machine code's quotients of all elements by the divisor, in vectors of so many lanes.
void compare(Lanes kind, Type type, double divisor, int lanes, const Target &target) {
    const Type stored = kind == Lanes::Integers ? Int(32) : type;
    const Expr base = mul(loop_var("i"), Expr(lanes));
    const Expr index = lanes == 1 ? base : dense(base, lanes);
    const Expr element = load(stored.with_lanes(lanes), "in", index);
    const Expr dividend = kind == Lanes::Integers ? make_cast(type.with_lanes(lanes), element) : element;
    const Expr by = make_float(type.with_lanes(lanes), divisor);
    const LoweredFunc func{
        "divide",
        {input_arg("in", stored, 1), output_arg("out", type, 1)},
        serial("i", Expr(0), Expr(elements / lanes), store("out", make_binary(ExprKind::Div, dividend, by), index))};
    TestBuffer in(stored, {elements}), out(type, {elements});
    std::mt19937_64 random(static_cast<uint64_t>(lanes));
    std::vector<double> values = values_of(kind, type, random);
    std::vector<Cell> cells;
    for (int i = 0; i < elements; i++) {
        const Cell cell = kind == Lanes::Integers
                              ? interpret::cell_of_int(stored, i < 120 ? i - 60 : static_cast<int64_t>(random()))
                              : interpret::cell_of_float(type, values[static_cast<size_t>(i)]);
        interpret::store_element(in.data<uint8_t>() + i * stored.bytes(), stored, cell);
        cells.push_back(kind == Lanes::Integers ? interpret::find_cast(stored, type)(cell) : cell);
    }
    const auto code = compile_jit(func, target);
    ASSERT_EQ(run(*code, {&in, &out}), 0);
    const auto function = interpret::find_binary(ExprKind::Div, type);
    const auto is_nan = interpret::find_math_unary(MathOp::IsNan, type);
    const Cell divisor_cell = interpret::cell_of_float(type, divisor);
    for (int i = 0; i < elements; i++) {
        const Cell got = interpret::find_loader(type)(out.data<uint8_t>() + i * type.bytes());
        const Cell expected = function(cells[static_cast<size_t>(i)], divisor_cell);
        ASSERT_TRUE(got == expected || (is_nan(got) && is_nan(expected)))
            << to_string(type) << " x" << lanes << " by " << divisor << ", element " << i << ": " << std::hex
            << cells[static_cast<size_t>(i)] << " gives " << got << ", expected " << expected;
    }
}

TEST(DivisionByConstants, OfVectorsOfFloatsIsExact) {
    const Target plain = Target(Target::Linux, Target::X86, 64);
    const Target fused = plain.with_feature(Target::AVX2).with_feature(Target::FMA).with_feature(Target::F16C);
    for (const Target &target : that_run_here({plain, fused, get_host_target()})) {
        for (const Type type : {Float(32), Float(64), Float(16), BFloat(16)}) {
            for (const Lanes kind : {Lanes::Ordinary, Lanes::SomeSmall, Lanes::Integers}) {
                for (const double divisor : {7.0, -0.1, 65535.0, 1e-30, 0.25, 0.0, HUGE_VAL}) {
                    compare(kind, type, divisor, divisor == 7.0 ? 5 : 16, target);
                }
            }
        }
    }
    if (runs_here(fused)) {
        compare(Lanes::Ordinary, Float(32), 3, 4, fused);
        compare(Lanes::Ordinary, Float(64), 3, 2, fused);
    }
    compare(Lanes::SomeSmall, Float(32), -27, 48, get_host_target());
}

/// Vectors are divided by the instruction only where lanes are small: once, in a block that is seldom reached; integers
/// never are.
TEST(DivisionByConstants, OfVectorsMultiplies) {
    const Target fused = Target(Target::Linux, Target::X86, 64).with_feature(Target::AVX2).with_feature(Target::FMA);
    const auto text = [&](const Expr &dividend, const Target &target) {
        const LoweredFunc func{
            "divide",
            {input_arg("in", Float(32), 1), input_arg("counts", Int(32), 1), output_arg("out", Float(32), 1)},
            store("out", make_binary(ExprKind::Div, dividend, make_float(dividend.type(), 9)),
                  dense(Expr(0), dividend.type().lanes()))};
        return compile_to_text(func, target, OutputKind::Assembly);
    };
    const Expr floats = load(Float(32, 8), "in", dense(Expr(0), 8));
    const Expr integers = make_cast(Float(32, 8), load(Int(32, 8), "counts", dense(Expr(0), 8)));
    EXPECT_EQ(count(text(floats, fused), "vdivps"), 1U);
    EXPECT_EQ(count(text(floats, fused), "vfmadd"), 1U);
    EXPECT_EQ(count(text(integers, fused), "vdivps"), 0U);
    EXPECT_EQ(count(text(integers, fused), "vfmadd"), 1U);
    EXPECT_EQ(count(text(floats, fused.without_feature(Target::FMA)), "vfmadd"), 0U);
}

/// Lanes of 32 bits of which the upper ones are 0.
Expr small_lanes(Type type, int bits, const Expr &index) {
    return make_binary(ExprKind::BitAnd, load(type, "in", index), make_int(type, (int64_t{1} << bits) - 1));
}

void compare_small(ExprKind kind, Type type, int64_t divisor, const Target &target) {
    constexpr int lanes = 16, all = 1 << 14;
    const Expr index = dense(mul(loop_var("i"), Expr(lanes)), lanes);
    const Type wide = type.with_lanes(lanes);
    const LoweredFunc func{
        "divide",
        {input_arg("in", type, 1), output_arg("out", type, 1)},
        serial("i", Expr(0), Expr(all / lanes),
               store("out", make_binary(kind, small_lanes(wide, 22, index), make_int(wide, divisor)), index))};
    TestBuffer in(type, {all}), out(type, {all});
    const int64_t step = std::abs(divisor), most = (1 << 22) - 1;
    for (int i = 0; i < all;
         i++) { // below and at a multiple by turns, first the greatest ones; then the greatest values
        const int64_t multiple = most / step - i / 2;
        const int64_t value = multiple > 0 ? multiple * step - i % 2 : most - i;
        in.data<int32_t>()[i] = static_cast<int32_t>(value);
    }
    const auto code = compile_jit(func, target);
    ASSERT_EQ(run(*code, {&in, &out}), 0);
    const auto function = interpret::find_binary(kind, type);
    const Cell by = interpret::cell_of_int(type, divisor);
    for (int i = 0; i < all; i++) {
        const int64_t value = in.data<int32_t>()[i];
        ASSERT_EQ(interpret::find_loader(type)(out.data<uint8_t>() + i * type.bytes()),
                  function(interpret::cell_of_int(type, value), by))
            << to_string(type) << ": " << value << " by " << divisor;
    }
}

// Lanes of 32 bits that are known to be small are multiplied as floats.
TEST(DivisionByConstants, OfSmallLanesIsExact) {
    const Target plain = Target(Target::Linux, Target::X86, 64);
    for (const Target &target : that_run_here({plain, plain.with_feature(Target::AVX2), get_host_target()})) {
        for (const int64_t divisor : {3, 7, 9, 641, 65535, 262143, 2097151, 4194303, 4194305, 2147483647}) {
            compare_small(ExprKind::Div, UInt(32), divisor, target);
        }
        for (const ExprKind kind : {ExprKind::Div, ExprKind::Mod, ExprKind::Quotient, ExprKind::Remainder}) {
            compare_small(kind, Int(32), 9, target);
            compare_small(kind, Int(32), -65537, target);
        }
        compare_small(ExprKind::Mod, UInt(32), 10, target);
    }
}

TEST(DivisionByConstants, OfSmallLanesMultipliesFloats) {
    const auto multiplications = [](const Expr &dividend) {
        const Type type = dividend.type();
        const LoweredFunc func{
            "divide",
            {input_arg("in", UInt(32), 1), output_arg("out", UInt(32), 1)},
            store("out", make_binary(ExprKind::Div, dividend, make_int(type, 3)), dense(Expr(0), type.lanes()))};
        const Target target = Target(Target::Linux, Target::X86, 64).with_feature(Target::AVX2);
        return count(compile_to_text(func, target, OutputKind::Assembly), "vmulps");
    };
    const Expr index = dense(Expr(0), 8);
    EXPECT_EQ(multiplications(small_lanes(UInt(32, 8), 22, index)), 1U);
    EXPECT_EQ(multiplications(small_lanes(UInt(32, 8), 23, index)), 0U);
    EXPECT_EQ(multiplications(small_lanes(UInt(32), 22, Expr(0))), 0U);
}

} // namespace
} // namespace fluorite::backends::division_test
