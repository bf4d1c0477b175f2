// Coordinates that a condition without coordinates chooses (a Param, the size of a buffer): only the chosen branch is
// computed, asked for and kept, under every kind of placement.
#include "driver/test_interpreter.h"
#include "fluorite/fluorite.h"

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <string>
#include <vector>

namespace {
std::atomic<int> computed{0};
}
extern "C" int uniform_conditions_test_count(int value) {
    computed++;
    return value;
}
FLUORITE_EXTERN_1(int, uniform_conditions_test_count, int)

namespace fluorite::uniform_conditions_test {
namespace {

const Var x("x"), y("y"), xi("xi"), yi("yi");

TEST(UniformConditions, InputsAreAskedForOneBranch) {
    Param<int> p("p");
    const std::vector<std::function<Expr(ImageParam)>> uses = {
        [&](ImageParam in) { return in(select(p > 0, x, x + 100)); },
        [&](ImageParam in) { return in(select(p > 0 && p < 5, x, x + 100)); },
        [&](ImageParam in) { return in(select(!(p > 0), x + 100, x)); },
        [&](ImageParam in) { return in(x + select(p > 0, 0, 100)); },
        [&](ImageParam in) { return in(x + cast<int>(p <= 0) * 100); },
        [&](ImageParam in) { return in(select(likely(p > 0), x, x + 100)); },
        [&](ImageParam in) { return in(select(p == 7, x + 50, p > 0, x, x + 100)); },
        [&](ImageParam in) { return in(select(in.width() > 50, x, p <= 0, x + 100, x)); },
        // A condition over data or coordinates whose constant bounds decide.
        [&](ImageParam in) { return in(select(clamp(x, 0, 9) < 10, x, x + 100)); },
        [&](ImageParam in) { return in(select(cast<int>(cast<uint8_t>(in(x))) < 256 || x > 3, x, x + 100)); },
        [&](ImageParam in) { return in(select(clamp(in(x), 0, 9) == 10, x + 100, x)); },
    };
    for (size_t u = 0; u < uses.size(); u++) {
        SCOPED_TRACE(u);
        ImageParam in(Int(32), 1, "in");
        Buffer<int> buffer(10);
        buffer.for_each_element([&](int i) { buffer(i) = i * 3; });
        in.set(buffer);
        Func f("f");
        f(x) = uses[u](in);
        p.set(1);
        const Buffer<int> values = f.realize({10});
        for (int i = 0; i < 10; i++) {
            EXPECT_EQ(values(i), i * 3);
        }
    }
}

TEST(UniformConditions, OneBranchIsComputed) {
    const std::vector<std::function<void(Func &, Func &)>> places = {
        [](Func &w, Func &) { w.compute_root(); },
        [](Func &w, Func &f) { w.compute_at(f, y); },
        [](Func &w, Func &f) { w.compute_at(f, y).store_root(); },
        [](Func &w, Func &f) { w.compute_at(f, x).store_at(f, y); },
        [](Func &w, Func &f) {
            f.tile(x, y, xi, yi, 8, 4, TailStrategy::GuardWithIf);
            w.compute_at(f, x);
        },
        [](Func &w, Func &f) {
            f.vectorize(x, 8, TailStrategy::GuardWithIf).parallel(y);
            w.compute_root();
        },
    };
    for (const bool is_far : {false, true}) {
        for (size_t k = 0; k < places.size(); k++) {
            SCOPED_TRACE(testing::Message() << "place " << k << (is_far ? ", far" : ""));
            Param<bool> far("far");
            far.set(is_far);
            Func w("w"), f("f");
            w(x, y) = uniform_conditions_test_count(x * 7 + y * 1000);
            f(x, y) = w(select(far, x + 100000, x), select(far, y, y * 2)) +
                      w(x + select(far, 100001, 1), select(far, y, y * 2));
            places[k](w, f);
            computed = 0;
            const Buffer<int> values = f.realize({30, 9});
            int wrong = 0;
            values.for_each_element([&](int i, int j) {
                const int at = is_far ? i + 100000 : i, row = is_far ? j : j * 2;
                wrong += values(i, j) != at * 7 + row * 1000 + (at + 1) * 7 + row * 1000;
            });
            EXPECT_EQ(wrong, 0);
            EXPECT_LE(computed, 31 * (is_far ? 9 : 17) + 9 * 4 * 4) << "of the other branch, there are 100,000 columns";
            EXPECT_GE(computed, 31 * 9);
        }
    }
}

// Windows slide in the direction of the branch.
TEST(UniformConditions, WindowsSlide) {
    for (const bool is_down : {false, true}) {
        Param<bool> down("down");
        down.set(is_down);
        Func w("w"), f("f");
        w(x, y) = uniform_conditions_test_count(x + y * 31);
        f(x, y) = w(x, select(down, y + 500, y)) + w(x, select(down, y + 501, y + 1));
        w.compute_at(f, y).store_root();
        computed = 0;
        const Buffer<int> values = f.realize({10, 20});
        EXPECT_EQ(computed, 10 * 21);
        values.for_each_element(
            [&](int i, int j) { EXPECT_EQ(values(i, j), 2 * i + (2 * j + 1 + (is_down ? 1000 : 0)) * 31); });
    }
}

// Of an update, both what is read and what is written.
TEST(UniformConditions, Updates) {
    for (const bool is_far : {false, true}) {
        Param<bool> far("far");
        far.set(is_far);
        const RDom r(0, 10);
        ImageParam in(Int(32), 1, "in");
        Buffer<int> buffer(10);
        buffer.for_each_element([&](int i) { buffer(i) = i * i; });
        buffer.set_min(is_far ? 1000 : 0);
        in.set(buffer);
        Func f("f");
        f(x) = 0;
        f(r) += in(select(far, r + 1000, r));
        const Buffer<int> values = f.realize({10});
        for (int i = 0; i < 10; i++) {
            EXPECT_EQ(values(i), i * i);
        }
    }
}

} // namespace
} // namespace fluorite::uniform_conditions_test
