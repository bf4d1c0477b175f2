// min, max and clamp of Vars, Exprs and calls in a program that uses namespace std as well as namespace Halide.
#include "Halide.h"

#include <algorithm>
#include <cstdio>

using namespace std;
using namespace Halide;

int main() {
    Var x("x"), y("y");
    const Var u("u"), v("v");
    const Expr a = x, b = y;
    Func f("f"), g("g"), h("h");
    RDom r(0, 4);
    Param<int> p(3), q(4);
    f(x, y) = min(x, y) + 10 * max(a, b) + 100 * clamp(x, y, 2) + min(p, q) - max(p, q) + 1;
    g(u, v) = min(f(u, v), f(v, u)) + max(min(u, 1), v) + clamp(u, v, u);
    const auto first = g(x, y), second = g(y, x);
    h(x, y) = min(first, second) + max(first, second) - clamp(first, second, first);
    h(x, y) += min(r.x, r.x) * 0 + max(Expr(r.x), 0) * 0;
    const Buffer<int> result = h.realize({3, 3});
    int wrong = 0;
    const auto f_at = [](int i, int j) { return min(i, j) + 10 * max(i, j) + 100 * max(min(i, 2), j); };
    const auto g_at = [&](int i, int j) { return min(f_at(i, j), f_at(j, i)) + max(min(i, 1), j) + max(min(i, i), j); };
    for (int j = 0; j < 3; j++) {
        for (int i = 0; i < 3; i++) {
            const int one = g_at(i, j), other = g_at(j, i);
            wrong += result(i, j) != min(one, other) + max(one, other) - max(min(one, one), other);
        }
    }
    std::printf("%s\n", wrong == 0 ? "Success!" : "A value is wrong.");
    return wrong == 0 ? 0 : 1;
}
