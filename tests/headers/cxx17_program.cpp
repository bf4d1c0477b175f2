// A program of C++17 that calls much of the library, which is compiled as C++20: the two agree about the layouts and
// the symbols of what they exchange, and errors name the lines of this file.
#include "Halide.h"

#include <cstdio>

static_assert(__cplusplus < 202002L, "this program is compiled as C++17");

extern "C" int triple(int value) { return 3 * value; }
HalideExtern_1(int, triple, int);

using namespace Halide;

namespace {

int failures = 0;

void expect(bool holds, int line) {
    if (!holds) {
        std::printf("line %d: not so\n", line);
        failures++;
    }
}
#define EXPECT(condition) expect(condition, __LINE__)

/// The error's line, or 0 if there is none.
template <typename F> unsigned line_of_error(F &&f) {
    try {
        f();
    } catch (const Error &error) {
        return error.location().line;
    }
    return 0;
}

void check_values() {
    Var x("x"), y("y"), xo("xo"), xi("xi");
    Param<int> offset("offset", 5);
    ImageParam input(UInt(8), 2, "input");
    Buffer<uint8_t> image(17, 9);
    image.fill([](int i, int j) { return i * 7 + j; });
    input.set(image);
    Func clamped = BoundaryConditions::repeat_edge(input), blurred("blurred"), tupled("tupled"), total("total");
    RDom r(-1, 3, -1, 3);
    blurred(x, y) = cast<uint16_t>(sum(cast<int>(clamped(x + r.x, y + r.y))) + triple(offset));
    tupled(x, y) = Tuple(blurred(x, y), select(x > 3, 1.5f, cast<float>(y)));
    total(x) = 0;
    total(x) += cast<int>(tupled(x, r.y + 1)[0]);
    tupled.compute_root().split(x, xo, xi, 8, TailStrategy::GuardWithIf).vectorize(xi).parallel(y);
    const Buffer<int> sums = total.realize({17});
    int expected = 0;
    for (int row = 0; row < 3; row++) {
        for (int dy = -1; dy <= 1; dy++) {
            for (int dx = -1; dx <= 1; dx++) {
                expected += image(4 + dx, std::max(row + dy, 0));
            }
        }
        expected += 15;
    }
    EXPECT(sums(4) == expected * 3); // once for each r.x
    Realization both = tupled.realize({17, 9});
    const Buffer<uint16_t> first = both[0];
    const Buffer<float> second = both[1];
    EXPECT(first.width() == 17 && second(2, 7) == 7.0f && second(4, 7) == 1.5f);
}

void check_calls() {
    Var x("x");
    Param<float16_t> weight("weight");
    Param<uint8_t> bias("bias");
    Func f("f");
    f(x) = cast<float>(weight) * x + bias;
    Callable call = f.compile_to_callable({weight, bias});
    Buffer<float> out(8);
    EXPECT(call(float16_t(2.0f), uint8_t{3}, out) == 0 && out(7) == 17.0f);
    EXPECT(evaluate<uint32_t>(popcount(cast<uint32_t>(Expr(255)))) == 8);
    EXPECT(Int(32) != UInt(32) && float16_t(1.0f) != float16_t(2.0f));
    EXPECT(get_host_target().natural_vector_size<float>() >= 4);
}

void check_errors() {
    Var x("x"), y("y");
    Func f("f"), g("g");
    f(x, y) = x + y;
    EXPECT(line_of_error([&] { f.split(y, x, x, 4); }) == __LINE__);
    EXPECT(line_of_error([&] { g(x) = f(x); }) == __LINE__);
    EXPECT(line_of_error([&] { g(x) = cast<uint8_t>(x) + 1000; }) == __LINE__);
    EXPECT(line_of_error([&] { f.realize({-1, 2}); }) == __LINE__);
    EXPECT(line_of_error([&] { Buffer<int>(4).cropped(0, 2, 9); }) == __LINE__);
}

} // namespace

int main() {
    check_values();
    check_calls();
    check_errors();
    std::printf("%d failures\n", failures);
    return failures == 0 ? 0 : 1;
}
