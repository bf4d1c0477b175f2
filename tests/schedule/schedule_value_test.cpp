// Schedules as values: text, files, differences, and their application to other pipelines.
#include "fluorite/fluorite.h"
#include "schedule/text/schedule_text.h"
#include "support/test_errors.h"
#include "tests/schedule/example_pipeline.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <string>

namespace fluorite::schedule_value_test {
namespace {

using Blur = ExamplePipeline;

const std::string head = "fluorite schedule 1\n";

void expect_refused(const std::function<void()> &run, const std::string &slug, const std::string &message) {
    expect_error(run, slug, message, {"schedule_value_test"});
}

TEST(ScheduleValue, NormalFormOfAPipeline) {
    Blur b;
    EXPECT_EQ(b.pipeline.schedule().text(), head + "end\n");
    b.blur_y.compute_at(b.total, b.yo).store_in(MemoryType::Stack).tile(b.x, b.y, b.xi, b.yi, 8, 4).vectorize(b.xi);
    b.blur_y.bound_storage(b.y, 16).align_storage(b.x, b.p).hoist_storage(b.total, b.yo).stream_stores();
    b.blur_y.prefetch(b.blur_x, b.x, b.y).prefetch(b.input, b.y, b.y, b.p * 2, PrefetchBoundStrategy::Clamp);
    b.blur_x.store_root().compute_at(b.blur_y, b.y).reorder_storage(b.y, b.x).align_bounds(b.x, 8);
    b.blur_x.hoist_storage_root().fold_storage(b.y, 8).fold_storage(b.x, 200, false);
    b.total.bound(b.x, 0, b.p * 16).set_estimate(b.y, 0, 100).split(b.y, b.yo, b.yi, b.p, TailStrategy::GuardWithIf);
    b.total.parallel(b.yo).never_partition(b.x);
    b.total.update().split(b.y, b.yo, b.yi, 8).fuse(b.r.x, b.r.y, b.xo).atomic().unroll(b.yi);
    const std::string text = head + "blur_x.compute_at(blur_y, y)\n"
                                    "blur_x.store_root()\n"
                                    "blur_x.hoist_storage_root()\n"
                                    "blur_x.reorder_storage(y, x)\n"
                                    "blur_x.fold_storage(x, 200, 0)\n"
                                    "blur_x.fold_storage(y, 8)\n"
                                    "blur_x.align_bounds(x, 8, 0)\n"
                                    "blur_y.compute_at(total, yo)\n"
                                    "blur_y.hoist_storage(total, yo)\n"
                                    "blur_y.store_in(Stack)\n"
                                    "blur_y.align_storage(x, p)\n"
                                    "blur_y.bound_storage(y, 16)\n"
                                    "blur_y.stream_stores()\n"
                                    "blur_y.split(x, x, xi, 8)\n"
                                    "blur_y.split(y, y, yi, 4)\n"
                                    "blur_y.reorder(xi, yi, x, y)\n"
                                    "blur_y.vectorize(xi)\n"
                                    "blur_y.prefetch(blur_x, x, y, 1)\n"
                                    "blur_y.prefetch(input, y, y, p * 2, Clamp)\n"
                                    "total.bound(x, 0, p * 16)\n"
                                    "total.set_estimate(y, 0, 100)\n"
                                    "total.split(y, yo, yi, p, GuardWithIf)\n"
                                    "total.partition(x, Never)\n"
                                    "total.parallel(yo)\n"
                                    "total.update(0).atomic()\n"
                                    "total.update(0).fuse(r$x, r$y, xo)\n"
                                    "total.update(0).split(y, yo, yi, 8)\n"
                                    "total.update(0).unroll(yi)\n"
                                    "end\n";
    const Schedule schedule = b.pipeline.schedule();
    EXPECT_EQ(schedule.text(), text);
    EXPECT_EQ(Schedule::parse(text), schedule);
    EXPECT_EQ(Schedule::parse(text).text(), text);

    Blur fresh;
    fresh.pipeline.apply(schedule);
    EXPECT_EQ(fresh.pipeline.schedule(), schedule);
    EXPECT_EQ(fresh.pipeline.loop_nest(), b.pipeline.loop_nest());
    fresh.pipeline.apply(Schedule());
    EXPECT_EQ(fresh.pipeline.schedule(), Schedule());
}

// The last line of a text is refused: wrappers, cuts and directives are as they were.
TEST(ScheduleValue, ARefusedTextChangesNothing) {
    for (const bool has_cut : {false, true}) {
        Blur b;
        Var x("x"), y("y"), u("u");
        b.blur_x.in(b.blur_y).compute_root().vectorize(x, 4);
        b.blur_y.compute_root();
        if (has_cut) {
            b.total.update().rfactor(b.total.rvars()[1], u).compute_root().parallel(u);
        }
        const std::string nest = b.pipeline.loop_nest(), text = b.pipeline.schedule().text();
        for (const std::string lines :
             {"", "blur_x.compute_root()\n", "blur_y.in(total)\nblur_y_in_total.compute_root()\n",
              "total.update(0).rfactor({r$x}, {v})\n"}) {
            const Schedule refused = Schedule::parse(head + lines + "total.split(nothing, a, b, 3)\nend\n");
            const auto count = static_cast<int>(std::count(lines.begin(), lines.end(), '\n'));
            expect_refused(
                [&] { b.pipeline.apply(refused); }, "schedule-mismatch",
                concat("in the schedule, line ", count + 2, ", total.split(nothing, a, b, 3): in total, ",
                       "stage 0: split names nothing; a directive names loops of the stage it is called on; ",
                       "its loops are x, y"));
            EXPECT_EQ(b.pipeline.loop_nest(), nest) << lines;
            EXPECT_EQ(b.pipeline.schedule().text(), text) << lines;
        }
        EXPECT_THROW(b.pipeline.apply(Schedule::parse(head + "blur_y_in_total.compute_root()\nend\n")), CompileError)
            << "the wrapper is no more";
    }
}

// A schedule makes other partial results. The first ones are a Func like any other, to which wrappers for the owner of
// the update do not belong.
TEST(ScheduleValue, PartialResultsThatAScheduleReplaces) {
    Func in("in"), f("f"), g("g");
    Var x("x"), y("y"), u("u");
    RDom r(0, 8, 0, 4, "r");
    in(x, y) = x + 10 * y;
    f(x) = 0;
    f(x) += in(x + r.x, r.y);
    const Func partial = f.update().rfactor(r.x, u);
    Pipeline(f).apply(Schedule::parse(head + "f.update(0).rfactor({r$y}, {v})\nend\n"));
    in.in(f).compute_root();
    g(x, u) = partial(x, u);
    EXPECT_NE(f.loop_nest().find("produce in_in_f"), std::string::npos) << f.loop_nest();
    EXPECT_EQ(g.loop_nest().find("in_in_f"), std::string::npos) << g.loop_nest();
    const Buffer<int> values = g.realize({4, 8});
    values.for_each_element([&](int i, int k) { EXPECT_EQ(values(i, k), 4 * (i + k) + 60) << i << ' ' << k; });
}

TEST(ScheduleValue, AnAppliedScheduleGivesTheSameValues) {
    Blur plain, scheduled;
    Buffer<uint16_t> image(40, 40);
    image.for_each_element([&](int x, int y) { image(x, y) = static_cast<uint16_t>(x * 91 + y * 57); });
    plain.input.set(image);
    scheduled.input.set(image);
    scheduled.pipeline.apply(Schedule::parse(head + "blur_x.compute_at(blur_y, yo)\n"
                                                    "blur_y.compute_root()\n"
                                                    "blur_y.split(y, yo, yi, 5)\n"
                                                    "blur_y.parallel(yo)\n"
                                                    "total.update(0).reorder(x, y, r$x, r$y)\n"
                                                    "total.update(0).vectorize(x, 4, GuardWithIf)\nend\n"));
    Buffer<int> expected = plain.pipeline.realize({27, 22}), seen = scheduled.pipeline.realize({27, 22});
    int wrong = 0;
    seen.for_each_element([&](int x, int y) { wrong += seen(x, y) != expected(x, y); });
    EXPECT_EQ(wrong, 0);
}

TEST(ScheduleValue, ClonesThatHaveTakenAllCalls) {
    const auto with = [](const std::function<void(Func &, Func &)> &schedule) {
        Var x("x");
        Func wide("wide"), narrow("narrow");
        wide(x) = x * 3;
        narrow(x) = wide(x) + wide(x + 1);
        schedule(wide, narrow);
        return Pipeline(narrow);
    };
    Pipeline cloned = with([](Func &wide, Func &narrow) { wide.clone_in(narrow).compute_root().parallel(Var("x")); });
    const std::string text = head + "wide.clone_in(narrow)\nwide_clone_in_narrow.compute_root()\n"
                                    "wide_clone_in_narrow.parallel(x)\nend\n";
    EXPECT_EQ(cloned.schedule().text(), text) << "though the Func is in the pipeline no more";
    cloned.apply(Schedule::parse(text));
    EXPECT_EQ(cloned.schedule().text(), text);
    Pipeline fresh = with([](Func &, Func &) {});
    fresh.apply(cloned.schedule());
    EXPECT_EQ(fresh.schedule().text(), text);
    EXPECT_EQ(Buffer<int>(fresh.realize({5}))(4), 27);
}

TEST(ScheduleValue, SugarBecomesItsParts) {
    Blur b;
    b.pipeline.apply(Schedule::parse(head + "total.tile({x, y}, {xo, yo}, {xi, yi}, {8, 4})\n"
                                            "total.vectorize(xi, 4)\n"
                                            "total.always_partition(yo)\nend\n"));
    EXPECT_EQ(b.pipeline.schedule().text(), head + "total.split(x, xo, xi, 8)\n"
                                                   "total.split(xi, xi, xiv, 4)\n"
                                                   "total.split(y, yo, yi, 4)\n"
                                                   "total.reorder(xiv, xi, yi, xo, yo)\n"
                                                   "total.vectorize(xiv)\n"
                                                   "total.partition(yo, Always)\nend\n");
}

TEST(ScheduleValue, IndependentStepsHaveOneOrder) {
    Blur a, b;
    a.total.split(a.x, a.xo, a.xi, 4).split(a.y, a.yo, a.yi, 2);
    b.total.split(b.y, b.yo, b.yi, 2).split(b.x, b.xo, b.xi, 4);
    EXPECT_EQ(a.pipeline.schedule(), b.pipeline.schedule());
    EXPECT_EQ(a.pipeline.schedule().hash(), b.pipeline.schedule().hash());
}

TEST(ScheduleValue, WrappersAreMadeAgain) {
    Blur b;
    Func wrapper = b.blur_x.in(b.blur_y);
    b.blur_x.compute_root();
    wrapper.compute_at(b.blur_y, b.x).unroll(b.x, 2);
    b.blur_y.compute_root();
    const Schedule schedule = b.pipeline.schedule();
    EXPECT_EQ(schedule.text(), head + "blur_x.in(blur_y)\n"
                                      "blur_x.compute_root()\n"
                                      "blur_x_in_blur_y.compute_at(blur_y, x)\n"
                                      "blur_x_in_blur_y.split(x, x, xu, 2)\n"
                                      "blur_x_in_blur_y.unroll(xu)\n"
                                      "blur_y.compute_root()\n"
                                      "end\n");
    Blur fresh;
    fresh.pipeline.apply(schedule);
    EXPECT_EQ(fresh.pipeline.schedule(), schedule);
    EXPECT_EQ(fresh.pipeline.loop_nest(), b.pipeline.loop_nest());
    b.pipeline.apply(Schedule());
    EXPECT_EQ(b.pipeline.schedule().text(), head + "end\n");
}

// Partial sums along columns; the first of them are factored once more, and scheduled.
struct CutTwice {
    Var x{"x"}, u{"u"}, v{"v"}, w{"w"}, xi{"xi"};
    RVar ro{"ro"}, ri{"ri"};
    RDom r{0, 30, 0, 20, "r"};
    Func f{"f"}, sum{"sum"};
    Pipeline pipeline;

    explicit CutTwice(bool scheduled) {
        f(x) = x * x - 7;
        sum(x) = 0;
        sum(x) += f(x + r.x) * r.y;
        pipeline = Pipeline(sum);
        if (scheduled) {
            sum.update()
                .split(x, x, xi, 4, TailStrategy::GuardWithIf)
                .split(r.x, ro, ri, 8)
                .reorder(ri, r.y, ro, xi, x);
            Func partial = sum.update().rfactor(ro, u);
            Func inner = partial.update().rfactor(r.y, v);
            f.compute_root();
            inner.compute_at(partial, u).vectorize(x, 4).update().unroll(v, 2);
            partial.compute_root().parallel(u);
            sum.update().vectorize(xi);
        }
    }
};

TEST(ScheduleValue, ReductionsAreCutAgain) {
    CutTwice cut(true), fresh(false), plain(false);
    const Schedule schedule = cut.pipeline.schedule();
    EXPECT_EQ(schedule.text(), head + "sum.update(0).split(r$x, ro, ri, 8)\n"
                                      "sum.update(0).reorder(ri, r$y, ro, x)\n"
                                      "sum.update(0).rfactor({ro}, {u})\n"
                                      "sum_intm.update(0).reorder(ri, r$y, x, u)\n"
                                      "sum_intm.update(0).rfactor({r$y}, {v})\n"
                                      "f.compute_root()\n"
                                      "sum_intm_intm.compute_at(sum_intm, u)\n"
                                      "sum_intm_intm.split(x, x, xv, 4)\n"
                                      "sum_intm_intm.vectorize(xv)\n"
                                      "sum_intm_intm.update(0).split(v, v, vu, 2)\n"
                                      "sum_intm_intm.update(0).split(x, x, xi, 4, GuardWithIf)\n"
                                      "sum_intm_intm.update(0).reorder(ri, vu, v, u, xi, x)\n"
                                      "sum_intm_intm.update(0).unroll(vu)\n"
                                      "sum_intm.compute_root()\n"
                                      "sum_intm.parallel(u)\n"
                                      "sum_intm.update(0).split(x, x, xi, 4, GuardWithIf)\n"
                                      "sum_intm.update(0).reorder(r$y, u, xi, x)\n"
                                      "sum.update(0).split(x, x, xi, 4, GuardWithIf)\n"
                                      "sum.update(0).vectorize(xi)\n"
                                      "end\n");
    EXPECT_EQ(Schedule::parse(schedule.text()), schedule);
    fresh.pipeline.apply(schedule);
    EXPECT_EQ(fresh.pipeline.schedule(), schedule);
    EXPECT_EQ(fresh.pipeline.loop_nest(), cut.pipeline.loop_nest());
    CutTwice of_tree(false);
    of_tree.pipeline.apply(cut.pipeline.schedule_tree().schedule());
    EXPECT_EQ(of_tree.pipeline.loop_nest(), cut.pipeline.loop_nest());
    EXPECT_NE(cut.pipeline.explain_schedule({100}).find("sum_intm: computed at root"), std::string::npos);
    Buffer<int> wanted = plain.pipeline.realize({100}), seen = fresh.pipeline.realize({100});
    int wrong = 0;
    wanted.for_each_element([&](int x) { wrong += wanted(x) != seen(x); });
    EXPECT_EQ(wrong, 0);

    // Lines that do not fit leave the factored Funcs as they are; lines without rfactor keep them, other lines replace
    // them.
    const std::string nest = fresh.pipeline.loop_nest();
    expect_refused(
        [&] { fresh.pipeline.apply(Schedule::parse(head + "sum.update(0).rfactor({r$x}, {x})\nend\n")); },
        "rfactor-var-taken",
        "in the schedule, line 2, sum.update(0).rfactor({r$x}, {x}): in sum, stage 1: rfactor keeps a loop as "
        "dimension x, which is a dimension or a loop already; the Func of partial results has the Vars of sum and "
        "one more for each loop; use a new Var");
    EXPECT_EQ(fresh.pipeline.loop_nest(), nest);
    const Schedule other = Schedule::parse(head + "sum.update(0).rfactor({r$y}, {w})\nsum_intm.compute_root()\nend\n");
    fresh.pipeline.apply(other);
    EXPECT_EQ(fresh.pipeline.schedule(), other);
    fresh.pipeline.apply(Schedule::parse(head + "sum_intm.compute_root()\nsum_intm.parallel(w)\nend\n"));
    EXPECT_EQ(fresh.pipeline.schedule().text(), head + "sum.update(0).rfactor({r$y}, {w})\n"
                                                       "sum_intm.compute_root()\n"
                                                       "sum_intm.parallel(w)\nend\n");
}

TEST(ScheduleValue, AnonymousNamesAreTheSameInEachPipeline) {
    auto make = [](bool scheduled) {
        Var x, y, xi;
        Func f, g("g");
        f(x, y) = x + y;
        g(x, y) = f(x, y) + f(x + 1, y);
        if (scheduled) {
            f.compute_at(g, x).vectorize(x, 4);
            g.split(x, x, xi, 8).reorder(y, x);
        }
        return Pipeline(g);
    };
    Pipeline a = make(true), b = make(false);
    b.apply(a.schedule());
    EXPECT_EQ(a.schedule(), b.schedule());
    EXPECT_EQ(a.loop_nest(), b.loop_nest());
    EXPECT_EQ(Schedule::parse(a.schedule().text()), a.schedule());
}

TEST(ScheduleValue, OddNamesAreQuoted) {
    Var odd("it's, (odd)\\ x"), y("y");
    Func f("f");
    f(odd, y) = odd + y;
    f.parallel(odd);
    const Schedule schedule = f.pipeline().schedule();
    EXPECT_EQ(schedule.text(), head + "f.parallel('it\\'s, (odd)\\\\ x')\nend\n");
    EXPECT_EQ(Schedule::parse(schedule.text()), schedule);
}

TEST(ScheduleValue, ReadingForgivesSpaceAndComments) {
    const Schedule schedule = Schedule::parse("// by hand\r\n\r\n  fluorite schedule 1 // version\r\n"
                                              "\tf . split( x ,xo,xi, 2*4 ,GuardWithIf )// tail\r\nend");
    EXPECT_EQ(schedule.text(), head + "f.split(x, xo, xi, 2 * 4, GuardWithIf)\nend\n");
}

// ---- Comparing.

TEST(ScheduleValue, DifferencesAreShownByFuncAndStage) {
    const Schedule from = Schedule::parse(head + "f.compute_root()\nf.split(x, xo, xi, 8)\nf.vectorize(xi)\n"
                                                 "g.update(0).parallel(y)\ng.parallel(y)\nend\n");
    const Schedule to = Schedule::parse(head + "f.compute_at(g, y)\nf.split(x, xo, xi, 8)\nf.unroll(xi)\n"
                                               "g.parallel(y)\ng.update(1).unroll(x, 2)\nend\n");
    EXPECT_EQ(from.diff(to), "f:\n"
                             "  - compute_root()\n"
                             "  + compute_at(g, y)\n"
                             "  - vectorize(xi)\n"
                             "  + unroll(xi)\n"
                             "g.update(0):\n"
                             "  - parallel(y)\n"
                             "g.update(1):\n"
                             "  + unroll(x, 2)\n");
    EXPECT_EQ(from.diff(from), "");
    EXPECT_NE(from, to);
    EXPECT_NE(from.hash(), to.hash());
    EXPECT_EQ(std::hash<Schedule>()(from), from.hash());
    EXPECT_EQ(Schedule().hash(), 14098177984377098261u) << "the same on every machine";
}

// ---- Schedules that do not fit.

// Checks that nothing is applied: the pipeline keeps its schedule and its wrappers.
void expect_unfit(const std::string &lines, const std::string &slug, const std::string &message) {
    Blur b;
    b.blur_y.compute_root().vectorize(b.x, 4);
    b.blur_x.compute_at(b.blur_y, b.y);
    const Schedule before = b.pipeline.schedule();
    const std::string nest = b.pipeline.loop_nest();
    const Schedule wrong = Schedule::parse(head +
                                           "blur_x.in(blur_y)\nblur_x_in_blur_y.compute_root()\n"
                                           "total.parallel(y)\n" +
                                           lines + "end\n");
    expect_refused([&] { b.pipeline.apply(wrong); }, slug, "in the schedule, line 5, " + message);
    EXPECT_EQ(b.pipeline.schedule(), before);
    EXPECT_EQ(b.pipeline.loop_nest(), nest);
}

TEST(ScheduleValue, WhatDoesNotFitIsNamedAndNothingIsApplied) {
    const std::string fix = "; apply it to the pipeline that it was made for, or change the line";
    const std::string funcs = "; its Funcs are blur_x, blur_x_in_blur_y, blur_y, total";
    expect_unfit("blurr.parallel(y)\n", "schedule-mismatch",
                 "blurr.parallel(y): the pipeline has no Func blurr" + funcs + fix);
    expect_unfit("blur_x.compute_at(g, y)\n", "schedule-mismatch",
                 "blur_x.compute_at(g, y): the pipeline has no Func g" + funcs + fix);
    expect_unfit("total.update(1).parallel(y)\n", "schedule-mismatch",
                 "total.update(1).parallel(y): total has 1 updates, numbered from 0, so there is no update(1)" + fix);
    expect_unfit(
        "blur_y.bound(z, 0, 4)\n", "schedule-mismatch",
        "blur_y.bound(z, 0, 4): in blur_y: bound names z; it takes a pure Var of the Func's definition; these are "
        "x, y");
    expect_unfit(
        "blur_y.split(z, zo, zi, 4)\n", "schedule-mismatch",
        "blur_y.split(z, zo, zi, 4): in blur_y, stage 0: split names z; a directive names loops of the stage it "
        "is called on; its loops are x, y");
    expect_unfit("blur_x.compute_at(blur_y, yo)\n", "schedule-mismatch",
                 "blur_x.compute_at(blur_y, yo): blur_y has no loop yo; its loops are x, y" + fix);
    expect_unfit("blur_x.compute_at(total, y, 2)\n", "schedule-mismatch",
                 "blur_x.compute_at(total, y, 2): total has 2 stages, numbered from 0, so there is no stage 2" + fix);
    expect_unfit("blur_y.unroll(x, q)\n", "schedule-mismatch",
                 "blur_y.unroll(x, q): the pipeline has no Param, input or output q" + fix);
    expect_unfit(
        "total.update(0).parallel(r$x)\n", "parallel-over-dependence",
        "total.update(0).parallel(r$x): in total, stage 1: parallel of RVar loop r.x; its iterations update the same "
        "points at once, which is a race; call atomic() first, make partial results with rfactor(), or parallel a loop "
        "over a pure Var");
}

TEST(ScheduleValue, SizesOfOutputsAreReadBack) {
    Var x("x"), y("y");
    const auto make = [&] {
        Func f("f");
        f(x, y) = Tuple(x + y, cast<uint8_t>(x * y));
        return f;
    };
    const std::string text = head + "f.specialize(16 <= f.0->extent[0] && f.1->stride[1] > 3)\n"
                                    "f.specialized(0).split(x, x, xi, 16, ShiftInwards)\n"
                                    "f.specialized(0).vectorize(xi)\nend\n";
    Func f = make(), again = make();
    Pipeline(f).apply(Schedule::parse(text));
    const Schedule read = Pipeline(f).schedule();
    EXPECT_EQ(read.text(), text);
    Pipeline(again).apply(read);
    EXPECT_EQ(Pipeline(again).schedule(), read);
    for (const int width : {3, 16, 37}) {
        const Realization seen = again.realize({width, 2});
        const Buffer<int> sums = seen[0];
        EXPECT_EQ(sums(width - 1, 1), width);
    }
}

// A pipeline whose program factors a reduction: its schedule names the Func of partial results.
struct Cut {
    Var x{"x"}, u{"u"};
    RDom r{0, 40, "r"};
    RVar ro{"ro"}, ri{"ri"};
    Func f{"f"}, partial;
    Cut() {
        f(x) = 0.5f;
        f(x) += cast<float>(r * x);
        f.allow_reassociation();
        partial = f.update().split(r, ro, ri, 8).rfactor(ri, u);
    }
};

TEST(ScheduleValue, PartialResultsOfRFactor) {
    Cut first, second;
    first.partial.compute_root().reorder(first.u, first.x).vectorize(first.u).update().parallel(first.x);
    first.f.update().atomic(true).parallel(first.ri);
    const Schedule schedule = Pipeline(first.f).schedule();
    EXPECT_EQ(schedule.text(), "fluorite schedule 1\n"
                               "f.update(0).split(r$x, ro, ri, 8)\n"
                               "f.update(0).rfactor({ri}, {u})\n"
                               "f_intm.compute_root()\n"
                               "f_intm.reorder(u, x)\n"
                               "f_intm.vectorize(u)\n"
                               "f_intm.update(0).parallel(x)\n"
                               "f.update(0).atomic(1)\n"
                               "f.update(0).parallel(ri)\n"
                               "end\n");
    Pipeline other(second.f);
    other.apply(Schedule::parse(schedule.text()));
    EXPECT_EQ(other.schedule(), schedule);
    EXPECT_EQ(other.loop_nest(), Pipeline(first.f).loop_nest());
}

TEST(ScheduleValue, AnEmptyPipelineHasNoSchedule) {
    expect_refused([] { Pipeline().schedule(); }, "no-outputs",
                   "in a Pipeline: it has no outputs; a Pipeline has one or more; give Funcs");
}

} // namespace
} // namespace fluorite::schedule_value_test
