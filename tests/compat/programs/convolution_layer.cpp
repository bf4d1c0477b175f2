// A convolution layer with bias and ReLU: four dimensions, a reduction over three, a schedule with an inner tile.
#include <Halide.h>

#include <stdio.h>

using namespace Halide;

int main() {
    const int N = 2, CI = 4, CO = 8, W = 10, H = 6;
    ImageParam input(Float(32), 4, "input"), filter(Float(32), 4, "filter"), bias(Float(32), 1, "bias");
    Var x("x"), y("y"), c("c"), n("n"), xi("xi"), ci("ci"), co("co");
    Func conv("conv"), relu("relu");
    RDom r(0, CI, 0, 3, 0, 3);
    conv(c, x, y, n) = bias(c);
    conv(c, x, y, n) += filter(c, r.y, r.z, r.x) * input(r.x, x + r.y, y + r.z, n);
    relu(c, x, y, n) = max(0, conv(c, x, y, n));
    relu.split(c, co, ci, 8).reorder(ci, x, y, n, co).vectorize(ci, 8).parallel(y).parallel(n);
    conv.compute_at(relu, x).vectorize(c, 8).update().reorder(c, x, y, r.x, r.y, r.z, n).vectorize(c, 8).unroll(r.x, 2);
    bias.dim(0).set_bounds(0, CO).set_stride(1);
    filter.dim(0).set_bounds(0, CO).set_stride(1);

    Buffer<float> in(CI, W + 2, H + 2, N), fil(CO, 3, 3, CI), b(CO);
    in.for_each_element([&](const int *p) { in(p) = (float)((p[0] + 2 * p[1] + 3 * p[2] + p[3]) % 5 - 2); });
    fil.for_each_element([&](const int *p) { fil(p) = (float)((p[0] * p[1] + p[2] - p[3]) % 3); });
    b.for_each_element([&](int i) { b(i) = (float)i; });
    input.set(in);
    filter.set(fil);
    bias.set(b);
    Buffer<float> out = relu.realize({CO, W, H, N});
    for (int k = 0; k < N; k++) {
        for (int j = 0; j < H; j++) {
            for (int i = 0; i < W; i++) {
                for (int o = 0; o < CO; o++) {
                    float want = b(o);
                    for (int q = 0; q < CI; q++) {
                        for (int dy = 0; dy < 3; dy++) {
                            for (int dx = 0; dx < 3; dx++) {
                                want += fil(o, dx, dy, q) * in(q, i + dx, j + dy, k);
                            }
                        }
                    }
                    want = std::max(want, 0.0f);
                    if (out(o, i, j, k) != want) {
                        printf("%d %d %d %d: %f instead of %f\n", o, i, j, k, out(o, i, j, k), want);
                        return 1;
                    }
                }
            }
        }
    }
    return 0;
}
