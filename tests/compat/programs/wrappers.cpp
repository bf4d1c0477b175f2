// Func::in, clone_in, ImageParam::in: staging through wrappers keeps the values and changes the loops.
#include <Halide.h>

#include <stdio.h>

using namespace Halide;

int main() {
    Var x("x"), y("y"), xo("xo"), yo("yo"), xi("xi"), yi("yi");
    Buffer<int> in(34, 34);
    in.for_each_element([&](int i, int j) { in(i, j) = i * 37 + j; });
    ImageParam im(Int(32), 2, "im");
    im.set(in);
    {
        Func f("f"), g("g"), h("h");
        f(x, y) = im(x, y) * 2;
        g(x, y) = f(x, y) + f(x + 1, y);
        h(x, y) = g(x, y) + f(y, x) + im(x, y);
        f.compute_root();
        Func f_in_g = f.in(g);
        g.compute_root().tile(x, y, xo, yo, xi, yi, 8, 8);
        f_in_g.compute_at(g, xo).vectorize(x, 4);
        Func staged = im.in(f);
        staged.compute_at(f, y).vectorize(_0, 8); // the arguments of image wrappers are implicit Vars
        Func also = im.in();
        also.compute_root();
        if (f_in_g.name().find("f_in_g") != 0 || f.in(g).name() != f_in_g.name()) {
            return 1;
        }
        Buffer<int> out = h.realize({32, 32});
        for (int j = 0; j < 32; j++) {
            for (int i = 0; i < 32; i++) {
                int want = 2 * (in(i, j) + in(i + 1, j)) + 2 * in(j, i) + in(i, j);
                if (out(i, j) != want) {
                    printf("%d %d: %d instead of %d\n", i, j, out(i, j), want);
                    return 2;
                }
            }
        }
    }
    {
        // A clone of a Func with updates has a schedule of its own.
        Func hist("hist"), a("a"), b("b"), c("c");
        RDom r(0, 10);
        hist(x) = x;
        hist(r) += r * r;
        a(x, y) = hist(x) + y;
        b(x, y) = hist(x) * y;
        c(x, y) = a(x, y) + b(x, y);
        hist.compute_root();
        Func copy = hist.clone_in(a);
        a.compute_root();
        b.compute_root();
        copy.compute_at(a, y).vectorize(x, 4);
        Func global = b.in();
        global.compute_at(c, y);
        Buffer<int> out = c.realize({20, 6});
        for (int j = 0; j < 6; j++) {
            for (int i = 0; i < 20; i++) {
                int h = i + (i < 10 ? i * i : 0);
                if (out(i, j) != h + j + h * j) {
                    printf("%d %d: %d\n", i, j, out(i, j));
                    return 3;
                }
            }
        }
    }
    {
        // The idiom for tiled reductions: compute an output in tiles through its wrapper.
        Func product("product");
        RDom k(0, 16);
        product(x, y) = 0;
        product(x, y) += im(k, y) * im(x, k);
        Var xii, yii;
        Func out = product.in();
        out.tile(x, y, xi, yi, 8, 4).vectorize(xi, 4).unroll(yi);
        product.compute_at(out, x).vectorize(x, 4).unroll(y).update().reorder(x, y, k).vectorize(x, 4).unroll(x).unroll(
            y);
        Buffer<int> got = out.realize({16, 16});
        for (int j = 0; j < 16; j++) {
            for (int i = 0; i < 16; i++) {
                int want = 0;
                for (int q = 0; q < 16; q++) {
                    want += in(q, j) * in(i, q);
                }
                if (got(i, j) != want) {
                    return 4;
                }
            }
        }
    }
    return 0;
}
