// Placeholders: `_`, `_0`, Var::implicit, f(_), Funcs of any rank, lambda, Func of an Expr.
#include <Halide.h>

#include <stdio.h>
#include <vector>

using namespace Halide;

int main() {
    Var x("x"), y("y");
    Func f("f"), g("g"), h("h"), k("k"), m("m");
    f(x, y) = x + 10 * y;
    g(_) = f(_) * 2;
    h(x, _) = g(x + 1, _);
    k(_0, _1) = h(_0, _1) + _0;
    m(x, _) = k(x, _) + 1;
    Buffer<int> a = m.realize({4, 3});
    for (int j = 0; j < 3; j++) {
        for (int i = 0; i < 4; i++) {
            if (a(i, j) != 2 * (i + 1 + 10 * j) + i + 1) {
                printf("%d %d: %d\n", i, j, a(i, j));
                return 1;
            }
        }
    }
    if (g.dimensions() != 2 || h.dimensions() != 2 || !Var::implicit(1).same_as(_1)) {
        return 2;
    }
    Func l = lambda(x, y, x * y);
    Func e(_0 * 3 + _1);
    if (e.dimensions() != 2) {
        return 4;
    }
    Func image_func(a);
    Buffer<int> b = lambda(x, y, l(x, y) + image_func(x, y)).realize({4, 3});
    std::vector<Var> args = f.args();
    std::vector<Expr> point = {2, 1};
    Func p;
    p() = f(point) + f(2, 1) + l(std::vector<Expr>{3, 2});
    Buffer<int> q = p.realize();
    return b(2, 2) == 4 + a(2, 2) && args.size() == 2 && args[0].name() == "x" && q() == 12 + 12 + 6 ? 0 : 3;
}
