// Programs written against Halide's API: float sums may be factored and made atomic, as in Halide.
#include "fluorite/compat/Halide.h"

#include <gtest/gtest.h>

namespace compat_test {

namespace {

using namespace Halide;

TEST(HalideReductions, FloatDotProductByRFactor) {
    Buffer<float> a(1000), b(1000);
    a.for_each_element([&](int i) {
        a(i) = static_cast<float>(i % 17);
        b(i) = static_cast<float>(i % 5 - 2);
    });
    Func dot("dot");
    RDom r(0, 1000);
    RVar rxo("rxo"), rxi("rxi");
    Var u("u");
    dot() = 0.0f;
    dot() += a(r.x) * b(r.x);
    Func intm = dot.update().split(r.x, rxo, rxi, 8).rfactor(rxi, u);
    intm.compute_root().vectorize(u).update().vectorize(u);
    float wanted = 0;
    for (int i = 0; i < 1000; i++) {
        wanted += a(i) * b(i);
    }
    Buffer<float> seen = dot.realize();
    EXPECT_EQ(seen(), wanted) << "integers: no sum rounds";
}

TEST(HalideReductions, FloatSumByAtomic) {
    Buffer<float> a(1003);
    a.for_each_element([&](int i) { a(i) = static_cast<float>(i % 17); });
    Func sum_of("sum_of");
    RDom r(0, 1003);
    sum_of() = 0.0f;
    sum_of() += a(r.x);
    sum_of.update().atomic().vectorize(r.x, 8);
    float wanted = 0;
    for (int i = 0; i < 1003; i++) {
        wanted += a(i);
    }
    Buffer<float> seen = sum_of.realize();
    EXPECT_EQ(seen(), wanted);
}

TEST(HalideReductions, HistogramInParallel) {
    Buffer<uint8_t> a(500, 40);
    a.for_each_element([&](int i, int j) { a(i, j) = static_cast<uint8_t>(i * j); });
    Func hist("hist");
    Var i("i"), y("y");
    RDom r(0, 500, 0, 40);
    hist(i) = 0;
    hist(cast<int>(a(r.x, r.y))) += 1;
    Func intm = hist.update().rfactor(r.y, y);
    intm.compute_root().parallel(y).update().parallel(y);
    hist.update().vectorize(i, 8);
    Buffer<int> seen = hist.realize(256);
    std::vector<int> wanted(256);
    a.for_each_value([&](uint8_t value) { wanted[value]++; });
    for (int k = 0; k < 256; k++) {
        EXPECT_EQ(seen(k), wanted[static_cast<size_t>(k)]) << k;
    }
}

} // namespace

} // namespace compat_test
