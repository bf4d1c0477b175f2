// Pipelines of several outputs, of different types, sizes and ranks; Realizations given by hand.
#include <Halide.h>

#include <stdio.h>

using namespace Halide;

int main() {
    Var x("x"), y("y");
    Func base("base"), f("f"), g("g"), h("h");
    base(x, y) = x * x + y;
    f(x, y) = base(x, y) + 1;
    g(x, y) = cast<float>(base(x, y)) / 2;
    h(x, y) = Tuple(cast<uint8_t>(base(x, y)), base(y, x));
    base.compute_root();
    Pipeline p({f, g, h});
    Realization r = p.realize({6, 6});
    if (r.size() != 4) {
        return 1;
    }
    Buffer<int> rf = r[0], rh1 = r[3];
    Buffer<float> rg = r[1];
    Buffer<uint8_t> rh0 = r[2];
    for (int j = 0; j < 6; j++) {
        for (int i = 0; i < 6; i++) {
            int b = i * i + j;
            if (rf(i, j) != b + 1 || rg(i, j) != b / 2.0f || rh0(i, j) != b || rh1(i, j) != j * j + i) {
                printf("wrong at %d %d\n", i, j);
                return 2;
            }
        }
    }
    Func row("row"), all("all");
    row(x) = base(x, 3);
    all() = base(1, 1);
    Buffer<int> a(4, 5), b(9), c = Buffer<int>::make_scalar();
    Pipeline({f, row, all}).realize({a, b, c});
    Buffer<uint8_t> t0(3, 3);
    Buffer<int> t1(3, 3);
    h.realize({t0, t1});
    Realization given({t0, t1});
    h.realize(given);
    std::vector<Func> outputs = p.outputs();
    return a(2, 3) == 8 && b(8) == 67 && c() == 2 && t1(2, 1) == 3 && t0(2, 1) == 5 && outputs.size() == 3 &&
                   outputs[1].name() == "g"
               ? 0
               : 3;
}
