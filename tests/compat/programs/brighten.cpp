// Brightens an image with saturation, step by step and in one line.
#include <Halide.h>

#include <stdio.h>

using Halide::cast;
using Halide::Expr;
using Halide::Func;
using Halide::Var;

int main() {
    Halide::Buffer<uint8_t> input(64, 48, 3);
    for (int c = 0; c < input.channels(); c++) {
        for (int y = 0; y < input.height(); y++) {
            for (int x = 0; x < input.width(); x++) {
                input(x, y, c) = (uint8_t)(x * 3 + y * 5 + c * 40);
            }
        }
    }

    Func brighter("brighter");
    Var x("x"), y("y"), c("c");
    Expr value = input(x, y, c);
    value = Halide::cast<float>(value);
    value = value * 1.5f;
    value = Halide::min(value, 255.0f);
    value = Halide::cast<uint8_t>(value);
    brighter(x, y, c) = value;
    Func one_line;
    one_line(x, y, c) = cast<uint8_t>(min(input(x, y, c) * 1.5f, 255));

    Halide::Buffer<uint8_t> output = brighter.realize({input.width(), input.height(), input.channels()});
    Halide::Buffer<uint8_t> again = one_line.realize({input.width(), input.height(), input.channels()});
    for (int k = 0; k < 3; k++) {
        for (int j = 0; j < 48; j++) {
            for (int i = 0; i < 64; i++) {
                float want = input(i, j, k) * 1.5f;
                want = want > 255.0f ? 255.0f : want;
                if (output(i, j, k) != (uint8_t)want || again(i, j, k) != (uint8_t)want) {
                    printf("%d %d %d: %d instead of %f\n", i, j, k, output(i, j, k), want);
                    return 1;
                }
            }
        }
    }
    return 0;
}
