// Schedules of updates: split, reorder, unroll, vectorize and parallelize RVars and pure Vars of update stages.
#include <Halide.h>

#include <stdio.h>

using namespace Halide;

int main() {
    Var x("x"), y("y"), xo("xo"), xi("xi"), u("u");
    RVar ro("ro"), ri("ri"), rxo("rxo"), rxi("rxi"), ryo("ryo"), ryi("ryi");
    Buffer<int> in(64, 40);
    in.for_each_element([&](int i, int j) { in(i, j) = (i * 7 + j * 3) % 101; });
    RDom r(0, 64, 0, 40, "r");
    Func rows("rows");
    RDom k(0, 64);
    rows(y) = 0;
    rows(y) += in(k, y);
    rows.vectorize(y, 8);
    rows.update(0).split(k, ro, ri, 16).reorder(ri, y, ro).unroll(ri, 4).parallel(y);
    Func total("total");
    total() = 0;
    total() += in(r.x, r.y);
    total.update().tile(r.x, r.y, rxo, ryo, rxi, ryi, 16, 8);
    Func hist("hist");
    hist(x) = 0;
    hist(clamp(in(r.x, r.y), 0, 100)) += 1;
    hist.vectorize(x, 8);
    hist.update().reorder(r.y, r.x).unroll(r.y, 4);
    Func columns("columns");
    columns(x) = 0;
    columns(x) = max(columns(x), in(x, k % 40));
    columns(x) *= 2;
    columns.update(0).split(x, xo, xi, 8).reorder(xi, k, xo).vectorize(xi).parallel(xo);
    columns.update(1).unscheduled();
    Buffer<int> a = rows.realize({40}), b = total.realize(), c = hist.realize({101}), d = columns.realize({64});
    int sum = 0, counted[101] = {0};
    for (int j = 0; j < 40; j++) {
        int row = 0;
        for (int i = 0; i < 64; i++) {
            row += in(i, j);
            counted[in(i, j)]++;
        }
        sum += row;
        if (a(j) != row) {
            printf("row %d: %d instead of %d\n", j, a(j), row);
            return 1;
        }
    }
    for (int i = 0; i < 101; i++) {
        if (c(i) != counted[i]) {
            return 2;
        }
    }
    for (int i = 0; i < 64; i++) {
        int most = 0;
        for (int j = 0; j < 40; j++) {
            most = std::max(most, in(i, j));
        }
        if (d(i) != most * 2) {
            return 3;
        }
    }
    return b() == sum ? 0 : 4;
}
