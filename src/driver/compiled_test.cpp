// When code is made anew: the cache of compiled pipelines, and the texts of files that are not code.
#include "driver/compiled.h"

#include "fluorite/fluorite.h"

#include <filesystem>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <iterator>

namespace fluorite::driver::compiled_test {
namespace {

class Compiled : public testing::Test {
  protected:
    Var x{"x"}, y{"y"};
    ImageParam in{Float(32), 2, "in"};
    Param<int> offset{"offset"};
    Func f{"f"};
    Pipeline pipeline;
    const Target target = get_jit_target_from_environment();

    void SetUp() override {
        f(x, y) = in(x, y) + cast<float>(offset);
        pipeline = Pipeline(f);
    }
    std::shared_ptr<const CompiledPipeline> code() { return compiled_for(*pipeline.contents(), target, {}); }
    static std::string contents_of(const std::string &path) {
        std::ifstream file(path);
        return {std::istreambuf_iterator<char>(file), {}};
    }
};

TEST_F(Compiled, ValuesAndBuffersMakeNoNewCode) {
    const auto first = code();
    offset.set(3);
    in.set(Buffer<float>(4, 4));
    f.realize({4, 4});
    EXPECT_EQ(code(), first);
    EXPECT_EQ(code()->code->code_size(), first->code->code_size());
}

TEST_F(Compiled, EachPromiseAndEachEditMakesNewCode) {
    const std::pair<const char *, std::function<void()>> changes[] = {
        {"the least value", [&] { offset.set_min_value(-5); }},
        {"the greatest value", [&] { offset.set_max_value(5); }},
        {"a min", [&] { in.dim(0).set_min(0); }},
        {"an extent", [&] { in.dim(1).set_extent(8); }},
        {"a stride", [&] { in.dim(1).set_stride(64); }},
        {"the alignment of an input", [&] { in.set_host_alignment(64); }},
        {"the alignment of the output", [&] { f.output_buffer().set_host_alignment(32); }},
        {"an output's min", [&] { f.output_buffer().dim(0).set_min(0); }},
        {"a requirement", [&] { pipeline.add_requirement(offset < 4); }},
        {"another requirement", [&] { pipeline.add_requirement(offset > -4); }},
        {"traces", [&] { pipeline.trace_pipeline(); }},
        {"a schedule", [&] { f.vectorize(x, 4); }},
    };
    std::vector<std::shared_ptr<const CompiledPipeline>> seen = {code()};
    for (const auto &[what, change] : changes) {
        change();
        const auto now = code();
        EXPECT_EQ(std::count(seen.begin(), seen.end(), now), 0) << what;
        EXPECT_EQ(code(), now) << what;
        seen.push_back(now);
    }
}

TEST_F(Compiled, TheCacheHasOneTarget) {
    const auto first = code();
    const auto plain = compiled_for(*pipeline.contents(), target.with_feature(Target::NoAsserts), {});
    EXPECT_NE(plain, first);
    EXPECT_TRUE(plain->target.has_feature(Target::JIT));
    EXPECT_NE(code(), first);
    EXPECT_FALSE(code()->target.has_feature(Target::NoAsserts));
}

TEST_F(Compiled, OutputsSayHowTheirMemoryLies) {
    Func g("g"), h("h");
    g(x, y) = {cast<uint8_t>(x), cast<int16_t>(y)};
    g.reorder_storage(y, x);
    h(x) = x;
    h.output_buffer().dim(0).set_stride(3);
    const auto made = compiled_for(*Pipeline({g, h}).contents(), target, {});
    ASSERT_EQ(made->outputs.size(), 3U);
    EXPECT_EQ(made->outputs[1].name, "g");
    EXPECT_EQ(made->outputs[1].type, Int(16));
    EXPECT_EQ(made->outputs[1].dimensions, 2);
    EXPECT_EQ(made->outputs[0].storage_order, (std::vector<int>{1, 0}));
    EXPECT_FALSE(made->outputs[1].has_strides);
    EXPECT_TRUE(made->outputs[2].has_strides);
    EXPECT_EQ(function_name(*Pipeline({g, h}).contents()), "g_h");
    Func odd("odd name.f");
    odd(x) = 2 * x;
    EXPECT_EQ(function_name(*Pipeline(odd).contents()), "odd_name_f");
}

TEST_F(Compiled, ArgumentsAreBuffersThenScalarsByName) {
    ImageParam before(UInt(8), 1, "before");
    Param<double> zoom("zoom"), alpha("alpha");
    const Buffer<float> table(4);
    Func g("g");
    g(x, y) = f(x, y) * cast<float>(zoom) + cast<float>(alpha) + before(x) + table(x % 4);
    std::string names;
    for (const Argument &argument : g.infer_arguments()) {
        names += argument.name + (argument.is_buffer() ? "() " : " ");
    }
    EXPECT_EQ(names, "before() in() alpha offset zoom ");
}

TEST_F(Compiled, HeadersDeclareWhatCCalls) {
    ImageParam odd(UInt(16), 1, "a.b");
    Param<float16_t> half("half");
    Param<bool> flag("flag");
    Param<int8_t> small("int");
    Param<double> wide("wide");
    Func g("g");
    g(x) = Tuple(cast<float>(odd(x)) + cast<float>(half), cast<double>(select(flag, cast<double>(small), wide)));
    g.compile_to_header("filter.h", {odd, half, flag, small, wide}, "filter");
    const std::string text = contents_of("filter.h");
    const size_t guard = text.find("FLUORITE_filter_h_");
    ASSERT_EQ(guard, std::string("#ifndef ").size()) << text;
    const std::string macro = text.substr(guard, text.find('\n') - guard);
    EXPECT_EQ(text, "#ifndef " + macro + "\n#define " + macro + R"(

#include <stdbool.h>
#include <stdint.h>
#ifdef __has_include
#if __has_include("fluorite/runtime_abi.h")
#include "fluorite/runtime_abi.h"
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

struct halide_buffer_t;
struct halide_filter_metadata_t;

/* Returns 0, or an error code of fluorite/runtime_abi.h. */
int filter(struct halide_buffer_t *_a_b_buffer, uint16_t _half, bool _flag, int8_t _int, double _wide, struct halide_buffer_t *_g_0_buffer, struct halide_buffer_t *_g_1_buffer);
/* The same with each argument behind a pointer: buffers as they are, scalars by address. */
int filter_argv(void **args);
const struct halide_filter_metadata_t *filter_metadata(void);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif
)");
}

TEST_F(Compiled, StatementsAreTextOrPages) {
    Func g("g");
    g(x) = select(x < 3, x, 0) & 7;
    const Target plain("x86-64-linux-no_asserts-no_bounds_query");
    g.compile_to_lowered_stmt("g.txt", {}, Text, plain);
    g.compile_to_lowered_stmt("g.html", {}, HTML, plain);
    EXPECT_EQ(contents_of("g.txt"), R"(func g(g@{f0 d0}: output int32[1]) {
  let g.s0.x.min@bound{f0 s0 d0}:int32 = g->min[0]
  let g.s0.x.max@bound{f0 s0 d0 max}:int32 = g->extent[0] + g->min[0] + -1
  produce g {
    for g.s0.x@{f0 s0 d0} in [g.s0.x.min, +g.s0.x.max - g.s0.x.min + 1) {
      g[cast<int64>(g.s0.x - g->min[0])] = select(g.s0.x < 3, g.s0.x, 0) & 7
    }
  }
}
)");
    const std::string page = contents_of("g.html");
    const std::string head = "<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\"><title>g</title><style>";
    EXPECT_EQ(page.substr(0, head.size()), head);
    EXPECT_EQ(page.substr(page.find("</head>")), R"(</head>
<body><pre><details open><summary>func g(g@{f0 d0}: output int32[1]) {</summary>  let g.s0.x.min@bound{f0 s0 d0}:int32 = g-&gt;min[0]
  let g.s0.x.max@bound{f0 s0 d0 max}:int32 = g-&gt;extent[0] + g-&gt;min[0] + -1
<details open><summary>  produce g {</summary><details open><summary>    for g.s0.x@{f0 s0 d0} in [g.s0.x.min, +g.s0.x.max - g.s0.x.min + 1) {</summary>      g[cast&lt;int64&gt;(g.s0.x - g-&gt;min[0])] = select(g.s0.x &lt; 3, g.s0.x, 0) &amp; 7
    }</details>  }</details>}</details></pre></body></html>
)");
}

} // namespace
} // namespace fluorite::driver::compiled_test
