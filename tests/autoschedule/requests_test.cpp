// What auto_schedule() is asked, refuses and says.

#include "fluorite/fluorite.h"
#include "support/test_errors.h"
#include "tests/autoschedule/request.h"

#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace fluorite::requests_test {
namespace {

using AutoScheduleRequest = RequestedSchedules;

TEST_F(AutoScheduleRequest, OneInputHasOneResult) {
    Pipeline pipeline(out);
    const AutoSchedule first = pipeline.auto_schedule(sized({4000, 3000}));
    pipeline.apply(Schedule());
    const AutoSchedule second = pipeline.auto_schedule(sized({4000, 3000}));
    EXPECT_EQ(first.schedule, second.schedule);
    EXPECT_EQ(first.explanation, second.explanation);
    EXPECT_EQ(pipeline.schedule(), first.schedule);
}

TEST_F(AutoScheduleRequest, FromScratchKeepsPromisesAndNothingElse) {
    out.bound(x, 0, 4000).set_estimate(y, 0, 3000);
    Pipeline pipeline(out);
    const AutoSchedule without = pipeline.auto_schedule(sized({4000, 3000}));
    pipeline.apply(Schedule());
    out.bound(x, 0, 4000).set_estimate(y, 0, 3000);
    blur_x.compute_at(out, y).vectorize(x, 4);
    out.parallel(y);
    AutoScheduleOptions options = sized({4000, 3000});
    options.from_scratch = true;
    const AutoSchedule found = pipeline.auto_schedule(options);
    EXPECT_EQ(found.schedule, without.schedule) << found.schedule.text();
    EXPECT_NE(found.schedule.text().find("out.bound(x, 0, 4000)"), std::string::npos) << found.schedule.text();
    EXPECT_NE(found.schedule.text().find("out.set_estimate(y, 0, 3000)"), std::string::npos) << found.schedule.text();
}

TEST_F(AutoScheduleRequest, FromScratchKeepsFuncsThatDirectivesHaveMade) {
    const auto values = [](bool wraps, bool cuts) {
        Var x("x"), u("u");
        RVar outer("outer"), inner("inner");
        Func ramp("ramp"), sums("sums"), shown("shown");
        ramp(x) = x * 3;
        RDom r(0, 64, "r");
        sums(x) = 0;
        sums(x) += ramp(x + r);
        shown(x) = sums(x) + sums(x + 1);
        if (wraps) {
            ramp.in(sums).compute_root().vectorize(x, 4);
        }
        if (cuts) {
            sums.compute_root().update().split(r, outer, inner, 8).rfactor(outer, u).compute_root();
        }
        Pipeline pipeline(shown);
        AutoScheduleOptions options = sized({100});
        options.from_scratch = true;
        const std::string text = pipeline.auto_schedule(options).schedule.text();
        EXPECT_EQ(text.find("vectorize(x, 4)"), std::string::npos) << text;
        EXPECT_EQ(text.find(".rfactor(") != std::string::npos, cuts) << text;
        const Buffer<int> result = pipeline.realize({100});
        return std::vector<int>(result.begin(), result.end());
    };
    EXPECT_EQ(values(true, false), values(false, false));
    EXPECT_EQ(values(false, true), values(false, false));
}

// A promise about the region of a Func that is inlined has no effect, and as a directive would be refused.
TEST_F(AutoScheduleRequest, PromisesOfInlinedFuncsGo) {
    Func first("first"), second("second");
    first(x, y) = input(x, y) * 2.0f;
    second(x, y) = first(x, y) + 1.0f;
    first.bound(x, 0, 4000).set_estimate(y, 0, 3000);
    Pipeline pipeline(second);
    const std::string text = pipeline.auto_schedule(sized({4000, 3000})).schedule.text();
    EXPECT_EQ(text.find("first.bound"), std::string::npos) << text;
    EXPECT_EQ(text.find("first.compute"), std::string::npos) << text;
    EXPECT_NO_THROW(pipeline.compile_jit());
}

TEST_F(AutoScheduleRequest, FromScratchThatFailsLeavesTheScheduleByHand) {
    blur_x.compute_root().vectorize(x, 4);
    Pipeline pipeline(out);
    const Schedule hand = pipeline.schedule();
    AutoScheduleOptions options = sized({4000, 3000, 2});
    options.from_scratch = true;
    EXPECT_THROW(pipeline.auto_schedule(options), CompileError);
    EXPECT_EQ(pipeline.schedule(), hand);
}

TEST_F(AutoScheduleRequest, SaysWhatItFused) {
    Func costly("costly"), sum("sum");
    costly(x, y) = exp(input(x, y));
    sum(x, y) = costly(x, y) + costly(x, y + 1) + costly(x, y + 2) * 0.5f;
    const AutoSchedule found = Pipeline(sum).auto_schedule(sized({4000, 3000}));
    EXPECT_NE(found.explanation.find("group of sum: costly\n"), std::string::npos) << found.explanation;
    EXPECT_NE(found.schedule.text().find("costly.compute_at(sum, "), std::string::npos) << found.schedule.text();
    EXPECT_NE(found.schedule.text().find("sum.parallel("), std::string::npos) << found.schedule.text();
    EXPECT_NE(found.explanation.find("no grouping costs less"), std::string::npos) << found.explanation;
}

// The regions of the first of twelve clamped stages are too long to slide where the last one computes rows together.
// Single rows slide.
TEST_F(AutoScheduleRequest, SearchesAgainWhereWindowsDoNotSlide) {
    input.set_estimates({{0, 4000}, {0, 3000}});
    Func last;
    for (int i = 0; i < 12; i++) {
        const Region box = {{0, input.width()}, {0, input.height()}};
        const Func before = BoundaryConditions::repeat_edge(i > 0 ? last : Func(input), box);
        last = Func("s" + std::to_string(i));
        last(x, y) = sqrt(before(x - 1, y) * before(x + 1, y)) + before(x, y - 1) + exp(before(x, y + 1));
    }
    const AutoSchedule found = Pipeline(last).auto_schedule(sized({4000, 3000}));
    const std::string &text = found.explanation;
    EXPECT_NE(text.find("note: s0 does not slide in the tiles of s11, several rows together\n"), std::string::npos)
        << text;
    EXPECT_NE(text.find(", sliding along y"), std::string::npos) << text;
}

/// A reduction over a whole picture, which is read by what follows it or is the output.
AutoSchedule of_reduction(const Func &output, std::vector<int32_t> sizes, int threads = 2) {
    AutoScheduleOptions options;
    options.sizes = std::move(sizes);
    options.parallelism = threads;
    options.target = Target("x86-64-linux-avx512_zen4");
    return Pipeline(output).auto_schedule(options);
}

TEST_F(AutoScheduleRequest, CutsHistogramsIntoBands) {
    ImageParam picture(UInt(8), 2, "picture");
    picture.set_estimates({{0, 4000}, {0, 3000}});
    const auto histogram = [&] {
        Func counts("counts");
        const RDom r(0, picture.width(), 0, picture.height(), "r");
        counts(x) = 0;
        counts(cast<int>(picture(r.x, r.y))) += 1;
        return counts;
    };
    const AutoSchedule found = of_reduction(histogram(), {256});
    const std::string text = found.schedule.text();
    EXPECT_NE(text.find("counts.update(0).split(r$y, bands, row, 375, GuardWithIf)\n"
                        "counts.update(0).rfactor({bands}, {band})\n"),
              std::string::npos)
        << text << found.explanation;
    EXPECT_NE(text.find("counts_intm.update(0).parallel(band)"), std::string::npos) << text;
    EXPECT_NE(found.explanation.find("tried: partial results of counts for bands of 375 r$y: "), std::string::npos)
        << found.explanation;
    EXPECT_EQ(of_reduction(histogram(), {256}, 1).schedule.text().find("rfactor"), std::string::npos);
}

// Lanes across bands would gather what they read and store one by one, which costs more than all their arithmetic.
TEST_F(AutoScheduleRequest, BandsOfHistogramsAreNoLanes) {
    ImageParam picture(UInt(8), 3, "picture");
    picture.set_estimates({{0, 4096}, {0, 3072}, {0, 3}});
    Func luma("luma"), counts("counts");
    luma(x, y) = cast<uint8_t>((cast<int>(picture(x, y, 0)) * 19595 + cast<int>(picture(x, y, 1)) * 38470 +
                                cast<int>(picture(x, y, 2)) * 7471 + 32768) >>
                               16);
    const RDom r(0, picture.dim(0).extent(), 0, picture.dim(1).extent(), "r");
    counts(x) = 0;
    counts(cast<int>(luma(r.x, r.y))) += 1;
    const AutoSchedule found = of_reduction(counts, {256});
    const std::string text = found.schedule.text() + found.explanation;
    EXPECT_NE(text.find("luma.compute_root()"), std::string::npos) << text;
    EXPECT_NE(text.find("counts_intm.update(0).parallel(band)"), std::string::npos) << text;
    EXPECT_EQ(text.find("counts_intm.update(0).vectorize"), std::string::npos) << text;
}

TEST_F(AutoScheduleRequest, CutsSumsIntoBandsAndLanes) {
    ImageParam picture(UInt(8), 2, "picture");
    picture.set_estimates({{0, 4000}, {0, 3000}});
    for (const int threads : {1, 2}) {
        Func sum("sum"), shown("shown");
        const RDom r(0, picture.width(), 0, picture.height(), "r");
        sum() = cast<uint32_t>(0);
        sum() += cast<uint32_t>(picture(r.x, r.y));
        shown(x, y) = picture(x, y) + sum();
        const AutoSchedule found = of_reduction(shown, {4000, 3000}, threads);
        const std::string text = found.schedule.text() + found.explanation;
        const std::string cut = threads == 1 ? "sum.update(0).rfactor({lane}, {part})\n"
                                             : "sum.update(0).rfactor({lane, bands}, {part, band})\n";
        EXPECT_NE(text.find(cut), std::string::npos) << text;
        EXPECT_NE(text.find("sum_intm.update(0).vectorize(partv)"), std::string::npos) << text;
        EXPECT_EQ(text.find("sum_intm.update(0).parallel(band)") != std::string::npos, threads == 2) << text;
    }
}

// Sums of floats are rounded in their order. A program may accept another one, but what is found computes its bits.
// Maxima of what was an integer do not round.
TEST_F(AutoScheduleRequest, CutsNoReductionThatRounds) {
    input.set_estimates({{0, 4000}, {0, 3000}});
    for (const bool is_sum : {false, true}) {
        Func all("all");
        const RDom r(0, input.width(), 0, input.height(), "r");
        all() = 0.0f;
        if (is_sum) {
            all() += input(r.x, r.y);
        } else {
            all() = max(all(), cast<float>(cast<int>(input(r.x, r.y))));
        }
        all.allow_reassociation();
        const AutoSchedule found = Pipeline(all).auto_schedule(sized({}));
        EXPECT_EQ(found.schedule.text().find("rfactor") == std::string::npos, is_sum) << found.explanation;
        EXPECT_EQ(found.explanation.find("partial results") == std::string::npos, is_sum) << found.explanation;
    }
}

// What is tried and not taken leaves nothing behind.
TEST_F(AutoScheduleRequest, CutsThatAreNotTakenGo) {
    ImageParam picture(UInt(8), 2, "picture");
    picture.set_estimates({{0, 64}, {0, 3000}});
    Func sums("sums");
    const RDom r(0, picture.width(), "r");
    sums(y) = 0;
    sums(y) += cast<int>(picture(r, y % 8)) * cast<int>(picture(y % 64, r));
    const AutoSchedule found = of_reduction(sums, {3000}, 1);
    EXPECT_EQ(found.schedule.text().find("rfactor"), std::string::npos) << found.schedule.text() << found.explanation;
}

TEST_F(AutoScheduleRequest, EstimatesAreSizesAndStay) {
    out.set_estimates({{0, 4000}, {0, 3000}});
    Pipeline pipeline(out);
    const std::string text = pipeline.auto_schedule().schedule.text();
    EXPECT_NE(text.find("out.set_estimate(x, 0, 4000)"), std::string::npos) << text;
}

// Loops run on so many threads, whatever this machine has.
TEST_F(AutoScheduleRequest, ThreadsAreThoseThatRunLoops) {
    AutoScheduleOptions options = sized({4000, 3000});
    options.parallelism = 0;
    const int before = JITSharedRuntime::set_num_threads(3);
    const std::string text = Pipeline(out).auto_schedule(options).explanation;
    JITSharedRuntime::set_num_threads(before);
    EXPECT_NE(text.find(", 3 threads\n"), std::string::npos) << text;
}

TEST_F(AutoScheduleRequest, HalidesName) {
    out.set_estimates({{0, 4000}, {0, 3000}});
    Pipeline pipeline(out);
    const AutoSchedulerResults results =
        pipeline.apply_autoscheduler(get_host_target(), {"Mullapudi2016", {{"parallelism", "2"}}});
    EXPECT_EQ(results.schedule_source, pipeline.schedule().text());
}

TEST_F(AutoScheduleRequest, RefusesWhatItCannotKnow) {
    expect_error(
        [&] { Pipeline(out).auto_schedule(); }, "auto-schedule-size",
        "in out: the size of dimension x of this output is not known; an automatic schedule is made for sizes; "
        "give estimates (set_estimates on outputs and inputs, set_estimate on Params), bind the inputs, or pass "
        "sizes to auto_schedule");
    Func total("total"), shown("shown");
    RDom r(0, input.width());
    total(y) = 0.0f;
    total(y) += input(r, y);
    shown(x, y) = total(y) * 2.0f + total(y + 1);
    expect_error(
        [&] { Pipeline(shown).auto_schedule(sized({100, 100})); }, "auto-schedule-size",
        "in total: the extent of r$x is not known: it depends on dimension 0 of input, whose size is not known; an "
        "automatic schedule is made for sizes; give estimates (set_estimates on outputs and inputs, "
        "set_estimate on Params), bind the inputs, or pass sizes to auto_schedule");
    input.dim(0).set_estimate(0, 640);
    EXPECT_NO_THROW(Pipeline(shown).auto_schedule(sized({100, 100})));
}

TEST_F(AutoScheduleRequest, KeepsWhatIsScheduledByHand) {
    Func last("last");
    last(x, y) = out(x - 1, y) + out(x + 1, y) + sqrt(out(x, y + 3));
    blur_x.compute_root().vectorize(x, 4).parallel(y);
    const std::string by_hand = Pipeline(last).schedule().text();
    const AutoSchedule found = Pipeline(last).auto_schedule(sized({4000, 3000}));
    const std::string text = found.schedule.text();
    const std::string lines = by_hand.substr(by_hand.find("blur_x."), by_hand.find("end\n") - by_hand.find("blur_x."));
    EXPECT_NE(lines.find("blur_x.parallel(y)\n"), std::string::npos) << by_hand;
    EXPECT_NE(text.find("fluorite schedule 1\n" + lines + "out."), std::string::npos) << text;
    EXPECT_NE(text.find("out.compute_at(last, "), std::string::npos) << text;
    EXPECT_EQ(text.find("blur_x.compute_at("), std::string::npos) << text;
    EXPECT_NE(found.explanation.find("blur_x: as it is scheduled by hand\n"), std::string::npos) << found.explanation;
}

TEST_F(AutoScheduleRequest, SaysWhichLoopsByHandStaySerialAndScalar) {
    Func last("last");
    last(x, y) = out(x - 1, y) + out(x + 1, y) + sqrt(out(x, y + 3));
    const std::string because = ", as nothing is found for a Func that has directives: ";
    const auto expect_said = [&](const std::function<void()> &by_hand, const std::string &rest) {
        Pipeline pipeline(last);
        pipeline.apply(Schedule());
        by_hand();
        const std::string text = pipeline.auto_schedule(sized({4000, 3000})).explanation;
        EXPECT_NE(text.find("blur_x: as it is scheduled by hand" + rest + "\n"), std::string::npos) << text;
    };
    const std::string both = "parallel() and vectorize() by hand change that";
    expect_said([&] { blur_x.compute_root(); }, "; its loops run serially, without vectors" + because + both);
    expect_said([&] { blur_x.compute_root().distribute(y); },
                "; of its part, each rank runs the loops serially, without vectors" + because + both);
    expect_said([&] { blur_x.compute_root().distribute(y).vectorize(x, 8); },
                "; of its part, each rank runs the loops serially" + because + "parallel() by hand changes that");
    expect_said([&] { blur_x.compute_root().parallel(y); },
                "; its loops run without vectors" + because + "vectorize() by hand changes that");
    expect_said([&] { blur_x.compute_root().distribute(y).parallel(y).vectorize(x, 8); }, "");
    expect_said([&] { blur_x.compute_root().vectorize(x, 8); }, "");
}

TEST_F(AutoScheduleRequest, KeepsPlacesInLoopsByHand) {
    Func last("last");
    last(x, y) = out(x - 1, y) + out(x + 1, y) + sqrt(out(x, y + 3));
    Var xi("xi"), yi("yi");
    out.compute_root().tile(x, y, xi, yi, 32, 8);
    blur_x.compute_at(out, x);
    const std::string text = Pipeline(last).auto_schedule(sized({4000, 3000})).schedule.text();
    EXPECT_NE(text.find("blur_x.compute_at(out, x)"), std::string::npos) << text;
    EXPECT_NE(text.find("last.parallel("), std::string::npos) << text;
    EXPECT_EQ(text.find("out.parallel("), std::string::npos) << text;
}

TEST_F(AutoScheduleRequest, RefusesPlacesInLoopsToBeFoundAndChangesNothing) {
    blur_x.compute_at(out, y);
    Pipeline pipeline(out);
    const Schedule before = pipeline.schedule();
    expect_error(
        [&] { pipeline.auto_schedule(sized({100, 100})); }, "auto-schedule-by-hand",
        "in auto_schedule: blur_x is placed at the loop y of out, which has no directives: its loops are to be "
        "found; a Func that is scheduled by hand is at root or in loops of others that are; schedule out by "
        "hand too, or remove the directives of blur_x");
    EXPECT_EQ(pipeline.schedule(), before);
    pipeline.apply(Schedule());
    pipeline.auto_schedule(sized({4000, 3000}));
    const Schedule found = pipeline.schedule();
    Pipeline other(out);
    expect_error(
        [&] { other.auto_schedule(sized({100, 100})); }, "auto-schedule-by-hand",
        "in auto_schedule: all Funcs that are not inlined are scheduled by hand, as by " +
            found.text().substr(found.text().find('\n') + 1,
                                found.text().find('\n', found.text().find('\n') + 1) - found.text().find('\n') - 1) +
            "; they keep their directives, so there is nothing to find; set from_scratch, remove directives "
            "(pipeline.apply(Schedule()) removes all), or keep the schedule");
    EXPECT_EQ(pipeline.schedule(), found);
}

TEST_F(AutoScheduleRequest, FindsAnewWhatItFound) {
    ImageParam picture(UInt(8), 2, "picture");
    picture.set_estimates({{0, 4000}, {0, 3000}});
    for (const bool is_cut : {false, true}) {
        Func counts("counts");
        const RDom r(0, picture.width(), 0, picture.height(), "r");
        counts(x) = 0;
        counts(cast<int>(picture(r.x, r.y))) += 1;
        Pipeline pipeline(is_cut ? counts : out);
        const AutoScheduleOptions large = sized(is_cut ? std::vector{256} : std::vector{4000, 3000});
        const AutoSchedule first = pipeline.auto_schedule(large), second = pipeline.auto_schedule(large);
        EXPECT_EQ(first.schedule.text().find("rfactor") != std::string::npos, is_cut);
        EXPECT_EQ(first.schedule, second.schedule);
        EXPECT_EQ(first.explanation, second.explanation);
        EXPECT_THROW(pipeline.auto_schedule(sized({10, 10, 10})), CompileError);
        EXPECT_EQ(pipeline.schedule(), first.schedule);
        pipeline.auto_schedule(sized(is_cut ? std::vector{4} : std::vector{40, 30}));
        EXPECT_NE(pipeline.schedule(), first.schedule);
        // A directive more makes it a schedule by hand.
        (is_cut ? counts : out).reorder_storage((is_cut ? std::vector{x} : std::vector{y, x}));
        if (!is_cut) {
            EXPECT_THROW(pipeline.auto_schedule(large), CompileError);
        }
    }
}

TEST_F(AutoScheduleRequest, SinglePointsAndExtentsOfOne) {
    Func point("point"), column("column"), constant("constant");
    point() = input(3, 4) * 2.0f;
    column(x, y) = point() + cast<float>(x + y);
    constant() = 7;
    EXPECT_NO_THROW(Pipeline(constant).auto_schedule());
    EXPECT_NO_THROW(Pipeline(column).auto_schedule(sized({1, 1})));
    EXPECT_NO_THROW(Pipeline(out).auto_schedule(sized({1, 1000})));
    EXPECT_EQ(Buffer<int>(constant.realize())(), 7);
}

TEST_F(AutoScheduleRequest, RefusesExtentsThatDataAskFor) {
    ImageParam lengths(Int(32), 1, "lengths");
    Func sums("sums"), shown("shown");
    const RDom r(0, lengths(3), "r");
    sums(x) = 0;
    sums(x) += lengths(x) * r;
    shown(x) = sums(x) + sums(x + 1);
    expect_error([&] { Pipeline(shown).auto_schedule(sized({100})); }, "auto-schedule-size",
                 "in sums: the extent of r$x is not known: it depends on data; an automatic schedule is made for "
                 "sizes; give estimates (set_estimates on outputs and inputs, set_estimate on Params), bind the "
                 "inputs, or pass sizes to auto_schedule");
}

TEST_F(AutoScheduleRequest, RefusesOptions) {
    AutoScheduleOptions options = sized({100, 100});
    options.model = "magic";
    expect_error([&] { Pipeline(out).auto_schedule(options); }, "auto-schedule-option",
                 "in auto_schedule: the model 'magic' is not known; there are roofline, polymage and mullapudi; give "
                 "one of them");
    expect_error(
        [&] { Pipeline(out).auto_schedule(sized({0, 100})); }, "auto-schedule-option",
        "in auto_schedule: a size is 0; sizes are extents of the outputs, from the innermost dimension on; give "
        "1 or more");
    expect_error(
        [&] { Pipeline(out).apply_autoscheduler(Target(), {"Nobody"}); }, "auto-schedule-option",
        "in auto_schedule: the autoscheduler 'Nobody' is not known; there is one, called Fluorite, and Halide's "
        "names mean it too; give Fluorite");
    expect_error([&] { Pipeline(out).apply_autoscheduler(Target(), {"Fluorite", {{"parallelism", "two"}}}); },
                 "auto-schedule-option",
                 "in auto_schedule: parallelism is 'two'; it is a number of threads; give a whole number");
    for (const char *name : {"Fluorite", "Mullapudi2016"}) {
        expect_error(
            [&] { Pipeline(out).apply_autoscheduler(Target(), {name, {{"paralelism", "2"}}}); }, "auto-schedule-option",
            "in auto_schedule: the parameter 'paralelism' is not known; there are model, parallelism, machine_file "
            "and device; remove it");
    }
    expect_error([&] { Pipeline(out).auto_schedule(sized({100, 100, 3})); }, "auto-schedule-option",
                 "in auto_schedule: 3 sizes are given, and the outputs have 2 dimensions; sizes are extents of the "
                 "outputs, from the innermost dimension on; give one for each dimension");
}

TEST_F(AutoScheduleRequest, RefusesSizesBeyondPromises) {
    out.bound(x, 0, 64);
    expect_error([&] { Pipeline(out).auto_schedule(sized({65, 100})); }, "auto-schedule-size",
                 "in out: sizes or estimates say that dimension x has the extent 65, and bound() promises 64; no run "
                 "has both; correct one of them");
    out.set_estimates({{0, 100}, {0, 100}});
    expect_error([&] { Pipeline(out).auto_schedule(); }, "auto-schedule-size",
                 "in out: sizes or estimates say that dimension x has the extent 100, and bound() promises 64; no run "
                 "has both; correct one of them");
    EXPECT_NO_THROW(Pipeline(out).auto_schedule(sized({64, 100})));
}

TEST_F(AutoScheduleRequest, RefusesMoreFuncsThanItPlaces) {
    Func last("f0");
    last(x) = x;
    for (int i = 1; i <= 1100; i++) {
        Func next("f" + std::to_string(i));
        next(x) = last(x - 1) * last(x + 1) + last(x) % 3;
        last = next;
    }
    expect_error([&] { Pipeline(last).auto_schedule(sized({100'000})); }, "auto-schedule-too-large",
                 "in the pipeline: after inlining it has 1100 Funcs to place; an automatic schedule is found for up to "
                 "1024; schedule it by hand, or cut it into several pipelines");
}

TEST_F(AutoScheduleRequest, SaysWhatWouldHaveBeenNextBest) {
    Func costly("costly"), sum("sum");
    costly(x, y) = exp(input(x, y));
    sum(x, y) = costly(x, y) + costly(x, y + 1) + costly(x, y + 2) * 0.5f;
    const std::string text = Pipeline(sum).auto_schedule(sized({4000, 3000})).explanation;
    EXPECT_NE(text.find("; next best: costly apart, "), std::string::npos) << text;
}

TEST_F(AutoScheduleRequest, LargeGraphsAreBoundedAndSaySo) {
    // Diamonds in a chain, so that neither runs nor single consumers are all there is.
    Func last("f0");
    last(x) = x * 3;
    const int stages = 1000;
    for (int i = 1; i < stages; i += 2) {
        Func side("f" + std::to_string(i)), next("f" + std::to_string(i + 1));
        side(x) = last(x - 1) * last(x + 1) + last(x) % 3;
        next(x) = side(x - 1) * side(x + 2) + last(x + 1) * side(x) + last(x - 3) / 7;
        last = next;
    }
    const AutoSchedule found = Pipeline(last).auto_schedule(sized({1'000'000}));
    EXPECT_NE(found.explanation.find("not finished: this one costs "), std::string::npos) << found.explanation;
    EXPECT_NE(
        found.explanation.find("not tried: copies, transposed vectors and inlining of what is stored, as there are "),
        std::string::npos)
        << found.explanation;
}

} // namespace
} // namespace fluorite::requests_test
