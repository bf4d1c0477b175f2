// Copies of pipelines: they freeze to the same graph and schedule, and directives on them change no original.

#include "fluorite/fluorite.h"
#include "fluorite/iterate.h"
#include "language/apply_schedule.h"
#include "language/freeze.h"
#include "language/test_support.h"
#include "schedule/text/schedule_text.h"

#include <algorithm>
#include <sstream>

namespace scratch_pipeline_test {

using namespace fluorite;
using namespace fluorite::language;

namespace {

/// The graph, and the lines of its schedule.
std::string text_of(const PipelineContents &contents) {
    const schedule::ScheduledGraph frozen = freeze_with_handles(contents).pipeline;
    std::ostringstream stream;
    stream << frozen.graph;
    for (const schedule::Directive &line :
         schedule::directives_of(frozen.graph, frozen.schedule, schedule::default_schedule(frozen.graph))) {
        stream << schedule::to_text(line) << "\n";
    }
    return stream.str();
}

} // namespace

TEST(ScratchPipeline, HasTheSameGraphAndSchedule) {
    Var x("x"), y("y"), xi("xi"), unnamed;
    ImageParam im(UInt(8), 2, "im"), other(Int(32), 2, "other");
    Param<int> gain("gain");
    Func wide("wide"), same("wide"), sums("sums"), out("out");
    RDom r(0, 8, 0, 5, "r");
    r.where(r.x + r.y < 9);
    wide(x, y) = cast<int>(im(x, y)) * gain;
    same(x, unnamed) = Tuple(wide(x, unnamed) + other(x, unnamed), other(unnamed, x));
    sums(x) = 0;
    sums(clamp(wide(r.x, r.y), 0, 9)) += same(r.x, r.y)[0];
    out(x, y) = sums(x % 10) + wide(x, y) + same(x, y)[1] + cast<int>(im(y, x));
    wide.in(sums).compute_root();
    wide.clone_in(out).compute_at(out, y).vectorize(x, 4);
    im.in(out).compute_root();
    other.in().compute_root().reorder_storage(_1, _0);
    same.compute_root().split(x, x, xi, 8).parallel(unnamed);
    sums.compute_root();
    out.output_buffer().dim(0).set_min(0);
    out.bound(x, 0, out.output_buffer().dim(0).extent());
    Pipeline pipeline(out);
    const std::string before = text_of(*pipeline.contents());
    const PipelineContents scratch = scratch_pipeline(*pipeline.contents());
    EXPECT_EQ(text_of(scratch), before);
    EXPECT_NE(before.find("wide_in_sums"), std::string::npos) << before;
    EXPECT_NE(before.find("im_in_out"), std::string::npos) << before;

    const std::vector<schedule::Directive> lines =
        Schedule::parse("fluorite schedule 1\nsums.update(0).rfactor({r$y}, {u})\nsums_intm.compute_root()\nend\n")
            .directives();
    apply_schedule(scratch, lines, PartialReductions::Remove, Location());
    EXPECT_NE(text_of(scratch), before);
    EXPECT_EQ(text_of(*pipeline.contents()), before);
    EXPECT_TRUE(has_partial_reductions(scratch));
    EXPECT_FALSE(has_partial_reductions(*pipeline.contents()));
}

TEST(ScratchPipeline, HasTheSameCutsAndCanBeCutAnew) {
    Var x("x"), y("y"), u("u"), v("v");
    RVar outer("outer"), inner("inner");
    ImageParam im(Int(32), 2, "im");
    Func ramp("ramp"), sums("sums"), out("out");
    RDom r(0, 24, 0, 5, "r");
    r.where(r.x + r.y < 20);
    ramp(x, y) = im(x, y) * 3;
    sums(x) = Tuple(0, 1);
    sums(x) = Tuple(sums(x)[0] + ramp(r.x, r.y) + im(x, r.y), max(sums(x)[1], ramp(x, r.x)));
    out(x) = sums(x)[0] - sums(x + 1)[1];
    Pipeline pipeline(out);
    ramp.in(sums).compute_root();
    im.in(sums).compute_root();
    sums.compute_root();
    Func rows = sums.update().rfactor(r.y, u);
    rows.compute_root().update().split(r.x, outer, inner, 8).rfactor(outer, v).compute_root();
    const std::vector<schedule::Directive> lines = pipeline.schedule().directives();
    const std::string before = text_of(*pipeline.contents());
    const auto scratch = std::make_shared<PipelineContents>(scratch_pipeline(*pipeline.contents()));
    EXPECT_EQ(text_of(*scratch), before);
    EXPECT_TRUE(has_partial_reductions(*scratch));

    const std::vector<schedule::Directive> copied = Pipeline(scratch).schedule().directives();
    const auto is_cut = [](const schedule::Directive &line) { return line.name == "rfactor"; };
    EXPECT_EQ(std::count_if(copied.begin(), copied.end(), is_cut), 2);
    std::vector<schedule::Directive> without = lines;
    std::erase_if(without, [](const schedule::Directive &line) { return line.name == "in"; });
    EXPECT_EQ(copied, without);
    apply_schedule(*scratch, {}, PartialReductions::Remove, Location());
    EXPECT_FALSE(has_partial_reductions(*scratch));
    EXPECT_EQ(text_of(*pipeline.contents()), before);
    apply_schedule(*scratch, copied, PartialReductions::Remove, Location());
    EXPECT_EQ(text_of(*scratch), before);
}

TEST(ScratchPipeline, ReadingScheduleWithCutsEditsNothing) {
    Var x("x"), u("u");
    Func start("start"), sums("sums");
    start(x) = x;
    const Iterated moved = iterate(2, {{0, 8}}, start, [&](const IterationStep &step) {
        Func next("next");
        next(x) = step.field(0)(x) + 1;
        return next;
    });
    const RDom r(0, 2, 0, 4, "r");
    sums(x) = 0;
    sums(x) += moved(r.x + r.y * 2);
    sums.update().rfactor(r.y, u);
    const Pipeline pipeline(sums);
    const uint64_t edits = pipeline.contents()->edits();
    EXPECT_NE(pipeline.schedule().text().find("rfactor"), std::string::npos);
    EXPECT_EQ(pipeline.contents()->edits(), edits);
}

TEST(ScratchPipeline, OutlivesWhatItIsOf) {
    Var x("x");
    PipelineContents scratch;
    std::string before;
    {
        Func f("f"), g("g");
        f(x) = x * 2;
        g(x) = f(x) + f(x + 1);
        g(x) += 3;
        f.compute_root();
        Pipeline pipeline(g);
        before = text_of(*pipeline.contents());
        scratch = scratch_pipeline(*pipeline.contents());
    }
    EXPECT_EQ(text_of(scratch), before);
}

} // namespace scratch_pipeline_test
