// Calls that contradict earlier ones, or that could have no effect: each is refused where it is made, and changes
// nothing.
#include "fluorite/fluorite.h"
#include "support/test_errors.h"

#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace fluorite::conflicts_test {
namespace {

class Conflicts : public testing::Test {
  protected:
    Var x{"x"}, y{"y"}, xi{"xi"}, yi{"yi"};
    Func f{"f"}, g{"g"};
    Param<int> p{"p"}, q{"q"};

    void SetUp() override {
        f(x, y) = x + y;
        g(x, y) = f(x, y) + f(x, y + 1);
        f.compute_root();
    }
    static void expect_refused(const std::function<void()> &run, const char *slug, const std::string &message) {
        expect_error<CompileError>(run, slug, message, {"tests/misuse/conflicts_test.cpp"});
    }
    void expect_conflict(const std::function<void()> &run, const std::string &text) {
        const std::string before = Pipeline(g).schedule().text();
        expect_refused(run, "conflicting-values",
                       "in f: " + text +
                           "; a promise or a key has one value, and the first would be lost; remove one of the calls");
        EXPECT_EQ(Pipeline(g).schedule().text(), before);
    }
    void expect_values() {
        const Buffer<int> values = g.realize({5, 7});
        for (int j = 0; j < 7; j++) {
            for (int i = 0; i < 5; i++) {
                ASSERT_EQ(values(i, j), 2 * (i + j) + 1);
            }
        }
    }
};

TEST_F(Conflicts, ASecondEvictionKey) {
    f.memoize(EvictionKey(p));
    expect_conflict([&] { f.memoize(EvictionKey(q)); },
                    "the EvictionKey of memoize is to be q, and an earlier call gave p");
    f.memoize(EvictionKey(p)).memoize(); // says nothing else
    EXPECT_NE(Pipeline(g).schedule().text().find("f.memoize(p)\n"), std::string::npos);
    p.set(1);
    expect_values();
}

TEST_F(Conflicts, PromisesOfRegions) {
    f.bound(x, 0, 8);
    expect_conflict([&] { f.bound(x, 0, 16); }, "the extent of bound of x is to be 16, and an earlier call gave 8");
    expect_conflict([&] { f.bound(x, 1, 8); }, "the min of bound of x is to be 1, and an earlier call gave 0");
    expect_conflict([&] { f.bound_extent(x, 9); }, "the extent of bound of x is to be 9, and an earlier call gave 8");
    f.bound_extent(x, 8).bound(x, Expr(), 8); // the same
    f.align_bounds(y, 4);
    expect_conflict([&] { f.align_bounds(y, 8); },
                    "the modulus of align_bounds of y is to be 8, and an earlier call gave 4");
    expect_conflict([&] { f.align_bounds(y, 4, 1); },
                    "the remainder of align_bounds of y is to be 1, and an earlier call gave 0");
    f.align_extent(y, 4);
    EXPECT_EQ(Pipeline(g).schedule().text(),
              "fluorite schedule 1\nf.compute_root()\nf.bound(x, 0, 8)\nf.align_bounds(y, 4, 0)\nend\n")
        << "what a further call does not mention stays";
    expect_values();
}

TEST_F(Conflicts, PromisesInParts) {
    f.bound_extent(y, 12);
    f.bound(y, -2, Expr());
    EXPECT_EQ(Pipeline(g).schedule().text(), "fluorite schedule 1\nf.compute_root()\nf.bound(y, -2, 12)\nend\n");
    expect_values();
}

TEST_F(Conflicts, PromisesInTexts) {
    Pipeline pipeline(g);
    const std::string before = pipeline.schedule().text();
    const Schedule twice =
        Schedule::parse("fluorite schedule 1\nf.compute_root()\nf.bound(y, 0, 16)\nf.bound(y, 0, 32)\nend\n");
    expect_refused([&] { pipeline.apply(twice); }, "conflicting-values",
                   "in the schedule, line 4, f.bound(y, 0, 32): in f: the extent of bound of y is to be 32, and an "
                   "earlier call gave 16; a promise or a key has one value, and the first would be lost; remove one of "
                   "the calls");
    EXPECT_EQ(pipeline.schedule().text(), before);
}

TEST_F(Conflicts, ClonesHavePromisesOfTheirOwn) {
    f.bound(x, 0, 64).align_bounds(y, 2);
    Func copy = f.clone_in(g);
    copy.compute_root().bound(x, 0, 32).align_bounds(y, 3);
    EXPECT_NE(Pipeline(g).schedule().text().find("f_clone_in_g.bound(x, 0, 32)\n"), std::string::npos);
    expect_values();
}

TEST_F(Conflicts, ChoicesAreMadeAnew) {
    f.compute_at(g, x).store_at(g, y).store_in(MemoryType::Heap).reorder_storage(y, x);
    f.set_estimate(x, 0, 8).set_estimate(x, 0, 80);
    f.fold_storage(y, 2).fold_storage(y, 16).align_storage(x, 4).align_storage(x, 8).bound_storage(x, 8);
    f.compute_root().store_root().store_in(MemoryType::Heap).reorder_storage(x, y);
    g.parallel(y).serial(y).never_partition(y).partition(y, Partition::Auto);
    expect_values();
}

TEST_F(Conflicts, PromisesOfNothing) {
    const std::string end = "; a directive without effect is an error; initialize the Expr, or remove the call";
    const auto refused = [&](const std::function<void()> &run, const std::string &text) {
        expect_refused(run, "undefined-operand", "in f: " + text + end);
    };
    refused([&] { f.bound(x, Expr(), Expr()); }, "bound of x without min and extent");
    refused([&] { f.bound_extent(x, Expr()); }, "bound of x without min and extent");
    refused([&] { f.align_bounds(x, Expr()); }, "align_bounds of x without a modulus");
    refused([&] { f.align_extent(x, Expr()); }, "align_bounds of x without a modulus");
    refused([&] { f.set_estimate(x, Expr(), Expr()); }, "set_estimate of x without min and extent");
    refused([&] { f.set_estimates({{}, {}}); }, "set_estimate of x without min and extent");
    f.set_estimates({{}, {0, 8}}); // the other dimension is not known
    f.bound(x, 0, Expr());
    expect_values();
}

// ---- What stands for another Func.

TEST_F(Conflicts, DefinitionsOfWrappers) {
    const std::string end =
        "; consumers that read it in place of that Func get the same values, whatever the schedule; "
        "define that Func in full before, or a Func of your own for consumers to call";
    Func one = f.in(g);
    const auto refused = [&](const std::function<void()> &run, const std::string &text) {
        expect_refused(run, "func-in-use", text + end);
    };
    refused([&] { one(x, y) += 1; }, "in f_in_g, stage 1: it is changed, and it is what in() of f returned");
    refused([&] { one(x, y) = 7; }, "in f_in_g, stage 1: it is changed, and it is what in() of f returned");
    Func all = f.in();
    refused([&] { all(x, 3) = 7; }, "in f_global_wrapper, stage 1: it is changed, and it is what in() of f returned");
    Func second = one.in(g);
    refused([&] { second(x, y) *= 2; },
            "in f_in_g_in_g, stage 1: it is changed, and it is what in() of f_in_g returned");
    one.compute_root();
    expect_values();
}

TEST_F(Conflicts, DefinitionsOfClonesAndOfWrappedImages) {
    const std::string end =
        "; consumers that read it in place of that Func get the same values, whatever the schedule; "
        "define that Func in full before, or a Func of your own for consumers to call";
    Func copy = f.clone_in(g);
    expect_refused([&] { copy(x, y) += 1; }, "func-in-use",
                   "in f_clone_in_g, stage 1: it is changed, and it is what clone_in() of f returned" + end);
    expect_values();
    ImageParam in(Int(32), 1, "in");
    Func reads("reads");
    reads(x) = in(x);
    Func held = in.in(reads);
    expect_refused([&] { held(_0) += 1; }, "func-in-use",
                   "in in_in_reads, stage 1: it is changed, and it is what in() of in returned" + end);
}

// ---- Directives on a stage that is to keep its loops.

TEST_F(Conflicts, DirectivesAfterUnscheduled) {
    g.unscheduled();
    const auto refused = [&](const std::function<void()> &run, const std::string &directive) {
        expect_refused(run, "unscheduled-has-schedule",
                       "in g, stage 0: " + directive +
                           " is applied after unscheduled; it says that a stage keeps its default loops on purpose; "
                           "remove one of the two");
        EXPECT_EQ(Stage(g).loops(), (std::vector<std::string>{"x", "y"}));
    };
    refused([&] { g.vectorize(x, 4); }, "vectorize");
    refused([&] { g.parallel(y); }, "parallel");
    refused([&] { g.tile(x, y, xi, yi, 4, 4); }, "tile");
    refused([&] { g.reorder(y, x); }, "reorder");
    refused([&] { g.never_partition(x); }, "never_partition");
    refused([&] { g.allow_race_conditions(); }, "allow_race_conditions");
    refused([&] { g.specialize(p > 3); }, "specialize");
    refused([&] { g.prefetch(f, y, y, 1); }, "prefetch");
    expect_values();
}

TEST_F(Conflicts, AlignmentsOfSharedLoops) {
    Func k("k");
    k(x, y) = x * y;
    const std::vector<std::pair<VarOrRVar, LoopAlignStrategy>> twice = {{x, LoopAlignStrategy::AlignStart},
                                                                        {x, LoopAlignStrategy::AlignEnd}};
    expect_refused([&] { k.compute_with(g, x, twice); }, "conflicting-values",
                   "in k, stage 0: compute_with aligns x in two ways; a shared loop is aligned in one; name it once");
    expect_refused([&] { k.compute_with(g, x, {{xi, LoopAlignStrategy::AlignStart}}); }, "compute-with-align",
                   "in k, stage 0: compute_with aligns xi; shared loops are aligned; name loops of the stage that are");
    k.specialize(p > 3); // which the refused calls would be in the way of
}

TEST_F(Conflicts, ReductionsOverNothing) {
    Func sums("sums");
    const RDom nothing;
    const std::string end = ": it is given an undefined RDom; a reduction runs over the points of one; give the RDom "
                            "ranges, as in RDom(0, 10)";
    expect_refused([&] { sums(x) = sum(nothing, Expr(x)); }, "rdom-rank", "in an inline sum" + end);
    expect_refused([&] { sums(x) = product(nothing, Expr(x)); }, "rdom-rank", "in an inline product" + end);
    expect_refused([&] { sums(x) = maximum(nothing, Expr(x)); }, "rdom-rank", "in an inline maximum" + end);
    expect_refused([&] { sums(x) = minimum(nothing, Expr(x)); }, "rdom-rank", "in an inline minimum" + end);
    expect_refused([&] { sums(x) = saturating_sum(nothing, Expr(x)); }, "rdom-rank",
                   "in an inline saturating_sum" + end);
    expect_refused([&] { sums(x) = argmax(nothing, Expr(x)); }, "rdom-rank", "in an inline argmax" + end);
    expect_refused([&] { sums(x) = argmin(nothing, Expr(x)); }, "rdom-rank", "in an inline argmin" + end);
}

TEST_F(Conflicts, ThePlaceAroundAllLoopsIsNoDimension) {
    Func k("k");
    expect_refused([&] { k(x, Var::outermost()) = x; }, "pure-argument",
                   "in k, stage 0: argument 1 of its first definition is Var::outermost(); it names the place around "
                   "all loops of a Func, and no dimension; use another Var");
}

} // namespace
} // namespace fluorite::conflicts_test
