// Matrix products: with sum() and with an explicit update, scheduled over RVars.
#include "Halide.h"

#include <cmath>
#include <stdio.h>

using namespace Halide;

int main() {
    const int n = 48;
    ImageParam A(Float(32), 2, "A"), B(Float(32), 2, "B");
    Var x("x"), y("y"), xi("xi"), yi("yi");
    Func C("C"), D("D"), out("out");
    RDom k(0, A.width(), "k");
    C(x, y) += A(k, y) * B(x, k);
    out(x, y) = C(x, y);
    RDom k2(0, n);
    D(x, y) = sum(A(k2, y) * B(x, k2));

    RVar ko("ko"), ki("ki");
    out.tile(x, y, xi, yi, 16, 8).vectorize(xi, 8).unroll(xi).unroll(yi);
    C.compute_at(out, x)
        .vectorize(x, 8)
        .update()
        .split(k, ko, ki, 4)
        .reorder(x, y, ki, ko)
        .vectorize(x, 8)
        .unroll(y, 2);

    Buffer<float> a(n, n), b(n, n);
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) {
            a(i, j) = (float)((i * 5 + j) % 7);
            b(i, j) = (float)((i + j * 3) % 5);
        }
    }
    A.set(a);
    B.set(b);
    Buffer<float> c = out.realize({n, n}), d = D.realize({n, n});
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) {
            float want = 0;
            for (int q = 0; q < n; q++) {
                want += a(q, j) * b(i, q);
            }
            if (c(i, j) != want || d(i, j) != want) { // small integers: exact
                printf("%d %d: %f %f instead of %f\n", i, j, c(i, j), d(i, j), want);
                return 1;
            }
        }
    }
    return 0;
}
