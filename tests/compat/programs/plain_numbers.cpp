// Functions of plain C++ numbers beside those of C: lerp is the library's, of numbers too; the mathematics of numbers
// that programs compute at once is C's.
#include <Halide.h>

#include <stdio.h>

using namespace Halide;

int main() {
    Var x("x");
    Func half("half"), quarter("quarter"), scaled("scaled");
    half(x) = lerp(0, 42, 0.5f);
    quarter(x) = lerp(0.0f, 42.0f, 0.25f);
    float sigma = 1.5f, kernel[3];
    for (int i = 0; i < 3; i++) {
        kernel[i] = exp(-i * i / (2 * sigma * sigma)) / (sqrt(2 * M_PI) * sigma);
    }
    scaled(x) = abs(-2.5f) * kernel[0] + pow(2, 3) * x + min(1, 2) + max(3, 4);
    Buffer<int> halves = half.realize({4});
    Buffer<float> quarters = quarter.realize({4}), all = scaled.realize({4});
    if (halves(3) != 21 || quarters(3) != 10.5f) {
        printf("%d %f\n", halves(3), quarters(3));
        return 1;
    }
    const float want = 2.5f * kernel[0] + 24 + 1 + 4;
    if (fabs(all(3) - want) > 1e-5f) {
        printf("%f instead of %f\n", all(3), want);
        return 2;
    }
    try {
        Expr outside = lerp(0, 42, 1.5f);
        return 3;
    } catch (const CompileError &error) {
        printf("%s\n", error.what());
    }
    printf("Success!\n");
    return 0;
}
