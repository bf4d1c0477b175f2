// compute_at a loop that several stages of the consumer have: each stage that uses the Func computes it in its loop.

#include "driver/test_interpreter.h"
#include "support/test_errors.h"
#include "support/test_text.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace fluorite::compute_in_stages_test {
namespace {

const Var x("x"), y("y"), xo("xo"), xi("xi");

class ComputeInStages : public testing::Test {
  protected:
    Buffer<int> in = random_buffer<int>({120, 60}, 5, {-20, -10});
    Func g{"g"}, f{"f"};
    RDom r{0, 5, "r"};

    /// Three stages that read g, the last one over an RDom.
    void define() {
        g = Func("g"), f = Func("f");
        g(x, y) = in(x, y) * 3 + y;
        f(x, y) = g(x, y) + g(x + 1, y);
        f(x, y) = f(x, y) * 2 - g(x + 3, y + 1);
        f(x, y) += g(x + r, y) * (r + 1);
    }
    void expect_same_values(const std::string &what) const {
        for (const auto &[width, height] : {std::pair(37, 11), std::pair(1, 1), std::pair(64, 3)}) {
            expect_same<int>(f, {width, height}, what);
        }
    }
};

// Loops that two Funcs share are computed once.
TEST_F(ComputeInStages, NotWithAnother) {
    define();
    Func other("other");
    other(x, y) = in(x, y) - 1;
    Func sums("sums");
    sums(x, y) = g(x, y) + other(x, y);
    sums(x, y) += g(x + 1, y) * other(x, y);
    g.compute_at(sums, y);
    other.compute_at(sums, y).compute_with(g, x);
    expect_error<CompileError>([&] { (void)sums.realize({4, 4}); }, "compute-at-outside-consumer",
                               "in other: computed at loop y of sums; a Func is computed inside loops that enclose "
                               "every use of it, or that every stage with a use has; legal are root");
}

TEST_F(ComputeInStages, EachStageThatUsesIt) {
    define();
    g.compute_at(f, y);
    EXPECT_EQ(f.loop_nest(), "produce f:\n"
                             "  for y:\n"
                             "    produce g:\n"
                             "      for y:\n"
                             "        for x:\n"
                             "          g(...) = ...\n"
                             "    consume g:\n"
                             "      for x:\n"
                             "        f(...) = ...\n"
                             "  for y:\n"
                             "    produce g$1:\n"
                             "      for y:\n"
                             "        for x:\n"
                             "          g$1(...) = ...\n"
                             "    consume g$1:\n"
                             "      for x:\n"
                             "        f(...) = ...\n"
                             "  for y:\n"
                             "    produce g$2:\n"
                             "      for y:\n"
                             "        for x:\n"
                             "          g$2(...) = ...\n"
                             "    consume g$2:\n"
                             "      for x:\n"
                             "        for r$x in [0, 4]:\n"
                             "          f(...) = ...\n");
    const std::string bounds = f.explain_bounds(g);
    EXPECT_NE(bounds.find("g is computed at loop y of f, "), std::string::npos) << bounds;
    EXPECT_NE(bounds.find("g$1 is computed at loop y of f.update(0), "), std::string::npos) << bounds;
    EXPECT_NE(bounds.find("g$2 is computed at loop y of f.update(1), "), std::string::npos) << bounds;
    EXPECT_NE(Pipeline(f).explain_schedule({37, 11}).find("g$2"), std::string::npos);
    expect_same_values("at y");
}

TEST_F(ComputeInStages, StagesThatDoNotUseItHaveNone) {
    g(x, y) = in(x, y);
    f(x, y) = x;
    f(x, y) += g(x, y);
    f(x, y) *= 2;
    f(x, y) += g(x, y + 1);
    g.compute_at(f, y);
    EXPECT_EQ(count(f.loop_nest(), "produce g"), 2U);
    expect_same_values("two of four");
}

TEST_F(ComputeInStages, UnderEveryKindOfLoop) {
    for (int schedule = 0; schedule < 12; schedule++) {
        define();
        const auto every_stage = [&](const auto &change) {
            change(Stage(f)), change(f.update(0)), change(f.update(1));
        };
        const TailStrategy guard = TailStrategy::GuardWithIf;
        switch (schedule) {
        case 0:
            g.compute_at(f, x);
            break;
        case 1:
            every_stage([](Stage stage) { stage.split(x, xo, xi, 8, TailStrategy::GuardWithIf).vectorize(xi); });
            g.compute_at(f, xo).vectorize(x, 4);
            break;
        case 2:
            every_stage([](Stage stage) { stage.parallel(y); });
            g.compute_at(f, y).vectorize(x, 8);
            break;
        case 3:
            g.store_root().compute_at(f, y);
            break;
        case 4:
            g.store_at(f, y).compute_at(f, x);
            break;
        case 5:
            g.store_root().compute_at(f, y).fold_storage(y, 4);
            break;
        case 6:
            g.compute_at(f, x).hoist_storage(f, y);
            break;
        case 7:
            g.compute_at(f, y).hoist_storage_root().async();
            break;
        case 8:
            g.store_root().compute_at(f, y).async();
            break;
        case 9:
            f.split(x, xo, xi, 7), f.update(0).split(x, xo, xi, 5, guard), f.update(1).split(x, xo, xi, 3, guard);
            g.compute_at(f, xo).unroll(x, 2);
            break;
        case 10:
            g.compute_at(f, Var::outermost());
            break;
        default:
            every_stage(
                [](Stage stage) { stage.tile(x, y, xo, Var("yo"), xi, Var("yi"), 8, 4, TailStrategy::GuardWithIf); });
            g.compute_at(f, xo);
            break;
        }
        expect_same_values("schedule " + std::to_string(schedule));
    }
}

TEST_F(ComputeInStages, ChainsOfFuncsFollow) {
    for (int schedule = 0; schedule < 5; schedule++) {
        define();
        Func h("h"), k("k");
        f = Func("f"), g = Func("g");
        k(x, y) = in(x, y) - x;
        h(x, y) = k(x, y) + k(x + 1, y);
        h(x, y) += k(x, y + 1);
        g(x, y) = h(x, y) * 2 + in(x, y);
        f(x, y) = g(x, y) + h(x, y);
        f(x, y) += g(x, y + 1) * h(x + 2, y);
        g.compute_at(f, x);
        schedule == 1 ? h.compute_at(g, x) : h.compute_at(f, schedule == 2 ? y : x);
        if (schedule == 1) {
            f = Func("f");
            f(x, y) = g(x, y);
            f(x, y) += g(x + 1, y);
            g.compute_at(f, y);
        }
        if (schedule > 2) {
            k.compute_at(h, schedule == 3 ? x : y);
        }
        if (schedule == 4) {
            h.store_at(f, y);
        }
        expect_same_values("chain " + std::to_string(schedule));
    }
}

TEST_F(ComputeInStages, TuplesUpdatesAndInlineReductions) {
    Func pairs("pairs"), sums("sums");
    const RDom s(0, 3, "s");
    pairs(x, y) = Tuple(in(x, y), cast<float>(y));
    pairs(x, y) = Tuple(pairs(x, y)[0] + y, pairs(x, y)[1] * 2);
    pairs(x, y)[0] += s * x;
    sums(x, y) = sum(s, pairs(x + s, y)[0]);
    f(x, y) = pairs(x, y)[0] + sums(x, y);
    f(x, y) += cast<int>(pairs(x, y)[1]) + sums(x, y + 1);
    pairs.compute_at(f, y);
    sums.compute_at(f, x);
    expect_same_values("tuples");
    f.vectorize(x, 8, TailStrategy::GuardWithIf);
    f.update().vectorize(x, 8, TailStrategy::GuardWithIf);
    pairs.vectorize(x, 4);
    expect_same_values("tuples in vectors");
}

TEST_F(ComputeInStages, WithSpecializationsAndSharedLoops) {
    Param<bool> fast("fast");
    define();
    f.specialize(fast).vectorize(x, 8, TailStrategy::GuardWithIf);
    f.update(0).specialize(fast).unroll(x, 2, TailStrategy::GuardWithIf);
    g.compute_at(f, y);
    for (const bool value : {false, true}) {
        fast.set(value);
        const Buffer<int> seen = f.realize(37, 11);
        define();
        const Buffer<int> expected = f.realize(37, 11);
        EXPECT_EQ(interpret::compare_bits(*seen.raw_buffer(), *expected.raw_buffer()).text, "");
        f.specialize(fast).vectorize(x, 8, TailStrategy::GuardWithIf);
        f.update(0).specialize(fast).unroll(x, 2, TailStrategy::GuardWithIf);
        g.compute_at(f, y);
    }
    Func other("other"), top("top");
    define();
    other(x, y) = x - y;
    top(x, y) = f(x, y) + other(x, y);
    f.compute_root(), other.compute_root().compute_with(f, y);
    g.compute_at(f, y);
    expect_same<int>(top, {37, 11}, "shared loops");
    EXPECT_EQ(count(top.loop_nest(), "produce g"), 3U);
}

TEST_F(ComputeInStages, OneStageByItsNumberIsNotAllOfThem) {
    define();
    g.compute_at(LoopLevel(f, y, 1));
    EXPECT_THROW(f.realize(8, 8), CompileError); // stages 0 and 2 use it, too
    g = Func("g"), f = Func("f");
    g(x, y) = in(x, y);
    f(x, y) = x;
    f(x, y) += g(x, y);
    g.compute_at(LoopLevel(f, y, 1));
    expect_same_values("one stage");
}

TEST_F(ComputeInStages, AStageWithoutTheLoopIsNamed) {
    define();
    f.update(0).rename(y, xo);
    g.compute_at(f, y);
    expect_error(
        [&] { f.compile_jit(); }, "compute-at-outside-consumer",
        "in g: computed at loop y of f; a Func is computed inside loops that enclose every use of it, or that every "
        "stage with a use has; legal are root");
}

TEST_F(ComputeInStages, TreesSayThatTheyHaveNoPlaceForIt) {
    define();
    g.compute_at(f, y);
    expect_error(
        [&] { Pipeline(f).schedule_tree(); }, "no-schedule-tree",
        "in a schedule: g is computed at loop y of several stages of f, and a node of a tree has one place; a tree has "
        "a place for each Func that is not inlined; change the level");
}

} // namespace
} // namespace fluorite::compute_in_stages_test
