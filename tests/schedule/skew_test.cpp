// Skewed loops: against the interpreter for every order of the loops, every number of threads and lanes and odd sizes;
// and which orders dependences permit.
#include "fluorite/fluorite.h"

#include "driver/test_interpreted.h"

#include <functional>
#include <map>

namespace fluorite::skew_test {
namespace {

/// Expects a refusal of this kind; its text is a matter of refusals_test.cpp.
void expect_refusal(const std::function<void()> &call, const std::string &slug) {
    try {
        call();
        ADD_FAILURE() << "accepted; expected [" << slug << "]";
    } catch (const CompileError &error) {
        EXPECT_EQ(error.slug(), slug) << error.message();
    }
}

/// The pure and update loops x and y of a Func, scheduled in each way that is of interest.
using Scheduling = std::function<void(Stage, VarOrRVar x, VarOrRVar y)>;

const std::map<std::string, Scheduling> &schedulings() {
    static const Var t{"t"}, to{"to"}, ti{"ti"}, yo{"yo"}, yi{"yi"}, u{"u"};
    static const std::map<std::string, Scheduling> all = {
        {"inside", [](Stage s, const VarOrRVar &x, const VarOrRVar &y) { s.skew(x, y, t); }},
        {"diagonals", [](Stage s, const VarOrRVar &x, const VarOrRVar &y) { s.skew(x, y, t).reorder(y, t); }},
        {"by_two", [](Stage s, const VarOrRVar &x, const VarOrRVar &y) { s.skew(x, y, t, 2).reorder(y, t); }},
        {"by_five", [](Stage s, const VarOrRVar &x, const VarOrRVar &y) { s.skew(x, y, t, 5).reorder(y, t); }},
        {"split_inside",
         [](Stage s, const VarOrRVar &x, const VarOrRVar &y) { s.skew(x, y, t).split(t, to, ti, 4).unroll(ti); }},
        {"vectors", [](Stage s, const VarOrRVar &x,
                       const VarOrRVar &y) { s.skew(x, y, t).reorder(y, t).split(y, yo, yi, 4).vectorize(yi); }},
        {"threads",
         [](Stage s, const VarOrRVar &x, const VarOrRVar &y) {
             s.skew(x, y, t).reorder(y, t).split(y, yo, yi, 3, TailStrategy::Predicate).parallel(yo);
         }},
        {"tiles",
         [](Stage s, const VarOrRVar &x, const VarOrRVar &y) {
             s.skew(x, y, t).split(t, to, ti, 5).split(y, yo, yi, 3).reorder(ti, yi, to, yo);
         }},
        {"tiles_of_diagonals",
         [](Stage s, const VarOrRVar &x, const VarOrRVar &y) {
             s.skew(x, y, t).split(t, to, ti, 5).split(y, yo, yi, 3).reorder(yi, ti, yo, to);
         }},
        {"twice", [](Stage s, const VarOrRVar &x, const VarOrRVar &y) { s.skew(x, y, t).skew(y, t, u).reorder(t, u); }},
    };
    return all;
}

class Skew : public testing::TestWithParam<std::string> {
  protected:
    Var x{"x"}, y{"y"}, z{"z"};
    Scheduling scheduling = schedulings().at(GetParam());
};

TEST_P(Skew, OfAPureDefinition) {
    for (const std::vector<int> &sizes : std::vector<std::vector<int>>{{1, 1}, {7, 3}, {3, 8}, {17, 13}}) {
        Func f{"f"};
        f(x, y) = cast<int16_t>(x * 31 + y * 7);
        scheduling(f, x, y);
        expect_interpreted(f, sizes);
    }
}

TEST_P(Skew, AroundItsProducer) {
    for (const bool at_root : {false, true}) {
        Func g{"g"}, f{"f"};
        g(x, y) = cast<float>(x * y) * 0.5f;
        f(x, y) = g(x, y) + g(x + 1, y) - g(x - 1, y + 2);
        scheduling(f, x, y);
        const std::string loop = Pipeline(f).loop_nest().find("for t:") != std::string::npos ? "t" : "";
        if (!loop.empty()) {
            g.compute_at(f, Var(loop));
            at_root ? g.store_root() : g;
        }
        expect_interpreted(f, {19, 11});
    }
}

TEST_P(Skew, OfAnUpdateThatReadsItsNeighbours) {
    for (const int size : {2, 3, 9, 22}) {
        Func f{"f"};
        RDom r(1, size - 1, 1, size, "r");
        f(x, y) = cast<int32_t>(x * 5 + y * 3);
        f(r.x, r.y) = max(f(r.x - 1, r.y), f(r.x, r.y - 1)) + f(r.x - 1, r.y - 1) % 7 + 1;
        scheduling(f.update(), r.x, r.y);
        expect_interpreted(f, {size + 1, size + 2});
    }
}

TEST_P(Skew, BesideAThirdLoop) {
    Func f{"f"};
    RDom r(1, 12, 1, 7, "r");
    f(x, y, z) = cast<uint8_t>(x + y * 3 + z);
    f(r.x, r.y, z) = f(r.x - 1, r.y, z) + f(r.x, r.y - 1, z) * cast<uint8_t>(3);
    f.update().reorder(z, r.x, r.y);
    scheduling(f.update(), r.x, r.y);
    expect_interpreted(f, {13, 8, 5});
}

INSTANTIATE_TEST_SUITE_P(Schedules, Skew, testing::ValuesIn([] {
                             std::vector<std::string> names;
                             for (const auto &[name, scheduling] : schedulings()) {
                                 names.push_back(name);
                             }
                             return names;
                         }()),
                         [](const auto &param) { return param.param; });

// ---- Which orders are legal.

class Dependences : public testing::Test {
  protected:
    Var x{"x"}, y{"y"}, t{"t"}, u{"u"}, yo{"yo"}, yi{"yi"};
    RDom r{1, 20, 1, 30, "r"};
    Func f{"f"};

    Stage update(int dx, int dy) {
        f(x, y) = x + y;
        f(r.x, r.y) = f(r.x + dx, r.y + dy) + 1;
        return f.update();
    }
};

TEST_F(Dependences, ADiagonalIsParallelWhereDependencesCrossIt) {
    update(-1, -1).skew(r.x, r.y, t).reorder(r.y, t).parallel(r.y);
    EXPECT_EQ(Pipeline(f).loop_nest(), "produce f:\n"
                                       "  for y:\n"
                                       "    for x:\n"
                                       "      f(...) = ...\n"
                                       "  for t in [2, 50]:\n"
                                       "    parallel r$y:\n"
                                       "      f(...) = ...\n");
}

TEST_F(Dependences, ADiagonalIsSerialWhereDependencesRunAlongIt) {
    Stage stage = update(1, -1).skew(r.x, r.y, t);
    expect_refusal([&] { stage.reorder(r.y, t).parallel(r.y); }, "parallel-over-dependence");
}

TEST_F(Dependences, AnOrderThatTurnsADependenceAroundIsRefused) {
    Stage stage = update(1, -1);
    expect_refusal([&] { stage.reorder(r.y, r.x); }, "reorder-changes-reduction");
    stage.skew(r.x, r.y, t, 2).reorder(r.y, t); // 2 * 1 - 1 is positive
    expect_refusal([&] { stage.skew(t, r.y, u, -2).reorder(r.y, u); }, "reorder-changes-reduction");
}

TEST_F(Dependences, OfConstantDistancePermitOrdersWithoutASkew) {
    EXPECT_NO_THROW(update(-1, -1).reorder(r.y, r.x));
    expect_interpreted(f, {22, 32});
}

TEST_F(Dependences, OfAnOuterLoopLeaveTheInnerOneParallel) {
    EXPECT_NO_THROW(update(-1, 0).reorder(r.y, r.x).parallel(r.y));
    expect_interpreted(f, {22, 32});
}

TEST_F(Dependences, AMarkedLoopKeepsTheLoopsThatCarryItsDependences) {
    Stage stage = update(-1, -1).skew(r.x, r.y, t).reorder(r.y, t).parallel(r.y);
    expect_refusal([&] { stage.reorder(t, r.y); }, "reorder-changes-reduction");
    stage.split(t, u, yi, 4); // the inner part carries what the outer one does not
    expect_refusal([&] { stage.reorder(r.y, u, yi); }, "reorder-changes-reduction");
}

TEST_F(Dependences, OfUnknownDistanceKeepTheOrder) {
    f(x, y) = x + y;
    f(r.x, r.y) = f(r.x / 2, r.y - 1) + 1;
    expect_refusal([&] { f.update().skew(r.x, r.y, t).reorder(r.y, t); }, "reorder-changes-reduction");
}

TEST_F(Dependences, TilesOfASkewedTimeLoopAreLegal) {
    // A row for each step of time, and each value from three of the last row.
    Func untiled{"untiled"};
    for (Func each : {f, untiled}) {
        each(x, y) = cast<float>(x * 3 % 17);
        each(r.x, r.y) = (each(r.x - 1, r.y - 1) + each(r.x, r.y - 1) + each(r.x + 1, r.y - 1)) / 3.0f;
    }
    expect_refusal([&] { untiled.update().split(r.x, t, u, 8).reorder(u, r.y, t); }, "reorder-changes-reduction");
    f.update().skew(r.x, r.y, x).split(x, t, u, 8).split(r.y, yo, yi, 4).reorder(u, yi, t, yo);
    expect_interpreted(f, {22, 31});
}

// In a skewed tile, a condition may leave out the iteration before one that runs: there, windows do not slide.
TEST(Skew, ConditionsOfTilesKeepWindowsFromSliding) {
    const Var a("a"), b("b"), s("s"), so("so"), si("si"), bo("bo"), bi("bi");
    for (const bool is_still : {false, true}) {
        for (const int width : {1, 5, 13}) {
            Func w("w"), f("f");
            w(a, b) = a * 7 + b * 31;
            f(a, b) = is_still ? w(2, 3) + a * b : w(2, b) + w(2, b + 1) + a;
            f.skew(a, b, s, 1).tile(s, b, so, bo, si, bi, 4, 3);
            w.compute_at(f, si).store_root();
            const Buffer<int> values = f.realize({width, 9});
            values.for_each_element([&](int i, int j) {
                EXPECT_EQ(values(i, j), is_still ? 14 + 93 + i * j : 28 + 62 * j + 31 + i) << i << ", " << j;
            });
        }
    }
}

} // namespace
} // namespace fluorite::skew_test
