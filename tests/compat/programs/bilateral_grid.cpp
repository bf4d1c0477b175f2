// A bilateral grid: a reduction into a grid of Tuples or of a channel dimension, blurs, and trilinear slicing.
#include <Halide.h>

#include <stdio.h>

using namespace Halide;

int main() {
    const int W = 80, H = 56, s_sigma = 8;
    ImageParam input(Float(32), 2);
    Param<float> r_sigma("r_sigma", 0.1f);
    Var x("x"), y("y"), z("z"), c("c");
    Buffer<float> in(W, H);
    in.for_each_element([&](int i, int j) { in(i, j) = ((i / 9 + j / 7) % 5) / 5.0f; });
    input.set(in);
    Buffer<float> results[2];
    for (int schedule = 0; schedule < 2; schedule++) {
        Func clamped("clamped");
        clamped(x, y) = input(clamp(x, 0, input.width() - 1), clamp(y, 0, input.height() - 1));
        RDom r(0, s_sigma, 0, s_sigma);
        Expr val = clamped(x * s_sigma + r.x - s_sigma / 2, y * s_sigma + r.y - s_sigma / 2);
        val = clamp(val, 0.0f, 1.0f);
        Expr zi = cast<int>(val * (1.0f / r_sigma) + 0.5f);
        Func grid("grid");
        grid(x, y, z, c) = 0.0f;
        grid(x, y, zi, c) += select(c == 0, val, 1.0f);
        Func blurx("blurx"), blury("blury"), blurz("blurz");
        blurz(x, y, z, c) = grid(x, y, z - 1, c) + grid(x, y, z, c) * 4 + grid(x, y, z + 1, c);
        blurx(x, y, z, c) = blurz(x - 1, y, z, c) + blurz(x, y, z, c) * 4 + blurz(x + 1, y, z, c);
        blury(x, y, z, c) = blurx(x, y - 1, z, c) + blurx(x, y, z, c) * 4 + blurx(x, y + 1, z, c);
        val = clamp(clamped(x, y), 0.0f, 1.0f);
        Expr zv = val * (1.0f / r_sigma);
        zi = cast<int>(zv);
        Expr zf = zv - zi;
        Expr xf = cast<float>(x % s_sigma) / s_sigma;
        Expr yf = cast<float>(y % s_sigma) / s_sigma;
        Expr xi = x / s_sigma;
        Expr yi = y / s_sigma;
        Func interpolated("interpolated");
        interpolated(x, y, c) = lerp(lerp(lerp(blury(xi, yi, zi, c), blury(xi + 1, yi, zi, c), xf),
                                          lerp(blury(xi, yi + 1, zi, c), blury(xi + 1, yi + 1, zi, c), xf), yf),
                                     lerp(lerp(blury(xi, yi, zi + 1, c), blury(xi + 1, yi, zi + 1, c), xf),
                                          lerp(blury(xi, yi + 1, zi + 1, c), blury(xi + 1, yi + 1, zi + 1, c), xf), yf),
                                     zf);
        Func bilateral("bilateral");
        bilateral(x, y) = interpolated(x, y, 0) / interpolated(x, y, 1);
        if (schedule == 0) {
            grid.compute_root();
            blurz.compute_root();
            blurx.compute_root();
            blury.compute_root();
        } else {
            blurz.compute_root().reorder(c, z, x, y).parallel(y).vectorize(x, 8).unroll(c);
            grid.compute_at(blurz, x);
            grid.update().reorder(c, r.x, r.y, x, y).unroll(c);
            blurx.compute_root().reorder(c, x, y, z).parallel(z).vectorize(x, 4).unroll(c);
            blurz.bound(c, 0, 2);
            blurx.bound(c, 0, 2);
            blury.compute_root().bound(c, 0, 2).reorder(c, x, y, z).parallel(z).vectorize(x, 4).unroll(c);
            bilateral.parallel(y).vectorize(x, 8);
        }
        results[schedule] = bilateral.realize({W, H});
    }
    for (int j = 0; j < H; j++) {
        for (int i = 0; i < W; i++) {
            float a = results[0](i, j), b = results[1](i, j);
            if (std::abs(a - b) > 1e-5f || !(a > -0.01f && a < 1.01f)) {
                printf("%d %d: %f %f\n", i, j, a, b);
                return 1;
            }
        }
    }
    return 0;
}
