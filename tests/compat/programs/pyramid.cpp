// A Gaussian pyramid down and up again, as vectors of Funcs.
#include <Halide.h>

#include <stdio.h>
#include <vector>

using namespace Halide;

static Var x("x"), y("y"), c("c");

static Func downsample(Func f) {
    Func downx("downx"), downy("downy");
    downx(x, y, _) = (f(2 * x - 1, y, _) + 3.0f * (f(2 * x, y, _) + f(2 * x + 1, y, _)) + f(2 * x + 2, y, _)) / 8.0f;
    downy(x, y, _) =
        (downx(x, 2 * y - 1, _) + 3.0f * (downx(x, 2 * y, _) + downx(x, 2 * y + 1, _)) + downx(x, 2 * y + 2, _)) / 8.0f;
    return downy;
}

static Func upsample(Func f) {
    Func upx("upx"), upy("upy");
    upx(x, y, _) = 0.25f * f((x / 2) - 1 + 2 * (x % 2), y, _) + 0.75f * f(x / 2, y, _);
    upy(x, y, _) = 0.25f * upx(x, (y / 2) - 1 + 2 * (y % 2), _) + 0.75f * upx(x, y / 2, _);
    return upy;
}

int main() {
    const int J = 4;
    Buffer<float> in(64, 48, 3);
    in.for_each_element([&](int i, int j, int k) { in(i, j, k) = (float)(i + 2 * j + 3 * k); });
    Func clamped = BoundaryConditions::repeat_edge(in);
    Func results[2];
    for (int schedule = 0; schedule < 2; schedule++) {
        std::vector<Func> g(J), l(J);
        g[0](x, y, c) = clamped(x, y, c);
        for (int j = 1; j < J; j++) {
            g[j](x, y, c) = downsample(g[j - 1])(x, y, c);
        }
        l[J - 1](x, y, c) = g[J - 1](x, y, c);
        for (int j = J - 2; j >= 0; j--) {
            l[j](x, y, c) = g[j](x, y, c) - upsample(g[j + 1])(x, y, c) + upsample(l[j + 1])(x, y, c);
        }
        if (schedule == 1) {
            for (int j = 0; j < J; j++) {
                g[j].compute_root().parallel(y, 8).vectorize(x, 4);
                l[j].compute_root().parallel(y, 8).vectorize(x, 4);
            }
        } else {
            for (int j = 1; j < J; j++) {
                g[j].compute_root();
                l[j].compute_root();
            }
        }
        results[schedule] = l[0];
    }
    Buffer<float> a = results[0].realize({64, 48, 3}), b = results[1].realize({64, 48, 3});
    for (int k = 0; k < 3; k++) {
        for (int j = 0; j < 48; j++) {
            for (int i = 0; i < 64; i++) {
                if (a(i, j, k) != b(i, j, k) || std::abs(a(i, j, k) - in(i, j, k)) > 1e-3f) {
                    printf("%d %d %d: %f %f %f\n", i, j, k, a(i, j, k), b(i, j, k), in(i, j, k));
                    return 1;
                }
            }
        }
    }
    return 0;
}
