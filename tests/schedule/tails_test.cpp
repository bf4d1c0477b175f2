// Tails of nested splits: an iteration of an update happens once on each point, whatever the factors.

#include "fluorite/fluorite.h"

#include <gtest/gtest.h>

namespace fluorite {
namespace {

// Flipping a bit twice gives it back, so a point that is updated twice shows.
int wrong_points(TailStrategy tail, int outer_factor, int inner_factor, int size) {
    Var x("x"), y("y"), xo("xo"), xi("xi"), xii("xii");
    Func flip("flip"), out("out");
    flip(x, y) = cast<uint8_t>(0);
    flip(x, y) = flip(x, y) ^ cast<uint8_t>(1);
    out(x, y) = flip(x, y);
    flip.compute_root();
    flip.update(0).split(x, xo, xi, outer_factor, tail).split(xi, xi, xii, inner_factor, tail).unroll(xii);
    Buffer<uint8_t> result = out.realize({size, 3});
    int wrong = 0;
    result.for_each_value([&](uint8_t value) { wrong += value != 1; });
    return wrong;
}

TEST(Tails, InnerSplitsOfUpdatesRunOnceOnEachPoint) {
    for (TailStrategy tail : {TailStrategy::Auto, TailStrategy::RoundUp, TailStrategy::GuardWithIf}) {
        for (int size : {1, 4, 5, 8, 17}) {
            EXPECT_EQ(wrong_points(tail, 4, 3, size), 0) << "size " << size;
            EXPECT_EQ(wrong_points(tail, 5, 2, size), 0) << "size " << size;
        }
    }
}

TEST(Tails, LanesDoNotShareStorageOfUpdates) {
    Var x("x"), y("y"), xi("xi");
    Func counted("counted"), out("out");
    counted(x, y) = 0;
    counted(x, y) -= 1;
    out(x, y) = counted(x, y) + counted(x - 2, y);
    out.split(x, x, xi, 4).vectorize(xi);
    counted.store_at(out, y).compute_at(out, xi);
    try {
        out.realize({4, 1});
        FAIL() << "lanes that share storage are refused";
    } catch (const CompileError &error) {
        EXPECT_EQ(error.slug(), "store-outside-parallel");
    }
}

} // namespace
} // namespace fluorite
