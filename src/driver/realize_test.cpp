#include "driver/test_back_end.h"
#include "fluorite/fluorite.h"
#include "fluorite/handlers.h"
#include "ir/host_target.h"

#include <gtest/gtest.h>
#include <limits>
#include <regex>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

namespace fluorite::realize_test {
namespace {

TEST(Realize, FillsFreshBuffers) {
    Func f("f");
    Var x("x"), y("y");
    f(x, y) = x + 10 * y;
    Buffer<int> out = f.realize(7, 3);
    ASSERT_EQ(out.width(), 7);
    for (int j = 0; j < 3; j++) {
        for (int i = 0; i < 7; i++) {
            ASSERT_EQ(out(i, j), i + 10 * j);
        }
    }
}

TEST(Realize, ReadsBuffersWhoseElementsLieApart) {
    Buffer<uint8_t> in = Buffer<uint8_t>::make_interleaved(37, 3, 3);
    in.for_each_element([&](int x, int y, int c) { in(x, y, c) = static_cast<uint8_t>(x * 3 + y * 7 + c * 50); });
    Func f("f");
    Var x("x"), y("y"), c("c");
    f(x, y, c) = in(x, y, c);
    f.vectorize(x, 16);
    const Buffer<uint8_t> out = f.realize({37, 3, 3});
    in.for_each_element([&](int x, int y, int c) { EXPECT_EQ(out(x, y, c), in(x, y, c)); });
}

// Schedules that round an output's region up ask for more memory; the Buffer shows what was asked for.
TEST(Realize, CropsToTheSizesThatWereAskedFor) {
    for (const bool aligns : {false, true}) {
        Func f("f");
        Var x("x"), y("y"), xi("xi");
        f(x, y) = x + 100 * y;
        aligns ? f.align_bounds(x, 8, 5) : f.split(x, x, xi, 8, TailStrategy::RoundUp);
        const Buffer<int> out = f.realize({13, 3});
        EXPECT_EQ(out.dim(0).min(), 0);
        EXPECT_EQ(out.width(), 13);
        EXPECT_EQ(out.height(), 3);
        EXPECT_GE(out.dim(1).stride(), 16) << "rows have room for what is rounded up";
        out.for_each_element([&](int i, int j) { ASSERT_EQ(out(i, j), i + 100 * j); });
    }
}

TEST(Realize, WritesIntoShiftedBuffers) {
    Func f("f");
    Var x("x");
    f(x) = cast<uint8_t>(x * 3);
    Buffer<uint8_t> out(20);
    out.set_min(-9);
    f.vectorize(x, 8);
    f.realize(out);
    for (int i = -9; i < 11; i++) {
        ASSERT_EQ(out(i), static_cast<uint8_t>(i * 3));
    }
}

TEST(Realize, SchedulesWithStagesParallelLoopsAndVectors) {
    Buffer<uint16_t> in(40, 20);
    in.for_each_element([&](int i, int j) { in(i, j) = static_cast<uint16_t>(i * 31 + j * 7); });
    Func rows("rows"), blur("blur");
    Var x("x"), y("y");
    rows(x, y) = in(x, y) + in(x + 1, y) + in(x + 2, y);
    blur(x, y) = (rows(x, y) + rows(x, y + 1) + rows(x, y + 2)) / 9;
    rows.compute_at(blur, y).vectorize(x, 8);
    blur.vectorize(x, 8).parallel(y);
    Buffer<uint16_t> out = blur.realize(37, 18);
    for (int j = 0; j < 18; j++) {
        for (int i = 0; i < 37; i++) {
            unsigned sum = 0;
            for (int k = 0; k < 9; k++) {
                sum += in(i + k % 3, j + k / 3);
            }
            ASSERT_EQ(out(i, j), static_cast<uint16_t>(static_cast<uint16_t>(sum) / 9)) << i << ' ' << j;
        }
    }
}

TEST(Realize, SeesNewParametersWithoutRecompiling) {
    Param<float> gain("gain");
    ImageParam in(Float(32), 1, "in");
    Func f("f");
    Var x("x");
    f(x) = in(x)*gain;
    Buffer<float> data(4);
    data.fill(2.0F);
    in.set(data);
    gain.set(3.0F);
    Buffer<float> a = f.realize(4);
    gain.set(5.0F);
    Buffer<float> b = f.realize(4);
    EXPECT_EQ(a(1), 6.0F);
    EXPECT_EQ(b(1), 10.0F);
}

TEST(Realize, RecompilesAfterASchedule) {
    Func f("f");
    Var x("x");
    f(x) = x * x;
    Buffer<int> a = f.realize(16);
    f.vectorize(x, 4);
    Buffer<int> b = f.realize(16);
    EXPECT_EQ(a(5), 25);
    EXPECT_EQ(b(5), 25);
}

TEST(Realize, GivesTuplesAndSeveralOutputs) {
    Func f("f"), g("g");
    Var x("x");
    f(x) = Tuple(x, cast<float>(x) * 0.5F);
    g(x) = f(x)[0] + 1;
    Realization r = f.realize(5);
    ASSERT_EQ(r.size(), 2U);
    EXPECT_EQ((Buffer<float>(r[1])(4)), 2.0F);
    Realization both = Pipeline({f, g}).realize({5});
    ASSERT_EQ(both.size(), 3U);
    EXPECT_EQ((Buffer<int>(both[2])(4)), 5);
}

TEST(Realize, RunsReductions) {
    Func sum("sum");
    Var x("x");
    RDom r(0, 10);
    sum(x) = 0;
    sum(x) += r.x * x;
    Buffer<int> out = sum.realize(4);
    EXPECT_EQ(out(3), 135);
}

TEST(InferInputBounds, BindsBuffersThatAreLargeEnough) {
    ImageParam in(UInt(8), 2, "in");
    Func f("f");
    Var x("x"), y("y");
    f(x, y) = in(x - 1, y) + in(x + 2, y + 1);
    f.infer_input_bounds({10, 6});
    Buffer<uint8_t> bound = in.get();
    EXPECT_EQ(bound.min(0), -1);
    EXPECT_EQ(bound.extent(0), 13);
    EXPECT_EQ(bound.min(1), 0);
    EXPECT_EQ(bound.extent(1), 7);
    bound.fill(4);
    Buffer<uint8_t> out = f.realize(10, 6);
    EXPECT_EQ(out(9, 5), 8);
}

// ---- Errors.

std::string error_of(const std::function<void()> &action) {
    try {
        action();
    } catch (const RuntimeError &error) {
        return "[" + error.slug() + "] " + error.message();
    }
    return "";
}

TEST(RealizeErrors, AreRuntimeErrorsWithSlugAndPlace) {
    ImageParam in(UInt(8), 1, "in");
    Param<int> n("n");
    Func f("f");
    Var x("x");
    f(x) = in(x) + cast<uint8_t>(n);
    EXPECT_EQ(
        error_of([&] { f.realize(4); }),
        "[unset-image-param] in in: no buffer is bound; every ImageParam needs one before a run; call set(buffer), or "
        "infer_input_bounds");
    Buffer<uint8_t> small(3);
    small.fill(1);
    in.set(small);
    EXPECT_EQ(error_of([&] { f.realize(4); }),
              "[unset-param] in n: it has no value; every Param needs one before a run; call set(value)");
    n.set(2);
    EXPECT_EQ(error_of([&] { f.realize(4, 4); }), "[wrong-rank] in f: realize is given 2 sizes, the Func has 1 "
                                                  "dimensions; sizes and dimensions must agree; give one "
                                                  "size for each dimension");
    EXPECT_EQ(
        error_of([&] { f.realize(static_cast<JITUserContext *>(nullptr)); }), // as of f.realize({0})
        "[wrong-rank] in f: realize is given no sizes, the Func has 1 dimension; there is one size for each "
        "dimension, and a lone 0 in braces, as in realize({0}), is no size but a null context; give all sizes, as "
        "in realize(0)");
    EXPECT_EQ(f.realize(0)[0].width(), 0);
    try {
        f.realize(4);
        FAIL();
    } catch (const RuntimeError &error) {
        EXPECT_EQ(error.slug(), "input-too-small");
        EXPECT_TRUE(std::string(error.location().file).ends_with("realize_test.cpp"));
    }
    Buffer<uint16_t> wrong(3);
    EXPECT_EQ(error_of([&] { f.realize(wrong); }).substr(0, 19), "[wrong-buffer-type]");
    EXPECT_EQ(error_of([&] { f.realize({Buffer<uint8_t>(3), Buffer<uint8_t>(3)}); }),
              "[wrong-output-count] in f: 2 output buffers are given; the pipeline writes 1, one for each value of "
              "each output; "
              "pass as many, in order");
}

int reported = 0;

TEST(RealizeErrors, GoToAHandlerWhereThereIsOne) {
    Func f("f");
    Var x("x");
    f(x) = x;
    Buffer<float> wrong(3);
    set_error_handler([](void *, int code, const char *) { reported = code; });
    f.realize(wrong);
    set_error_handler(nullptr);
    EXPECT_EQ(reported, fluorite_error_code_bad_type);
}

TEST(RealizeErrors, NameACodeWithoutAText) {
    Func f("f");
    Var x("x");
    f(x) = x;
    f.parallel(x);
    set_custom_do_par_for([](void *, fluorite_task_t, int, int, uint8_t *, const char *) { return 5; });
    EXPECT_EQ(error_of([&] { f.realize(4); }),
              "[runtime-error] in a pipeline: it returned error 5; an extern function or handler must return 0 for "
              "success; see what it reports");
    set_custom_do_par_for(nullptr);
}

TEST(RealizeErrors, RefuseRegionsThatDependOnEachOther) {
    SKIP_IN_EXECUTOR("coordinates that overflow wrap, so the check of regions finds them first");
    ImageParam a(UInt(8), 1, "a"), b(UInt(8), 1, "b");
    Func f("f");
    Var x("x");
    f(x) = a(x * b.width()) + b(x * a.width());
    EXPECT_EQ(error_of([&] { f.infer_input_bounds({3}); }), "[bounds-do-not-converge] in f: the regions of its inputs "
                                                            "still change after 16 rounds; a region may not depend "
                                                            "on itself; bind buffers by hand");
}

// ---- Files.

std::string contents_of(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

TEST(Files, ObjectHeaderAndLibrary) {
    ImageParam in(Float(32), 2, "in");
    Param<float> gain("gain");
    Func f("scale_it");
    Var x("x"), y("y");
    f(x, y) = in(x, y) * gain;
    f.vectorize(x, 8);
    f.compile_to_file("scaled", {in, gain});
    EXPECT_EQ(contents_of("scaled.o").substr(1, 3), "ELF");
    const std::string header = contents_of("scaled.h");
    EXPECT_NE(header.find("int scaled(struct halide_buffer_t *_in_buffer, float _gain, "
                          "struct halide_buffer_t *_scale_it_buffer);"),
              std::string::npos)
        << header;
    f.compile_to_static_library("scaled_library", {gain, in}, "scaled_too");
    EXPECT_EQ(contents_of("scaled_library.a").substr(0, 7), "!<arch>");
    EXPECT_NE(contents_of("scaled_library.h").find("int scaled_too(float _gain, struct"), std::string::npos);
    f.compile_to_assembly("scaled.s", {in, gain}, "scaled");
    EXPECT_NE(contents_of("scaled.s").find("scaled_argv:"), std::string::npos);
    f.compile_to_llvm_assembly("scaled.ll", {in, gain}, "scaled");
    EXPECT_NE(contents_of("scaled.ll").find(" @scaled("), std::string::npos);
    f.compile_to_bitcode("scaled.bc", {in, gain}, "scaled");
    EXPECT_EQ(contents_of("scaled.bc").substr(0, 2), "BC");
    f.compile_to_lowered_stmt("scaled.stmt", {in, gain});
    EXPECT_NE(contents_of("scaled.stmt").find("for"), std::string::npos);
    f.compile_to_lowered_stmt("scaled.html", {in, gain}, HTML);
    // Without its tags, the page is the statement.
    std::string page = contents_of("scaled.html");
    EXPECT_NE(page.find("<details"), std::string::npos);
    page = std::regex_replace(page.substr(page.find("<pre>")), std::regex("<[^>]*>"), "");
    for (const auto &[name, sign] : {std::pair("&lt;", "<"), {"&gt;", ">"}, {"&quot;", "\""}, {"&amp;", "&"}}) {
        page = std::regex_replace(page, std::regex(name), sign);
    }
    const std::regex blanks("\\s");
    EXPECT_EQ(std::regex_replace(page, blanks, ""), std::regex_replace(contents_of("scaled.stmt"), blanks, ""));
}

TEST(Files, BuffersOfTheProgramBecomeData) {
    Buffer<uint8_t> table(4);
    table.for_each_element([&](int i) { table(i) = static_cast<uint8_t>(65 + i); });
    table.set_min(10);
    Func f("looked_up");
    Var x("x");
    f(x) = table(x) + cast<uint8_t>(table.dim(0).extent());
    EXPECT_TRUE(f.infer_arguments().empty());
    f.compile_to_llvm_assembly("table.ll", {});
    EXPECT_NE(contents_of("table.ll").find("c\"ABCD\""), std::string::npos);
    EXPECT_NE(contents_of("table.ll").find("@looked_up(ptr"), std::string::npos);
}

TEST(Files, MissingInputsAreErrors) {
    ImageParam in(Float(32), 1, "in");
    Func f("f");
    Var x("x");
    f(x) = in(x);
    try {
        f.compile_to_object("never.o", {});
        FAIL();
    } catch (const CompileError &error) {
        EXPECT_EQ(error.slug(), "missing-argument");
        EXPECT_EQ(error.message(),
                  "in f: input 'in' is not among the arguments; a compiled function takes every input that it "
                  "reads; add it, or pass infer_arguments()");
    }
}

std::string compile_error_of(const std::function<void()> &action) {
    try {
        action();
    } catch (const CompileError &error) {
        return "[" + error.slug() + "] " + error.message();
    }
    return "";
}

TEST(Files, SayWhatCannotBeWritten) {
    Func f("f");
    Var x("x");
    f(x) = x;
    EXPECT_EQ(
        compile_error_of([&] { f.compile_to_object("no_such_folder/f.o", {}); }),
        "[cannot-write] in f: cannot write the file 'no_such_folder/f.o'; its folder must exist and be writable; give "
        "another path");
    EXPECT_EQ(compile_error_of([&] { f.compile_to_c("no_such_folder/f.c", {}, "f"); }),
              "[cannot-write] in f: cannot write the file 'no_such_folder/f.c'; its folder must exist and be writable; "
              "give another path");
}

TEST(Targets, ParseAndPrint) {
    const Target target("x86-64-linux-avx2-fma");
    EXPECT_TRUE(target.has_feature(Target::SSE41));
    EXPECT_FALSE(target.has_feature(Target::AVX512));
    EXPECT_EQ(Target(target.to_string()), target);
    EXPECT_EQ(target.natural_vector_size<float>(), 8);
    EXPECT_EQ(Target("host-no_asserts"), get_host_target().with_feature(Target::NoAsserts));
    const char *host = std::getenv("FLUORITE_HOST");
    EXPECT_EQ(get_host_target(),
              host && *host ? ir::host_seen_as(host, ir::real_host_target(), "FLUORITE_HOST") : ir::real_host_target());
    try {
        Target bad("x86-64-linux-mmx9");
        FAIL();
    } catch (const CompileError &error) {
        EXPECT_EQ(error.slug(), "bad-target");
        EXPECT_EQ(error.message().substr(0, 54), "target 'x86-64-linux-mmx9': 'mmx9' is not known; parts");
    }
}

// A NaN becomes coordinate 0 unless an operation removes it first: min and max do if the bound is their second operand.
TEST(Realize, NaNAsACoordinate) {
    Var x("x");
    ImageParam in(Float(32), 1, "in");
    Func table("table"), clamped("clamped"), other("other");
    table(x) = x * 10;
    table.compute_root();
    clamped(x) = table(cast<int>(clamp(in(x), 3.0f, 10.0f)));
    other(x) = table(cast<int>(max(3.0f, min(10.0f, in(x)))));
    Buffer<float> values(3);
    values(0) = 5;
    values(1) = std::numeric_limits<float>::quiet_NaN();
    values(2) = 100;
    in.set(values);
    const Buffer<int> first = clamped.realize({3}), second = other.realize({3});
    for (int i = 0; i < 3; i++) {
        EXPECT_EQ(first(i), (i == 0 ? 50 : 100));
        EXPECT_EQ(second(i), (i == 0 ? 50 : i == 1 ? 0 : 100));
    }
    const std::string bounds = Pipeline(other).explain_bounds(table);
    EXPECT_NE(bounds.find("[0, 10]"), std::string::npos) << bounds;
    EXPECT_NE(Pipeline(clamped).explain_bounds(table).find("[3, 10]"), std::string::npos);
}

} // namespace
} // namespace fluorite::realize_test
