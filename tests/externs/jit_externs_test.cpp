// Pipelines whose extern functions are given when they run as they are compiled.

#include "fluorite/fluorite.h"
#include "support/test_errors.h"

#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <sstream>
#include <string>

namespace fluorite::jit_externs_test {
namespace {

FLUORITE_EXTERN_2(int, jit_externs_test_pair, int, uint8_t)

int sum(int a, uint8_t b) { return a + b; }
int product(int a, uint8_t b) { return a * b; }

/// f(x) = in(x) * factor, for a run of another pipeline.
struct Scaled {
    Var x{"x"};
    ImageParam in{Int(32), 1, "in"};
    Param<int> factor{"factor"};
    Func scaled{"scaled"};
    Pipeline pipeline;
    Scaled() {
        scaled(x) = in(x)*factor + in(x + 1);
        pipeline = Pipeline(scaled);
    }
};

/// out(x) = stage(x), which an extern function of this name and these arguments computes from source(x) = 10 x.
struct Reader {
    Var x{"x"};
    Func source{"source"}, stage{"stage"}, out{"out"};
    Pipeline pipeline;
    explicit Reader(const std::vector<ExternFuncArgument> &more, const std::string &name = "stage_of_test") {
        source(x) = 10 * x;
        std::vector<ExternFuncArgument> arguments{source};
        arguments.insert(arguments.end(), more.begin(), more.end());
        stage.define_extern(name, arguments, Int(32), {x});
        out(x) = stage(x);
        source.compute_root();
        stage.compute_root();
        pipeline = Pipeline(out);
    }
};

TEST(JitExterns, TheLastOnesAreCalled) {
    Var x("x");
    Func f("f");
    f(x) = jit_externs_test_pair(x, cast<uint8_t>(x + 2));
    f.vectorize(x, 4).parallel(x);
    f.set_jit_externs({{"jit_externs_test_pair", JITExtern(sum)}});
    EXPECT_EQ((Buffer<int>(f.realize({9}))(5)), 12);
    f.set_jit_externs({{"jit_externs_test_pair", JITExtern(product)}});
    EXPECT_EQ((Buffer<int>(f.realize({9}))(5)), 35);
    EXPECT_EQ(f.get_jit_externs().count("jit_externs_test_pair"), 1U);
}

TEST(JitExterns, APipelineIsCompiledAgainWhenItChanges) {
    Scaled inner;
    Reader outer({Expr(3)});
    outer.pipeline.set_jit_externs({{"stage_of_test", JITExtern(inner.pipeline)}});
    const Buffer<int> first = outer.pipeline.realize({7});
    inner.scaled(inner.x) += 1000;
    const Buffer<int> second = outer.pipeline.realize({7});
    for (int i = 0; i < 7; i++) {
        EXPECT_EQ(first(i), 30 * i + 10 * (i + 1)) << i;
        EXPECT_EQ(second(i), first(i) + 1000) << i;
    }
}

TEST(JitExterns, APipelineIsComputedInLoops) {
    Scaled inner;
    Reader outer({Expr(2)});
    Var xo("xo"), xi("xi");
    outer.out.split(outer.x, xo, xi, 8).parallel(xo);
    outer.stage.compute_at(outer.out, xo);
    outer.source.compute_at(outer.out, xo);
    outer.pipeline.set_jit_externs({{"stage_of_test", JITExtern(inner.pipeline)}});
    const Buffer<int> result = outer.pipeline.realize({61});
    for (int i = 0; i < 61; i++) {
        EXPECT_EQ(result(i), 20 * i + 10 * (i + 1)) << i;
    }
}

struct Context : JITUserContext {
    std::string printed;
};

TEST(JitExterns, HandlersOfTheRunAreThoseOfThePipelineThatItCalls) {
    Scaled inner;
    inner.scaled(inner.x) = print(inner.scaled(inner.x), "seen");
    Reader outer({Expr(1), user_context_value()});
    outer.pipeline.set_jit_externs({{"stage_of_test", JITExtern(inner.pipeline)}});
    Context context;
    context.handlers.custom_print = [](JITUserContext *own, const char *text) {
        static_cast<Context *>(own)->printed += text;
    };
    outer.pipeline.realize(&context, {2});
    EXPECT_EQ(context.printed, "10 seen\n30 seen\n");
}

TEST(JitExterns, AFailureOfThePipelineEndsTheRun) {
    Scaled inner;
    inner.pipeline.add_requirement(inner.factor < 5, std::vector<Expr>{Expr("the factor is too large")});
    Reader outer({Expr(7)});
    outer.pipeline.set_jit_externs({{"stage_of_test", JITExtern(inner.pipeline)}});
    EXPECT_THROW(outer.pipeline.realize({4}), RuntimeError);
}

TEST(JitExterns, FunctionObjectsKeepThem) {
    Callable callable;
    {
        Scaled inner;
        Reader outer({Expr(4)});
        outer.pipeline.set_jit_externs({{"stage_of_test", JITExtern(inner.pipeline)}});
        callable = outer.pipeline.compile_to_callable({});
    }
    Buffer<int> out(5);
    EXPECT_EQ(callable(out), 0);
    EXPECT_EQ(out(3), 160);
}

TEST(JitExterns, RefusesOtherTypesThanThoseOfTheCall) {
    Var x("x");
    Func f("f");
    f(x) = jit_externs_test_pair(x, cast<uint8_t>(1));
    f.set_jit_externs({{"jit_externs_test_pair", JITExtern(static_cast<float (*)(int)>([](int) { return 0.0F; }))}});
    expect_error([&] { f.realize({3}); }, "jit-extern",
                 "in f: the extern function 'jit_externs_test_pair' is called as int32 (*)(int32, uint8), and "
                 "set_jit_externs gives float32 (*)(int32); the types of both are the same; give a function of the "
                 "types of the call");
    Scaled inner;
    Reader outer({}); // without the factor
    outer.pipeline.set_jit_externs({{"stage_of_test", JITExtern(inner.pipeline)}});
    expect_error([&] { outer.pipeline.realize({3}); }, "jit-extern",
                 "in out: the extern function 'stage_of_test' is called as int32 (*)(handle, handle), and "
                 "set_jit_externs gives int32 (*)(handle, int32, handle); the types of both are the same; give a "
                 "function of the types of the call");
}

TEST(JitExterns, RefusesWhatCannotBeCalled) {
    Scaled first, second;
    expect_error([&] { first.pipeline.set_jit_externs({{"none", JITExtern(ExternCFunction())}}); }, "jit-extern",
                 "in scaled: the extern function 'none' is an undefined pipeline or a null address; it is called when "
                 "the pipeline runs; give a function");
    const std::string cycle = "in scaled: an extern function of the pipeline is the pipeline itself, or calls it; a "
                              "pipeline is computed from others; give another one";
    expect_error([&] { first.pipeline.set_jit_externs({{"self", JITExtern(first.pipeline)}}); }, "jit-extern", cycle);
    first.pipeline.set_jit_externs({{"other", JITExtern(second.pipeline)}});
    expect_error([&] { second.pipeline.set_jit_externs({{"other", JITExtern(first.pipeline)}}); }, "jit-extern", cycle);
    EXPECT_TRUE(second.pipeline.get_jit_externs().empty());
}

TEST(JitExterns, Signatures) {
    std::ostringstream text;
    text << ExternSignature(sum) << " " << ExternSignature(Type(), true, {Handle(), Float(64)});
    EXPECT_EQ(text.str(), "int32 (*)(int32, uint8) void (*)(handle, float64)");
    expect_error([] { ExternSignature(Int(32), true, {}); }, "jit-extern",
                 "in an ExternSignature: the function returns nothing, and int32 is given for its result; a result has "
                 "one type or none; give Type() or false");
    expect_error([] { ExternSignature(Type(), true, {}).ret_type(); }, "jit-extern",
                 "in an ExternSignature: the type of its result is asked for, and the function returns nothing; ask "
                 "is_void_return() first");
}

} // namespace
} // namespace fluorite::jit_externs_test
