// Promotion rules, folding, and the errors of operands.

#include "fluorite/fluorite.h"
#include "language/test_support.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace operators_test {

using namespace fluorite;
using namespace fluorite::language;

namespace {

Var x("x"), y("y");

Expr u8(int value) { return Expr(static_cast<uint8_t>(value)); }
Expr i8(int value) { return Expr(static_cast<int8_t>(value)); }

} // namespace

TEST(Operators, PromoteAsDocumented) {
    const Expr x8 = cast<uint8_t>(x), xi8 = cast<int8_t>(x), x16 = cast<uint16_t>(x), xf = cast<float>(x),
               xd = cast<double>(x), xh = cast(Float(16), x), xb = cast(BFloat(16), x);
    EXPECT_EQ((x8 + x16).type(), UInt(16));
    EXPECT_EQ((xi8 + x16).type(), Int(16));
    EXPECT_EQ((x8 + xi8).type(), Int(8));
    EXPECT_EQ((x + x16).type(), Int(32));
    EXPECT_EQ((x8 * xf).type(), Float(32));
    EXPECT_EQ((xf * xd).type(), Float(64));
    EXPECT_EQ((xh + x).type(), Float(16));
    EXPECT_EQ((xh + xb).type(), Float(32));
    EXPECT_EQ((xf < x8).type(), Bool());
    EXPECT_EQ((x8 << x).type(), UInt(32));
    EXPECT_EQ((x8 & x16).type(), UInt(16));
    EXPECT_EQ((x8 & xi8).type(), UInt(8));
    EXPECT_EQ(select(x > 3, x8, 1).type(), UInt(8));
    EXPECT_EQ(select(x > 3, 1, x8).type(), UInt(8));
    EXPECT_EQ(abs(xi8).type(), UInt(8));
    EXPECT_EQ(absd(xi8, 3).type(), UInt(8));
    EXPECT_EQ(min(x8, 3, x8).type(), UInt(8));
    EXPECT_EQ(sqrt(x).type(), Float(32));
    EXPECT_EQ(pow(x, 3).type(), Int(32));
    EXPECT_EQ(pow(x, 2.5f).type(), Float(32));
    EXPECT_EQ(pow(xd, 2.5f).type(), Float(64));
}

TEST(Operators, IntegersTakeTheOtherType) {
    const Expr x8 = cast<uint8_t>(x);
    EXPECT_EQ((x8 + 200).type(), UInt(8));
    EXPECT_EQ((200 + x8).type(), UInt(8));
    EXPECT_EQ((x8 + Expr(200)).type(), Int(32)); // an Expr made of a number has its own type
    EXPECT_EQ((cast<int64_t>(x) + (int64_t{1} << 40)).type(), Int(64));
    EXPECT_EQ((cast<float>(x) + size_t{3}).type(), Float(32));
    EXPECT_EQ((x8 == true).type(), Bool());
    expect_compile_error(
        "literal-out-of-range",
        "in an expression, operator +: the integer 300 meets an operand of type uint8; an integer takes the type of "
        "the "
        "other operand and must be one of its values; cast the operand to a wider type",
        [&] { x8 + 300; }, __LINE__);
    EXPECT_THROW(x8 * -1, CompileError);
    EXPECT_THROW(cast(Float(16), x) + 2049, CompileError);
    EXPECT_THROW(x + (int64_t{1} << 40), CompileError);
}

TEST(Operators, DoublesPromoteIntegers) {
    const Expr x8 = cast<uint8_t>(x), x64 = cast<int64_t>(x), xf = cast<float>(x), xd = cast<double>(x),
               xh = cast(Float(16), x), xb = cast<bool>(x);
    // Beside floats a double takes their type, beside integers it is a float32; 2.5 and 2.0 behave alike.
    for (const Expr &integer : {x8, x64, Expr(x), xb}) {
        for (const double number : {2.5, 2.0}) {
            for (const Expr &result :
                 {integer + number, number - integer, integer * number, integer / number, number / integer,
                  integer % number, min(integer, number), max(number, integer), select(x > 3, integer, number),
                  select(x > 3, number, integer), absd(integer, number), pow(integer, number), pow(number, integer),
                  atan2(integer, number), hypot(number, integer), fast_pow(integer, number), min(integer, 1, number),
                  select(x > 3, integer, x > 5, number, integer)}) {
                EXPECT_EQ(result.type(), Float(32)) << result;
            }
            EXPECT_EQ(text_of(integer < number), text_of(cast<float>(integer) < static_cast<float>(number)));
            EXPECT_EQ(text_of(number == integer), text_of(static_cast<float>(number) == cast<float>(integer)));
        }
        EXPECT_EQ(text_of(integer * 0.1), text_of(cast<float>(integer) * 0.1f));
    }
    for (const Expr &value : {xf, xd, xh}) {
        EXPECT_EQ((value * 0.5).type(), value.type());
        EXPECT_EQ((0.5 / value).type(), value.type());
        EXPECT_EQ(select(x > 3, 0.5, value).type(), value.type());
        EXPECT_EQ(min(value, 0.5).type(), value.type());
    }
    EXPECT_EQ(fast_pow(xf, 0.5).type(), Float(32));
    EXPECT_EQ(pow(2.0, xf).type(), Float(32));
    EXPECT_EQ((x * Expr(0.5)).type(), Float(64)); // an Expr has its own type
    EXPECT_EQ(fluorite::sqrt(2.0).type(), Float(64));
    EXPECT_EQ(float_of(Expr(5) / 2.0), 2.5);
    EXPECT_EQ(float_of(Expr(-5) / 2.0), -2.5);
    expect_compile_error(
        "literal-out-of-range",
        "in an expression, operator *: the number 1e+300 is beyond the greatest value of type float32, "
        "which it takes; cast the operand to float64",
        [&] { x8 * 1e300; }, __LINE__);
    EXPECT_EQ((xd * 1e300).type(), Float(64));
    EXPECT_THROW(xh * 1e5, CompileError);
}

TEST(Operators, DoublesInPlacesWithATypeFitIt) {
    // A compound assignment to an Expr computes in double, as in C++, and keeps the type of its left operand.
    const auto in_place = [](int value, const std::function<void(Expr &)> &change) {
        Expr result(value);
        change(result);
        EXPECT_EQ(result.type(), Int(32));
        return int_of(result);
    };
    EXPECT_EQ(in_place(5, [](Expr &e) { e /= 2.0; }), 2);
    EXPECT_EQ(in_place(-5, [](Expr &e) { e /= 2.0; }), -2);
    EXPECT_EQ(in_place(5, [](Expr &e) { e *= 2.5; }), 12);
    EXPECT_EQ(in_place(16777217, [](Expr &e) { e *= 2.0; }), 33554434);
    EXPECT_EQ(in_place(3, [](Expr &e) { e += 0.75; }), 3);
    // Limits take the type of the clamped value, and values the type of the Func.
    EXPECT_EQ(clamp(x, 0.0, 10.0).type(), Int(32));
    EXPECT_THROW(clamp(x, 0.5, 10), CompileError);
    Func f("f"), g(Int(32), 1, "g");
    f(x) = x;
    expect_compile_error(
        "value-type",
        "in f, stage 1: value 0 has type float32; its first definition has type int32 there; cast it, as "
        "in cast(int32, e)",
        [&] { f(x) += 2.5; }, __LINE__);
    EXPECT_THROW(f(x) /= 2.0, CompileError);
    EXPECT_THROW(f(x) = f(x) / 2.0, CompileError);
    expect_compile_error(
        "literal-out-of-range",
        "in an expression, assignment: the number 2.5 is given where the type is int32; a number is one "
        "of the type's values; cast it, or give the other side a float type",
        [&] { f(x) = 2.5; }, __LINE__);
    f(x) = 2.0;
    EXPECT_THROW(g(x) += 2.5, CompileError);
    EXPECT_THROW(static_cast<void>(Expr(f(x / 2.0))), CompileError);
    Param<int> p("p");
    EXPECT_THROW(p.set_range(0, 2.5), CompileError);
    EXPECT_EQ((p * 2.5).type(), Float(32));
    EXPECT_EQ(Tuple(Expr(x) * 2.5, Expr(x)).as_vector()[0].type(), Float(32));
    EXPECT_THROW(Expr(x) & 2.0, CompileError);
    EXPECT_THROW(Expr(x) << 2.0, CompileError);
    EXPECT_THROW(mul_shift_right(x, 2.0, 3), CompileError);
}

TEST(Operators, ConstantsFold) {
    EXPECT_EQ(int_of(Expr(7) / -2), -3); // remainders are never negative
    EXPECT_EQ(int_of(Expr(-7) / 2), -4);
    EXPECT_EQ(int_of(Expr(-7) % 2), 1);
    EXPECT_EQ(int_of(div_round_to_zero(Expr(-7), 2)), -3);
    EXPECT_EQ(int_of(mod_round_to_zero(Expr(-7), 2)), -1);
    EXPECT_EQ(int_of(u8(250) + 10), 4);
    EXPECT_EQ(int_of(~u8(1)), 254);
    EXPECT_EQ(int_of(u8(1) << 8), 0);
    EXPECT_EQ(int_of(i8(-128) >> 9), -1);
    EXPECT_EQ(int_of(u8(4) << -1), 2);
    EXPECT_EQ(int_of(cast<uint8_t>(Expr(-1))), 255);
    EXPECT_EQ(int_of(saturating_cast<uint8_t>(Expr(300))), 255);
    EXPECT_EQ(int_of(reinterpret<int32_t>(Expr(1.0f))), 0x3f800000);
    EXPECT_EQ(int_of(popcount(u8(255))), 8);
    EXPECT_EQ(int_of(clamp(Expr(7), 0, 5)), 5);
    EXPECT_EQ(int_of(select(Expr(1) < 2, 3, 4)), 3);
    EXPECT_EQ(int_of(mux(Expr(9), {Expr(3), Expr(4)})), 4); // outside: the last
    EXPECT_EQ(float_of(Expr(1.5f) + 1), 2.5);
    EXPECT_TRUE(std::signbit(float_of(-Expr(0.0f))));
    EXPECT_EQ(float_of(Expr(7.5f) % 2.0f), 1.5);
}

TEST(Operators, RefuseWhatHasNoMeaning) {
    Expr undefined;
    const char *const undefined_text =
        "in an expression, operator +: an operand is an undefined Expr; operands have a value; "
        "initialize the Expr before it is used";
    expect_compile_error("undefined-operand", undefined_text, [&] { undefined + 1; }, __LINE__);
    expect_compile_error(
        "division-by-zero",
        "in an expression, operator /: a value of type int32 is divided by the number 0; a divisor that "
        "is a number is not zero (an Expr may be, and then gives 0); divide by something else",
        [&] { x / 0; }, __LINE__);
    EXPECT_THROW(x % 0, CompileError);
    EXPECT_NO_THROW(x / (Expr(3) - 3));
    EXPECT_NO_THROW(x % Expr(0));
    EXPECT_NO_THROW(x / 0.0f);
    expect_compile_error(
        "not-a-condition",
        "in an expression, operator &&: an operand has type int32; a condition is a bool; compare it, as in "
        "value != 0",
        [&] { x && true; }, __LINE__);
    expect_compile_error(
        "not-an-integer",
        "in an expression, operator <<: an operand has type float32; this works on integers; cast it to an "
        "integer type",
        [&] { Expr(1.0f) << 2; }, __LINE__);
    expect_compile_error(
        "handle-operand",
        "in an expression, operator +: an operand is a text or a pointer; operands are numbers; use texts "
        "in print and require only",
        [&] { x + Expr("text"); }, __LINE__);
    expect_compile_error(
        "clamp-limit-type",
        "in an expression, clamp: the lower limit has type int32 and the clamped value uint8; every value "
        "of a limit is one of the clamped type; cast the limit or the value",
        [&] { clamp(cast<uint8_t>(x), y, 3); }, __LINE__);
    expect_compile_error(
        "reinterpret-width",
        "in an expression, reinterpret: a value of type int32 is read as float64; both types have the same "
        "number of bits; cast to a type of that width first",
        [&] { reinterpret<double>(x); }, __LINE__);
    expect_compile_error(
        "fast-math-type",
        "in an expression, fast_log: the operand has type float64; the fast_ functions work in float32; "
        "cast it, or use the exact function",
        [&] { fast_log(cast<double>(x)); }, __LINE__);
    expect_compile_error(
        "lerp-weight", "in an expression, lerp: the weight is 1.5; a float weight lies in [0, 1]; clamp it",
        [&] { lerp(x, y, 1.5f); }, __LINE__);
    EXPECT_THROW(lerp(x, y, y), CompileError);
    expect_compile_error(
        "no-wider-type",
        "in an expression, widening_add: operands of types int64 and int64; the result has twice the width, "
        "at most 64 bits; cast the operands to narrower types",
        [&] { widening_add(cast<int64_t>(x), cast<int64_t>(y)); }, __LINE__);
}

TEST(Operators, AssignmentsKeepTheType) {
    Expr e = cast<uint8_t>(x);
    e += 3;
    e *= cast<int>(y);
    EXPECT_EQ(e.type(), UInt(8));
}

// ---- Fixed point against 64-bit arithmetic, over all pairs of 8-bit values of a coarse grid and the extremes.

namespace {

template <typename T, typename Check> void for_pairs(Check &&check) {
    for (int a = std::numeric_limits<T>::min(); a <= std::numeric_limits<T>::max(); a += a % 2 == 0 ? 17 : 14) {
        for (int b : {static_cast<int>(std::numeric_limits<T>::min()), -3, -1, 0, 1, 2, 77,
                      static_cast<int>(std::numeric_limits<T>::max())}) {
            if (b >= std::numeric_limits<T>::min()) {
                check(a, b, Expr(static_cast<T>(a)), Expr(static_cast<T>(b)));
            }
        }
    }
}

template <typename T> int64_t saturated(int64_t value) {
    return std::clamp<int64_t>(value, std::numeric_limits<T>::min(), std::numeric_limits<T>::max());
}

template <typename T> void check_fixed_point() {
    for_pairs<T>([](int a, int b, const Expr &ea, const Expr &eb) {
        EXPECT_EQ(int_of(saturating_add(ea, eb)), saturated<T>(a + b));
        EXPECT_EQ(int_of(saturating_sub(ea, eb)), saturated<T>(a - b));
        EXPECT_EQ(int_of(halving_add(ea, eb)), (a + b) >> 1);
        EXPECT_EQ(int_of(rounding_halving_add(ea, eb)), (a + b + 1) >> 1);
        EXPECT_EQ(int_of(halving_sub(ea, eb)), static_cast<T>((a - b) >> 1));
        EXPECT_EQ(int_of(widening_mul(ea, eb)), a * b);
        EXPECT_EQ(int_of(widening_sub(ea, eb)), a - b);
        EXPECT_EQ(int_of(absd(ea, eb)), std::abs(a - b));
        EXPECT_EQ(int_of(mul_shift_right(ea, eb, 3)), saturated<T>((a * b) >> 3));
        EXPECT_EQ(int_of(rounding_mul_shift_right(ea, eb, 3)), saturated<T>((a * b + 4) >> 3));
        EXPECT_EQ(int_of(rounding_shift_right(ea, 2)), (a + 2) >> 2);
    });
}

} // namespace

TEST(FixedPoint, IsExactIn8Bits) {
    check_fixed_point<uint8_t>();
    check_fixed_point<int8_t>();
}

TEST(FixedPoint, LiteralsTakeTheOtherType) {
    const Var v("v");
    const Expr byte = cast<uint8_t>(v), word = cast<int16_t>(v), half = cast(Float(16), v);
    EXPECT_EQ(widening_add(byte, 3).type(), UInt(16));
    EXPECT_EQ(widening_add(3, byte).type(), UInt(16));
    EXPECT_EQ(widening_mul(word, 3).type(), Int(32));
    EXPECT_EQ(widening_mul(3, word).type(), Int(32));
    EXPECT_EQ(widening_sub(byte, 3).type(), Int(16)) << "differences are signed";
    EXPECT_EQ(widening_mul(half, 3).type(), Float(32));
    EXPECT_EQ(widening_mul(byte, Expr(3)).type(), Int(64)) << "an expression has a type";
    EXPECT_EQ(widening_mul(byte, word).type(), Int(32));
}

TEST(FixedPoint, IsExactIn64Bits) {
    const int64_t least = std::numeric_limits<int64_t>::min(), most = std::numeric_limits<int64_t>::max();
    EXPECT_EQ(int_of(saturating_add(Expr(most), Expr(int64_t{1}))), most);
    EXPECT_EQ(int_of(saturating_add(Expr(least), Expr(int64_t{-1}))), least);
    EXPECT_EQ(int_of(saturating_sub(Expr(least), Expr(int64_t{1}))), least);
    EXPECT_EQ(int_of(saturating_sub(Expr(int64_t{-2}), Expr(most))), least);
    EXPECT_EQ(int_of(saturating_sub(Expr(uint64_t{3}), Expr(uint64_t{4}))), 0);
    EXPECT_EQ(int_of(halving_add(Expr(most), Expr(most - 1))), most - 1);
    EXPECT_EQ(int_of(rounding_halving_add(Expr(most), Expr(most - 1))), most);
    EXPECT_EQ(int_of(halving_sub(Expr(least), Expr(most))), least);
}

TEST(Lerp, RoundsToNearestForIntegers) {
    for (int a : {0, 1, 100, 254, 255}) {
        for (int b : {0, 3, 128, 255}) {
            for (int w = 0; w < 256; w += 5) {
                const double exact = (a * (255 - w) + b * w) / 255.0;
                EXPECT_EQ(int_of(lerp(u8(a), u8(b), u8(w))), std::lround(exact)) << a << " " << b << " " << w;
                const Expr wide =
                    lerp(Expr(static_cast<uint16_t>(a * 257)), Expr(static_cast<uint16_t>(b * 257)), u8(w));
                EXPECT_EQ(int_of(wide), std::lround(257 * exact));
                const Expr fine = lerp(u8(a), u8(b), Expr(static_cast<uint16_t>(w * 257)));
                EXPECT_EQ(int_of(fine), std::lround(exact));
                const Expr is_signed = lerp(i8(a - 128), i8(b - 128), u8(w));
                EXPECT_EQ(int_of(is_signed), std::lround(exact) - 128);
            }
        }
    }
    EXPECT_EQ(int_of(lerp(Expr(uint32_t{0}), Expr(~uint32_t{0}), Expr(~uint32_t{0}))), 0xffffffffLL);
    EXPECT_EQ(int_of(lerp(u8(10), u8(20), 0.5f)), 15);
    EXPECT_EQ(int_of(lerp(0, u8(200), 0.25f)), 49); // the weight is 63 / 255
    EXPECT_EQ(float_of(lerp(Expr(1.0f), Expr(3.0f), 0.25f)), 1.5);
}

TEST(ConciseCasts, AreCasts) {
    using namespace ConciseCasts;
    EXPECT_EQ(int_of(u8_sat(Expr(-5))), 0);
    EXPECT_EQ(f32(x).type(), Float(32));
    EXPECT_EQ(bf16(x).type(), BFloat(16));
    EXPECT_EQ(i64(x).type(), Int(64));
}

} // namespace operators_test
