// sum, product, minimum, maximum, argmin, argmax: of images, with named RDoms, nested, and in scheduled Funcs.
#include <Halide.h>

#include <stdio.h>

using namespace Halide;

int main() {
    Buffer<uint8_t> im(30, 20);
    im.for_each_element([&](int i, int j) { im(i, j) = (uint8_t)(i * 17 + j * 29); });
    Var x("x"), y("y");
    Func padded = BoundaryConditions::mirror_interior(im);
    RDom box(-1, 3, -1, 3, "box"), line(0, 4);
    Func f("f"), g("g"), h("h"), sums("sums");
    f(x, y) = sum(cast<int>(padded(x + box.x, y + box.y)));
    g(x, y) = cast<int>(maximum(padded(x + box.x, y + box.y))) - minimum(cast<int>(padded(x + box.x, y + box.y)));
    h(x, y) = product(line + 1) + sum(line, sum(box, line * cast<int>(padded(x + box.x, y)))) + f(x, y);
    f.compute_root().vectorize(x, 8);
    g.parallel(y);
    Func dist("dist"), best("best");
    RDom whole(im);
    Tuple lowest = argmin(whole, cast<int>(im(whole.x, whole.y)) + 3, "lowest");
    best() = {lowest[0], lowest[1], lowest[2]};
    Func helper("helper");
    dist(x, y) = sum(box, cast<float>(abs(box.x) + abs(box.y)) * padded(x + box.x, y + box.y), helper);
    helper.compute_at(dist, y).vectorize(x, 4);
    helper.update().reorder(x, box.x, box.y).unroll(box.x);

    Buffer<int> fb = f.realize({30, 20}), gb = g.realize({30, 20}), hb = h.realize({30, 20});
    Buffer<float> db = dist.realize({30, 20});
    Realization bb = best.realize();
    auto at = [&](int i, int j) {
        i = i < 0 ? -i : i, j = j < 0 ? -j : j;
        i = i > 29 ? 58 - i : i, j = j > 19 ? 38 - j : j;
        return (int)im(i, j);
    };
    int lx = 0, ly = 0, low = 1000;
    for (int j = 0; j < 20; j++) {
        for (int i = 0; i < 30; i++) {
            int s = 0, lo = 255, hi = 0, row = 0;
            float d = 0;
            for (int b = -1; b <= 1; b++) {
                for (int a = -1; a <= 1; a++) {
                    s += at(i + a, j + b);
                    lo = std::min(lo, at(i + a, j + b));
                    hi = std::max(hi, at(i + a, j + b));
                    row += at(i + a, j);
                    d += (abs(a) + abs(b)) * (float)at(i + a, j + b);
                }
            }
            if (fb(i, j) != s || gb(i, j) != hi - lo || hb(i, j) != 24 + 6 * row + s || db(i, j) != d) {
                printf("%d %d: %d %d %d %f, not %d %d %d %f\n", i, j, fb(i, j), gb(i, j), hb(i, j), db(i, j), s,
                       hi - lo, 24 + 6 * row + s, d);
                return 1;
            }
            if (im(i, j) < low) {
                low = im(i, j), lx = i, ly = j;
            }
        }
    }
    Buffer<int> b0 = bb[0], b1 = bb[1], b2 = bb[2];
    if (b0() != lx || b1() != ly || b2() != low + 3) {
        printf("argmin %d %d %d, not %d %d %d\n", b0(), b1(), b2(), lx, ly, low + 3);
        return 2;
    }
    return 0;
}
