// The five boundary conditions, of images, ImageParams and Funcs, with and without given bounds.
#include <Halide.h>

#include <stdio.h>

using namespace Halide;
using namespace Halide::BoundaryConditions;

static int mod(int a, int b) { return ((a % b) + b) % b; }

int main() {
    const int W = 9, H = 7;
    Buffer<int16_t> in(W, H);
    in.for_each_element([&](int x, int y) { in(x, y) = (int16_t)(100 * y + x); });
    ImageParam param(Int(16), 2);
    param.set(in);
    Func func;
    Var x, y;
    func(x, y) = in(x, y);
    Func tests[] = {
        constant_exterior(in, -1),
        constant_exterior(func, cast<int16_t>(-1), {{0, W}, {0, H}}),
        repeat_edge(param),
        repeat_edge(func, {{0, W}, {0, H}}),
        repeat_image(in),
        repeat_image(param, {{Expr(0), param.width()}, {Expr(0), param.height()}}),
        mirror_image(in),
        mirror_image(func, {{0, W}, {0, H}}),
        mirror_interior(in),
        mirror_interior(param),
        repeat_edge(in, {{Expr(), Expr()}, {0, H}}),
    };
    for (int k = 0; k < 11; k++) {
        Func f("f");
        f(x, y) = tests[k](x, y);
        f.vectorize(x, 8);
        Buffer<int16_t> out(k == 10 ? W : 3 * W, 3 * H);
        out.set_min(k == 10 ? 0 : -W, -H);
        f.realize(out);
        for (int j = -H; j < 2 * H; j++) {
            for (int i = out.dim(0).min(); i <= out.dim(0).max(); i++) {
                int a = i, b = j;
                bool inside = i >= 0 && i < W && j >= 0 && j < H;
                int want = 0;
                if (k < 2) {
                    want = inside ? in(i, j) : -1;
                } else {
                    if (k < 4 || k == 10) {
                        a = std::min(std::max(i, 0), W - 1), b = std::min(std::max(j, 0), H - 1);
                    } else if (k < 6) {
                        a = mod(i, W), b = mod(j, H);
                    } else if (k < 8) {
                        a = mod(i, 2 * W), b = mod(j, 2 * H);
                        a = a >= W ? 2 * W - 1 - a : a, b = b >= H ? 2 * H - 1 - b : b;
                    } else {
                        a = mod(i, 2 * W - 2), b = mod(j, 2 * H - 2);
                        a = a >= W ? 2 * W - 2 - a : a, b = b >= H ? 2 * H - 2 - b : b;
                    }
                    want = in(a, b);
                }
                if (out(i, j) != want) {
                    printf("%d: (%d, %d) is %d instead of %d\n", k, i, j, out(i, j), want);
                    return 1;
                }
            }
        }
    }
    return 0;
}
