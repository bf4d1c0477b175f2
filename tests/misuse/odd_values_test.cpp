// Values that an argument cannot have, and orders of calls that have no meaning: each is refused where it is made.
#include "fluorite/fluorite.h"
#include "fluorite/schedule.h"
#include "fluorite/schedule_tree.h"
#include "support/test_errors.h"

#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace fluorite::odd_values_test {
namespace {

class OddValues : public testing::Test {
  protected:
    Var x{"x"}, y{"y"};
    Func f{"f"}, g{"g"}, h{"h"};
    Param<int> p{"p"};

    template <typename Kind = CompileError>
    static void refused(const std::function<void()> &run, const char *slug, const std::string &message, unsigned line) {
        expect_error<Kind>(run, slug, message, {"odd_values_test", line});
    }
};

// ---- Schedules.

TEST_F(OddValues, ProducersOfAStageThatAlwaysFails) {
    f(x) = x;
    g(x) = f(x) + f(x + 1);
    f.compute_root().vectorize(x, 4);
    g.specialize_fail("no case is supported");
    const std::string message = "in g: no specialization applies: no case is supported; specialize_fail() refuses "
                                "every case that no specialization takes; pass inputs that meet one of the "
                                "specializations, or add one";
    expect_error<RuntimeError>([&] { g.realize({8}); }, "specialize-fail", message);
}

TEST_F(OddValues, ComputedWithItsOwnProducerThatIsSpecialized) {
    f(x) = x;
    g(x) = 0;
    g(x) += f(x);
    h(x) = g(x);
    h.compute_with(g, x);
    f.compute_at(h, x).specialize(p == 3);
    expect_error<CompileError>(
        [&] { h.compile_jit(); }, "compute-with-dependent",
        "in h, stage 0: it is computed with g, and one of the two, or of those that are computed "
        "with them, needs the other; loops that are shared compute both at once; use compute_at");
}

TEST_F(OddValues, ComputedWithAFuncThatIsNotThere) {
    f(x) = x;
    h(x) = x;
    f.compute_with(h, x);
    expect_error<CompileError>([&] { f.compile_jit(); }, "unknown-consumer",
                               "in f: it is computed with loop x of h, which is no Func of this pipeline; a Func is "
                               "placed in loops of one that calls it; place it in a consumer, or use compute_root()");
}

TEST_F(OddValues, StagesThatAFuncDoesNotHave) {
    f(x) = x;
    g(x) = f(x);
    const unsigned line = __LINE__ + 1;
    f.compute_at(LoopLevel(g, x, 7));
    refused(
        [&] { g.compile_jit(); }, "unknown-loop-level",
        "in f: computed at loop x of stage 7 of g, which has 1, numbered from 0; a level names a stage and a loop of "
        "the consumer; name one of them",
        line);
}

TEST_F(OddValues, KindsOfLoopsThatAreNone) {
    f(x) = x;
    const ScheduleTree tree = Pipeline(f).schedule_tree();
    refused([&] { (void)tree.loop_type("f", "x", static_cast<ForType>(99)); }, "no-such-value",
            "in a schedule tree, loop_type(f, x): the ForType 99 is given, which is none; use Serial, Parallel, "
            "Vectorized or Unrolled",
            __LINE__ - 3);
}

TEST_F(OddValues, SchedulesInFolders) {
    refused([] { Schedule::load("/"); }, "schedule-file",
            "in a Schedule: cannot read the file '/'; it must exist and be readable; give the path of a saved schedule",
            __LINE__ - 2);
}

TEST_F(OddValues, TextsAboutOtherFuncsAndSizes) {
    f(x, y) = x;
    g(x, y) = f(x, y);
    h(x, y) = y;
    refused([&] { (void)g.explain_bounds(h); }, "no-such-func",
            "in h: its bounds are asked for, and it is no Func of this pipeline; a pipeline has its outputs and what "
            "they call; name one of f, g",
            __LINE__ - 3);
    Pipeline pipeline(g);
    refused<RuntimeError>(
        [&] { (void)pipeline.explain_schedule({3}); }, "wrong-rank",
        "in g: explain_schedule is given 1 sizes, the Func has 2 dimensions; sizes and dimensions must "
        "agree; give one size for each dimension",
        __LINE__ - 3);
    refused<RuntimeError>([&] { (void)pipeline.explain_schedule({3, -4}); }, "negative-extent",
                          "in g: the extent of dimension 1 is -4; an extent is 0 or more; give a size of 0 or more",
                          __LINE__ - 2);
}

// ---- Definitions.

TEST_F(OddValues, Ranks) {
    refused([] { const Func k(Int(32), -5, "k"); }, "negative-rank",
            "in k: it is declared with -5 dimensions; a rank is 0 or more, and -1 leaves it open; give the number of "
            "dimensions",
            __LINE__ - 3);
    refused([] { const ImageParam in(Int(32), 1000000000, "in"); }, "too-many-dimensions",
            "in in: it is given 1000000000 dimensions; regions grow with each; at most 64 are compiled; put several "
            "coordinates into one",
            __LINE__ - 3);
}

TEST_F(OddValues, LimitsOfParams) {
    Param<uint8_t> byte("byte");
    refused(
        [&] { p.set_range(0.5F, 3); }, "clamp-limit-type",
        "in an expression, Param range: a limit has type float32 and the Param int32; every value of a limit is one "
        "of the Param's type; cast the limit",
        __LINE__ - 3);
    refused(
        [&] { byte.set_max_value(p); }, "clamp-limit-type",
        "in an expression, Param range: a limit has type int32 and the Param uint8; every value of a limit is one of "
        "the Param's type; cast the limit",
        __LINE__ - 3);
    refused(
        [&] { byte.set_max_value(Expr(300)); }, "clamp-limit-type",
        "in an expression, Param range: a limit has type int32 and the Param uint8; every value of a limit is one of "
        "the Param's type; cast the limit",
        __LINE__ - 3);
    byte.set_max_value(Expr(200));
    p.set_range(2.0F, 3);
    Param<float> wide("wide");
    wide.set_max_value(p);
}

TEST_F(OddValues, ExtentsOfPromises) {
    ImageParam in(Int(32), 1, "in");
    const std::string rule = "; an extent is 0 or more; pass min and extent, not min and max";
    refused([&] { in.dim(0).set_extent(-1); }, "bound-negative-extent", "in in: set_extent with extent -1" + rule,
            __LINE__ - 1);
    refused([&] { in.set_estimates({{0, -3}}); }, "bound-negative-extent",
            "in in: set_extent_estimate with extent -3" + rule, __LINE__ - 1);
}

TEST_F(OddValues, ValuesOfFunctions) {
    refused(
        [&] { mux(x, std::vector<Tuple>{Tuple(x, x), Tuple(x, x, x)}); }, "tuple-size",
        "in an expression, mux: Tuples of 2 and 3 elements; mux chooses element by element; give Tuples of one size",
        __LINE__ - 2);
    refused(
        [&] { concat_bits({cast<uint8_t>(x), cast<uint16_t>(x)}); }, "no-wider-type",
        "in an expression, concat_bits: 2 values of types uint8, uint16 are joined; 2, 4 or 8 values of one type of "
        "8 bits or more give a value of at most 64 bits; pass such",
        __LINE__ - 3);
    refused([&] { extract_bits<uint8_t>(x, -4); }, "literal-out-of-range",
            "in an expression, extract_bits: bit -4 of a value of type int32 is named; it has bits 0 to 31; name one "
            "of them",
            __LINE__ - 3);
    f(x) = cast<uint8_t>(x);
    refused(
        [&] { BoundaryConditions::constant_exterior(f, 1.5F, {{0, 5}}); }, "literal-out-of-range",
        "in an expression, constant_exterior: the constant 1.5:float32 is given, and the values have type uint8; what "
        "lies outside has the type of what lies inside; give one of its values",
        __LINE__ - 3);
    expect_error<CompileError>([] { (void)Handle().min(); }, "bad-type",
                               "in a Type: min() of the type handle is asked for; numbers have a least and a greatest; "
                               "use a type of integers or floats");
    expect_error<CompileError>([] { (void)Type().max(); }, "bad-type",
                               "in a Type: max() of the type without bits is asked for; numbers have a least and a "
                               "greatest; use a type of integers or floats");
}

// ---- Targets, threads and files.

TEST_F(OddValues, Targets) {
    Target target("host");
    refused([&] { target.set_feature(static_cast<Target::Feature>(9999)); }, "no-such-value",
            "in a Target: its feature 9999 is named, which is none; use one of Target::Feature's names", __LINE__ - 1);
    EXPECT_FALSE(target.has_feature(static_cast<Target::Feature>(9999)));
    f(x) = x;
    for (const char *os : {"ios", "fuchsia"}) {
        const std::string name = std::string("x86-64-") + os;
        refused([&] { f.compile_to_object("other.o", {}, "f", Target(name)); }, "bad-target",
                "target " + name +
                    " names an operating system for which no files are written here; this build writes those of "
                    "linux, noos, and, where they have this architecture, android, osx, ios and windows; use one of "
                    "these",
                __LINE__ - 5);
    }
}

TEST_F(OddValues, NumbersOfThreads) {
    refused<RuntimeError>([] { JITSharedRuntime::set_num_threads(-4); }, "bad-thread-count",
                          "in set_num_threads: -4 threads are asked for; a number of threads is 0, for the default, or "
                          "more; pass one",
                          __LINE__ - 3);
}

TEST_F(OddValues, ArgumentsOfCompiledFunctions) {
    f(x) = x;
    const auto compiled = [&](const Argument &argument) {
        return [&f = f, argument] { f.compile_to_object("odd.o", {argument}, "odd"); };
    };
    const auto refused_with = [&](const Argument &argument, const char *slug, const std::string &text) {
        expect_error<CompileError>(compiled(argument), slug, "in odd: the argument '" + argument.name + "' " + text);
    };
    const std::string rule = "; integers have 8, 16, 32 or 64 bits, floats 16, 32 or 64, a bool 1; use one of these";
    refused_with(Argument(), "bad-type", "has the type without bits" + rule);
    refused_with(Argument("n", Argument::InputScalar, Int(13), 0), "bad-type", "has the type int13" + rule);
    refused_with(Argument("n", Argument::InputScalar, Int(32, 4), 0), "bad-type", "has the type int32x4" + rule);
    refused_with(Argument("n", static_cast<Argument::Kind>(7), Int(32), 0), "no-such-value",
                 "has the kind 7, which is none; use one of Argument::Kind's names");
    refused_with(Argument("f", Argument::OutputBuffer, Int(32), 1), "argument-mismatch",
                 "is declared as an output; the list is of inputs, and the outputs follow by themselves; leave it out");
    refused_with(Argument("n", Argument::InputScalar, Int(32), 3), "argument-mismatch",
                 "is declared as a number with 3 dimensions; only buffers have dimensions; declare it as an "
                 "InputBuffer, or with 0 dimensions");
    refused([&] { f.compile_to_lowered_stmt("odd.stmt", {}, static_cast<StmtOutputFormat>(9)); }, "no-such-value",
            "in compile_to_lowered_stmt: the StmtOutputFormat 9 is given, which is none; use Text or HTML",
            __LINE__ - 2);
    f.compile_to_object("odd.o", {Argument("n", Argument::InputScalar, Int(32), 0)}, "odd");
}

} // namespace
} // namespace fluorite::odd_values_test
