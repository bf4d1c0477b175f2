// Windows of Funcs with updates: later iterations run all stages for the positions that are new. Values are compared
// with the same definitions without a schedule, and computed points with the number of those that differ.
#include "fluorite/fluorite.h"

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <random>
#include <string>
#include <vector>

namespace {
std::atomic<int> computed_by_updates{0};
}
extern "C" int update_windows_test_count(int value) {
    computed_by_updates++;
    return value;
}
FLUORITE_EXTERN_1(int, update_windows_test_count, int)

namespace fluorite::update_windows_test {
namespace {

const Var x("x"), y("y"), xo("xo"), yo("yo"), xi("xi"), yi("yi");
constexpr int width = 10, height = 20;

Expr counted(const Expr &value) { return update_windows_test_count(value); }

/// A Func f with updates and its reader g; `place` schedules them.
struct Case {
    std::string name;
    int points; // that have to be computed
    std::function<void(Func &f)> define;
    std::function<void(Func &f, Func &g)> place;
    std::function<Expr(Func f)> use = [](Func f) { return f(x, y - 1) + f(x, y + 1); };
};

Buffer<> run(const Case &each, bool is_scheduled) {
    Func f("f"), g("g");
    each.define(f);
    g(x, y) = each.use(f);
    if (is_scheduled) {
        each.place(f, g);
    } else {
        f.compute_root();
    }
    computed_by_updates = 0;
    return g.realize({width, height});
}

void check(const Case &each) {
    SCOPED_TRACE(each.name);
    const Buffer<int> expected = run(each, false), seen = run(each, true);
    EXPECT_EQ(computed_by_updates, each.points);
    int wrong = 0;
    expected.for_each_element([&](const int *at) { wrong += expected(at) != seen(at); });
    EXPECT_EQ(wrong, 0);
}

void sum(Func &f) {
    RDom r(0, 3);
    f(x, y) = x;
    f(x, y) += counted(x + y + r) * r;
}
void two_updates(Func &f) {
    RDom q(1, 6);
    f(x, y) = y;
    f(q, y) = f(q - 1, y) + f(q, y);
    f(x, y) = f(x, y) * 2 + counted(x);
}
void at_rows(Func &f, Func &g) { f.compute_at(g, y).store_root(); }

constexpr int rows = height + 2; // that g reads

TEST(UpdateWindows, stages_run_for_new_rows) {
    check({"a sum", width * rows * 3, sum, at_rows});
    check({"a scan along the rows, and a change of each value", width * rows, two_updates, at_rows});
    check({"in a circular buffer", width * rows * 3, sum, [](Func &f, Func &g) {
               at_rows(f, g);
               f.fold_storage(y, 4);
           }});
    check({"concurrently", width * rows * 3, sum, [](Func &f, Func &g) {
               at_rows(f, g);
               f.fold_storage(y, 4).async();
           }});
    check(
        {"downward", width * (height + 1) * 3, sum, at_rows, [](Func f) { return f(x, 100 - y) - f(x, 101 - y) * 2; }});
    check({"by two rows", width * (2 * height + 1) * 3, sum, at_rows,
           [](Func f) { return f(x, 2 * y) - f(x, 2 * y + 2) * 2; }});
    check({"in strips", width * (height + 4) * 3, sum, [](Func &f, Func &g) {
               g.split(y, yo, yi, height / 2).parallel(yo);
               f.store_at(g, yo).compute_at(g, yi);
           }});
    check({"in blocks of rows", width * rows * 3, sum, [](Func &f, Func &g) {
               g.split(y, yo, yi, 4, TailStrategy::GuardWithIf);
               f.store_root().compute_at(g, yo);
           }});
    check({"for each specialization", width * rows * 3, sum, [](Func &f, Func &g) {
               at_rows(f, g);
               f.update().specialize(g.output_buffer().width() > 5).vectorize(x, 2);
           }});
}

TEST(UpdateWindows, along_the_loop_of_a_reduction) {
    const auto in_sums = [](bool is_scheduled) {
        Func f("f"), g("g");
        RDom r(0, 2), q(0, height);
        f(x) = x;
        f(x) += counted(x + r);
        g(y) = 0;
        g(y) += (f(q - 1) + f(q + 1)) * y;
        f.compute_root();
        if (is_scheduled) {
            f.store_at(g, y).compute_at(g, q);
        }
        computed_by_updates = 0;
        const Buffer<int> result = g.realize({4});
        return result(3);
    };
    const int expected = in_sums(false);
    EXPECT_EQ(in_sums(true), expected);
    EXPECT_EQ(computed_by_updates, 4 * rows * 2);
}

TEST(UpdateWindows, tails_over_the_rows) {
    const auto split = [](TailStrategy pure, TailStrategy update) {
        return [=](Func &f, Func &g) {
            at_rows(f, g);
            f.split(y, yo, yi, 4, pure);
            f.update().split(y, yo, yi, 4, update);
        };
    };
    constexpr TailStrategy guard = TailStrategy::GuardWithIf, up = TailStrategy::RoundUp;
    check({"guarded", width * rows * 3, sum, split(guard, guard)});
    check({"the first stage writes rows above, which are computed again", width * rows * 3, sum, split(up, guard)});
    check({"rows below would be repeated, so all are computed", width * height * 3 * 3, sum,
           split(TailStrategy::ShiftInwards, guard)});
}

TEST(UpdateWindows, what_changes_other_rows_does_not_slide) {
    const auto rows_of_a_domain = [](Func &f) {
        RDom q(0, 3);
        f(x, y) = counted(x + y);
        f(x, q) = f(x, q) + 1;
    };
    // Rows 0 to 2 are needed each time, and what is between them and the window: 4 for y = 0, y + 2 for others.
    check({"an update of some rows", width * 232, rows_of_a_domain, at_rows});
    // Within a row, an update stores to columns that have been computed before.
    const auto columns_of_a_domain = [](Func &f) {
        RDom q(0, 6);
        f(x, y) = counted(x + y);
        f(q, y) = 7;
        f(x, y) += 1;
    };
    check({"other columns", width * height * 3, columns_of_a_domain,
           [](Func &f, Func &g) { f.store_root().compute_at(g, x); }});
    // 4 rows, or 8 where the window lies in two blocks.
    check({"whole blocks of rows", width * 120 * 3, sum, [](Func &f, Func &g) {
               at_rows(f, g);
               f.align_bounds(y, 4);
           }});
}

// ---- Random ones.

class Random {
  public:
    explicit Random(unsigned seed) : random_(seed) {}

    Buffer<> run(bool is_scheduled) {
        define();
        if (is_scheduled) {
            schedule();
        }
        return g_.realize(sizes_);
    }
    const std::string &text() const { return text_; }

  private:
    std::mt19937 random_;
    Func f_{"f"}, g_{"g"};
    std::vector<int> sizes_;
    std::string text_;

    int in(int low, int high) { return low + static_cast<int>(random_() % static_cast<unsigned>(high - low + 1)); }
    bool chance(int percent) { return in(0, 99) < percent; }

    void define() {
        sizes_ = {in(1, 3) * 7, in(1, 3) * 7};
        static const std::vector<Type> types = {Int(32), UInt(8), Int(16), Float(32), Int(64)};
        const Type type = types[static_cast<size_t>(in(0, 4))];
        f_(x, y) = cast(type, x * 7 + y * 13);
        for (int i = in(1, 3); i > 0; i--) {
            update(type, in(0, 5));
        }
        const int step = chance(20) ? 2 : 1, sign = chance(20) ? -1 : 1;
        Expr value = cast(type, 0);
        for (int i = in(2, 3); i > 0; i--) {
            value = value * cast(type, 3) + f_(x + in(-1, 1), sign * step * y + in(-1, 2));
        }
        g_(x, y) = value;
    }

    void update(Type type, int kind) {
        text_ += "update " + std::to_string(kind) + "; ";
        RDom r(0, 3);
        switch (kind) {
        case 0:
            f_(x, y) += cast(type, x + r * y);
            break;
        case 1:
            f_(x, y) = f_(x, y) * cast(type, 3) + cast(type, y);
            break;
        case 2:
            f_(r, y) = f_(r - 1, y) + f_(r, y);
            break;
        case 3:
            f_(clamp(r * 3 - y, -2, 5), y) += cast(type, r + 2);
            break;
        case 4:
            r.where(f_(x, y) > cast(type, 40) || r < y);
            f_(x, y) += cast(type, r + 1);
            break;
        default:
            f_(x, r) = f_(x, r - 1) + cast(type, 1); // rows depend on each other
            break;
        }
    }

    TailStrategy tail() {
        static const std::vector<TailStrategy> all = {
            TailStrategy::GuardWithIf, TailStrategy::RoundUp,         TailStrategy::Auto,
            TailStrategy::Predicate,   TailStrategy::RoundUpAndBlend, TailStrategy::ShiftInwardsAndBlend};
        return all[static_cast<size_t>(in(0, 5))];
    }

    void schedule() {
        const bool splits = chance(40);
        if (splits) {
            g_.split(y, yo, yi, in(2, 5), TailStrategy::GuardWithIf);
            if (chance(30)) {
                g_.parallel(yo);
            }
        }
        const Var at = chance(20) ? x : splits ? yi : y;
        f_.compute_at(g_, at);
        if (splits && chance(50)) {
            f_.store_at(g_, yo);
        } else if (!splits || !chance(30)) {
            f_.store_root();
        }
        for (int stage = 0; stage <= f_.num_update_definitions(); stage++) {
            Stage its = stage == 0 ? Stage(f_) : f_.update(stage - 1);
            attempt("vectorize", 40, [&] { its.vectorize(x, 4, tail()); });
            attempt("split", 25, [&] { its.split(y, yo, yi, in(2, 4), tail()); });
        }
        attempt("async", 15, [&] { f_.async(); });
    }

    void attempt(const std::string &name, int percent, const std::function<void()> &directive) {
        if (chance(percent)) {
            try {
                directive();
                text_ += name + "; ";
            } catch (const CompileError &error) { // which updates permit which tails is not the subject
                text_ += name + ": " + error.slug() + "; ";
            }
        }
    }
};

TEST(UpdateWindows, random_updates_keep_their_values) {
    int compared = 0;
    for (unsigned seed = 1; seed <= 30; seed++) {
        Random plain(seed), scheduled(seed);
        const Buffer<> expected = plain.run(false);
        Buffer<> seen;
        try {
            seen = scheduled.run(true);
        } catch (const CompileError &error) {
            EXPECT_EQ(error.slug(), "store-outside-parallel") << seed << ": " << scheduled.text();
            continue;
        }
        compared++;
        Func differs("differs");
        RDom all(0, expected.width(), 0, expected.height());
        differs() = 0;
        differs() += cast<int>(expected(all.x, all.y) != seen(all.x, all.y));
        EXPECT_EQ(Buffer<int>(differs.realize())(), 0) << "seed " << seed << ": " << scheduled.text();
    }
    EXPECT_GT(compared, 20);
}

} // namespace
} // namespace fluorite::update_windows_test
