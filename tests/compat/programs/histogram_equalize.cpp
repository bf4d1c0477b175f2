// Histogram equalization: a scattering update, a scan, and a gather.
#include <Halide.h>

#include <stdio.h>
#include <vector>

using namespace Halide;

int main() {
    Buffer<uint8_t> in(60, 50);
    in.fill(0);
    for (int y = 0; y < 50; y++) {
        for (int x = 0; x < 60; x++) {
            in(x, y) = (uint8_t)((x * y) % 97);
        }
    }
    Var x("x"), y("y"), i("i");
    Func hist("hist"), cdf("cdf"), equalized("equalized");
    RDom r(in);
    hist(i) = cast<uint32_t>(0);
    hist(in(r.x, r.y)) += cast<uint32_t>(1);
    RDom b(1, 255);
    cdf(i) = hist(i);
    cdf(b) = cdf(b - 1) + hist(b);
    Expr total = in.width() * in.height();
    equalized(x, y) = cast<uint8_t>(clamp(cdf(in(x, y)) * 255 / cast<uint32_t>(total), 0, 255));
    hist.compute_root();
    cdf.compute_root();
    equalized.vectorize(x, 8).parallel(y);
    Buffer<uint8_t> out = equalized.realize({in.width(), in.height()});

    std::vector<unsigned> count(256, 0);
    in.for_each_value([&](uint8_t v) { count[v]++; });
    for (int k = 1; k < 256; k++) {
        count[k] += count[k - 1];
    }
    for (int yy = 0; yy < 50; yy++) {
        for (int xx = 0; xx < 60; xx++) {
            int want = (int)(count[in(xx, yy)] * 255 / 3000);
            if (out(xx, yy) != want) {
                printf("(%d, %d): %d instead of %d\n", xx, yy, out(xx, yy), want);
                return 1;
            }
        }
    }
    return 0;
}
