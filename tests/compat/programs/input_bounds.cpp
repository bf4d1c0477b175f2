// infer_input_bounds, shifted domains, bound() and align_bounds(), resizing by a Param, upsampling.
#include <Halide.h>

#include <stdio.h>

using namespace Halide;

int main() {
    Var x("x"), y("y");
    ImageParam input(Float(32), 2, "input");
    Param<float> scale("scale", 2.5f);
    Func kernel("kernel"), resized("resized"), clamped("clamped");
    clamped = BoundaryConditions::repeat_edge(input);
    Expr sx = (x + 0.5f) * scale - 0.5f;
    Expr ix = cast<int>(floor(sx));
    Expr fx = sx - ix;
    resized(x, y) = lerp(clamped(ix, y), clamped(ix + 1, y), fx);
    Buffer<float> in(50, 8);
    in.for_each_element([&](int i, int j) { in(i, j) = (float)(i * i % 23 + j); });
    input.set(in);
    resized.vectorize(x, 4);
    Buffer<float> out = resized.realize({20, 8});
    for (int j = 0; j < 8; j++) {
        for (int i = 0; i < 20; i++) {
            float s = (i + 0.5f) * 2.5f - 0.5f;
            int a = (int)std::floor(s);
            auto at = [&](int p) { return in(std::min(std::max(p, 0), 49), j); };
            float want = at(a) + (at(a + 1) - at(a)) * (s - a);
            if (std::abs(out(i, j) - want) > 1e-4f) {
                printf("%d %d: %f instead of %f\n", i, j, out(i, j), want);
                return 1;
            }
        }
    }
    input.reset();
    Func stencil("stencil");
    stencil(x, y) = input(x - 2, y + 1) + input(2 * x + 3, y - 4);
    stencil.infer_input_bounds({10, 6});
    Buffer<> needed = input.get();
    if (needed.dim(0).min() != -2 || needed.dim(0).max() != 21 || needed.dim(1).min() != -4 ||
        needed.dim(1).max() != 6) {
        printf("%d %d %d %d\n", needed.dim(0).min(), needed.dim(0).max(), needed.dim(1).min(), needed.dim(1).max());
        return 2;
    }
    input.reset();
    Buffer<float> shifted(4, 4);
    shifted.set_min(100, -100);
    stencil.infer_input_bounds(shifted);
    Buffer<float> got = input.get();
    got.fill(1.0f);
    stencil.realize(shifted);
    if (got.dim(0).min() != 98 || got.dim(1).max() != -96 || shifted(103, -97) != 2.0f) {
        return 3;
    }
    Func producer("producer"), consumer("consumer");
    producer(x, y) = x + y;
    consumer(x, y) = producer(x, y) + producer(x + 1, y);
    producer.compute_root().align_bounds(x, 8).vectorize(x, 8, TailStrategy::RoundUp);
    consumer.bound(x, 0, 24).bound(y, 0, 5).unroll(y).vectorize(x, 8);
    Buffer<int> c = consumer.realize({24, 5});
    return c(23, 4) == 55 ? 0 : 4;
}
