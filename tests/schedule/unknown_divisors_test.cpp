// Coordinates that are divided, scaled or shifted by a number that is known only when the pipeline runs: whatever its
// sign, and for zero too, the regions hold what is read.
#include "driver/test_interpreted.h"
#include "fluorite/fluorite.h"

#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace fluorite::unknown_divisors_test {
namespace {

Var x("x"), y("y");

struct Coordinate {
    const char *text;
    std::function<Expr(const Expr &at, const Expr &n, const Expr &w)> of;
    bool is_real = false;
};

template <typename T> Expr ratio(const Expr &at, const Expr &n, const Expr &w) { return cast<T>(at) * cast<T>(w) / n; }

const Coordinate coordinates[] = {
    {"x * w / n", [](const Expr &at, const Expr &n, const Expr &w) { return at * w / n; }},
    {"x / (n * n) + w", [](const Expr &at, const Expr &n, const Expr &w) { return at / (n * n) + w; }},
    {"(x * w) % n", [](const Expr &at, const Expr &n, const Expr &w) { return (at * w) % n; }},
    {"floor(x * w / n)",
     [](const Expr &at, const Expr &n, const Expr &w) { return cast<int>(floor(ratio<float>(at, n, w))); }, true},
    {"ceil of doubles",
     [](const Expr &at, const Expr &n, const Expr &w) { return cast<int>(ceil(ratio<double>(at, n, w))); }, true},
    {"scale first",
     [](const Expr &at, const Expr &n, const Expr &w) {
         const Expr scale = cast<float>(w) / n;
         return cast<int>(round((at + 0.5f) * scale - 0.5f));
     },
     true},
    {"x << n", [](const Expr &at, const Expr &n, const Expr &w) { return (at << n) + w; }},
    {"x >> n", [](const Expr &at, const Expr &n, const Expr &w) { return (at >> n) - w; }},
    {"1 << (x % 4)", [](const Expr &at, const Expr &n, const Expr &w) { return (1 << (at % 4)) + n - w; }},
    {"narrow", [](const Expr &at, const Expr &n, const Expr &w) {
         return cast<int>(cast<int8_t>(at % 100) / cast<int8_t>(n)) + w;
     }}};

using Schedule = std::function<void(Func &f, Func &g)>;

const Schedule schedules[] = {[](Func &, Func &g) { g.compute_root(); },
                              [](Func &f, Func &g) { f.vectorize(x, 8), g.compute_root().vectorize(x, 4); },
                              [](Func &f, Func &g) {
                                  Var xi("xi"), yi("yi");
                                  f.tile(x, y, xi, yi, 8, 4, TailStrategy::GuardWithIf).parallel(y);
                                  g.compute_at(f, x).vectorize(x, 8);
                              },
                              [](Func &f, Func &g) {
                                  Var xi("xi");
                                  f.split(x, x, xi, 8, TailStrategy::ShiftInwards).vectorize(xi);
                                  g.store_root().compute_at(f, y);
                              },
                              [](Func &f, Func &g) {
                                  Var xi("xi");
                                  f.split(x, x, xi, 8, TailStrategy::PredicateStores).vectorize(xi);
                                  g.compute_at(f, x).vectorize(x, 4, TailStrategy::RoundUp);
                                  g.update().vectorize(x, 4);
                              }};

/// f reads g, which has an update, at the coordinate along x.
Func pipeline(const Coordinate &coordinate, const Expr &n, const Expr &w, Func &g) {
    Func f("f");
    g(x, y) = x * 31 - y * 57 + x * y % 7;
    g(x, y) += x * x + 3 * y;
    f(x, y) = g(coordinate.of(x, n, w), y) - 2 * g(coordinate.of(x, n, w) + 1, y / 2);
    return f;
}

/// Runs, or reports that a region does not fit: no other end is safe.
bool fits(Func f, const std::string &what) {
    try {
        expect_interpreted(f, {29, 11}, what);
    } catch (const RuntimeError &error) {
        EXPECT_EQ(error.slug(), "region-overflow") << error.message();
        return false;
    }
    return true;
}

TEST(UnknownDivisors, EverySignUnderEverySchedule) {
    for (const Coordinate &coordinate : coordinates) {
        int number = 0;
        for (const Schedule &schedule : schedules) {
            Param<int> n("n"), w("w");
            Func g("g"), f = pipeline(coordinate, n, w, g);
            schedule(f, g);
            for (const auto &[by, scale] : {std::pair(4, 9), {-3, 5}, {1, -7}, {-2, -2}, {3, 0}, {0, 3}}) {
                n.set(by), w.set(scale);
                const std::string what = std::string(coordinate.text) + ", schedule " + std::to_string(number) +
                                         ", n = " + std::to_string(by);
                EXPECT_EQ(fits(f, what), by != 0 || !coordinate.is_real) << what; // 3 / 0 is infinite in floats
            }
            number++;
        }
    }
}

TEST(UnknownDivisors, FloatsOfAnyMagnitude) {
    for (int shape = 0; shape < 4; shape++) {
        Param<float> n("n"), w("w");
        const Expr value = shape == 0   ? x / n
                           : shape == 1 ? (x - 10.5f) * (w / n) + 1.0f
                           : shape == 2 ? (x - 28) * (n / w) / n
                                        : (5 - x) / (n + w);
        Func f("f"), g("g");
        g(x, y) = x * 7 + y;
        f(x, y) = g(cast<int>(floor(value)), y);
        g.compute_root();
        int runs = 0;
        for (const float by : {0.5F, -0.25F, 0.0F, -0.0F, 1e-20F, -1e-39F, 1e30F}) {
            for (const float scale : {1.0F, -3.0F, 0.0F, 1e20F}) {
                n.set(by), w.set(scale);
                runs += fits(f, std::to_string(shape) + ": " + std::to_string(by) + ", " + std::to_string(scale));
            }
        }
        EXPECT_GE(runs, 10) << shape;
    }
}

} // namespace
} // namespace fluorite::unknown_divisors_test
