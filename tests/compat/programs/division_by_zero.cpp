// Division by an Expr that is zero gives zero, folded or computed, for every integer type; lerp's float weights.
#include <Halide.h>

#include <stdio.h>

using namespace Halide;

#define CHECK(c)                                                                                                       \
    if (!(c)) {                                                                                                        \
        printf("line %d: %s\n", __LINE__, #c);                                                                         \
        return 1;                                                                                                      \
    }

namespace {

template <typename T> int check_type() {
    const Expr zero = cast<T>(0), seven = cast<T>(7);
    CHECK(evaluate<T>(seven / zero) == 0);
    CHECK(evaluate<T>(seven % zero) == 0);
    CHECK(evaluate<T>(zero / zero) == 0);
    CHECK(evaluate<T>(div_round_to_zero(seven, zero)) == 0);
    CHECK(evaluate<T>(mod_round_to_zero(seven, zero)) == 0);
    Param<T> divisor;
    divisor.set(0);
    Var x;
    Func f;
    f(x) = Tuple(cast<T>(x + 1) / divisor, cast<T>(x + 1) % divisor, cast<T>(x + 1) / cast<T>(x % 2));
    f.vectorize(x, 8, TailStrategy::GuardWithIf);
    Realization r = f.realize({13});
    Buffer<T> quotient = r[0], rest = r[1], by_varying = r[2];
    for (int i = 0; i < 13; i++) {
        CHECK(quotient(i) == 0 && rest(i) == 0);
        CHECK(by_varying(i) == (i % 2 == 0 ? T(0) : T(i + 1)));
    }
    return 0;
}

/// A weight is cut to a fraction of 255 between bytes and of 65535 between words.
int check_lerp() {
    CHECK(evaluate<uint8_t>(lerp(cast<uint8_t>(10), cast<uint8_t>(200), 0.125f)) == 33);
    CHECK(evaluate<uint8_t>(lerp(cast<uint8_t>(10), cast<uint8_t>(200), 0.375f)) == 81);
    CHECK(evaluate<uint8_t>(lerp(cast<uint8_t>(10), cast<uint8_t>(200), 1.0f)) == 200);
    CHECK(evaluate<int8_t>(lerp(cast<int8_t>(-128), cast<int8_t>(127), 0.999f)) == 126);
    CHECK(evaluate<uint16_t>(lerp(cast<uint16_t>(0), cast<uint16_t>(65535), 0.25f)) == 16383);
    return 0;
}

} // namespace

int main() {
    if (check_type<int8_t>() != 0 || check_type<uint8_t>() != 0 || check_type<int16_t>() != 0 ||
        check_type<uint16_t>() != 0 || check_type<int32_t>() != 0 || check_type<uint32_t>() != 0 ||
        check_type<int64_t>() != 0 || check_type<uint64_t>() != 0 || check_lerp() != 0) {
        return 1;
    }
    printf("Success!\n");
    return 0;
}
