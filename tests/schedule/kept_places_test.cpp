// Accumulators in buffers whose strides are not constant stay in registers, and give the interpreter's values.

#include "driver/test_interpreter.h"

#include <gtest/gtest.h>

namespace fluorite::kept_places_test {
namespace {

TEST(KeptPlaces, BlocksOfAProductWithAStrideOfTheirOwn) {
    const Var x("x"), y("y"), xi("xi"), l("l"), p("p"), yi("yi");
    const Buffer<int> a = random_buffer<int>({9, 40}, 1), b = random_buffer<int>({64, 9}, 2);
    Param<int> terms("terms");
    for (const int count : {0, 1, 9}) {
        RDom k(0, terms, "k");
        Func product("product"), f("f");
        product(l, p, y) = 1;
        product(l, p, y) += a(k, y) * b(clamp(p * 16 + l, 0, 63), k);
        f(x, y) = product(x % 16, x / 16, y) + product(x % 16, x / 16, y + 1);
        f.split(x, p, l, 16, TailStrategy::GuardWithIf).split(y, y, yi, 4, TailStrategy::GuardWithIf);
        f.reorder(l, yi, y, p).vectorize(l, 8);
        product.compute_at(f, y).bound_extent(l, 16).bound_extent(y, 5).vectorize(l, 8).unroll(l).unroll(y);
        product.update().reorder(l, y, k, p).vectorize(l, 8).unroll(l).unroll(y);
        terms.set(count);
        expect_same<int>(f, {50, 35}, std::to_string(count));
    }
}

} // namespace
} // namespace fluorite::kept_places_test
