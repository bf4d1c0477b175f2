// Profiled code computes the same bits, whatever meets in a pipeline, and leaves nothing behind when it fails.

#include "fluorite/compat/HalideRuntimeProfiler.h"
#include "fluorite/handlers.h"
#include "support/test_errors.h"
#include "tests/profile/report.h"

#include <functional>
#include <gtest/gtest.h>
#include <stdexcept>

/// out(x) = in(x) * 2, of int32; fails if told so.
extern "C" int profile_test_double(fluorite_buffer_t *in, int fails, fluorite_buffer_t *out) {
    if (in->host == nullptr) {
        in->dim[0] = fluorite_dimension_t(out->dim[0].min, out->dim[0].extent, 1);
        return 0;
    }
    for (int x = out->dim[0].min; x < out->dim[0].min + out->dim[0].extent; x++) {
        *reinterpret_cast<int *>(out->address_of(&x)) = 2 * *reinterpret_cast<const int *>(in->address_of(&x));
    }
    return fails;
}

namespace fluorite::profile_bits_test {
namespace {

using profile_test::profiled;

Var x("x"), y("y"), xo("xo"), xi("xi"), yo("yo"), yi("yi");

struct Case {
    const char *name;
    std::function<Func()> make;
};

Func chain(Func &a, Func &b) {
    Func out("out");
    a(x, y) = cast<float>(x) / (y + 3) + sqrt(cast<float>(x * y));
    b(x, y) = a(x - 1, y) + a(x + 1, y + 2) * 0.25f;
    out(x, y) = b(x, y) - b(x, y - 1);
    return out;
}

const Case cases[] = {
    {"tiles with vectors",
     [] {
         Func a("a"), b("b"), out = chain(a, b);
         out.tile(x, y, xo, yo, xi, yi, 8, 4).vectorize(xi).parallel(yo);
         b.compute_at(out, xo).vectorize(x, 4);
         a.compute_at(b, y).vectorize(x, 8);
         return out;
     }},
    {"a vectorized loop around productions",
     [] {
         Func a("a"), b("b"), out = chain(a, b);
         out.vectorize(x, 4);
         b.compute_at(out, x);
         return out;
     }},
    {"unrolled productions",
     [] {
         Func a("a"), b("b"), out = chain(a, b);
         out.unroll(y, 3);
         b.compute_at(out, y);
         a.compute_at(b, y);
         return out;
     }},
    {"windows that slide, of an async producer",
     [] {
         Func a("a"), b("b"), out = chain(a, b);
         a.store_root().compute_at(b, y).async();
         b.compute_root().async();
         return out;
     }},
    {"fused stages",
     [] {
         Func a("a"), b("b"), out("out");
         a(x, y) = x + y;
         b(x, y) = x * y;
         out(x, y) = a(x, y) + b(x, y);
         a.compute_root();
         b.compute_root().compute_with(a, y);
         return out;
     }},
    {"a memoized Func",
     [] {
         Func a("a"), b("b"), out = chain(a, b);
         a.compute_root().memoize();
         return out;
     }},
    {"specializations and atomics",
     [] {
         Func histogram("histogram"), out("out");
         RDom r(0, 50, 0, 20);
         histogram(x) = 0;
         histogram((r.x * 7 + r.y) % 16) += 1;
         out(x, y) = histogram(x % 16) + y;
         histogram.compute_root();
         histogram.update().atomic().parallel(r.y);
         out.specialize(out.output_buffer().width() > 10).vectorize(x, 8);
         return out;
     }},
    {"an rfactored reduction of a tuple",
     [] {
         Func best("best"), out("out");
         RDom r(0, 64);
         best() = Tuple(-1, 0);
         best() = Tuple(max(best()[0], (r * 37) % 64), best()[1] + r);
         RVar ro("ro"), ri("ri");
         Var u("u");
         best.update().split(r, ro, ri, 8);
         best.update().rfactor(ro, u).compute_root();
         best.compute_root();
         out(x, y) = best()[0] * x + best()[1] * y;
         return out;
     }},
};

TEST(ProfileBits, AreThoseOfCodeWithoutMarks) {
    for (const Case &each : cases) {
        const Buffer<void, 2> plain = each.make().realize({37, 29})[0];
        for (const Target::Feature how : {Target::Profile, Target::ProfileByTimer}) {
            JITUserContext context;
            context.handlers.custom_print = profile_test::keep_text;
            const Buffer<void, 2> marked = each.make().realize(&context, {37, 29}, profiled(how))[0];
            ASSERT_EQ(plain.size_in_bytes(), marked.size_in_bytes()) << each.name;
            EXPECT_EQ(std::memcmp(plain.data(), marked.data(), plain.size_in_bytes()), 0) << each.name;
            EXPECT_EQ(halide_profiler_get_state()->instances, nullptr) << each.name;
        }
    }
}

Func doubled(int fails) {
    Func source("source"), stage("stage"), out("out");
    source(x) = x + 1;
    stage.define_extern("profile_test_double", {source, Expr(fails)}, Int(32), {x});
    out(x) = stage(x) + stage(x + 1);
    source.compute_root();
    stage.compute_root();
    return out;
}

TEST(ProfileBits, ExternStagesAreFuncs) {
    const profile_test::Report report = profile_test::report_of(doubled(0), {30});
    EXPECT_EQ(report.funcs.at("stage").productions, 1);
    EXPECT_NEAR(report.funcs.at("stage").recompute, 0, 1e-9); // what a C function needs is not known at entry
}

TEST(ProfileBits, RunsThatFailEndAsRuns) {
    profile_test::report_of(doubled(0), {30});
    Func fails = doubled(-7);
    profile_test::printed().clear();
    JITUserContext context;
    context.handlers.custom_print = profile_test::keep_text;
    EXPECT_THROW(fails.realize(&context, {30}, profiled()), RuntimeError);
    EXPECT_EQ(halide_profiler_get_state()->instances, nullptr);
    EXPECT_FALSE(profile_test::printed().empty()); // what ran is reported
    EXPECT_EQ(profile_test::report_of(doubled(0), {30}).runs, 1);
}

TEST(ProfileBits, FailuresInParallelTasksLeaveNothingBehind) {
    Func a("a"), out("out");
    a(x, y) = require(y < 20, x, "y is", y);
    out(x, y) = a(x, y) + 1;
    out.parallel(y);
    a.compute_at(out, y).store_in(MemoryType::Heap);
    for (int run = 0; run < 5; run++) {
        EXPECT_THROW(out.realize({16, 40}, profiled()), RuntimeError);
        EXPECT_EQ(halide_profiler_get_state()->instances, nullptr);
    }
    const profile_test::Report report = profile_test::report_of(out, {16, 20});
    EXPECT_EQ(report.funcs.at("a").productions, 20);
    EXPECT_EQ(report.funcs.at("a").allocations, 20);
}

TEST(ProfileBits, HooksThatThrowEndTheRun) {
    Func out("out");
    out(x) = print(x, "printed");
    JITUserContext context;
    context.handlers.custom_print = [](JITUserContext *, const char *) { throw std::logic_error("stop"); };
    EXPECT_THROW(out.realize(&context, {3}, profiled()), std::logic_error);
    EXPECT_EQ(halide_profiler_get_state()->instances, nullptr);
}

TEST(ProfileBits, QueriesAreNotRuns) {
    ImageParam in(Int(32), 1, "in");
    Func out("out");
    out(x) = in(x) + in(x + 3);
    out.infer_input_bounds({20}, profiled());
    EXPECT_EQ(in.get().dim(0).extent(), 23);
    halide_profiler_pipeline_stats *stats = halide_profiler_get_pipeline_state("out");
    EXPECT_TRUE(stats == nullptr || stats->runs == 0);
}

TEST(ProfileBits, FeaturesOfTargetsArePartOfTheirNames) {
    const Target target("x86-64-linux-profile-profile_by_timer");
    EXPECT_TRUE(target.supported());
    EXPECT_TRUE(target.has_feature(Target::Profile) && target.has_feature(Target::ProfileByTimer));
    EXPECT_EQ(Target(target.to_string()), target);
    EXPECT_FALSE(Target("x86-64-linux-msan").supported());
}

} // namespace
} // namespace fluorite::profile_bits_test
