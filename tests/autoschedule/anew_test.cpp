// Searches that begin without the pipeline's schedule: from_scratch, and what auto_schedule() found before. Until they
// succeed, they change no Func, no iteration, and nothing that says whether compiled code is current.

#include "fluorite/fluorite.h"
#include "fluorite/iterate.h"
#include "fluorite/stencil.h"
#include "language/pipeline_contents.h"
#include "support/test_errors.h"
#include "tests/autoschedule/request.h"

#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace fluorite::anew_test {
namespace {

class AutoScheduleAnew : public RequestedSchedules {
  protected:
    static AutoScheduleOptions scratch(std::vector<int32_t> sizes) {
        AutoScheduleOptions options = sized(std::move(sizes));
        options.from_scratch = true;
        return options;
    }
    /// The call throws, and neither the schedule nor the count of edits changes.
    static void expect_untouched(Pipeline &pipeline, const AutoScheduleOptions &options) {
        const Schedule before = pipeline.schedule();
        const uint64_t edits = pipeline.contents()->edits();
        EXPECT_THROW(pipeline.auto_schedule(options), CompileError);
        EXPECT_EQ(pipeline.schedule(), before);
        EXPECT_EQ(pipeline.contents()->edits(), edits);
    }
    /// A histogram, which a search on 2 threads cuts into bands.
    Func histogram() {
        picture.set_estimates({{0, 4000}, {0, 3000}});
        Func counts("counts");
        const RDom r(0, picture.width(), 0, picture.height(), "r");
        counts(x) = 0;
        counts(cast<int>(picture(r.x, r.y))) += 1;
        return counts;
    }
    ImageParam picture{UInt(8), 2, "picture"};
};

/// Three steps of a mean of three, with the result doubled.
struct Heat {
    Var x{"x"};
    ImageParam rod{Float(32), 1, "rod"};
    Func start{"start"}, twice{"twice"};
    Iterated heat;

    Heat() : heat(made()) { twice(x) = heat(x) * 2.0f; }
    Iterated made() {
        start(x) = rod(clamp(x, 0, rod.width() - 1));
        return iterate(3, {{0, rod.width()}}, start, [this](const IterationStep &step) {
            Func next("next");
            const ImageParam &now = step.field(0);
            const Expr last = now.width() - 1;
            next(x) = (now(clamp(x - 1, 0, last)) + now(x) + now(clamp(x + 1, 0, last))) / 3.0f;
            return next;
        });
    }
};

TEST_F(AutoScheduleAnew, SearchesThatFailChangeNothing) {
    blur_x.compute_root().vectorize(x, 4);
    Pipeline pipeline(out);
    expect_untouched(pipeline, scratch({4000, 3000, 2}));
    pipeline.auto_schedule(scratch({4000, 3000}));
    expect_untouched(pipeline, sized({4000, 3000, 2}));
    expect_untouched(pipeline, scratch({4000, 3000, 2}));
}

TEST_F(AutoScheduleAnew, CutsOfASearchBeforeStayWhereTheNextOneFails) {
    Pipeline pipeline(histogram());
    EXPECT_NE(pipeline.auto_schedule(sized({256})).schedule.text().find(".rfactor("), std::string::npos);
    expect_untouched(pipeline, sized({256, 3}));
    expect_untouched(pipeline, scratch({256, 3}));
}

TEST_F(AutoScheduleAnew, CutsOfASearchBeforeAreNotByHand) {
    Pipeline pipeline(histogram());
    const AutoSchedule first = pipeline.auto_schedule(sized({256})), second = pipeline.auto_schedule(scratch({256}));
    EXPECT_NE(first.schedule.text().find(".rfactor("), std::string::npos) << first.schedule.text();
    EXPECT_EQ(second.schedule, first.schedule) << second.schedule.text();
    EXPECT_EQ(second.explanation, first.explanation);
}

TEST_F(AutoScheduleAnew, CutsByHandStayWithWrappersOfWhatTheyRead) {
    const auto values = [this](bool is_by_hand) {
        Var u("u");
        RVar outer("outer"), inner("inner");
        Func sums("sums"), shown("shown");
        ImageParam line(Int(32), 1, "line");
        const RDom r(0, 64, "r");
        sums(x) = 0;
        sums(x) += line(x + r);
        shown(x) = sums(x) + sums(x + 1);
        if (is_by_hand) {
            line.in(sums).compute_root().vectorize(_0, 4);
            sums.compute_root().update().split(r, outer, inner, 8).rfactor(outer, u).compute_root();
        }
        Pipeline pipeline(shown);
        for (int i = 0; i < 3; i++) { // and of what was found, twice
            const AutoSchedule found = pipeline.auto_schedule(i == 2 ? sized({100}) : scratch({100}));
            EXPECT_EQ(found.explanation.find("by hand"), std::string::npos) << found.explanation;
            const std::string text = found.schedule.text();
            EXPECT_EQ(text.find("vectorize(_0, 4)"), std::string::npos) << text;
            EXPECT_EQ(text.find(".rfactor({outer}") != std::string::npos, is_by_hand) << text;
        }
        Buffer<int> data(165);
        data.for_each_element([&](int i) { data(i) = i * i % 37; });
        line.set(data);
        const Buffer<int> result = pipeline.realize({100});
        return std::vector<int>(result.begin(), result.end());
    };
    EXPECT_EQ(values(true), values(false));
}

TEST_F(AutoScheduleAnew, TimeTilesStay) {
    Heat heat;
    heat.heat.time_tile(2);
    heat.twice.bound(heat.x, 0, 4096);
    Pipeline pipeline(heat.twice);
    const auto has_tile = [&] { return pipeline.schedule().text().find(".time_tile(2)") != std::string::npos; };
    expect_untouched(pipeline, scratch({4096, 3}));
    EXPECT_TRUE(has_tile());
    const AutoSchedule first = pipeline.auto_schedule(sized({4096}));
    EXPECT_TRUE(has_tile()) << first.schedule.text();
    EXPECT_NE(first.schedule.text().find("twice.vectorize("), std::string::npos) << first.schedule.text();
    expect_untouched(pipeline, sized({4096, 3}));
    EXPECT_EQ(pipeline.auto_schedule(sized({4096})).schedule, first.schedule);
    // A tile is no promise.
    pipeline.auto_schedule(scratch({4096}));
    EXPECT_FALSE(has_tile());
}

// What a search tries on copies, cuts with their tiles among it, leaves the tile of the iteration that they share.
TEST_F(AutoScheduleAnew, TimeTilesStayWhereCutsAreTried) {
    Heat heat;
    heat.heat.time_tile(2);
    Func counts("counts");
    heat.rod.set_estimates({{0, 4000000}});
    const RDom r(0, heat.rod.width(), "r");
    counts(x) = 0;
    counts(cast<int>(clamp(heat.heat(r), 0.0f, 255.0f))) += 1;
    Pipeline pipeline(counts);
    const AutoSchedule first = pipeline.auto_schedule(sized({256}));
    const std::string text = first.schedule.text();
    EXPECT_NE(text.find(".rfactor("), std::string::npos) << text << first.explanation;
    EXPECT_NE(text.find(".time_tile(2)"), std::string::npos) << text;
    expect_untouched(pipeline, sized({256, 3}));
    expect_untouched(pipeline, scratch({256, 3}));
    EXPECT_EQ(pipeline.auto_schedule(sized({256})).schedule, first.schedule);
}

// Only the time tile says something of the pipeline: its Func is not scheduled by hand.
TEST_F(AutoScheduleAnew, TimeTilesAreNoLoopsByHand) {
    Heat heat;
    heat.heat.time_tile(2);
    const Func result = heat.heat;
    Pipeline pipeline(result);
    const std::string text = pipeline.auto_schedule(sized({4096})).schedule.text();
    EXPECT_NE(text.find(".vectorize("), std::string::npos) << text;
    EXPECT_NE(text.find(".time_tile(2)"), std::string::npos) << text;
}

} // namespace
} // namespace fluorite::anew_test
