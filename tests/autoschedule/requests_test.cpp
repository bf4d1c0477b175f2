// What auto_schedule() is asked, refuses and says.

#include "fluorite/fluorite.h"
#include "support/test_errors.h"

#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace fluorite::requests_test {
namespace {

class AutoScheduleRequest : public testing::Test {
  protected:
    Var x{"x"}, y{"y"}, c{"c"};
    ImageParam input{Float(32), 2, "input"};
    Func blur_x{"blur_x"}, out{"out"};

    void SetUp() override {
        blur_x(x, y) = input(x, y) + input(x + 1, y) + input(x + 2, y) * 0.5f;
        out(x, y) = blur_x(x, y) + blur_x(x, y + 1) + blur_x(x, y + 2) * 0.5f;
    }
    static AutoScheduleOptions sized(std::vector<int32_t> sizes) {
        AutoScheduleOptions options;
        options.sizes = std::move(sizes);
        options.parallelism = 2;
        options.target = Target("x86-64-linux-avx512_sapphirerapids"); // whose costs lead to what is expected
        return options;
    }
};

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
    EXPECT_NE(found.explanation.find("not tried: copies, turned vectors and inlining of what is stored, as there are "),
              std::string::npos)
        << found.explanation;
}

TEST_F(AutoScheduleRequest, BoxFiltersComputeRowsTogether) {
    ImageParam pixels(UInt(16), 2, "pixels");
    Func source = BoundaryConditions::repeat_edge(pixels), across("across"), box("box");
    across(x, y) = cast<uint16_t>((cast<uint32_t>(source(x - 1, y)) + source(x, y) + source(x + 1, y)) / 3);
    box(x, y) = cast<uint16_t>((cast<uint32_t>(across(x, y - 1)) + across(x, y) + across(x, y + 1)) / 3);
    AutoScheduleOptions options;
    options.sizes = {8192, 6144};
    options.parallelism = 2;
    options.target = Target("x86-64-linux-avx512_zen4");
    const AutoSchedule found = Pipeline(box).auto_schedule(options);
    // Tiles end with conditions, vectors and rows with whole blocks, as all reads are clamped.
    for (const char *line : {"box.split(x, x, xv, 16, PredicateStores)", "box.split(y, y, yu, 4, PredicateStores)",
                             "box.unroll(yu)", "across.compute_at(box, x)", "across.unroll(y)"}) {
        EXPECT_NE(found.schedule.text().find(line), std::string::npos) << line << "\n" << found.schedule.text();
    }
    // Parts of lines of four rows would be written one by one.
    EXPECT_EQ(found.schedule.text().find("box.stream_stores()"), std::string::npos) << found.schedule.text();
    EXPECT_NE(found.explanation.find("4 y together, across in registers"), std::string::npos) << found.explanation;
    // Where a processor has room for them, vectors fill the lines.
    options.target = Target("x86-64-linux-avx512_sapphirerapids");
    options.from_scratch = true;
    const std::string wide = Pipeline(box).auto_schedule(options).schedule.text();
    for (const char *line : {"box.split(x, x, xv, 32, PredicateStores)", "box.unroll(yu)", "box.stream_stores()"}) {
        EXPECT_NE(wide.find(line), std::string::npos) << line << "\n" << wide;
    }
}

TEST_F(AutoScheduleRequest, VectorsAreAsLongAsWhatIsMostlyComputed) {
    ImageParam pixels(UInt(16), 2, "pixels");
    const Func source = BoundaryConditions::repeat_edge(pixels);
    const auto schedule_of = [&](bool is_wide) {
        Func sum("sum");
        const Type type = is_wide ? UInt(32) : UInt(16);
        Expr value = cast(type, source(x - 1, y)) * 3 + cast(type, source(x, y)) * 7 + cast(type, source(x + 1, y)) * 5;
        sum(x, y) = cast<uint16_t>(value / 16);
        AutoScheduleOptions options = sized({4096, 3072});
        options.target = Target("x86-64-linux-avx512_zen4");
        return Pipeline(sum).auto_schedule(options).schedule.text();
    };
    EXPECT_NE(schedule_of(true).find("sum.split(x, x, xv, 16, "), std::string::npos) << schedule_of(true);
    EXPECT_NE(schedule_of(false).find("sum.split(x, x, xv, 32, "), std::string::npos) << schedule_of(false);
}

TEST_F(AutoScheduleRequest, WhatSharesNothingInRegistersIsInlined) {
    ImageParam cells(Float(64), 3, "cells");
    Func flux("flux"), change("change");
    const auto on_face = [&](const Expr &of) {
        return (cells(x, y - 1, of) + cells(x, y, of)) * Expr(0.6) -
               (cells(x, y - 2, of) + cells(x, y + 1, of)) * Expr(0.1);
    };
    flux(x, y, c) = on_face(c) * on_face(2);
    change(x, y, c) = flux(x, y + 1, c) - flux(x, y, c);
    change.bound(c, 0, 5);
    AutoScheduleOptions options = sized({4096, 4096, 5});
    options.target = Target("x86-64-linux-avx512_zen4");
    const AutoSchedule found = Pipeline(change).auto_schedule(options);
    EXPECT_EQ(found.schedule.text().find("flux.compute_at"), std::string::npos) << found.explanation;
    EXPECT_NE(found.explanation.find("tried: flux, which would stay in registers, inlined: "), std::string::npos)
        << found.explanation;
}

// What is computed for each step of a sum reads a reduction that is computed for all of them: its channels are lanes.
TEST_F(AutoScheduleRequest, ReductionsAreWholeForWhatStepsReadOfThem) {
    ImageParam pixels(Float(32), 3, "pixels"), filters(Float(32), 4, "filters"), depths(Float(32), 3, "depths"),
        points(Float(32), 2, "points");
    pixels.set_estimates({{0, 16}, {0, 520}, {0, 390}});
    filters.set_estimates({{0, 32}, {0, 3}, {0, 3}, {0, 16}});
    depths.set_estimates({{0, 32}, {0, 3}, {0, 3}});
    points.set_estimates({{0, 32}, {0, 32}});
    Var c("c");
    Func conv("conv"), depth("depth"), above("above"), point("point"), out("out");
    RDom r(0, 16, 0, 3, 0, 3, "r"), s(0, 3, 0, 3, "s"), k(0, 32, "k");
    conv(c, x, y) = 0.1f;
    conv(c, x, y) += filters(c, r.y, r.z, r.x) * pixels(r.x, x + r.y, y + r.z);
    depth(c, x, y) = 0.2f;
    depth(c, x, y) += depths(c, s.x, s.y) * max(conv(c, x + s.x, y + s.y), 0.0f);
    above(c, x, y) = max(depth(c, x, y), 0.0f);
    point(c, x, y) = 0.1f;
    point(c, x, y) += points(c, k) * above(k, x, y);
    out(c, x, y) = max(point(c, x, y), 0.0f);
    out.bound(c, 0, 32);
    AutoScheduleOptions options = sized({32, 512, 384});
    options.parallelism = 1;
    options.target = Target("x86-64-linux-avx512_sapphirerapids");
    const AutoSchedule found = Pipeline(out).auto_schedule(options);
    EXPECT_NE(found.schedule.text().find("conv.split(c, c, cv, 16"), std::string::npos) << found.schedule.text();
    EXPECT_NE(found.schedule.text().find("depth.split(c, c, cv, 16"), std::string::npos) << found.schedule.text();
}

TEST_F(AutoScheduleRequest, CodeOfLongDefinitionsIsBounded) {
    ImageParam picture(Float(32), 2, "picture");
    const Func source = BoundaryConditions::repeat_edge(picture);
    const auto schedule_of = [&](int terms) {
        Func sums("sums");
        Expr value = source(x, y);
        for (int i = 0; i < terms; i++) {
            value = select(value > static_cast<float>(i), value * 1.01f + source(x, y + i % 3),
                           value - source(x, y) * static_cast<float>(i));
        }
        sums(x, y) = value;
        AutoScheduleOptions options = sized({4096, 3072});
        options.target = Target("x86-64-linux-avx512_zen4");
        return Pipeline(sums).auto_schedule(options).schedule.text();
    };
    // Rows share what they read, so blocks of them are faster; but the time to compile them counts as well.
    EXPECT_NE(schedule_of(100).find("unroll(yu)"), std::string::npos);
    EXPECT_EQ(schedule_of(8000).find("unroll("), std::string::npos);
}

TEST_F(AutoScheduleRequest, TranspositionsFollowTheRowsThatTheyRead) {
    ImageParam pixels(UInt(16), 2, "pixels");
    Func turned("turned");
    turned(x, y) = pixels(y, x);
    AutoScheduleOptions options = sized({8192, 8192});
    options.target = Target("x86-64-linux-avx512_zen4");
    const std::string text = Pipeline(turned).auto_schedule(options).schedule.text();
    // Blocks of 32 x 16 run along y: the rows that a block reads are read on, while few pages are in use.
    EXPECT_NE(text.find("turned.split(y, y, yu, 16, "), std::string::npos) << text;
    EXPECT_NE(text.find("turned.reorder(xv, yu, yi, xi, tiles)"), std::string::npos) << text;
    EXPECT_EQ(text.find("turned.split(y, yo, yi, 256, "), std::string::npos) << text; // more pages than are known
}

TEST_F(AutoScheduleRequest, SumsStayInRegisters) {
    ImageParam a(Float(32), 2, "a"), b(Float(32), 2, "b");
    Func panel("panel"), product("product"), scaled("scaled");
    RDom k(0, a.width(), "k");
    panel(x, y) = b(x, y);
    product(x, y) = 0.0f;
    product(x, y) += a(k, y) * panel(x, k);
    scaled(x, y) = product(x, y) * 2.0f;
    a.set_estimates({{0, 1024}, {0, 1024}});
    AutoScheduleOptions options = sized({1024, 1024});
    options.target = Target("x86-64-linux-avx512_zen4");
    const AutoSchedule found = Pipeline(scaled).auto_schedule(options);
    // Reads are not clamped: blocks move back inside, if the output is as large as one.
    for (const char *line :
         {"scaled.specialize(", "ShiftInwards", "product.update(0).unroll(x)", "product.update(0).unroll(y)",
          "product.update(0).reorder(xv, x, y, k$x)", "panel.compute_at(scaled, "}) {
        EXPECT_NE(found.schedule.text().find(line), std::string::npos) << line << "\n" << found.schedule.text();
    }
    EXPECT_NE(found.explanation.find("product in registers"), std::string::npos) << found.explanation;
}

TEST_F(AutoScheduleRequest, SumsThatGatherAlongRowsRunAlongColumns) {
    ImageParam picture(Float(32), 2, "picture");
    const Func source = BoundaryConditions::repeat_edge(picture);
    Func weights("weights"), copy("copy"), sums("sums"), shown("shown");
    RDom r(0, 9, "r");
    weights(x, y) = sin(cast<float>(x * 3 + y));
    copy(x, y) = source(x, y) * 0.5f;
    sums(x, y) = 0.0f;
    sums(x, y) += weights(x, r) * copy(cast<int>(floor(cast<float>(x) * 1.75f)) + r, y);
    shown(x, y) = sums(x, y) * 2.0f;
    AutoScheduleOptions options = sized({2048, 1024});
    options.target = Target("x86-64-linux-avx512_zen4");
    const AutoSchedule found = Pipeline(shown).auto_schedule(options);
    const std::string text = found.schedule.text();
    EXPECT_NE(found.explanation.find("tried: sums in vectors along y: "), std::string::npos) << found.explanation;
    EXPECT_NE(found.explanation.find(", taken\n"), std::string::npos) << found.explanation;
    // Sixteen rows of a block are the lanes of the sums; what these read is turned, sixteen rows at a time.
    for (const char *line : {"sums.reorder_storage(y, x)", "sums.update(0).vectorize(yv)", "shown.split(y, y, yu, 16, ",
                             "copy.reorder_storage(y, x)", "copy.unroll(yu)", "copy.vectorize(xv)"}) {
        EXPECT_NE(text.find(line), std::string::npos) << line << "\n" << text;
    }
}

TEST_F(AutoScheduleRequest, SumsDownRowsFromMemoryDoNotRunInTallColumns) {
    ImageParam picture(Float(32), 2, "picture");
    const Func source = BoundaryConditions::repeat_edge(picture);
    Func sums("sums");
    RDom r(0, 9, "r");
    sums(x, y) = 0.0f;
    sums(x, y) += source(x, 2 * y + r) * cast<float>(r * y);
    AutoScheduleOptions options = sized({4096, 1536});
    options.target = Target("x86-64-linux-avx2-fma-f16c");
    // Columns would keep nine rows in the second cache, but a prefetcher does not follow 3072 rows by turns.
    const std::string text = Pipeline(sums).auto_schedule(options).schedule.text();
    EXPECT_NE(text.find("sums.update(0).reorder(xv, xu, yu, r$x, x, y)"), std::string::npos) << text;
}

TEST_F(AutoScheduleRequest, ReductionsWithManyStepsAskForBlocksOfTheirOwn) {
    ImageParam picture(Float(32), 2, "picture");
    const Func source = BoundaryConditions::repeat_edge(picture);
    Func sum("sum");
    RDom r(-4, 9, -4, 9, "r");
    sum(x, y) += source(x + r.x, y + r.y) * cast<float>(r.x * r.y);
    AutoScheduleOptions options = sized({2048, 1024});
    options.target = Target("x86-64-linux-avx512_zen4");
    const std::string text = Pipeline(sum).auto_schedule(options).schedule.text();
    // The block runs inside of the RVars, and these inside of all other loops.
    EXPECT_NE(text.find(", r$x, r$y, x, y)"), std::string::npos) << text;
    EXPECT_NE(text.find("sum.update(0).unroll("), std::string::npos) << text;
    EXPECT_NE(text.find("sum.update(0).parallel("), std::string::npos) << text;
}

TEST_F(AutoScheduleRequest, ScansRunOverWholeRows) {
    ImageParam picture(Float(32), 2, "picture");
    Func scan("scan"), shown("shown");
    RDom r(1, 1023, "r");
    picture.set_estimates({{0, 2048}, {0, 1024}});
    scan(x, y) = picture(x, y);
    scan(x, r) = scan(x, r - 1) * 0.5f + scan(x, r);
    shown(x, y) = scan(x, y) + 1.0f;
    AutoScheduleOptions options = sized({2048, 1024});
    options.target = Target("x86-64-linux-avx512_zen4");
    options.parallelism = 1;
    const std::string text = Pipeline(shown).auto_schedule(options).schedule.text();
    EXPECT_NE(text.find("scan.update(0).reorder(xv, x, r$x)"), std::string::npos) << text;
    // Threads have tiles, in which rows are parts of rows.
    options.parallelism = 2;
    Pipeline(shown).apply(Schedule());
    const std::string shared = Pipeline(shown).auto_schedule(options).schedule.text();
    EXPECT_NE(shared.find("scan.update(0).reorder(xv, x, r$x)"), std::string::npos) << shared;
}

TEST_F(AutoScheduleRequest, ScansAlongRowsHaveNoLanes) {
    ImageParam picture(UInt(8), 2, "picture");
    Func scan("scan"), shown("shown");
    RDom r(1, 1023, "r");
    picture.set_estimates({{0, 1024}, {0, 1024}});
    scan(x, y) = cast<int>(picture(x, y));
    scan(r, y) += scan(r - 1, y);
    shown(x, y) = scan(x, y) * 2;
    AutoScheduleOptions options = sized({1024, 1024});
    options.parallelism = 1;
    const std::string text = Pipeline(shown).auto_schedule(options).schedule.text();
    // Lanes would lie a row apart; all of a row is summed, so tiles do not cut it.
    EXPECT_EQ(text.find("scan.update(0).vectorize"), std::string::npos) << text;
    EXPECT_EQ(text.find("shown.split(x, xo"), std::string::npos) << text;
}

TEST_F(AutoScheduleRequest, VotesAreComputedInLanesAlongTheirOwnLoop) {
    ImageParam picture(UInt(8), 2, "picture");
    Func angle("angle"), votes("votes");
    RDom r(0, 512, 0, 512, "r");
    angle(y) = sin(cast<float>(y));
    votes(x, y) = 0;
    votes(clamp(cast<int>(cast<float>(r.x) * angle(y) + cast<float>(r.y) * (1.0f - angle(y))), 0, 511), y) +=
        cast<int>(picture(r.x, r.y));
    AutoScheduleOptions options = sized({512, 64});
    options.parallelism = 1;
    picture.set_estimates({{0, 512}, {0, 512}});
    const std::string text = Pipeline(votes).auto_schedule(options).schedule.text();
    EXPECT_NE(text.find("votes.update(0).vectorize(yv)"), std::string::npos) << text;
}

TEST_F(AutoScheduleRequest, LanesOfTuplesAreThoseOfTheirWidestType) {
    ImageParam picture(UInt(8), 2, "picture");
    Func source = BoundaryConditions::repeat_edge(picture), best("best"), shown("shown");
    RDom r(0, 16, "r");
    best(x, y) = Tuple(cast<uint16_t>(65535), cast<uint8_t>(0));
    const Expr cost = cast<uint16_t>(absd(source(x, y), source(x + r, y))), is_less = cost < best(x, y)[0];
    best(x, y) = Tuple(select(is_less, cost, best(x, y)[0]), select(is_less, cast<uint8_t>(r), best(x, y)[1]));
    shown(x, y) = best(x, y)[1];
    AutoScheduleOptions options = sized({1024, 768});
    options.target = Target("x86-64-linux-avx2-fma");
    const std::string text = Pipeline(shown).auto_schedule(options).schedule.text();
    EXPECT_NE(text.find("best.split(x, x, xv, 16, "), std::string::npos) << text;
}

TEST_F(AutoScheduleRequest, SumsOfClampedReadsHaveNoConditions) {
    ImageParam picture(Float(32), 2, "picture");
    const Func source = BoundaryConditions::repeat_edge(picture);
    Func down("down"), across("across"), shown("shown");
    RDom r(-15, 31, "r"), s(-15, 31, "s");
    down(x, y) += source(x, y + r) * cast<float>(r + 1);
    across(x, y) += down(x + s, y) * cast<float>(s + 2);
    shown(x, y) = across(x, y);
    AutoScheduleOptions options = sized({2048, 1536});
    options.target = Target("x86-64-linux-avx2-fma");
    const std::string text = Pipeline(shown).auto_schedule(options).schedule.text();
    EXPECT_EQ(text.find("down.update(0).split(x, x, xu, 16, GuardWithIf)"), std::string::npos) << text;
    EXPECT_NE(text.find(", RoundUp)"), std::string::npos) << text;
}

TEST_F(AutoScheduleRequest, RowsOfPartsOfLinesAreNotStreamed) {
    Func shown("shown");
    shown(x, y, c) = cast<float>(x + y) * select(c == 0, 1.0f, c == 1, 2.0f, 3.0f);
    shown.bound(c, 0, 3);
    AutoScheduleOptions options;
    options.sizes = {8192, 8192, 3};
    options.target = Target("x86-64-linux-avx2-fma");
    const std::string text = Pipeline(shown).auto_schedule(options).schedule.text();
    EXPECT_EQ(text.find("unroll(c)") != std::string::npos && text.find("stream_stores") != std::string::npos, false)
        << text;
}

} // namespace
} // namespace fluorite::requests_test
