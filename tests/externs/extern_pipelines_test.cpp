// Pipelines with extern stages as programs run them: ahead of time, under the automatic scheduler, with functions that
// fail or ask for what is not there.

#include "driver/test_interpreter.h"
#include "fluorite/certify.h"
#include "ir/parse.h"
#include "support/test_errors.h"
#include "support/test_process.h"

#include <atomic>
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <sstream>

namespace {
std::atomic<int> blocks{0}; // of memory, in use

void *counted_malloc(void *, size_t bytes) {
    blocks++;
    return std::aligned_alloc(fluorite_malloc_alignment,
                              (bytes / fluorite_malloc_alignment + 2) * fluorite_malloc_alignment);
}
void counted_free(void *, void *pointer) {
    blocks -= pointer != nullptr ? 1 : 0;
    std::free(pointer);
}

std::atomic<int> to_fail{-1}; // calls that succeed before one fails; below 0: none fails
} // namespace

/// out(x) = in(x) + in(x + 1), of int32; fails when it is told to.
extern "C" int externs_test_pairs(fluorite_buffer_t *in, fluorite_buffer_t *out) {
    if (to_fail >= 0 && to_fail-- == 0) {
        return -1234;
    }
    if (in->host == nullptr) {
        in->dim[0] = fluorite_dimension_t(out->dim[0].min, out->dim[0].extent + 1, 1);
        return 0;
    }
    for (int x = out->dim[0].min; out->host != nullptr && x < out->dim[0].min + out->dim[0].extent; x++) {
        const int next = x + 1;
        *reinterpret_cast<int *>(out->address_of(&x)) =
            *reinterpret_cast<const int *>(in->address_of(&x)) + *reinterpret_cast<const int *>(in->address_of(&next));
    }
    return 0;
}
/// Asks for more the smaller the box is.
extern "C" int externs_test_greedy(fluorite_buffer_t *in, fluorite_buffer_t *out) {
    if (in->host == nullptr) {
        in->dim[0] = fluorite_dimension_t(0, out->dim[0].extent > 4 ? 5 : 100, 1);
    }
    return 0;
}
/// Asks for coordinates that do not fit.
extern "C" int externs_test_far(fluorite_buffer_t *in, fluorite_buffer_t *out) {
    if (in->host == nullptr) {
        in->dim[0] = fluorite_dimension_t(2'000'000'000, out->dim[0].extent, 1);
    }
    return 0;
}

namespace fluorite::extern_pipelines_test {
namespace {

template <typename Run> std::string error_of(const Run &run) {
    try {
        run();
    } catch (const Error &error) {
        return error.slug() + ": " + error.message();
    }
    return "";
}

struct Rows {
    Var x{"x"}, xo{"xo"}, xi{"xi"};
    Func source{"source"}, stage{"stage"}, result{"result"};
    explicit Rows(const char *function = "externs_test_pairs") {
        source(x) = 3 * x - 7;
        stage.define_extern(function, {source}, Int(32), {x});
        result(x) = stage(x) * 2;
    }
    static int at(int x) { return 2 * (3 * x - 7 + 3 * (x + 1) - 7); }
};

TEST(ExternPipelines, EveryFailureFreesAllMemory) {
    Rows rows;
    Param<int> factor("factor", 8);
    rows.result.split(rows.x, rows.xo, rows.xi, factor, TailStrategy::GuardWithIf);
    rows.source.compute_at(rows.result, rows.xo).store_in(MemoryType::Heap);
    rows.stage.compute_at(rows.result, rows.xo).store_in(MemoryType::Heap);
    rows.result.compile_jit();
    const fluorite_malloc_t old_malloc = fluorite_set_custom_malloc(counted_malloc);
    const fluorite_free_t old_free = fluorite_set_custom_free(counted_free);
    int failures = 0;
    for (int n = 0; failures == n; n++) {
        to_fail = n;
        const std::string seen = error_of([&] { rows.result.realize({30}); });
        EXPECT_EQ(blocks, 0) << n;
        failures += seen.find("-1234") != std::string::npos ? 1 : 0;
        EXPECT_TRUE(failures == n + 1 || seen.empty()) << seen;
    }
    to_fail = -1;
    fluorite_set_custom_malloc(old_malloc);
    fluorite_set_custom_free(old_free);
    EXPECT_GT(failures, 5);
    Buffer<int> out = rows.result.realize({30});
    EXPECT_EQ(out(29), Rows::at(29));
}

TEST(ExternPipelines, TextsOfFailures) {
    Rows rows;
    to_fail = 0;
    expect_error<RuntimeError>(
        [&] { rows.result.realize({4}); }, "extern-bounds-failed",
        "in stage: the extern function externs_test_pairs returned -1234 when it was asked for its "
        "bounds; a bounds query returns 0 when it has succeeded; look for the cause in "
        "externs_test_pairs");
    to_fail = 2;
    expect_error<RuntimeError>([&] { rows.result.realize({4}); }, "extern-failed",
                               "in stage: the extern function externs_test_pairs returned -1234; an extern function "
                               "returns 0 when it has succeeded; look for the cause in externs_test_pairs");
    to_fail = 0;
    expect_error<RuntimeError>([&] { interpreted<int>(rows.result, {1}); }, "extern-failed",
                               "in stage: the extern function externs_test_pairs in a bounds query returned -1234; a "
                               "result other than 0 ends the run; look at what the function reports");
    to_fail = -1;
    Rows missing("externs_test_no_such_function");
    EXPECT_EQ(error_of([&] { missing.result.realize({8}); }).substr(0, 27), "missing-extern: in result: ");
}

TEST(ExternPipelines, BoxesThatAreNotThere) {
    const std::string rule =
        " there; an input must hold every coordinate that is read; pass a larger source, realize a "
        "smaller output, or give source a boundary condition";
    Rows greedy("externs_test_greedy"); // asks for more of a smaller box
    greedy.result.split(greedy.x, greedy.xo, greedy.xi, 4, TailStrategy::GuardWithIf);
    greedy.stage.compute_at(greedy.result, greedy.xo);
    greedy.source.compute_root();
    expect_error<RuntimeError>([&] { greedy.result.realize({8}); }, "input-too-small",
                               "in stage: it reads source over [0, 99] along dimension 0 (x), but source holds [0, 4]" +
                                   rule);
    Rows far("externs_test_far");
    expect_error<RuntimeError>([&] { far.result.realize({8}); }, "input-too-small",
                               "in stage: it reads source over [2000000000, 2000000007] along dimension 0, but source "
                               "holds [-134217728, 134217728]" +
                                   rule);
}

TEST(ExternPipelines, RingsOfStorage) {
    Rows rows;
    rows.result.split(rows.x, rows.xo, rows.xi, 4, TailStrategy::GuardWithIf);
    rows.source.compute_at(rows.result, rows.xo).hoist_storage_root().ring_buffer(2).async();
    rows.stage.compute_at(rows.result, rows.xo).hoist_storage_root().ring_buffer(3);
    expect_same<int>(rows.result, {21});
}

TEST(ExternPipelines, AsyncInsideOfLoops) {
    for (const bool stage_is_async : {false, true}) {
        Rows rows;
        rows.result.split(rows.x, rows.xo, rows.xi, 4, TailStrategy::GuardWithIf);
        rows.source.compute_at(rows.result, rows.xo);
        rows.stage.compute_at(rows.result, rows.xo);
        (stage_is_async ? rows.stage : rows.source).async();
        expect_same<int>(rows.result, {21});
    }
}

TEST(ExternPipelines, AutomaticSchedules) {
    Rows rows;
    rows.result.set_estimate(rows.x, 0, 4000);
    Pipeline(rows.result).auto_schedule();
    Buffer<int> out = rows.result.realize({4000});
    for (int i = 0; i < 4000; i += 333) {
        EXPECT_EQ(out(i), Rows::at(i));
    }
}

TEST(ExternPipelines, TextsOfGraphs) {
    Rows rows;
    const ir::Graph graph = language::freeze({rows.result}, {}).graph;
    std::ostringstream text, again;
    text << graph;
    again << ir::parse_graph(text.str());
    EXPECT_EQ(text.str(), again.str());
}

TEST(ExternPipelines, CertificatesSayWhyNot) {
    Rows rows;
    EXPECT_EQ(
        certify(rows.result).reason,
        "the C function externs_test_pairs computes stage, and terms say nothing of it; certify the pipelines before "
        "and after it, with an input in its place");
}

/// The object calls the function of this program; a query for the box of its input goes through it.
TEST(ExternPipelines, AheadOfTime) {
    if (run_process("cc --version").code != 0) {
        GTEST_SKIP() << "there is no linker";
    }
    ImageParam image(Int(32), 1, "image");
    Var x("x");
    Func stage("stage"), ahead("externs_test_ahead");
    stage.define_extern("externs_test_pairs", {image}, Int(32), {x});
    ahead(x) = stage(x) + 1;
    stage.compute_root();
    ahead.compile_to_object("ahead.o", {image}, "externs_test_ahead");
    const ProcessOutcome linked = run_process("cc -shared ahead.o -o ahead.so");
    ASSERT_EQ(linked.code, 0) << linked.text;
    void *library = dlopen("./ahead.so", RTLD_NOW);
    ASSERT_NE(library, nullptr) << dlerror();
    using Entry = int (*)(fluorite_buffer_t *, fluorite_buffer_t *);
    const auto run = reinterpret_cast<Entry>(dlsym(library, "externs_test_ahead"));
    ASSERT_NE(run, nullptr);
    Buffer<int> in(6), out(5);
    in.for_each_element([&](int i) { in(i) = i * i; });
    EXPECT_EQ(run(in.raw_buffer(), out.raw_buffer()), 0);
    EXPECT_EQ(out(4), 16 + 25 + 1);
    fluorite_dimension_t dim;
    fluorite_buffer_t query = {};
    query.dim = &dim;
    query.dimensions = 1;
    EXPECT_EQ(run(&query, out.raw_buffer()), 0);
    EXPECT_EQ(dim.extent, 6);
    to_fail = 1;
    EXPECT_EQ(run(in.raw_buffer(), out.raw_buffer()), -1234);
    to_fail = -1;
    fluorite_clear_error();
    dlclose(library);
}

} // namespace
} // namespace fluorite::extern_pipelines_test
