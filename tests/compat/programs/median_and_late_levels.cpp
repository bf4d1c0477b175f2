// A 3x3 median by a sorting network of min and max; LoopLevels are set after the schedule that uses them.
#include <Halide.h>

#include <algorithm>
#include <stdio.h>
#include <vector>

using namespace Halide;

static void sort2(Expr &a, Expr &b) {
    Expr t = min(a, b);
    b = max(a, b);
    a = t;
}

static Func median(Func in, Var x, Var y, LoopLevel compute, LoopLevel store) {
    std::vector<Expr> v;
    for (int dy = -1; dy <= 1; dy++) {
        for (int dx = -1; dx <= 1; dx++) {
            v.push_back(in(x + dx, y + dy));
        }
    }
    for (size_t i = 0; i < v.size(); i++) {
        for (size_t j = 0; j + 1 < v.size() - i; j++) {
            sort2(v[j], v[j + 1]);
        }
    }
    Func m("m");
    m(x, y) = v[4];
    in.compute_at(compute).store_at(store).vectorize(x, 8);
    return m;
}

int main() {
    const int W = 50, H = 20;
    Buffer<uint16_t> image(W, H);
    image.for_each_element([&](int i, int j) { image(i, j) = (uint16_t)((i * 7919 + j * 104729) % 65521); });
    Var x("x"), y("y");
    Func padded("padded");
    padded(x, y) = BoundaryConditions::mirror_image(image)(x, y);
    LoopLevel compute, store;
    Func m = median(padded, x, y, compute, store), out("out");
    out(x, y) = m(x, y) / 2;
    m.compute_root().vectorize(x, 16);
    compute.set(LoopLevel(m, y));
    store.set(LoopLevel::root());
    Buffer<uint16_t> result = out.realize({W, H});
    for (int j = 0; j < H; j++) {
        for (int i = 0; i < W; i++) {
            std::vector<int> v;
            for (int dy = -1; dy <= 1; dy++) {
                for (int dx = -1; dx <= 1; dx++) {
                    int a = i + dx, b = j + dy;
                    a = a < 0 ? -1 - a : a >= W ? 2 * W - 1 - a : a;
                    b = b < 0 ? -1 - b : b >= H ? 2 * H - 1 - b : b;
                    v.push_back(image(a, b));
                }
            }
            std::sort(v.begin(), v.end());
            if (result(i, j) != v[4] / 2) {
                printf("%d %d: %d instead of %d\n", i, j, result(i, j), v[4] / 2);
                return 1;
            }
        }
    }
    return 0;
}
