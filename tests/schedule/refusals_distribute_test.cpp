// distribute and compute_rank as directives: what they refuse, how they meet others, and their texts.
// Runs on ranks are tested in src/driver/on_ranks.
#include "language/function.h"
#include "refusals.h"
#include "schedule/rank_layout.h"

namespace fluorite::refusals_distribute_test {
namespace {

class DistributeDirective : public ScheduleRefusals {
  protected:
    /// Each cut as `dimension/tile`, of the default schedule after `text`.
    static std::string cuts_of(const std::string &text) {
        Var x("x"), y("y");
        Func f("f");
        f(x, y) = x + y;
        f(x, y) += 1;
        Pipeline pipeline(f);
        pipeline.apply(Schedule::parse("fluorite schedule 1\n" + text + "end\n"));
        const std::string normal = pipeline.schedule().text();
        Func again("f");
        again(x, y) = x + y;
        again(x, y) += 1;
        Pipeline copy(again);
        copy.apply(Schedule::parse(normal));
        EXPECT_EQ(copy.schedule().text(), normal);
        return normal;
    }
};

TEST_F(DistributeDirective, UnknownLoopVariable) {
    expect_refused(CALL(f.distribute(z)), "unknown-loop-variable",
                   "in f, stage 0: distribute names z; a directive names loops of the stage it is called on; its loops "
                   "are x, y");
}

TEST_F(DistributeDirective, LoopsOverDimensions) {
    f.split(y, yo, yi, 8);
    expect_refused(CALL(f.distribute(yi)), "distribute-loop",
                   "in f, stage 0: distribute of yi, which is the inner part of a split; a rank computes a contiguous "
                   "part of a dimension; distribute the outermost loop over a dimension");
    g() = 0;
    g() += r.x;
    expect_refused(CALL(g.update().distribute(r.x)), "distribute-loop",
                   "in g, stage 1: distribute of r.x, which is a loop of a reduction; a rank computes a contiguous "
                   "part of a dimension; distribute the outermost loop over a dimension");
    h(x, y) = x;
    expect_refused(CALL(h.distribute(x, x)), "distribute-loop",
                   "in h, stage 0: distribute names two loops over dimension x; a grid of ranks cuts a dimension once; "
                   "name one of them");
}

TEST_F(DistributeDirective, Grids) {
    expect_refused(
        CALL(f.distribute({x, y}, {Expr(2)})), "distribute-grid",
        "in f, stage 0: distribute names 2 loops and 1 numbers of ranks; a grid has one number for each loop; "
        "give as many, or none and they are chosen when the pipeline runs");
    expect_refused(CALL(f.distribute(x, y, 0, 2)), "distribute-grid",
                   "in f, stage 0: distribute over 0 ranks; a number of ranks is an int of 1 or more; pass one");
    expect_refused(CALL(f.distribute(x, y, x, 2)), "directive-value",
                   "in f, stage 0: distribute has a number of ranks that uses the variable x; numbers of directives "
                   "are known before the loops run; use numbers, Params and the sizes of buffers");
    Param<bool> p("p");
    expect_refused(CALL(f.specialize(p).distribute(y)), "distribute-grid",
                   "in f, stage 0, specialization 0: distribute of a specialization; ranks agree on their parts before "
                   "any condition is "
                   "tested; call it on the stage");
    f(x, y) += 1;
    f.distribute(y);
    expect_refused(CALL(f.update().distribute(x)), "distribute-grid",
                   "in f, stage 1: distribute cuts other dimensions, or by another grid, than distribute of stage 0; a "
                   "rank computes all stages of its part of a Func; cut all stages alike, or one of them");
    f.update().distribute(y);
}

TEST_F(DistributeDirective, OncePerStage) {
    f.distribute(x);
    expect_refused(CALL(f.distribute(y)), "loop-marked-twice",
                   "in f, stage 0: distribute of y, and loop x is distributed already; a stage has one grid of ranks; "
                   "name all of its loops in one call");
    expect_refused(CALL(f.fuse(x, y, xo)), "split-of-marked-loop",
                   "in f, stage 0: fuse of x, which is already distributed, as the inner loop; loops are fused before "
                   "they are marked; call fuse first");
}

TEST_F(DistributeDirective, MarksFollowLoops) {
    EXPECT_EQ(cuts_of("f.distribute({y})\nf.split(y, yo, yi, 8)\n"), "fluorite schedule 1\nf.split(y, yo, yi, 8)\n"
                                                                     "f.distribute({yo})\nend\n");
    EXPECT_EQ(cuts_of("f.distribute({y}, 3)\nf.rename(y, rows)\nf.parallel(rows)\n"),
              "fluorite schedule 1\nf.rename(y, rows)\nf.parallel(rows)\nf.distribute({rows}, 3)\nend\n");
    EXPECT_EQ(cuts_of("f.distribute({y})\nf.fuse(x, y, all)\nf.update(0).distribute({y})\n"),
              "fluorite schedule 1\nf.fuse(x, y, all)\nf.distribute({all})\nf.update(0).distribute({y})\nend\n");
    EXPECT_EQ(cuts_of("f.reorder(y, x)\nf.distribute({y, x}, 2, 3)\nf.vectorize(y, 8)\n"),
              "fluorite schedule 1\nf.split(y, y, yv, 8)\nf.reorder(yv, y, x)\nf.vectorize(yv)\n"
              "f.distribute({y, x}, 2, 3)\nend\n");
    EXPECT_EQ(cuts_of("f.compute_rank()\n"), "fluorite schedule 1\nf.compute_rank()\nend\n");
}

TEST_F(DistributeDirective, LayoutsAreDimensionsAndTiles) {
    const auto layout_of = [&](const std::function<void(Func &)> &schedule) {
        Func one("one");
        one(x, y, z) = x;
        schedule(one);
        std::string text;
        const language::Function &function = *one.function();
        for (const schedule::RankDimension &cut : schedule::rank_layout(function.schedule, function.def.arg_names)) {
            std::ostringstream line;
            line << cut.dimension << "/" << cut.tile << "/";
            cut.parts.defined() ? line << cut.parts : line << "any";
            text += line.str() + " ";
        }
        return text;
    };
    Var t("t"), u("u");
    Param<int> p("tile");
    EXPECT_EQ(layout_of([&](Func &one) { one.distribute(y); }), "1/1/any ");
    EXPECT_EQ(layout_of([&](Func &one) { one.distribute(x, y, z, 2, 3, 4); }), "0/1/2 1/1/3 2/1/4 ");
    EXPECT_EQ(layout_of([&](Func &one) { one.tile(x, y, xo, yo, xi, yi, 4, 8).fuse(xo, yo, t).distribute(t); }),
              "1/8/any ");
    EXPECT_EQ(layout_of([&](Func &one) { one.split(z, z, u, 4).split(z, z, t, 3).distribute(z, x); }),
              "2/12/any 0/1/any ");
    EXPECT_EQ(layout_of([&](Func &one) { one.compute_rank(); }), "");
    // Stages that are vectorized before or after they are distributed, and by different factors.
    const auto with_update = [&](const std::function<void(Func &)> &schedule) {
        return layout_of([&](Func &one) {
            one(x, y, z) += 1;
            schedule(one);
        });
    };
    EXPECT_EQ(with_update([&](Func &one) {
                  one.distribute(x, y).vectorize(x, 4);
                  one.update().distribute(x, y).vectorize(x, 6).split(y, y, yi, 5);
              }),
              "0/12/any 1/5/any ");
    EXPECT_EQ(with_update([&](Func &one) {
                  one.update().distribute(y);
                  one.split(y, y, yi, Expr(p)).distribute(y);
              }),
              "1/tile/any ");
    EXPECT_EQ(with_update([&](Func &one) {
                  one.split(y, y, yi, Expr(p)).distribute(y);
                  one.update().split(y, y, yi, 3).distribute(y);
              }),
              "1/tile * 3/any ");
}

TEST_F(DistributeDirective, LoopNestsShowIt) {
    f.distribute(y).parallel(y).vectorize(x, 8);
    EXPECT_EQ(f.loop_nest(), "produce f:\n  distributed parallel y:\n    for x:\n      vectorized xv in [0, 7]:\n"
                             "        f(...) = ...\n");
}

TEST_F(DistributeDirective, AgglomerateTakesANumberOfRanks) {
    expect_refused(CALL(f.agglomerate(0)), "distribute-grid",
                   "in f: agglomerate to 0 ranks; a number of ranks is an int of 1 or more; pass one");
    expect_refused(CALL(f.agglomerate(x)), "directive-value",
                   "in an expression, agglomerate: a number that uses the variable x is given; numbers of directives "
                   "are known before the loops run; use numbers, Params and the sizes of buffers");
    f.distribute(y).agglomerate(5).agglomerate(3);
    EXPECT_EQ(f.loop_nest(), "produce f on 3 ranks at most:\n  distributed for y:\n    for x:\n      f(...) = ...\n");
    EXPECT_EQ(cuts_of("f.agglomerate(4)\nf.distribute({y})\n"),
              "fluorite schedule 1\nf.agglomerate(4)\nf.distribute({y})\nend\n");
}

TEST_F(DistributeDirective, LaterLevelsReplaceComputeRank) {
    g(x, y) = f(x, y) + f(x, y + 1);
    f.compute_rank();
    EXPECT_EQ(Pipeline(g).schedule().text(), "fluorite schedule 1\nf.compute_rank()\nend\n");
    f.compute_root();
    EXPECT_EQ(Pipeline(g).schedule().text(), "fluorite schedule 1\nf.compute_root()\nend\n");
}

} // namespace
} // namespace fluorite::refusals_distribute_test
