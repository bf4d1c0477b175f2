// What the profiler counts: productions, points, memory. All numbers are exact, whatever the machine.

#include "fluorite/compat/HalideRuntimeProfiler.h"
#include "fluorite/runtime_profile.h"
#include "tests/profile/report.h"

#include <gtest/gtest.h>

namespace fluorite::profile_counts_test {
namespace {

using profile_test::Report;
using profile_test::report_of;

const Target::Feature both[] = {Target::Profile, Target::ProfileByTimer};

struct Stencil {
    Var x{"x"}, y{"y"}, yo{"yo"}, yi{"yi"};
    Func blurred{"blurred"}, out{"out"};
    Stencil() {
        blurred(x, y) = x * 3 + y * y;
        out(x, y) = blurred(x, y) + blurred(x, y + 1) + blurred(x, y + 2);
    }
};

TEST(ProfileCounts, AProducerComputedPerRowIsReportedOncePerRow) {
    for (const Target::Feature how : both) {
        Stencil f;
        f.blurred.compute_at(f.out, f.y).store_at(f.out, f.y);
        const Report report = report_of(f.out, {16, 12}, how);
        EXPECT_EQ(report.runs, 1);
        EXPECT_EQ(report.funcs.at("blurred").productions, 12);
        EXPECT_EQ(report.funcs.at("out").productions, 1);
        EXPECT_NEAR(report.funcs.at("blurred").recompute, 36.0 / 14, 1e-3); // 12 times 3 rows, 14 are needed
        EXPECT_NEAR(report.funcs.at("out").recompute, 1, 1e-3);
    }
}

TEST(ProfileCounts, OddSizesAndTails) {
    for (const TailStrategy tail : {TailStrategy::GuardWithIf, TailStrategy::ShiftInwards, TailStrategy::Predicate}) {
        Stencil f;
        f.out.split(f.y, f.yo, f.yi, 4, tail);
        f.blurred.compute_at(f.out, f.yo);
        const Report report = report_of(f.out, {7, 13});
        EXPECT_EQ(report.funcs.at("blurred").productions, 4);
        EXPECT_GE(report.funcs.at("blurred").recompute, 1);
        EXPECT_LE(report.funcs.at("blurred").recompute, 24.0 / 15 + 1e-3);
    }
}

TEST(ProfileCounts, WindowsThatSlideComputeEachPointOnce) {
    Stencil f;
    f.blurred.store_root().compute_at(f.out, f.y);
    const Report report = report_of(f.out, {16, 12});
    EXPECT_EQ(report.funcs.at("blurred").productions, 12);
    EXPECT_NEAR(report.funcs.at("blurred").recompute, 1, 1e-3);
}

TEST(ProfileCounts, PointsOfConstantProductionsAreMultiplied) {
    Stencil f;
    f.blurred.compute_at(f.out, f.x);
    const Report report = report_of(f.out, {5, 6});
    EXPECT_EQ(report.funcs.at("blurred").productions, 30);
    EXPECT_NEAR(report.funcs.at("blurred").recompute, 90.0 / 40, 1e-3);
    EXPECT_GT(report.funcs.at("blurred").stack, 0);
}

TEST(ProfileCounts, ProductionsInVectorsHaveNoRatio) {
    Stencil f;
    f.out.vectorize(f.x, 4);
    f.blurred.compute_at(f.out, f.x);
    const Report report = report_of(f.out, {8, 6});
    EXPECT_GT(report.funcs.at("blurred").productions, 0);
}

TEST(ProfileCounts, UpdatesTuplesAndReductionsBelongToTheirFunc) {
    Var x("x");
    Func pair("pair"), out("out");
    RDom r(0, 10, "r");
    pair(x) = Tuple(x, cast<float>(x));
    pair(x) = Tuple(pair(x)[0] + r, pair(x)[1] * 0.5f);
    pair(0) = Tuple(1, 2.0f);
    out(x) = pair(x)[0] + cast<int>(pair(x)[1]);
    pair.compute_root();
    const Report report = report_of(out, {100});
    EXPECT_EQ(report.funcs.at("pair").productions, 1);
    EXPECT_NEAR(report.funcs.at("pair").recompute, 1, 1e-3);
    EXPECT_EQ(report.funcs.count("pair.0"), 0U);
    EXPECT_EQ(report.order.size(), report.funcs.size());
}

TEST(ProfileCounts, HeapMemoryIsExact) {
    for (const Target::Feature how : both) {
        Stencil f;
        f.blurred.compute_root().store_in(MemoryType::Heap);
        const Report report = report_of(f.out, {64, 10}, how);
        EXPECT_EQ(report.allocations, 1);
        EXPECT_EQ(report.peak, 64U * 12 * 4);
        EXPECT_EQ(report.funcs.at("blurred").peak, 64 * 12 * 4);
        EXPECT_EQ(report.funcs.at("blurred").allocations, 1);
        EXPECT_EQ(report.funcs.at("blurred").average, 64 * 12 * 4);
    }
}

TEST(ProfileCounts, MemoryInLoopsCountsEachTimeAndPeaksOnce) {
    Stencil f;
    f.blurred.compute_at(f.out, f.y).store_in(MemoryType::Heap);
    const Report report = report_of(f.out, {64, 10});
    EXPECT_EQ(report.allocations, 10);
    EXPECT_EQ(report.funcs.at("blurred").allocations, 10);
    EXPECT_EQ(report.funcs.at("blurred").peak, 64 * 3 * 4);
    EXPECT_EQ(report.peak, 64U * 3 * 4);
}

TEST(ProfileCounts, PeaksAreThoseOfWhatLivesTogether) {
    Var x("x");
    Func a("a"), b("b"), c("c");
    a(x) = x;
    b(x) = a(x) + a(x + 1);
    c(x) = b(x) + b(x + 1);
    a.compute_root().store_in(MemoryType::Heap);
    b.compute_root().store_in(MemoryType::Heap);
    const Report report = report_of(c, {1000});
    EXPECT_EQ(report.peak, 4U * (1002 + 1001)); // both while b is computed
    EXPECT_EQ(report.allocations, 2);
}

TEST(ProfileCounts, StackMemoryIsListed) {
    Stencil f;
    f.blurred.compute_at(f.out, f.y).bound_extent(f.x, 32).store_in(MemoryType::Stack);
    const Report report = report_of(f.out, {32, 10});
    EXPECT_EQ(report.allocations, 0);
    EXPECT_EQ(report.funcs.at("blurred").stack, 32 * 3 * 4);
}

TEST(ProfileCounts, NestedParallelLoopsCountEveryTask) {
    Var x("x"), y("y"), z("z");
    Func inner("inner"), out("out");
    inner(x, y, z) = x + y * z;
    out(x, y, z) = inner(x, y, z) + inner(x + 1, y, z);
    out.parallel(z).parallel(y);
    inner.compute_at(out, y).store_in(MemoryType::Heap);
    for (const Target::Feature how : both) {
        const Report report = report_of(out, {20, 9, 7}, how);
        EXPECT_EQ(report.funcs.at("inner").productions, 63);
        EXPECT_EQ(report.funcs.at("inner").allocations, 63);
        EXPECT_EQ(report.funcs.at("inner").average, 21 * 4);
        EXPECT_NEAR(report.funcs.at("inner").recompute, 1, 1e-3);
        EXPECT_EQ(report.funcs.at("inner").peak % (21 * 4), 0);
    }
}

TEST(ProfileCounts, AFuncWithoutProfilingIsBilledToItsConsumer) {
    Stencil f;
    f.blurred.compute_at(f.out, f.y).no_profiling();
    const Report report = report_of(f.out, {16, 12});
    EXPECT_EQ(report.funcs.at("blurred").productions, 0);
    EXPECT_EQ(report.funcs.at("out").productions, 1);
    EXPECT_EQ(report.funcs.at("blurred").milliseconds, 0);
}

TEST(ProfileCounts, ConstantBuffersAndParamsReachTheCode) {
    Buffer<int> table(16);
    table.fill(7);
    Param<int> n("n");
    Param<float *> unused("unused");
    Var x("x");
    Func out("out");
    out(x) = table(x % 16) + n + cast<int>(is_nan(0.0f));
    n.set(5);
    const Report report = report_of(out, {50});
    EXPECT_EQ(report.funcs.at("out").productions, 1);
    Buffer<int> values = out.realize({50}, profile_test::profiled());
    EXPECT_EQ(values(49), 12);
}

TEST(ProfileCounts, TimeStampsBillWholeRuns) {
    Stencil f;
    f.blurred.compute_root();
    const Report report = report_of(f.out, {200, 200}, Target::ProfileByTimer);
    double sum = 0;
    for (const auto &[name, func] : report.funcs) {
        sum += func.milliseconds;
    }
    float total = 0;
    ASSERT_EQ(std::sscanf(profile_test::printed().at(0).c_str(), "out\n total time: %f ms", &total), 1);
    EXPECT_NEAR(sum, total, 0.01);
}

TEST(ProfileCounts, TextsHaveTheFormOfThePeer) {
    Stencil f;
    f.blurred.compute_root().store_in(MemoryType::Heap);
    report_of(f.out, {64, 10});
    const std::vector<std::string> &texts = profile_test::printed();
    int samples = -1, runs = -1, allocations = -1;
    float total = 0, each = 0;
    unsigned long long peak = 0;
    EXPECT_EQ(std::sscanf(texts.at(0).c_str(),
                          "out\n total time: %f ms  samples: %d  runs: %d  time per run: %f ms\n heap allocations: %d  "
                          "peak heap usage: %llu bytes\n",
                          &total, &samples, &runs, &each, &allocations, &peak),
              6)
        << texts[0];
    EXPECT_EQ(texts.back().substr(0, 8), "    out:");
    EXPECT_EQ(texts.back().find("ms ("), 52U); // the width of `waiting for parallel tasks to finish:` and a number
    EXPECT_EQ(texts.back().back(), '\n');
}

TEST(ProfileCounts, PipelinesWithoutTheFeaturePrintNothing) {
    Stencil f;
    profile_test::printed().clear();
    JITUserContext context;
    context.handlers.custom_print = profile_test::keep_text;
    f.out.realize(&context, {8, 8});
    EXPECT_TRUE(profile_test::printed().empty());
}

// ---- The interface of programs.

TEST(ProfileState, ResetsKeepPipelinesAndEndNothing) {
    Stencil f;
    report_of(f.out, {8, 8});
    halide_profiler_pipeline_stats *stats = halide_profiler_get_pipeline_state("out");
    ASSERT_NE(stats, nullptr);
    EXPECT_EQ(stats->runs, 0); // reported, and reset
    EXPECT_STREQ(stats->funcs[stats->num_funcs - 1].name, "out");
    EXPECT_EQ(halide_profiler_get_pipeline_state("no such pipeline"), nullptr);
    EXPECT_EQ(halide_profiler_get_state()->instances, nullptr);
    halide_profiler_shutdown();
    EXPECT_EQ(halide_profiler_get_state()->sampling_thread, nullptr);
    EXPECT_EQ(report_of(f.out, {8, 8}).runs, 1); // starts again
}

TEST(ProfileState, SamplesOfTheProgramCount) {
    halide_profiler_state *state = halide_profiler_get_state();
    uint64_t before = 0;
    EXPECT_EQ(halide_profiler_sample(state, &before), state->sleep_time);
    EXPECT_GT(before, 0U);
    halide_profiler_lock(state);
    halide_profiler_unlock(state);
}

TEST(ProfileState, FilesThatCannotBeWrittenAreErrors) {
    const int printing = fluorite_print_errors(0);
    EXPECT_EQ(fluorite_profile_write(nullptr, "no/such/folder/profile.json"),
              fluorite_error_code_cannot_profile_pipeline);
    EXPECT_STREQ(fluorite_last_error_message(),
                 "in the profiler: 'no/such/folder/profile.json' cannot be written; a profile is a new file in a "
                 "folder that exists, on a disk with space; name another file [profile-file]");
    fluorite_clear_error();
    fluorite_print_errors(printing);
    char text[8];
    EXPECT_EQ(fluorite_profile_json(text, sizeof(text)), fluorite_profile_json(nullptr, 0));
    EXPECT_EQ(std::string(text), "{\"pipel");
}

} // namespace
} // namespace fluorite::profile_counts_test
