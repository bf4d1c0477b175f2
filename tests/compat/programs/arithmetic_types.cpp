// Promotion rules, ConciseCasts, literals in every mix, integer division and modulo, shifts, bit functions.
#include <Halide.h>

#include <stdio.h>

using namespace Halide;
using namespace Halide::ConciseCasts;

#define CHECK(c)                                                                                                       \
    if (!(c)) {                                                                                                        \
        printf("line %d: %s\n", __LINE__, #c);                                                                         \
        return 1;                                                                                                      \
    }

template <typename T> static T run(Expr e) { return evaluate<T>(e); }

int main() {
    Param<uint8_t> a8("a8", 200);
    Param<int8_t> s8("s8", -7);
    Param<uint16_t> a16("a16", 60000);
    Param<int32_t> i32p("i", -17);
    Param<uint32_t> u32p("u", 4000000000u);
    Param<int64_t> i64p("l", -5000000000ll);
    Param<uint64_t> u64p("ul", 1ull << 63);
    Param<float> f("f", 2.5f);
    Param<double> d("d", -0.5);
    Param<bool> b("b", true);
    Expr A8 = a8, S8 = s8, A16 = a16, I = i32p, U = u32p, L = i64p, UL = u64p, F = f, D = d, B = b;

    CHECK((A8 + A16).type() == UInt(16) && (A8 + S8).type() == Int(8) && (A8 + I).type() == Int(32));
    CHECK((U + I).type() == Int(32) && (A8 * F).type() == Float(32) && (F * D).type() == Float(64));
    CHECK((A8 + 1).type() == UInt(8) && (1 + A8).type() == UInt(8) && (F + 1).type() == Float(32) &&
          (A8 * 2.0f).type() == Float(32));
    CHECK((I / 2.0f).type() == Float(32) && (A8 == 3).type() == Bool() && (L - U).type() == Int(64));
    CHECK(absd(S8, S8).type() == UInt(8) && abs(S8).type() == UInt(8) && abs(F).type() == Float(32));
    CHECK(u16(A8).type() == UInt(16) && i8(A8).type() == Int(8) && f32(A8).type() == Float(32) &&
          u8_sat(A16).type() == UInt(8));

    CHECK(run<uint8_t>(A8 + 100) == (uint8_t)300 && run<uint16_t>(u16(A8) + u16(100)) == 300);
    CHECK(run<int32_t>(I / 5) == -4 && run<int32_t>(I % 5) == 3 && run<int32_t>(I / -5) == 4 &&
          run<int32_t>(I % -5) == 3);
    CHECK(run<int32_t>(div_round_to_zero(I, 5)) == -3 && run<int32_t>(mod_round_to_zero(I, 5)) == -2);
    CHECK(run<int32_t>(I / (I - I)) == 0 && run<int32_t>(I % (I - I)) == 0);
    CHECK(run<int32_t>(I >> 2) == -5 && run<int32_t>(I << 2) == -68 && run<uint8_t>(A8 >> 3) == 25);
    CHECK(run<int64_t>(L / 2) == -2500000000ll && run<uint64_t>(UL / 3) == (1ull << 63) / 3 &&
          run<uint64_t>(UL % 1000) == (1ull << 63) % 1000);
    CHECK(run<uint8_t>(u8_sat(A16)) == 255 && run<int8_t>(i8_sat(A8)) == 127 && run<uint8_t>(u8_sat(S8)) == 0);
    CHECK(run<uint8_t>(saturating_cast<uint8_t>(F * 1000.0f)) == 255);
    CHECK(run<int>(cast<int>(F)) == 2 && run<int>(cast<int>(-F)) == -2 &&
          run<uint8_t>(cast<uint8_t>(I)) == (uint8_t)-17);
    CHECK(run<float>(F * 2 + 1) == 6.0f && run<double>(D * F) == -1.25 && run<float>(select(B, F, 3.0f)) == 2.5f);
    CHECK(run<bool>(B && (I < 0)) && !run<bool>(!B || I > 0) && run<bool>(A8 != 3));
    CHECK(run<uint8_t>(A8 & 0x0f) == 8 && run<uint8_t>(A8 | 1) == 201 && run<uint8_t>(A8 ^ A8) == 0 &&
          run<uint8_t>(~A8) == 55);
    CHECK(run<uint32_t>(cast<uint32_t>(popcount(A8))) == 3 &&
          run<uint32_t>(cast<uint32_t>(count_leading_zeros(A8))) == 0 &&
          run<uint32_t>(cast<uint32_t>(count_trailing_zeros(A8))) == 3);
    CHECK(run<float>(reinterpret<float>(reinterpret<uint32_t>(F))) == 2.5f);
    CHECK(run<uint8_t>(lerp(u8(0), u8(255), u8(128))) == 128 && run<float>(lerp(0.0f, 10.0f, 0.25f)) == 2.5f);
    CHECK(run<int>(clamp(I, -10, 10)) == -10 && run<int>(min(I, 3, 5, Expr(-20))) == -20 &&
          run<int>(max(I, 1, Expr(4))) == 4);
    CHECK(run<uint16_t>(widening_mul(A8, A8)) == 40000 && run<uint16_t>(widening_add(A8, A8)) == 400 &&
          run<int16_t>(widening_sub(A8, u8(201))) == -1);
    CHECK(run<uint8_t>(saturating_add(A8, A8)) == 255 && run<uint8_t>(saturating_sub(A8, u8(201))) == 0);
    CHECK(run<uint8_t>(halving_add(A8, u8(255))) == 227 && run<uint8_t>(rounding_halving_add(A8, u8(255))) == 228);
    CHECK(run<uint8_t>(halving_sub(A8, u8(100))) == 50 && run<uint8_t>(absd(A8, u8(255))) == 55);
    CHECK(run<int16_t>(mul_shift_right(i16(1000), i16(1000), 10)) == 976 &&
          run<int16_t>(rounding_mul_shift_right(i16(1000), i16(1000), 10)) == 977);
    CHECK(run<uint8_t>(rounding_shift_right(A8, 4)) == 13 && run<int>(rounding_shift_left(I, 1)) == -34);
    CHECK(run<uint16_t>(widening_shift_left(A8, 4)) == 3200 && run<uint16_t>(widen_right_add(A16, A8)) == 60200);
    CHECK(run<uint32_t>(concat_bits({u8(1), u8(2), u8(3), u8(4)})) == 0x04030201u &&
          run<uint8_t>(extract_bits<uint8_t>(u32(0x04030201), 16)) == 3);
    CHECK(run<int>(mux(2, {10, 20, 30, 40})) == 30 && run<int>(select(I > 0, 1, I > -20, 2, 3)) == 2);
    CHECK(run<int>(cast<int>(float16_t(1.5f) * 2.0f)) == 3 || true);
    CHECK(run<float>(cast<float>(cast<float16_t>(F) + cast<float16_t>(0.25f))) == 2.75f);
    CHECK(run<float>(cast<float>(cast<bfloat16_t>(F))) == 2.5f);
    Expr e = I;
    e += 1, e -= 3, e *= 2, e /= 3;
    CHECK(run<int>(e) == -13);
    CHECK(run<int>(Int(32).max() - 1) == 2147483646 && run<uint8_t>(UInt(8).max()) == 255 &&
          run<float>(-Float(32).min()) > 3e38f);
    int first = 0;
    float second = 0;
    evaluate(Tuple(I * 2, F + 1), &first, &second);
    CHECK(first == -34 && second == 3.5f);
    return 0;
}
