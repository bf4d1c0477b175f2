// Windows that are invariant: a Func that is stored outside of loops on which its region does not depend is computed in
// their first iterations only. Values are compared with the same definitions without a schedule, and computed points
// with the number of those that differ.
#include "fluorite/fluorite.h"

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <random>
#include <string>
#include <vector>

namespace {
std::atomic<int> computed{0};
}
extern "C" int invariant_windows_test_count(int value) {
    computed++;
    return value;
}
FLUORITE_EXTERN_1(int, invariant_windows_test_count, int)

namespace fluorite::invariant_windows_test {
namespace {

const Var x("x"), y("y"), z("z"), xo("xo"), yo("yo"), xi("xi"), yi("yi"), t("t");

Expr counted(const Expr &value) { return invariant_windows_test_count(value); }

/// A table w and its reader f; `place` schedules them.
struct Case {
    std::string name;
    int points; // that have to be computed
    std::function<void(Func &w, Func &f)> define, place;
    std::vector<int> sizes = {30, 30};
};

Buffer<> run(const Case &each, bool is_scheduled) {
    Func w("w"), f("f");
    each.define(w, f);
    if (is_scheduled) {
        each.place(w, f);
    } else {
        w.compute_root();
    }
    computed = 0;
    return f.realize(each.sizes);
}

void check(const Case &each) {
    SCOPED_TRACE(each.name);
    const Buffer<int> expected = run(each, false), seen = run(each, true);
    EXPECT_EQ(computed, each.points);
    int wrong = 0;
    expected.for_each_element([&](const int *at) { wrong += expected(at) != seen(at); });
    EXPECT_EQ(wrong, 0);
}

void at_rows(Func &w, Func &f) { w.compute_at(f, y).store_root(); }
void at_points(Func &w, Func &f) { w.compute_at(f, x).store_root(); }

std::function<void(Func &, Func &)> read_as(const std::function<Expr(Func)> &use) {
    return [use](Func &w, Func &f) {
        w(x, y) = counted(x + 100 * y);
        f(x, y) = use(w) * y + x;
    };
}

TEST(StillWindows, regions_without_the_loop_are_computed_once) {
    Param<int> p("p");
    p.set(3);
    const std::vector<Case> cases = {
        {"w(x, min(y, 5))", 180, read_as([](Func w) { return w(x, min(y, 5)); }), at_rows},
        {"w(x, max(y, 25))", 150, read_as([](Func w) { return w(x, max(y, 25)); }), at_rows},
        {"w(x, clamp(y, 3, 8))", 180, read_as([](Func w) { return w(x, clamp(y, 3, 8)); }), at_rows},
        {"w(x, clamp(y, p, p))", 30, read_as([&](Func w) { return w(x, clamp(y, p, p)); }), at_rows},
        {"w(x, p)", 30, read_as([&](Func w) { return w(x, p); }), at_rows},
        {"w(x, p) + w(x, p + 1)", 60, read_as([&](Func w) { return w(x, p) + w(x, p + 1); }), at_rows},
        {"w(x, y / 8)", 120, read_as([](Func w) { return w(x, y / 8); }), at_rows},
        {"w(x, y) + w(x, 0)", 900, read_as([](Func w) { return w(x, y) + w(x, 0); }), at_rows},
        {"w(x, y) + w(x, p)", 900, read_as([&](Func w) { return w(x, y) + w(x, p); }), at_rows},
        {"w(3, 4) at points", 1, read_as([](Func w) { return w(3, 4) * x; }), at_points},
        {"w(x, 4) at points", 30, read_as([](Func w) { return w(x, 4); }), at_points},
        {"w(x, y) at points", 900, read_as([](Func w) { return w(x, y); }), at_points},
        {"w(4, y) at points", 30, read_as([](Func w) { return w(4, y); }), at_points},
        {"w(x / 3, 7) at points", 10, read_as([](Func w) { return w(x / 3, 7); }), at_points},
        {"stencil of one row at points", 32, read_as([](Func w) { return w(x - 1, 4) + w(x, 4) + w(x + 1, 4); }),
         at_points},
        {"both coordinates scaled away", 30, read_as([](Func w) { return w(x, y / 64); }), at_rows},
    };
    for (const Case &each : cases) {
        check(each);
    }
}

/// w over x is read in all rows.
void define_row(Func &w, Func &f) {
    w(x) = counted(x * 3);
    f(x, y) = w(x) * y;
}
void define_volume(Func &w, Func &f) {
    w(x) = counted(x * 3);
    f(x, y, z) = w(x) * y + z;
}

TEST(StillWindows, several_loops_and_tiles) {
    const auto define_plane = [](Func &w, Func &f) {
        w(x, z) = counted(x * z);
        f(x, y, z) = w(x, z) * y + z;
    };
    const auto define_tile = [](Func &w, Func &f) {
        w(x, y) = counted(x);
        f(x, y) = w(x % 4, y) * y;
    };
    const auto tiled = [](TailStrategy tail) {
        return [tail](Func &w, Func &f) {
            f.tile(x, y, xo, yo, xi, yi, 8, 8, tail);
            w.compute_at(f, xi).store_root();
        };
    };
    const std::vector<Case> cases = {
        {"at z", 20, define_volume, [](Func &w, Func &f) { w.compute_at(f, z).store_root(); }, {20, 20, 20}},
        {"at y", 20, define_volume, [](Func &w, Func &f) { w.compute_at(f, y).store_root(); }, {20, 20, 20}},
        {"at y, stored at z",
         400,
         define_volume,
         [](Func &w, Func &f) { w.compute_at(f, y).store_at(f, z); },
         {20, 20, 20}},
        {"w(x, z) at y, stored at z",
         400,
         define_plane,
         [](Func &w, Func &f) { w.compute_at(f, y).store_at(f, z); },
         {20, 20, 20}},
        {"w(x, z) at y, stored at root",
         400,
         define_plane,
         [](Func &w, Func &f) { w.compute_at(f, y).store_root(); },
         {20, 20, 20}},
        {"w(x, z) at y outside of z",
         400,
         define_plane,
         [](Func &w, Func &f) {
             f.reorder(x, z, y);
             w.compute_at(f, z).store_root();
         },
         {20, 20, 20}},
        {"at xo, stored at yo",
         160,
         define_tile,
         [](Func &w, Func &f) {
             f.tile(x, y, xo, yo, xi, yi, 8, 8);
             w.compute_at(f, xo).store_at(f, yo);
         },
         {40, 40}},
        {"points of tiles, GuardWithIf", 37, define_row, tiled(TailStrategy::GuardWithIf), {37, 21}},
        {"points of tiles, RoundUp", 40, define_row, tiled(TailStrategy::RoundUp), {40, 24}},
        {"points of tiles, ShiftInwards", 40, define_row, tiled(TailStrategy::ShiftInwards), {37, 21}},
        {"points of tiles, Predicate", 37, define_row, tiled(TailStrategy::Predicate), {37, 21}},
        {"unrolled rows", 30, define_row,
         [](Func &w, Func &f) {
             f.split(y, yo, yi, 4, TailStrategy::GuardWithIf).unroll(yi);
             w.compute_at(f, yi).store_root();
         }},
        {"vectors inside", 32, define_row,
         [](Func &w, Func &f) {
             f.vectorize(x, 8);
             w.compute_at(f, y).store_root().vectorize(x, 8);
         }},
        {"at vectors",
         30,
         define_row,
         [](Func &w, Func &f) {
             f.split(x, xo, xi, 8, TailStrategy::ShiftInwards).vectorize(xi);
             w.compute_at(f, xo).store_root();
         },
         {30, 17}},
        {"inside a parallel loop",
         400,
         define_volume,
         [](Func &w, Func &f) {
             f.parallel(z);
             w.compute_at(f, y).store_at(f, z);
         },
         {20, 20, 20}},
        {"fused rows",
         20,
         define_volume,
         [](Func &w, Func &f) {
             f.fuse(y, z, t);
             w.compute_at(f, t).store_root();
         },
         {20, 7, 5}},
    };
    for (const Case &each : cases) {
        check(each);
    }
}

TEST(StillWindows, updates_reductions_and_tuples) {
    const RDom r(0, 10, "r");
    const auto sum = [&](Func &w, Func &f) {
        w() = 0;
        w() += counted(r);
        f(x, y) = w() * y + x;
    };
    const auto row = [&](Func &w, Func &f) {
        w(x) = counted(x);
        w(x) += counted(r * x);
        f(x, y) = w(x) * y;
    };
    const auto histogram = [&](Func &w, Func &f) {
        w(x) = 0;
        w(r % 7) += counted(r + 1);
        f(x, y) = w(x % 7) * y;
    };
    const auto pair = [&](Func &w, Func &f) {
        w(x) = Tuple(counted(x), x * 2);
        w(x) = Tuple(w(x)[0] + r, w(x)[1] - r * x);
        f(x, y) = w(x)[0] * y + w(x)[1];
    };
    const auto scattered = [&](Func &w, Func &f) { // stores to points that other regions need
        w(x) = 0;
        w(r) = counted(5);
        w(x) += 1;
        f(x, y) = w(x / 3) * y + x;
    };
    const std::vector<Case> cases = {
        {"sum", 10, sum, at_rows},
        {"sum at points", 10, sum, at_points},
        {"row", 30 + 300, row, at_rows},
        {"row of vectors", 32 + 320, row,
         [](Func &w, Func &f) {
             at_rows(w, f);
             w.vectorize(x, 8).update().vectorize(x, 8);
         }},
        {"histogram", 10, histogram, at_rows},
        {"tuple", 30, pair, at_rows},
        {"tuple at z", 30, pair, [](Func &w, Func &f) { w.compute_at(f, y).store_root().unroll(x, 2); }},
        // A row needs every window again, which windows in between overwrite: each is computed in each row.
        {"scattered at points", 30 * 30 * 10, scattered, at_points},
        {"scattered at rows", 10, scattered, at_rows},
    };
    for (const Case &each : cases) {
        check(each);
    }
}

// The loops of a consumer that is itself computed inside of loops, which may be invariant, move, or skip.
TEST(StillWindows, loops_of_several_funcs) {
    Func g("g");
    const auto through = [&](const std::function<Expr(Func)> &use) {
        return [&, use](Func &w, Func &f) {
            g = Func("g");
            w(x) = counted(x * 3);
            g(x, y) = w(x) + y;
            f(x, y) = use(g) * 2;
        };
    };
    const auto one = through([](const Func &g) { return g(x, y); });
    const auto stencil = through([](const Func &g) { return g(x, y) + g(x, y + 1); });
    const auto late = [&](Func &w, Func &f) { // without C functions, which would be called in any case
        g = Func("g");
        w(x) = x * 3;
        g(x, y) = w(x) + y;
        f(x, y) = select(y > 5, g(x, y), 7);
    };
    const std::vector<Case> cases = {
        {"rows of g, in rows of f", 30, one,
         [&](Func &w, Func &f) {
             g.compute_at(f, y);
             w.compute_at(g, y).store_root();
         }},
        {"points of g, in rows of f", 30, one,
         [&](Func &w, Func &f) {
             g.compute_at(f, y);
             w.compute_at(g, x).store_root();
         }},
        {"rows of g, in strips of f", 30, one,
         [&](Func &w, Func &f) {
             f.split(y, yo, yi, 4, TailStrategy::GuardWithIf);
             g.compute_at(f, yo);
             w.compute_at(g, y).store_root();
         }},
        {"rows of g, in strips of f, stored there", 8 * 30, one,
         [&](Func &w, Func &f) {
             f.split(y, yo, yi, 4, TailStrategy::GuardWithIf);
             g.compute_at(f, yo);
             w.compute_at(g, y).store_at(f, yo);
         }},
        // In its first iteration, a window that slides has more rows than later.
        {"rows of g, which slides", 30, stencil,
         [&](Func &w, Func &f) {
             g.store_root().compute_at(f, y);
             w.compute_at(g, y).store_root();
         }},
        {"beside g, which slides", 30, stencil,
         [&](Func &w, Func &f) {
             g.store_root().compute_at(f, y);
             w.compute_at(f, y).store_root();
         }},
        {"rows of g, which is skipped at first", 0, late,
         [&](Func &w, Func &f) {
             g.compute_at(f, y);
             w.compute_at(g, y).store_root();
         }},
        {"beside g, which is skipped at first", 0, late,
         [&](Func &w, Func &f) {
             g.compute_at(f, y);
             w.compute_at(f, y).store_root();
         }},
    };
    for (const Case &each : cases) {
        check(each);
    }
}

// What only a window that is invariant reads is computed with it.
TEST(StillWindows, producers_of_invariant_windows) {
    Func h("h"), k("k");
    const auto chain = [&](Func &w, Func &f) {
        h = Func("h"), k = Func("k");
        k(x) = counted(x);
        h(x) = counted(k(x) + k(x + 1));
        w(x) = counted(h(x) * 2);
        f(x, y) = w(x) * y;
    };
    const auto also_read = [&](Func &w, Func &f) {
        chain(w, f);
        f = Func("f");
        f(x, y) = w(x) * y + h(x + y);
    };
    const std::vector<Case> cases = {
        {"producers stored there", 31 + 30 + 30, chain,
         [&](Func &w, Func &f) {
             at_rows(w, f);
             h.compute_at(f, y);
             k.compute_at(f, y);
         }},
        {"producers stored at root", 31 + 30 + 30, chain,
         [&](Func &w, Func &f) { at_rows(w, f), at_rows(h, f), at_rows(k, f); }},
        {"producers inside", 60 + 30 + 30, chain,
         [&](Func &w, Func &f) {
             at_rows(w, f);
             h.compute_at(w, x);
             k.compute_at(h, x);
         }},
        {"one of them read by others", 30 + 1335 + 1365, also_read,
         [&](Func &w, Func &f) {
             at_rows(w, f);
             h.compute_at(f, y);
             k.compute_at(f, y);
         }},
    };
    for (const Case &each : cases) {
        check(each);
    }
}

TEST(StillWindows, folds_threads_and_shared_loops) {
    Func g("g");
    const auto both = [&](Func &w, Func &f) {
        g = Func("g");
        w(x) = counted(x * 3);
        g(x) = counted(x * 5);
        f(x, y) = w(x) * y + g(x);
    };
    const auto plane = [](Func &w, Func &f) {
        w(x, z) = counted(x * z);
        f(x, y, z) = w(x, z) * y + w(x, z + 1);
    };
    const std::vector<Case> cases = {
        {"async", 30, define_row,
         [](Func &w, Func &f) {
             at_rows(w, f);
             w.async();
         }},
        {"async at points", 30, define_row,
         [](Func &w, Func &f) {
             at_points(w, f);
             w.async();
         }},
        // A circle of points cannot keep them for the next row.
        {"folded as asked", 30 * 30, read_as([](Func w) { return w(4, x); }),
         [](Func &w, Func &f) {
             at_points(w, f);
             w.fold_storage(y, 2);
         }},
        {"folded along a loop further out",
         20 * 21,
         plane,
         [](Func &w, Func &f) {
             at_rows(w, f);
             w.fold_storage(z, 2);
         },
         {20, 20, 20}},
        {"folded by itself along a loop further out", 20 * 21, plane, at_rows, {20, 20, 20}},
        {"in one loop with another", 30 + 30, both,
         [&](Func &w, Func &f) {
             at_rows(w, f), at_rows(g, f);
             w.compute_with(g, x);
         }},
        // Its loop runs for the other one, which has to be computed again.
        {"in one loop with another that is not invariant", 2 * 30 * 30, both,
         [&](Func &w, Func &f) {
             at_rows(w, f);
             g.compute_at(f, y);
             w.compute_with(g, x);
         }},
        {"memory further out",
         20 * 40,
         plane,
         [](Func &w, Func &f) { w.compute_at(f, y).store_at(f, z).hoist_storage_root(); },
         {20, 20, 20}},
    };
    for (const Case &each : cases) {
        check(each);
    }
}

TEST(StillWindows, explained) {
    Func w("w"), f("f");
    define_row(w, f);
    f.split(y, yo, yi, 4, TailStrategy::GuardWithIf);
    w.compute_at(f, yi).store_root();
    const std::string text = Pipeline(f).explain_schedule({30, 30});
    EXPECT_NE(
        text.find("w: computed at loop yi of f, stored at root, in the first iteration of loop yi of f only, in the "
                  "first iteration of loop yo of f only"),
        std::string::npos)
        << text;
    EXPECT_NE(text.find("work: 30 values computed, 30 needed"), std::string::npos) << text;
}

/// A random table, perhaps with updates, a stage that reads it, and an output over both, with random loops and places.
class Chain {
  public:
    explicit Chain(unsigned seed) : random_(seed), p_("p") { p_.set(in(0, 4)); }

    Buffer<> run(bool is_scheduled) {
        define();
        if (is_scheduled) {
            schedule();
        }
        return f_.realize(sizes_);
    }
    const std::string &text() const { return text_; }
    int still() const { return still_; }

  private:
    std::mt19937 random_;
    Param<int> p_;
    Func w_{"w"}, g_{"g"}, f_{"f"};
    std::vector<int> sizes_;
    std::string text_;
    int still_ = 0;

    int in(int low, int high) { return low + static_cast<int>(random_() % static_cast<unsigned>(high - low + 1)); }
    bool chance(int percent) { return in(0, 99) < percent; }

    Expr coordinate(const Var &v) {
        switch (in(0, 11)) {
        case 0:
            return v;
        case 1:
            return v + in(-1, 1);
        case 2:
            return v / in(2, 9);
        case 3:
            return min(v, 3);
        case 4:
            return max(v - 2, p_);
        case 5:
            return clamp(v, p_, p_);
        case 6:
            return clamp(v, 2, p_ + 2);
        case 7:
            return p_ + v % 3;
        case 8:
            return select(p_ > 2, v, 5);
        case 9:
            return 8 - v;
        default:
            return chance(50) ? Expr(p_) : Expr(in(0, 6));
        }
    }
    Expr read(const Func &from, const std::vector<Var> &vars) {
        std::vector<Expr> at;
        for (size_t d = 0; d < static_cast<size_t>(from.dimensions()); d++) {
            at.push_back(coordinate(vars[chance(85) ? d : vars.size() - 1]));
        }
        return chance(15) ? select(vars.back() > 3, from(at), 11) : from(at);
    }

    void define_table() {
        const RDom r(0, 6, "r");
        const std::vector<Var> all = {x, y, z};
        const std::vector<Var> vars(all.begin(), all.begin() + in(1, 2));
        Expr value = 3;
        for (const Var &v : vars) {
            value = value * 13 + v;
        }
        w_(vars) = value;
        std::vector<Expr> at(vars.begin(), vars.end());
        switch (in(0, 5)) {
        case 0:
            w_(vars) += r * vars[0];
            break;
        case 1: // stores beyond what is needed, which the next update completes
            at[0] = r;
            w_(at) = 7 + r;
            w_(vars) += 1;
            break;
        case 2:
            at[0] = r;
            at[0] = clamp(w_(at) % 5, 0, 4);
            w_(at) += r;
            break;
        default:
            break;
        }
    }

    void define() {
        for (int d = 0; d < 3; d++) {
            static const std::vector<int> all = {1, 2, 5, 7, 12};
            sizes_.push_back(all[static_cast<size_t>(in(0, 4))]);
        }
        define_table();
        const std::vector<Var> plane = {x, y}, volume = {x, y, z};
        g_(x, y) = read(w_, plane) + x - y;
        const Expr first = read(g_, volume), more = chance(50) ? read(g_, volume) : read(w_, volume);
        f_(x, y, z) = first * 3 + more + z;
    }

    bool attempt(const std::string &text, const std::function<void()> &directive) {
        try {
            directive();
        } catch (const CompileError &) {
            return false;
        }
        text_ += text + "; ";
        return true;
    }

    std::string any_loop(const Func &func) {
        const std::vector<std::string> loops = Stage(func.function(), 0).loops();
        return loops[static_cast<size_t>(in(0, static_cast<int>(loops.size()) - 1))];
    }

    void cut_loops(Func &func) {
        static const std::vector<TailStrategy> tails = {TailStrategy::GuardWithIf, TailStrategy::Predicate,
                                                        TailStrategy::ShiftInwards, TailStrategy::RoundUp,
                                                        TailStrategy::Auto};
        const int steps = in(0, 3);
        for (int i = 0; i < steps; i++) {
            const std::string a = any_loop(func), b = any_loop(func);
            const TailStrategy tail = tails[static_cast<size_t>(in(0, 4))];
            const int factor = in(2, 4);
            if (chance(50)) {
                attempt(func.name() + ".split " + a + " by " + std::to_string(factor),
                        [&] { func.split(Var(a), Var(a + "o"), Var(a + "i"), factor, tail); });
            } else if (a != b) {
                attempt(func.name() + ".reorder " + a + ", " + b, [&] { func.reorder(Var(a), Var(b)); });
            }
        }
        if (chance(20)) {
            const std::string a = any_loop(func);
            attempt(func.name() + ".unroll " + a, [&] { func.unroll(Var(a), 2); });
        }
        if (chance(30)) {
            const std::string a = any_loop(func);
            attempt(func.name() + ".vectorize " + a, [&] { func.vectorize(Var(a), 4); });
        }
    }

    void place(Func &func, const Func &reader) {
        const std::string compute = any_loop(reader), store = any_loop(reader), further = any_loop(f_);
        if (!attempt(func.name() + ".compute_at " + reader.name() + "." + compute,
                     [&] { func.compute_at(reader, Var(compute)); })) {
            return;
        }
        if (chance(60)) {
            attempt(func.name() + ".store_root", [&] { func.store_root(); });
        } else if (chance(50)) {
            attempt(func.name() + ".store_at f." + further, [&] { func.store_at(f_, Var(further)); });
        } else {
            attempt(func.name() + ".store_at " + store, [&] { func.store_at(reader, Var(store)); });
        }
        if (chance(10)) {
            attempt(func.name() + ".async", [&] { func.async(); });
        }
    }

    void schedule() {
        cut_loops(f_);
        place(g_, f_);
        cut_loops(g_);
        place(w_, chance(50) ? g_ : f_);
        const std::string text = Pipeline(f_).explain_schedule(sizes_);
        for (size_t at = text.find("in the first iteration"); at != std::string::npos;
             at = text.find("in the first iteration", at + 1)) {
            still_++;
        }
    }
};

bool is_about_places(const std::string &slug) {
    return slug == "compute-at-outside-consumer" || slug == "store-at-inside-compute-at" ||
           slug == "store-outside-parallel" || slug == "async-placement" || slug == "async-reads-sibling" ||
           slug == "output-too-small";
}

/// Compares chains with their results without a schedule.
TEST(StillWindows, random_chains_keep_their_values) {
    int still = 0;
    for (unsigned seed = 1; seed <= 60; seed++) {
        Chain plain(seed), scheduled(seed);
        const Buffer<> expected = plain.run(false);
        Buffer<> seen;
        try {
            seen = scheduled.run(true);
        } catch (const Error &error) {
            EXPECT_TRUE(is_about_places(error.slug())) << seed << ": " << error.what();
            continue;
        }
        still += scheduled.still() > 0;
        int wrong = 0;
        const Buffer<int> all = expected, some = seen;
        all.for_each_element([&](const int *at) { wrong += all(at) != some(at); });
        EXPECT_EQ(wrong, 0) << "seed " << seed << ": " << scheduled.text();
    }
    EXPECT_GT(still, 12);
}

} // namespace
} // namespace fluorite::invariant_windows_test
