// Updates of a diagonal, f(x, x) = ...: the Var runs over its own dimension and gives the other coordinate, too.
#include "fluorite/fluorite.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

namespace fluorite::diagonal_updates_test {
namespace {

const Var x("x"), y("y"), z("z"), xo("xo"), xi("xi");
constexpr int size = 13;

using Schedule = std::function<void(Func &f, Func &g)>;

const std::vector<std::pair<std::string, Schedule>> schedules = {
    {"serial", [](Func &, Func &) {}},
    {"vectors, guarded", [](Func &f, Func &) { f.update().vectorize(x, 4, TailStrategy::GuardWithIf); }},
    {"vectors, rounded up", [](Func &f, Func &) { f.update().vectorize(x, 8, TailStrategy::RoundUp); }},
    {"vectors, predicated", [](Func &f, Func &) { f.update().vectorize(x, 4, TailStrategy::Predicate); }},
    {"threads", [](Func &f, Func &) { f.update().split(x, xo, xi, 3).parallel(xo); }},
    {"unrolled", [](Func &f, Func &) { f.update().unroll(x, 2); }},
    {"in rows", [](Func &f, Func &g) { f.compute_at(g, y); }},
    {"in rows of a window", [](Func &f, Func &g) { f.store_root().compute_at(g, y); }},
    {"in columns of a window",
     [](Func &f, Func &g) {
         g.reorder(y, x);
         f.store_root().compute_at(g, x);
     }},
};

template <typename T> void check_plane() {
    for (const auto &[name, schedule] : schedules) {
        SCOPED_TRACE(name);
        Func f("f"), g("g");
        f(x, y) = cast<T>(x + 2 * y);
        f(x, x) += cast<T>(f(x, x + 1) + 40); // another row of its column
        g(x, y) = f(x, y) + f(y + 1, x);
        f.compute_root();
        schedule(f, g);
        const Buffer<T> seen = g.realize({size, size});
        const auto value = [](int i, int j) {
            return static_cast<T>(static_cast<T>(i + 2 * j) +
                                  (i == j ? static_cast<T>(static_cast<T>(i + 2 * (i + 1)) + 40) : 0));
        };
        for (int j = 0; j < size; j++) {
            for (int i = 0; i < size; i++) {
                ASSERT_EQ(seen(i, j), static_cast<T>(value(i, j) + value(j + 1, i))) << i << ", " << j;
            }
        }
    }
}

TEST(DiagonalUpdates, of_planes) {
    check_plane<int>();
    check_plane<uint8_t>();
    check_plane<float>();
}

TEST(DiagonalUpdates, of_an_output_with_three_dimensions) {
    Func f("f");
    f(x, y, z) = x + 10 * y + 100 * z;
    f(x, y, x) = -f(x, y, x); // a plane
    f(x, x, x) = 5;
    f.update(0).vectorize(x, 4).parallel(y);
    f.update(1).vectorize(x, 4);
    const Buffer<int> seen = f.realize({size, size, size});
    seen.for_each_element([&](int i, int j, int k) {
        const int value = i + 10 * j + 100 * k;
        ASSERT_EQ(seen(i, j, k), i == j && i == k ? 5 : i == k ? -value : value) << i << ", " << j << ", " << k;
    });
}

TEST(DiagonalUpdates, need_an_output_that_contains_them) {
    Func f("f");
    f(x, y) = 1;
    f(x, x) = 2;
    Buffer<int> small(8, 5);
    try {
        f.realize(small);
        ADD_FAILURE() << "not refused";
    } catch (const RuntimeError &error) {
        EXPECT_EQ(error.slug(), "output-too-small") << error.what();
    }
}

} // namespace
} // namespace fluorite::diagonal_updates_test
