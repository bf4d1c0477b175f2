// undef: points and elements that keep their values, in the interpreter and in machine code under several schedules.

#include "driver/test_interpreter.h"
#include "support/test_errors.h"

#include <cstring>
#include <functional>
#include <gtest/gtest.h>

namespace fluorite::undef_test {
namespace {

const Var x("x"), y("y"), xo("xo"), xi("xi");
constexpr int count = 40; // a multiple of 8, as some tail strategies round up

using Schedule = std::function<void(Stage)>;

const std::vector<std::pair<const char *, Schedule>> schedules = {
    {"serial", [](Stage) {}},
    {"guarded vectors", [](Stage stage) { stage.vectorize(x, 16, TailStrategy::GuardWithIf); }},
    {"masked vectors", [](Stage stage) { stage.vectorize(x, 16, TailStrategy::Predicate); }},
    {"blended vectors", [](Stage stage) { stage.vectorize(x, 16, TailStrategy::ShiftInwardsAndBlend); }},
    {"rounded vectors", [](Stage stage) { stage.vectorize(x, 8, TailStrategy::RoundUpAndBlend); }},
    {"tasks", [](Stage stage) { stage.split(x, xo, xi, 8, TailStrategy::GuardWithIf).parallel(xo); }},
    {"copies", [](Stage stage) { stage.unroll(x, 3, TailStrategy::GuardWithIf); }},
};

/// Checks that interpreter and machine code write the same bits to memory filled with sevens.
void expect_same_writes(const Func &func, const std::string &what) {
    std::vector<Buffer<>> seen, expected;
    std::vector<fluorite_buffer_t *> raw;
    for (const Type &type : func.types()) {
        for (std::vector<Buffer<>> *list : {&seen, &expected}) {
            list->emplace_back(type, std::vector<int>(static_cast<size_t>(func.dimensions()), count));
            std::memset(list->back().raw_buffer()->host, 7, list->back().size_in_bytes());
        }
        raw.push_back(expected.back().raw_buffer());
    }
    func.realize(RealizationArg(seen));
    interpret_into(func, raw);
    for (size_t i = 0; i < seen.size(); i++) {
        EXPECT_EQ(interpret::compare_bits(*seen[i].raw_buffer(), *raw[i]).text, "") << what << ", value " << i;
    }
}

/// An update of a Func, under every schedule of it.
void for_each_schedule(const char *what, const std::function<Func()> &make) {
    for (const auto &[name, schedule] : schedules) {
        Func f = make();
        schedule(f.update());
        expect_same_writes(f, std::string(what) + ", " + name);
    }
}

class Undef : public testing::Test {
  protected:
    Buffer<int> in = random_buffer<int>({64}, 3);
    Buffer<float> floats = random_buffer<float>({64}, 4);

    /// f(x) = in(x), then an update with the value.
    Func updated(const std::function<Expr(const Func &)> &value) const {
        Func f("f");
        f(x) = in(x);
        f(x) = value(f);
        return f;
    }
    /// Each value as an element of a Tuple, as a function of its previous value.
    using Values = std::vector<std::function<Expr(const Expr &before)>>;
    void expect_same_for_each(const char *what, const Values &values) const {
        for_each_schedule(what, [&] {
            Func f("f");
            f(x) = Tuple(std::vector<Expr>(values.size(), in(x)));
            std::vector<Expr> after;
            for (size_t i = 0; i < values.size(); i++) {
                after.push_back(values[i](f(x)[i]));
            }
            f(x) = Tuple(after);
            return f;
        });
    }
};

TEST_F(Undef, InsideOfSelectsLeavesPointsAlone) {
    const Func f = updated([&](const Func &f) { return select(x % 3 == 0, undef<int>(), f(x) + 1); });
    const Buffer<int> out = f.realize(9);
    for (int i = 0; i < 9; i++) {
        EXPECT_EQ(out(i), i % 3 == 0 ? in(i) : static_cast<int>(static_cast<unsigned>(in(i)) + 1)) << i;
    }
    const Expr some = select(x % 3 == 0, undef<int>(), 5);
    for_each_schedule("alone", [&] {
        return updated([&](const Func &f) { return select(in(x) > 0, some, x % 2 == 0, f(x) + 1, undef<int>()); });
    });
    expect_same_for_each("selects",
                         {[&](const Expr &before) { return select(in(x) > 0, undef<int>(), before + 1); },
                          [&](const Expr &before) { return select(in(x) > 0, before + 1, undef<int>()); },
                          [&](const Expr &) { return select(in(x) > 0, some, select(x % 2 == 0, 7, undef<int>())); },
                          [&](const Expr &) { return select(x < 5, 1, x < 9, undef<int>(), x < 20, 3, undef<int>()); },
                          [&](const Expr &) { return mux(x % 3, {Expr(1), undef<int>(), Expr(x)}); },
                          [&](const Expr &) { return undef<int>(); },
                          [&](const Expr &before) { return select(Expr(1) == 1, undef<int>(), before); }});
}

TEST_F(Undef, IsUndefinedInArithmetic) {
    const Expr some = select(x % 3 == 0, undef<int>(), 5);
    for_each_schedule("alone", [&] { return updated([&](const Func &f) { return 2 * (f(x) + some) + 1; }); });
    for_each_schedule("operator", [&] {
        Func f("f");
        f(x) = in(x);
        f(x) += select(x % 3 == 0, undef<int>(), 5);
        return f;
    });
    expect_same_for_each(
        "arithmetic", {[&](const Expr &before) { return before + some; },
                       [&](const Expr &before) { return clamp(select(x % 3 == 0, undef<int>(), before), 0, 100) + 1; },
                       [&](const Expr &) { return min(select(in(x) > 0, in(x), undef<int>()), 1000); },
                       [&](const Expr &) { return some * 0; }, [&](const Expr &) { return some - some; },
                       [&](const Expr &) { return cast<int>(sqrt(abs(cast<float>(some)))); },
                       [&](const Expr &) { return select(x > 9, some + 1, 3); },
                       [&](const Expr &) {
                           Expr value = select(in(x) > 0, in(x), undef<int>());
                           for (int i = 0; i < 12; i++) { // shared so often that lets bind it
                               value = value * value + value;
                           }
                           return value;
                       }});
}

TEST_F(Undef, LeavesElementsOfTuplesAlone) {
    const auto pair = [&](const std::function<Tuple(const Func &)> &value) {
        return [this, value] {
            Func f("f");
            f(x) = Tuple(in(x), floats(x));
            f(x) = value(f);
            return f;
        };
    };
    for_each_schedule("one", pair([](const Func &f) { return Tuple(undef<int>(), f(x)[1] * 2); }));
    for_each_schedule("each elsewhere", pair([](const Func &f) {
                          return Tuple(select(x > 4, undef<int>(), f(x)[0] + 1),
                                       select(x % 2 == 0, f(x)[1] * 2, undef<float>()));
                      }));
    for_each_schedule("by a select of Tuples", pair([this](const Func &f) {
                          return select(in(x) > 3, Tuple(undef<int>(), f(x)[1] * 2),
                                        Tuple(f(x)[0] + 1, undef<float>()));
                      }));
    for_each_schedule("in arithmetic", pair([](const Func &f) {
                          return Tuple(f(x)[0] + select(x > 4, undef<int>(), 3),
                                       select(x > 7, undef<float>(), 1.0f) * f(x)[1]);
                      }));
    for_each_schedule("each other's", [&] {
        Func f("f");
        f(x) = Tuple(in(x), in(x + 1));
        f(x) = Tuple(select(x % 3 == 0, f(x)[1], undef<int>()), 1 + select(x % 2 == 0, f(x)[0], undef<int>()));
        return f;
    });
    for_each_schedule("by index", [&] {
        Func f("f");
        f(x) = Tuple(in(x), in(x + 1));
        f(x)[1] = select(x % 2 == 0, f(x)[0], undef<int>());
        return f;
    });
}

TEST_F(Undef, OfEveryType) {
    for (const Type &type : {Int(8), UInt(8), Int(16), UInt(16), UInt(32), Int(64), UInt(64), Bool(), Float(16),
                             BFloat(16), Float(32), Float(64)}) {
        Func f("f");
        f(x) = cast(type, in(x) % 50);
        f(x) = select(in(x) % 3 == 0, undef(type), cast(type, in(x + 1) % 50));
        f.update().vectorize(x, 16, TailStrategy::Predicate);
        expect_same_writes(f, to_string(type));
    }
}

TEST_F(Undef, InReductions) {
    const RDom r(0, 30);
    Func least("least"), total("total"), scatter("scatter");
    least(x) = 0;
    least(x) = max(least(x), select(in(r) > x, in(r), undef<int>()));
    expect_same_writes(least, "maximum");
    total(x) = 0;
    total(x) += select(in(r) > x, in(r), undef<int>());
    total.update().vectorize(x, 8);
    expect_same_writes(total, "sum");
    scatter(x) = in(x);
    scatter(clamp(in(r) % count, 0, count - 1)) += select(in(r) > 0, 1, undef<int>());
    scatter.update().unroll(r, 3);
    expect_same_writes(scatter, "histogram");
}

TEST_F(Undef, InFuncsThatOthersRead) {
    for (int schedule = 0; schedule < 7; schedule++) {
        Func f("f"), g("g"), h("h");
        g(x, y) = in(x) + y;
        g(x, y) += select(in(x) > y, undef<int>(), g(x, y) * 2);
        h(x, y) = in(x + 1) * y;
        h(x, y) = 1 + select(in(x) < y, undef<int>(), h(x, y));
        f(x, y) = g(x, y) + g(x + 1, y + 1) + h(x, y);
        switch (schedule) {
        case 1:
            g.compute_root(), h.compute_root();
            break;
        case 2:
            g.compute_root(), h.compute_root();
            h.update().compute_with(g.update(), x);
            break;
        case 3:
            g.store_root().compute_at(f, y);
            g.update().vectorize(x, 8, TailStrategy::GuardWithIf);
            break;
        case 4:
            g.store_root().compute_at(f, y).async();
            break;
        case 5:
            h.compute_at(f, x);
            f.vectorize(x, 8);
            break;
        case 6:
            g.compute_at(f, y), h.compute_at(f, y);
            f.parallel(y);
            break;
        default:
            break;
        }
        expect_same_writes(f, "schedule " + std::to_string(schedule));
    }
}

// ---- Undef where it has no meaning.

void expect_refused(const std::function<void()> &run, const std::string &message) {
    expect_error<CompileError>(run, "undef-value", message, {"undef_test"});
}

TEST_F(Undef, IsRefusedWhereAValueIsNeeded) {
    Func f("f"), g("g");
    f(x) = in(x);
    g(x) = in(x);
    const RDom r(0, 10);
    const Expr some = select(x % 2 == 0, undef<int>(), x);
    const std::string rule =
        "; it says that a point keeps the value that it has, which only values of a definition can say; "
        "give it a value there, and leave points out with select(c, e, undef) as a whole or RDom::where";
    expect_refused([&] { f(x) = select(some > 3, 1, 2); },
                   "in f, stage 1: undef stands in the condition of a select" + rule);
    expect_refused([&] { f(x) = g(clamp(some, 0, 9)); }, "in f, stage 1: undef stands in a coordinate" + rule);
    expect_refused([&] { f(x) = in(clamp(some, 0, 9)); }, "in f, stage 1: undef stands in a coordinate" + rule);
    expect_refused([&] { f(clamp(select(r > 3, r, undef<int>()), 0, 9)) = 3; },
                   "in f, stage 1: undef stands in a coordinate" + rule);
    expect_refused([&] { f(x) = print(some); },
                   "in f, stage 1: undef stands in an argument of a function with effects" + rule);
    expect_refused(
        [&] {
            RDom s(0, 10);
            s.where(undef<bool>());
            f(s) = 3;
        },
        "in f, stage 1: undef stands in the predicate of its RDom" + rule);
    expect_refused([&] { const RDom s(0, undef<int>()); },
                   "in RDom r: the extent of dimension 0 is undef; bounds have a value; give a number");
    expect_refused([&] { f.bound_storage(x, undef<int>()); },
                   "in an expression, bound_storage: undef is given; a directive takes a value; give a number");
}

TEST_F(Undef, IsRefusedInWhatOthersRead) {
    Func f("f"), g("g");
    g(x) = select(in(x) > 0, undef<int>(), in(x) * 2);
    f(x) = g(x) + 1;
    expect_refused(
        [&] { f.realize(10); },
        "in g, stage 0: its definition leaves values undefined that others read, and no update gives them; what "
        "a Func is read at has a value; define it everywhere, or add an update");
    expect_same_writes(g, "an output keeps what it holds");
}

} // namespace
} // namespace fluorite::undef_test
