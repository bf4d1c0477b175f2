// Scans in both directions, an IIR filter, RDom::where, a Fibonacci sequence, and updates over parts of the domain.
#include <Halide.h>

#include <stdio.h>

using namespace Halide;

int main() {
    Var x("x"), y("y");
    {
        Func fib("fib");
        fib(x) = 1;
        RDom r(2, 28);
        fib(r) = fib(r - 1) + fib(r - 2);
        Buffer<int> b = fib.realize({30});
        int p = 1, q = 1;
        for (int i = 2; i < 30; i++) {
            int n = p + q;
            p = q, q = n;
            if (b(i) != n) {
                printf("fib(%d) = %d instead of %d\n", i, b(i), n);
                return 1;
            }
        }
    }
    {
        Buffer<float> in(40, 20);
        in.for_each_element([&](int i, int j) { in(i, j) = (float)((i * 13 + j * 5) % 11); });
        Func iir("iir");
        RDom ry(1, 19), rb(0, 19);
        iir(x, y) = in(x, y);
        iir(x, ry) = 0.5f * iir(x, ry) + 0.5f * iir(x, ry - 1);
        Expr flipped = 18 - rb;
        iir(x, flipped) = 0.5f * iir(x, flipped) + 0.5f * iir(x, flipped + 1);
        iir.compute_root();
        iir.update(0).vectorize(x, 8).reorder(x, ry);
        iir.update(1).vectorize(x, 8);
        Func out("out");
        out(x, y) = iir(x, y) * 2;
        Buffer<float> b = out.realize({40, 20});
        for (int i = 0; i < 40; i++) {
            float v[20];
            for (int j = 0; j < 20; j++) {
                v[j] = in(i, j);
            }
            for (int j = 1; j < 20; j++) {
                v[j] = 0.5f * v[j] + 0.5f * v[j - 1];
            }
            for (int j = 18; j >= 0; j--) {
                v[j] = 0.5f * v[j] + 0.5f * v[j + 1];
            }
            for (int j = 0; j < 20; j++) {
                if (b(i, j) != v[j] * 2) {
                    printf("iir(%d, %d) = %f instead of %f\n", i, j, b(i, j), v[j] * 2);
                    return 2;
                }
            }
        }
    }
    {
        Func triangle("triangle"), circle("circle");
        RDom r(0, 8, 0, 8);
        r.where(r.x <= r.y);
        r.where(!(r.x == 3 && r.y == 5));
        triangle(x, y) = 0;
        triangle(r.x, r.y) = 1 + r.x * r.y;
        Param<int> radius("radius");
        RDom c(-10, 21, -10, 21);
        c.where(c.x * c.x + c.y * c.y <= radius * radius);
        circle() = 0;
        circle() += 1;
        circle() += cast<int>(c.x * 0 + 1);
        radius.set(5);
        Buffer<int> t = triangle.realize({10, 10}), a = circle.realize();
        int count = 0;
        for (int j = -10; j <= 10; j++) {
            for (int i = -10; i <= 10; i++) {
                count += i * i + j * j <= 25;
            }
        }
        if (a() != count + 1) {
            printf("circle %d %d\n", a(), count);
            return 3;
        }
        for (int j = 0; j < 10; j++) {
            for (int i = 0; i < 10; i++) {
                bool in = i <= j && j < 8 && !(i == 3 && j == 5);
                if (t(i, j) != (in ? 1 + i * j : 0)) {
                    printf("triangle(%d, %d) = %d\n", i, j, t(i, j));
                    return 4;
                }
            }
        }
    }
    {
        // Diagonals and single pixels, rows and columns.
        Func f("f");
        RDom r(0, 16);
        f(x, y) = x + y;
        f(0, 0) = 100;
        f(x, 3) = f(x, 2) * 2;
        f(4, y) = -y;
        f(r, r) += 1000;
        f(x, y) = f(x, y) + 5;
        Buffer<int> b = f.realize({16, 16});
        for (int j = 0; j < 16; j++) {
            for (int i = 0; i < 16; i++) {
                int row2 = i + 2, v = i + j;
                v = i == 0 && j == 0 ? 100 : v;
                v = j == 3 ? row2 * 2 : v;
                v = i == 4 ? -j : v;
                v += i == j ? 1000 : 0;
                if (b(i, j) != v + 5) {
                    printf("f(%d, %d) = %d instead of %d\n", i, j, b(i, j), v + 5);
                    return 5;
                }
            }
        }
    }
    return 0;
}
