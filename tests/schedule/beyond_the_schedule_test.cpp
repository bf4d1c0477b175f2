// What the compiler does beyond the schedule: for each switch, a program whose code it changes but not the values, and
// the line of the compile report. Also deviations from the schedule, with the exact reason.

#include "driver/compiled.h"
#include "driver/test_interpreter.h"
#include "ir/print.h"
#include "language/pipeline_contents.h"

#include <functional>
#include <gtest/gtest.h>
#include <sstream>
#include <string>

namespace fluorite::beyond_the_schedule_test {
namespace {

const Var x("x"), y("y"), c("c"), xi("xi"), yi("yi");

const Target &target() {
    static const Target wide("x86-64-linux-avx512_sapphirerapids");
    return wide;
}

std::string code_of(const Func &f, const Target &target) {
    std::ostringstream text;
    text << ir::with_tasks_in_place(driver::lower_for(*Pipeline(f).contents(), target, "f"));
    return text.str();
}

std::string report_of(const Func &f) { return Pipeline(f).compile_report(target()); }

/// The lines of the report about deviations from the schedule.
std::string otherwise_of(const Func &f) {
    const std::string report = report_of(f), title = "otherwise than the schedule says:\n";
    const size_t begin = report.find(title);
    if (begin == std::string::npos) {
        return "";
    }
    const size_t first = begin + title.size();
    return report.substr(first, report.find("beyond the schedule:") - first);
}

struct Switch {
    Target::Feature feature;
    std::string in_report;
    std::vector<int> sizes;
    std::function<void(Func &, ImageParam &)> define; // over an input of int32
};

const std::vector<Switch> &switches() {
    static const std::vector<Switch> all = {
        {Target::NoWidening,
         "  f, loop x: 2 iterations of 8 lanes are one of 16 (no_widening)",
         {100, 7},
         [](Func &f, ImageParam &in) {
             f(x, y) = in(x, y) * 3;
             f.vectorize(x, 8);
         }},
        {Target::NoPartitioning,
         "  f, loop x: cut into boundary and interior (no_partitioning)",
         {100, 7},
         [](Func &f, ImageParam &in) {
             f(x, y) = in(clamp(x - 1, 0, 80), y);
             f.vectorize(x, 8);
         }},
        {Target::NoPartitioning,
         "  f: vectors at mirrored or repeated edges are masked loads (no_partitioning)",
         {100, 7},
         [](Func &f, ImageParam &in) {
             f(x, y) = BoundaryConditions::mirror_interior(in)(x - 1, y);
             f.vectorize(x, 8);
         }},
        {Target::NoSliding,
         "  g: iterations of loop y of f compute only the y that earlier ones have not (no_sliding)",
         {20, 20},
         [](Func &f, ImageParam &in) {
             Func g("g");
             g(x, y) = in(x, y) + in(x + 1, y);
             f(x, y) = g(x, y) - g(x, y + 2);
             g.store_root().compute_at(f, y);
         }},
        {Target::NoSliding,
         "  g: only the first iteration of loop y of f computes it, as others need the same of it (no_sliding)",
         {20, 20},
         [](Func &f, ImageParam &in) {
             Func g("g");
             g(x) = in(x, 0) + in(x + 1, 0);
             f(x, y) = g(x) - in(x, y);
             g.store_root().compute_at(f, y);
         }},
        {Target::NoFolding,
         "  g: y is stored in a circular buffer of 4 (no_folding)",
         {20, 20},
         [](Func &f, ImageParam &in) {
             Func g("g");
             g(x, y) = in(x, y) + in(x + 1, y);
             f(x, y) = g(x, y) - g(x, y + 2);
             g.store_root().compute_at(f, y);
         }},
        {Target::NoSkipping,
         "  g: computed only where a value of it is selected (no_skipping)",
         {20, 20},
         [](Func &f, ImageParam &in) {
             Func g("g");
             g(x, y) = in(x, y) + 5;
             f(x, y) = select(in.width() > 500, g(x, y), in(x, y));
             g.compute_root();
         }},
        {Target::NoDropping,
         "  g: nothing reads its memory, which is left out with the stores to it (no_dropping)",
         {20, 20},
         [](Func &f, ImageParam &in) {
             Func g("g");
             g(x, y) = in(x, y) + 5;
             f(x, y) = in(x, y) + g(x, y) * 0;
             g.compute_root();
         }},
        {Target::NoLaneSums,
         "  f.update(0), loop ro: its lanes are summed up into f once, after the loop (no_lane_sums)",
         {20, 20},
         [](Func &f, ImageParam &in) {
             RDom r(0, 64);
             Var rv("rv");
             f(x, y) = 0;
             f(x, y) += in(r, y) * in(r, x);
             RVar ro("ro"), ri("ri");
             f.update(0).split(r, ro, ri, 16).reorder(ri, ro, x, y).atomic().vectorize(ri);
         }},
        {Target::NoGatherSplitting,
         "  in: a gather of 16 lanes is 2 strided loads (no_gather_splitting)",
         {64, 20},
         [](Func &f, ImageParam &in) {
             f(x, y) = in(x / 2, y);
             f.vectorize(x, 16);
         }},
        {Target::NoInterleaving,
         "  in: 2 strided loads are a dense one (no_interleaving)",
         {64, 20},
         [](Func &f, ImageParam &in) {
             f(x, y) = in(2 * x, y) - in(2 * x + 1, y);
             f.vectorize(x, 16);
         }},
        {Target::NoCommoning,
         "  f, loop x: values that the next iteration needs again stay in registers (no_commoning)",
         {160, 20},
         [](Func &f, ImageParam &in) {
             Func g("g"), h("h");
             g(x, y) = (in(x, y) * 3 + in(x, y + 1) * 5 + in(x, y + 2) * 7) ^ in(x, y + 3);
             h(x, y) = (g(x, y) * g(x + 1, y)) ^ (g(x + 2, y) * 11);
             f(x, y) = h(x, y) + h(x + 1, y) * 3 + h(x + 2, y) * 5;
             f.vectorize(x, 16);
         }},
        {Target::NoTransposes,
         "  in: 8 columns are loaded as rows, and transposed in registers (no_transposes)",
         {64, 64},
         [](Func &f, ImageParam &in) {
             f(x, y) = in(y, x);
             f.tile(x, y, xi, yi, 8, 8).vectorize(xi).unroll(yi);
         }},
        {Target::NoScalarReplacement,
         "  f.update(0), loop r.x: what it accumulates in f stays in registers (no_scalar_replacement)",
         {64, 64},
         [](Func &f, ImageParam &in) {
             RDom r(0, 16);
             f(x, y) = 0;
             f(x, y) += in(x, r) * in(r, y);
             f.update(0).tile(x, y, xi, yi, 16, 2).reorder(xi, yi, r, x, y).vectorize(xi).unroll(yi);
         }},
        {Target::NoHoisting,
         "  f, loop xi: loop invariants are computed before it (no_hoisting)",
         {64, 64},
         [](Func &f, ImageParam &in) {
             Func g("g");
             g(x, y) = in(x, y) + 1;
             f(x, y) = g(x, y) + g(x + 1, y + 1);
             f.tile(x, y, xi, yi, 16, 8);
             g.compute_at(f, xi);
         }},
        {Target::NoEarlyFrees,
         "  g: its memory ends with its last use (no_early_frees)",
         {64, 64},
         [](Func &f, ImageParam &in) {
             Func g("g"), h("h");
             g(x, y) = in(x, y) + 1;
             h(x, y) = g(x, y) * 2;
             f(x, y) = h(x, y) + 3;
             g.compute_root();
             h.compute_root();
         }},
    };
    return all;
}

TEST(BeyondTheSchedule, EachSwitchChangesCodeAndNoBit) {
    for (const Switch &each : switches()) {
        const std::string name = Target::feature_to_name(each.feature);
        SCOPED_TRACE(name);
        ImageParam in(Int(32), 2, "in");
        Func f("f");
        each.define(f, in);
        const std::string report = report_of(f);
        EXPECT_NE(report.find(each.in_report), std::string::npos) << report;
        const Target without = target().with_feature(each.feature);
        EXPECT_NE(code_of(f, target()), code_of(f, without));
        const std::string other = Pipeline(f).compile_report(without);
        EXPECT_EQ(other.find("(" + name + ")"), std::string::npos) << other;
        in.set(random_buffer<int32_t>({200, 200}, 5));
        const Buffer<int32_t> expected = interpreted<int32_t>(f, each.sizes);
        const Buffer<int32_t> values = f.realize(each.sizes, get_host_target().with_feature(each.feature));
        int wrong = 0;
        values.for_each_element([&](int i, int j) { wrong += values(i, j) != expected(i, j); });
        EXPECT_EQ(wrong, 0);
    }
}

TEST(BeyondTheSchedule, EveryFeatureOfTheListHasACase) {
    for (int i = Target::NoWidening; i <= Target::NoEarlyFrees; i++) {
        const auto feature = static_cast<Target::Feature>(i);
        EXPECT_TRUE(std::any_of(switches().begin(), switches().end(), [&](const Switch &each) {
            return each.feature == feature;
        })) << Target::feature_to_name(feature);
    }
}

TEST(BeyondTheSchedule, TheReportNamesNoCallOfTheCompilersOwn) {
    ImageParam in(Int(32), 2, "in");
    Func f("f");
    f(x, y) = in(clamp(x * 100000000, 0, 99), y) + in(clamp(x - 1, 0, 80), y);
    f.vectorize(x, 8);
    const std::string report = Pipeline(f).compile_report(target().with_feature(Target::Checked));
    EXPECT_NE(report.find("f, loop x"), std::string::npos) << report;
    EXPECT_EQ(report.find("fluorite_"), std::string::npos) << report;
    EXPECT_EQ(report.find("calls of"), std::string::npos) << report;
}

TEST(BeyondTheSchedule, AllSwitchesAtOnce) {
    for (const Switch &each : switches()) {
        SCOPED_TRACE(Target::feature_to_name(each.feature));
        ImageParam in(Int(32), 2, "in");
        Func f("f");
        each.define(f, in);
        Target without = get_host_target();
        Target wide = target();
        for (const Switch &other : switches()) {
            without.set_feature(other.feature);
            wide.set_feature(other.feature);
        }
        EXPECT_EQ(Pipeline(f).compile_report(wide), "the code does what the schedule says, and nothing beyond\n");
        in.set(random_buffer<int32_t>({200, 200}, 5));
        const Buffer<int32_t> expected = interpreted<int32_t>(f, each.sizes), values = f.realize(each.sizes, without);
        int wrong = 0;
        values.for_each_element([&](int i, int j) { wrong += values(i, j) != expected(i, j); });
        EXPECT_EQ(wrong, 0);
    }
}

TEST(BeyondTheSchedule, RowsAreWholeVectorsUnlessTheProgramSaysWhatTheyAre) {
    const auto report = [](const std::function<void(Func &)> &schedule) {
        ImageParam in(Float(32), 2, "in");
        Func g("g"), f("f");
        g(x, y) = in(x, y) * 2;
        f(x, y) = g(x, y) + g(x, y + 1);
        g.compute_root();
        schedule(g);
        const std::string text = report_of(f);
        return text.find("  g: its rows along ") == std::string::npos ? "" : text.substr(text.find("  g: its rows"));
    };
    const std::string padded = "  g: its rows along x are multiples of 16 in memory (align_storage(x, 1))\n";
    EXPECT_EQ(report([](Func &g) { g.vectorize(x, 8); }).substr(0, padded.size()), padded);
    EXPECT_EQ(report([](Func &) {}), "");
    EXPECT_EQ(report([](Func &g) { g.vectorize(y, 8); }), "");
    EXPECT_EQ(report([](Func &g) { g.vectorize(x, 8).align_storage(x, 1); }), "");
    EXPECT_EQ(report([](Func &g) { g.vectorize(x, 8).bound_storage(x, 5000); }), "");
    EXPECT_NE(report([](Func &g) { g.vectorize(y, 8).reorder_storage(y, x); }).find("along y"), std::string::npos);
}

TEST(BeyondTheSchedule, ExplainScheduleFollows) {
    // Tests set no target in the environment, so the explanation is that of the host's code.
    Func g("g"), f("f");
    g(x, y) = x + y;
    f(x, y) = g(x, y) + g(x, y + 1);
    g.store_root().compute_at(f, y);
    EXPECT_NE(Pipeline(f).explain_schedule({64, 32}).find("y folded into 2"), std::string::npos);
}

// ---- Deviations from the schedule.

TEST(OtherwiseThanTheSchedule, LanesThatMeet) {
    Func f("f");
    ImageParam in(Int(32), 1, "in");
    RDom r(0, 64);
    f(x) = 0;
    f(clamp(in(r), 0, 15)) = f(clamp(in(r) + 1, 0, 15)) + 1;
    f.update(0).atomic(true).vectorize(r, 8);
    EXPECT_EQ(otherwise_of(f), "  f.update(0), loop r$xv: runs one iteration after the other; its iterations store to "
                               "places of f that others load or store, so that their order counts\n");
}

TEST(OtherwiseThanTheSchedule, LanesInLanes) {
    Func g("g"), f("f");
    g(x, y) = x * y;
    f(x, y) = g(x, y) + g(x + 1, y);
    f.vectorize(x, 16);
    g.compute_at(f, x).bound_extent(y, 1);
    Func inner("inner"), outer("outer");
    inner(x, y) = x * y;
    outer(x, y) = inner(x, y) + inner(x, y + 1);
    outer.tile(x, y, xi, yi, 16, 8).vectorize(xi).vectorize(yi);
    EXPECT_EQ(otherwise_of(outer),
              "  outer, loop yi: runs one iteration after the other; its body has vectors of 16 lanes already, and 8 "
              "times as many are more than 64; vectorize one of the two loops\n");
    EXPECT_EQ(otherwise_of(f), "");
}

TEST(OtherwiseThanTheSchedule, AccumulatorsWhoseOrderCounts) {
    ImageParam in(Float(32), 2, "in");
    RDom r(0, 8, 0, 8);
    Func lanes("lanes"), loops("loops"), sums("sums");
    lanes() = 0.f;
    lanes() = lanes() * 2 + in(r.x, r.y);
    lanes.update(0).atomic(true).vectorize(r.x);
    EXPECT_EQ(otherwise_of(lanes),
              "  lanes.update(0), loop r.x: accumulates one lane after the other; the order of its "
              "operation counts\n");
    loops() = 0.f;
    loops() = loops() * 2 + in(r.x, r.y);
    loops.update(0).atomic(true).vectorize(r.y);
    EXPECT_EQ(otherwise_of(loops),
              "  loops.update(0), loop r.y: runs one iteration after the other; its iterations accumulate in one place "
              "of loops, around another loop, by an operation whose order counts; make it the innermost loop\n");
    sums() = 0.f;
    sums() += in(r.x, r.y);
    sums.allow_reassociation().update(0).vectorize(r.x);
    EXPECT_EQ(otherwise_of(sums), "");
}

TEST(OtherwiseThanTheSchedule, TasksInLanes) {
    Func g("g"), f("f");
    g(x, y) = x * y;
    f(x, y) = g(x, y) + g(x + 1, y);
    f.vectorize(x, 8);
    g.compute_at(f, Var("xv")).parallel(x);
    EXPECT_EQ(otherwise_of(f),
              "  g, loop x: runs without tasks; it stands in a vectorized loop, and lanes start none\n");
}

TEST(OtherwiseThanTheSchedule, CallsAndChecksLaneByLane) {
    Func f("f");
    f(x) = print(x, "seen");
    f.vectorize(x, 8);
    EXPECT_EQ(otherwise_of(f), "  f, loop xv: print() happens one lane after the other\n");
    Func g("g");
    g(x) = require(x >= 0, x, "not negative");
    g.vectorize(x, 8);
    EXPECT_EQ(otherwise_of(g), "  g, loop xv: require() happens one lane after the other\n");
}

TEST(OtherwiseThanTheSchedule, TailsOfUpdates) {
    Func f("f");
    Var xo("xo"), xio("xio"), xii("xii");
    f(x) = x;
    f(x) += 1;
    f.update(0).split(x, xo, xi, 12, TailStrategy::GuardWithIf).split(xi, xio, xii, 8, TailStrategy::RoundUp);
    EXPECT_EQ(otherwise_of(f), "  f.update(0): the split of xi has TailStrategy::GuardWithIf in place of RoundUp; an "
                               "update that runs twice on a point changes it twice\n");
}

TEST(OtherwiseThanTheSchedule, StackWithoutRoom) {
    Func g("g"), f("f");
    g(x) = x;
    f(x) = g(x) + g(x + 1);
    g.compute_root().store_in(MemoryType::Stack);
    EXPECT_EQ(otherwise_of(f), "  g: stored on the heap; on the stack lies what has a constant size\n");
    f.bound(x, 0, 1000000);
    EXPECT_EQ(otherwise_of(f), "  g: stored on the heap; of its 4000004 bytes the stack takes 524288\n");
}

} // namespace
} // namespace fluorite::beyond_the_schedule_test
