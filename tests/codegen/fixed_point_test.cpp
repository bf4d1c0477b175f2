// Fixed-point arithmetic in the forms that programs use: the instruction for each form, and the interpreter's values.

#include "driver/test_assembly.h"
#include "driver/test_interpreter.h"
#include "fluorite/fluorite.h"
#include "ir/test_targets.h"

#include <cstring>
#include <gtest/gtest.h>
#include <random>

namespace fluorite::fixed_point_test {
namespace {

using Spelling = Expr (*)(const Expr &a, const Expr &b);
/// An expression of two values of a type, the instruction it becomes, and one that must not remain.
struct Form {
    const char *name;
    Type type;
    Spelling expr;
    const char *becomes, *not_left;
};

Expr i8(const Expr &e) { return cast<int8_t>(e); }
Expr u8(const Expr &e) { return cast<uint8_t>(e); }
Expr i16(const Expr &e) { return cast<int16_t>(e); }
Expr u16(const Expr &e) { return cast<uint16_t>(e); }
Expr i32(const Expr &e) { return cast<int32_t>(e); }
Expr u32(const Expr &e) { return cast<uint32_t>(e); }

#define SPELLED(...) [](const Expr &a, [[maybe_unused]] const Expr &b) -> Expr { return __VA_ARGS__; }

const Form forms[] = {
    {"average_u8", UInt(8), SPELLED(u8((u16(a) + u16(b) + 1) / 2)), "vpavgb", "vpmovzx"},
    {"average_u8_in_32", UInt(8), SPELLED(u8((i32(a) + i32(b) + 1) >> 1)), "vpavgb", "vpmovzx"},
    {"average_u16", UInt(16), SPELLED(u16((u32(a) + u32(b) + 1) >> 1)), "vpavgw", "vpmovzx"},
    {"average_i8", Int(8), SPELLED(i8((i16(a) + i16(b) + 1) >> 1)), "vpavgb", "vpmovsx"},
    {"rounding_halving_add_u8", UInt(8), SPELLED(rounding_halving_add(a, b)), "vpavgb", "vpmovzx"},
    {"halving_add_u8", UInt(8), SPELLED(halving_add(a, b)), "vpand", "vpmovzx"},
    {"add_saturates_u8", UInt(8), SPELLED(u8(min(u16(a) + u16(b), 255))), "vpaddusb", "vpmovzx"},
    {"add_saturates_u8_in_int", UInt(8), SPELLED(u8(clamp(i32(a) + i32(b), 0, 255))), "vpaddusb", "vpmovzx"},
    {"add_saturates_constant", UInt(8), SPELLED(u8(min(u16(a) + 200, 255))), "vpaddusb", "vpmovzx"},
    {"add_saturates_u16", UInt(16), SPELLED(u16(min(u32(a) + u32(b), 65535))), "vpaddusw", "vpmovzx"},
    {"add_saturates_i16", Int(16), SPELLED(i16(clamp(i32(a) + i32(b), -32768, 32767))), "vpaddsw", "vpmovsx"},
    {"saturating_add_u8", UInt(8), SPELLED(saturating_add(a, b)), "vpaddusb", "vpmovzx"},
    {"saturating_add_i8", Int(8), SPELLED(saturating_add(a, b)), "vpaddsb", "vpmovsx"},
    {"sub_saturates_u8", UInt(8), SPELLED(u8(max(i16(a) - i16(b), 0))), "vpsubusb", "vpmovzx"},
    {"sub_saturates_u16", UInt(16), SPELLED(u16(max(i32(a) - i32(b), 0))), "vpsubusw", "vpmovzx"},
    {"sub_saturates_i8", Int(8), SPELLED(i8(clamp(i16(a) - i16(b), -128, 127))), "vpsubsb", "vpmovsx"},
    {"saturating_sub_u8", UInt(8), SPELLED(saturating_sub(a, b)), "vpsubusb", "vpmovzx"},
    {"saturating_sub_u16", UInt(16), SPELLED(saturating_sub(a, b)), "vpsubusw", "vpmovzx"},
    {"pack_u8", Int(16), SPELLED(u8(clamp(a, 0, 255))), "vpackuswb", "vpmaxsw"},
    {"pack_i8", Int(16), SPELLED(i8(clamp(a, -128, 127))), "vpacksswb", "vpmaxsw"},
    {"pack_i16", Int(32), SPELLED(i16(clamp(a, -32768, 32767))), "vpackssdw", "vpmaxsd"},
    {"pack_u16", Int(32), SPELLED(saturating_cast<uint16_t>(a)), "vpackusdw", "vpmaxsd"},
    {"pack_u8_of_i32", Int(32), SPELLED(saturating_cast<uint8_t>(a)), "vpackuswb", "vpmaxsd"},
    {"high_half_i16", Int(16), SPELLED(i16((i32(a) * i32(b)) >> 16)), "vpmulhw", "vpmulld"},
    {"high_half_u16", UInt(16), SPELLED(u16((u32(a) * u32(b)) >> 16)), "vpmulhuw", "vpmulld"},
    {"high_bits_i16", Int(16), SPELLED(i16((i32(a) * i32(b)) >> 19)), "vpmulhw", "vpmulld"},
    {"high_bits_u16", UInt(16), SPELLED(u16((u32(a) * u32(b)) >> 18)), "vpmulhuw", "vpmulld"},
    {"high_bits_constant", UInt(16), SPELLED(u16((u32(a) * 43691) >> 17)), "vpmulhuw", "vpmulld"},
    {"mul_shift_right_u16", UInt(16), SPELLED(mul_shift_right(a, b, 20)), "vpmulhuw", "vpmulld"},
    {"mul_shift_right_i16", Int(16), SPELLED(mul_shift_right(a, b, 17)), "vpmulhw", "vpmulld"},
    {"rounded_product", Int(16), SPELLED(i16((i32(a) * i32(b) + 16384) >> 15)), "vpmulhrsw", "vpmulld"},
    {"rounded_product_saturates", Int(16), SPELLED(saturating_cast<int16_t>((i32(a) * i32(b) + 16384) >> 15)),
     "vpmulhrsw", "vpmulld"},
    {"rounded_product_constant", Int(16), SPELLED(i16((i32(a) * -23170 + 16384) >> 15)), "vpmulhrsw", "vpmulld"},
    {"rounding_mul_shift_right_i16", Int(16), SPELLED(rounding_mul_shift_right(a, b, 15)), "vpmulhrsw", "vpmulld"},
    {"product_i16_in_32", Int(16), SPELLED(i32(a) * i32(b)), "vpmaddwd", "vpmulld"},
    {"product_i8_in_32", Int(8), SPELLED(i32(a) * i32(b)), "vpmaddwd", "vpmulld"},
    {"product_of_mixed_signs", Int(16), SPELLED(i32(a) * i32(u8(b))), "vpmaddwd", "vpmulld"},
    {"product_from_zero_points", UInt(8), SPELLED((i32(a) - 128) * (i32(b) - 120) + 7), "vpmaddwd", "vpmulld"},
    {"square_of_a_difference", Int(8), SPELLED((i32(a) - i32(b)) * (i32(a) - i32(b))), "vpmaddwd", "vpmulld"},
    {"difference_u8", UInt(8), SPELLED(absd(a, b)), "vpminub", "vpmovzx"},
    {"difference_u8_in_16", UInt(8), SPELLED(u8(abs(i16(a) - i16(b)))), "vpminub", "vpmovzx"},
    {"difference_u8_in_32", UInt(8), SPELLED(u8(absd(i32(a), i32(b)))), "vpminub", "vpmovzx"},
    {"difference_i8_in_32", Int(8), SPELLED(u8(abs(i32(a) - i32(b)))), "vpminsb", "vpmovsx"},
    {"difference_i16", Int(16), SPELLED(absd(a, b)), "vpminsw", "vpmovsx"},
    {"absolute_i16", Int(16), SPELLED(abs(a)), "vpabsw", "vpmaxsw"},
    // Expressions that resemble these forms: other limits than those of the type, products that wrap, different signs.
    {"other_limit", UInt(8), SPELLED(u8(min(u16(a) + u16(b), 256))), nullptr, nullptr},
    {"lower_limit", UInt(8), SPELLED(u8(clamp(i16(a) + i16(b), 20, 255))), nullptr, nullptr},
    {"limits_cross", UInt(8), SPELLED(u8(max(min(i16(a) - i16(b), 255), 300))), nullptr, nullptr},
    {"difference_below_0", UInt(8), SPELLED(u8(max(i16(a) - i16(b), -3))), nullptr, nullptr},
    {"difference_wraps", UInt(8), SPELLED(u8(min(u16(a) - u16(b), 255))), nullptr, nullptr},
    {"product_wraps", UInt(16), SPELLED(u16((i32(a) * i32(b)) >> 18)), nullptr, nullptr},
    {"unsigned_bits_of_signs", Int(16), SPELLED(u16((u32(a) * u32(b)) >> 18)), nullptr, nullptr},
    {"clamped_product", UInt(16), SPELLED(u16(min((u32(a) * u32(b)) >> 16, 40000))), nullptr, nullptr},
    {"product_u16_in_32", UInt(16), SPELLED(u32(a) * u32(b)), nullptr, nullptr},
    {"product_of_17_bits", Int(16), SPELLED((i32(a) - i32(b)) * (i32(b) + 3)), nullptr, nullptr},
    {"rounded_otherwise", Int(16), SPELLED(i16((i32(a) * i32(b) + 16385) >> 15)), nullptr, nullptr},
    {"rounded_unsigned", UInt(16), SPELLED(u16((u32(a) * u32(b) + 16384) >> 15)), nullptr, nullptr},
    {"rounded_into_unsigned", Int(16), SPELLED(saturating_cast<uint16_t>((i32(a) * i32(b) + 16384) >> 15)), nullptr,
     nullptr},
    {"difference_of_unsigned_signs", Int(8), SPELLED(absd(u32(a), u32(b))), nullptr, nullptr},
    {"difference_of_mixed_signs", Int(8), SPELLED(abs(i32(a) - i32(u8(b)))), nullptr, nullptr},
};

/// All pairs of special values, then random values.
void fill(Buffer<> &a, Buffer<> &b, Type type) {
    const int64_t half = int64_t{1} << (type.bits() - 1);
    const std::vector<int64_t> special = {0,        1,    2,        3,  127, 128,  255,  256,
                                          half - 1, half, half + 1, -1, -2,  -128, -129, 16384};
    std::mt19937_64 random(3);
    for (int i = 0; i < a.dim(0).extent(); i++) {
        const size_t at = static_cast<size_t>(i), n = special.size();
        const int64_t x = at < n * n ? special[at / n] : static_cast<int64_t>(random());
        const int64_t y = at < n * n ? special[at % n] : static_cast<int64_t>(random());
        const auto bytes = static_cast<size_t>(type.bytes());
        std::memcpy(a.data() + at * bytes, &x, bytes);
        std::memcpy(b.data() + at * bytes, &y, bytes);
    }
}

class FixedPoint : public testing::TestWithParam<Form> {};

TEST_P(FixedPoint, IsOneInstructionAndTheInterpretersValue) {
    const Form &form = GetParam();
    ImageParam a(form.type, 1, "a"), b(form.type, 1, "b");
    Func f(form.name);
    Var x("x");
    f(x) = form.expr(a(x), b(x));
    f.vectorize(x, 64);
    if (form.becomes) {
        const std::string text = assembly(f, "x86-64-linux-avx2");
        EXPECT_GE(count(text, form.becomes), 1U) << text;
        EXPECT_EQ(count(text, form.not_left), 0U) << text;
    }
    constexpr int size = 1024;
    Buffer<> in_a(form.type, size), in_b(form.type, size);
    fill(in_a, in_b, form.type);
    a.set(in_a);
    b.set(in_b);
    Buffer<> expected(f.type(), size);
    interpret_into(f, {expected.raw_buffer()}, false);
    for (const Target &target : that_run_here(
             {get_host_target(), Target("x86-64-linux-avx2"), Target("x86-64-linux-sse41"), Target("x86-64-linux")})) {
        Buffer<> is(f.type(), size);
        f.realize(is, target);
        EXPECT_EQ(std::memcmp(is.data(), expected.data(), is.size_in_bytes()), 0) << target.to_string();
    }
}

INSTANTIATE_TEST_SUITE_P(Forms, FixedPoint, testing::ValuesIn(forms),
                         [](const auto &info) { return std::string(info.param.name); });

TEST(FixedPointSums, RowsOfBytesAreAddedByEightsInOneRegister) {
    ImageParam in(UInt(8), 2, "in");
    Func sum("sum"), out("out");
    const Var y("y");
    const RDom r(0, 64, "r");
    sum(y) = cast<uint32_t>(0);
    sum(y) += cast<uint32_t>(in(r, y));
    out(y) = sum(y);
    sum.compute_at(out, y).update().atomic().vectorize(r, 16);
    const std::string text = assembly(out, "x86-64-linux-sse41");
    EXPECT_GE(count(text, "psadbw"), 1U) << text;
    EXPECT_EQ(count(text, "pmovzxbd"), 0U) << text;
}

TEST(FixedPointSums, BytesAreAddedByEights) {
    ImageParam a(UInt(8), 1, "a"), b(UInt(8), 1, "b");
    RDom r(0, 1024);
    Func sum("sum_of_bytes"), differences("sum_of_differences"), spelled("sum_of_spelled_differences");
    sum() = 0;
    sum() += i32(a(r));
    differences() = 0;
    differences() += i32(absd(a(r), b(r)));
    spelled() = 0;
    spelled() += i32(abs(i16(a(r)) - i16(b(r))));
    Buffer<> in_a(UInt(8), 1024), in_b(UInt(8), 1024);
    fill(in_a, in_b, UInt(8));
    a.set(in_a);
    b.set(in_b);
    for (Func f : {sum, differences, spelled}) {
        f.update().atomic().vectorize(r, 64);
        const Buffer<int32_t> is = f.realize();
        Buffer<int32_t> expected = Buffer<int32_t>::make_scalar();
        interpret_into(f, {expected.raw_buffer()}, false);
        EXPECT_EQ(is(), expected()) << f.name();
    }
    Func shorts("short_sum_of_differences"), longs("long_sum_of_differences");
    shorts() = cast<uint16_t>(0);
    RDom few(0, 64);
    shorts() += cast<uint16_t>(absd(a(few), b(few)));
    longs() = cast<int64_t>(0);
    longs() += cast<int64_t>(absd(a(few), b(few)));
    for (Func f : {shorts, longs}) {
        f.update().atomic().vectorize(few);
        Buffer<> is = f.realize(), expected = Buffer<>::make_scalar(f.type());
        interpret_into(f, {expected.raw_buffer()}, false);
        EXPECT_EQ(std::memcmp(is.data(), expected.data(), static_cast<size_t>(f.type().bytes())), 0) << f.name();
    }
    for (const Func &f : {sum, differences, shorts, longs}) {
        const std::string text = assembly(f, "x86-64-linux-avx2");
        EXPECT_GE(count(text, "vpsadbw"), 2U) << text;
        EXPECT_EQ(count(text, "vpminub") + count(text, "vpmovzxbd"), 0U) << text;
    }
}

} // namespace
} // namespace fluorite::fixed_point_test
