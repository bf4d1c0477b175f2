// C functions in expressions, scalar and with several arguments.
#include <Halide.h>

#include <stdio.h>

extern "C" int compat_triple(int v) { return v * 3; }
extern "C" float compat_mix(float a, float b, int n) { return a * n + b; }
extern "C" int compat_counter(int v) {
    static int calls = 0;
    return v + ++calls * 0;
}
HalideExtern_1(int, compat_triple, int);
HalideExtern_3(float, compat_mix, float, float, int);
HalidePureExtern_1(int, compat_counter, int);

int main() {
    Halide::Var x("x"), y("y");
    Halide::Func f("f");
    f(x, y) = compat_mix(Halide::cast<float>(compat_triple(x)), 0.5f, y) + compat_counter(x);
    f.parallel(y).vectorize(x, 4);
    Halide::Buffer<float> out = f.realize({9, 5});
    for (int j = 0; j < 5; j++) {
        for (int i = 0; i < 9; i++) {
            if (out(i, j) != i * 3 * j + 0.5f + i) {
                printf("%d %d: %f\n", i, j, out(i, j));
                return 1;
            }
        }
    }
    return 0;
}
