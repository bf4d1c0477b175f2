// Errors carry the location of the user's call, whatever finds them: the exact text, the slug and the line.
#include "driver/test_back_end.h"
#include "fluorite/fluorite.h"
#include "fluorite/image_io.h"
#include "support/test_errors.h"

#include <functional>
#include <gtest/gtest.h>
#include <string>

namespace fluorite::places_test {
namespace {

// The call has the line of the lambda.
#define EXPECT_REFUSED(Kind, call, slug, message)                                                                      \
    expect_error<Kind>([&] { call; }, slug, message, {"places_test", __LINE__})

class Places : public testing::Test {
  protected:
    Var x{"x"}, y{"y"};
    Func f{"f"}, g{"g"};
};

TEST_F(Places, UndefinedFuncs) {
    const std::string text =
        "in f: it is run but has no definition; a Func is defined before it is run; define it first";
    Buffer<int> out(4);
    EXPECT_REFUSED(CompileError, f.realize({4}), "undefined-func", text);
    EXPECT_REFUSED(CompileError, f.realize(4, 4), "undefined-func", text);
    EXPECT_REFUSED(CompileError, f.realize(out), "undefined-func", text);
    EXPECT_REFUSED(CompileError, f.compile_jit(), "undefined-func", text);
    EXPECT_REFUSED(CompileError, f.print_loop_nest(), "undefined-func", text);
    EXPECT_REFUSED(CompileError, f.explain_bounds(), "undefined-func", text);
    EXPECT_REFUSED(CompileError, f.infer_arguments(), "undefined-func", text);
    EXPECT_REFUSED(CompileError, f.compile_to_file("undefined", {}), "undefined-func", text);
    EXPECT_REFUSED(CompileError, f.compile_to_callable({}), "undefined-func", text);
    EXPECT_REFUSED(
        CompileError, f.value(), "undefined-func",
        "in f: it is asked for its definition but has none; a Func is defined before it is looked at; define it first");
    EXPECT_REFUSED(CompileError, f.output_buffer(), "undefined-func",
                   "in f: its output buffer is asked for but it has no definition; a buffer has the type and rank of a "
                   "definition; define it first, or declare them, as in Func f(UInt(8), 2, \"f\")");
}

TEST_F(Places, PipelinesWithoutOutputs) {
    Pipeline none;
    const std::string text = "in a Pipeline: it has no outputs; a Pipeline has one or more; give Funcs";
    EXPECT_REFUSED(CompileError, none.realize({4}), "no-outputs", text);
    EXPECT_REFUSED(CompileError, none.loop_nest(), "no-outputs", text);
    EXPECT_REFUSED(CompileError, none.explain_schedule(), "no-outputs", text);
    EXPECT_REFUSED(CompileError, none.trace_pipeline(), "no-outputs", text);
    EXPECT_REFUSED(CompileError, none.compile_to_object("none.o", {}), "no-outputs", text);
    EXPECT_REFUSED(
        CompileError, none.get_func(0), "no-outputs",
        "in a Pipeline: Func 0 is asked for; it has 0, numbered from 0, each behind those that it calls; ask for "
        "one of them");
}

TEST_F(Places, Ranks) {
    EXPECT_REFUSED(RuntimeError, run_on_ranks(100000, [] {}), "bad-distribution",
                   "in a distributed pipeline: 100000 ranks are to be threads of this process; 4096 at most run; use "
                   "fewer, or processes of an MPI library");
}

TEST_F(Places, CallsOfBuffers) {
    Buffer<int> image(4, 4, "image"), undefined;
    EXPECT_REFUSED(CompileError, image(x), "wrong-arity",
                   "in image: it is called with 1 coordinate; it has 2 dimensions; give one coordinate for each "
                   "dimension, or _ for the remaining ones");
    EXPECT_REFUSED(CompileError, image(x, y * 0.5f), "non-integer-coordinate",
                   "in image: coordinate 1 has type float32; coordinates are integers; cast it, as in cast<int>(e)");
    EXPECT_REFUSED(
        CompileError, undefined(x), "undefined-input",
        "in an undefined Buffer: it is read in an expression; a Buffer has memory when it is used; allocate it first");
    EXPECT_REFUSED(
        CompileError, Func{undefined}, "undefined-input",
        "in an undefined Buffer: it is read in an expression; a Buffer has memory when it is used; allocate it first");
}

TEST_F(Places, Targets) {
    SKIP_IN_EXECUTOR("every target runs");
    const auto names = [](const std::function<void()> &run, unsigned line) {
        try {
            run();
            ADD_FAILURE() << "line " << line << " is accepted";
        } catch (const CompileError &error) {
            EXPECT_EQ(error.slug(), "bad-target");
            EXPECT_EQ(error.location().line, line) << error.what();
            EXPECT_NE(std::string(error.location().file).find("places_test"), std::string::npos) << error.what();
        }
    };
    f(x) = x;
    names([] { Target("x86-64-lnux"); }, __LINE__);
    names([] { Target(std::string("host-avx3")); }, __LINE__);
    names([&] { f.realize({4}, Target("host-vulkan")); }, __LINE__);
    names([&] { f.compile_jit(Target("arm-32-linux")); }, __LINE__);
    names([&] { f.compile_to_object("a.o", {}, "f", Target("x86-32-linux")); }, __LINE__);
}

TEST_F(Places, SizesOfBuffers) {
    EXPECT_REFUSED(RuntimeError, Buffer<int>(4, -4), "negative-extent",
                   "in a Buffer: the extent of dimension 1 is -4; an extent is 0 or more; pass a size of 0 or more");
    EXPECT_REFUSED(RuntimeError, Buffer<>(Int(32), -1, "b"), "negative-extent",
                   "in b: the extent of dimension 0 is -1; an extent is 0 or more; pass a size of 0 or more");
    EXPECT_REFUSED(
        RuntimeError, Buffer<int>(1 << 30, 1 << 30, 2), "buffer-too-large",
        "in a Buffer: the stride of dimension 2 would be 1152921504606846976 elements; strides are 32-bit; use "
        "smaller inner extents");
    EXPECT_REFUSED(
        RuntimeError, Buffer<int>({4, 4}, std::vector<int>{1}), "bad-dimension",
        "in a Buffer: the storage order is {1}; the buffer has 2 dimensions, and an order names each of them "
        "once; list them from innermost to outermost");
    EXPECT_REFUSED(RuntimeError, Buffer<int>({4, 4}, std::vector<int>{0, 0}), "bad-dimension",
                   "in a Buffer: the storage order is {0, 0}; the buffer has 2 dimensions, and an order names each of "
                   "them once; list them from innermost to outermost");
    Buffer<int> flat(4, 4);
    EXPECT_REFUSED(RuntimeError, flat.set_min(1, 2, 3), "bad-dimension",
                   "in a Buffer: dimension 2 is named; the buffer has 2; use 0 to 1");
}

TEST_F(Places, Realizations) {
    f(x) = Tuple(x, x + 1);
    g(x) = x;
    const Realization two = f.realize({4});
    EXPECT_REFUSED(
        RuntimeError, Buffer<int> b = f.realize({4}), "realization-size",
        "in a Realization: it has 2 buffers; only a Realization of one converts to a Buffer; index it, r[0]");
    EXPECT_REFUSED(RuntimeError, Buffer<int> b = two[2], "realization-size",
                   "in a Realization: buffer 2 is named; it has 2, numbered from 0; name one of them");
    EXPECT_REFUSED(
        RuntimeError, Buffer<int> b = Realization(), "realization-size",
        "in a Realization: it has 0 buffers; only a Realization of one converts to a Buffer; index it, r[0]");
    EXPECT_REFUSED(
        RuntimeError, Buffer<float> b = g.realize({4}), "wrong-buffer-type",
        "in g: the buffer has elements of type int32; a buffer of float32 was asked for; use the type that it "
        "has");
    Buffer<int, 2> flat;
    EXPECT_REFUSED(RuntimeError, flat = g.realize({4}), "wrong-buffer-rank",
                   "in g: the buffer has 1 dimensions; 2 were asked for; slice or embed it first");
    const Buffer<int> right = g.realize({4});
    EXPECT_EQ(right(3), 3);
}

TEST_F(Places, UndefinedOutputs) {
    Buffer<int> none, some(4);
    f(x) = Tuple(x, x);
    g(x) = x;
    EXPECT_REFUSED(RuntimeError, g.realize(none), "undefined-buffer",
                   "in a run: output buffer 0 is undefined; a run writes into memory that there is; give the buffer a "
                   "size, or realize by sizes");
    EXPECT_REFUSED(RuntimeError, f.realize({some, none}), "undefined-buffer",
                   "in a run: output buffer 1 is undefined; a run writes into memory that there is; give the buffer a "
                   "size, or realize by sizes");
}

TEST_F(Places, Files) {
    Param<int> p("p");
    f(x) = x + p;
    const std::string rule = "; its folder must exist and be writable; give another path";
    EXPECT_REFUSED(CompileError, f.compile_to_object("no/such/f.o", {p}), "cannot-write",
                   "in f: cannot write the file 'no/such/f.o'" + rule);
    EXPECT_REFUSED(CompileError, f.compile_to_file("no/such/f", {p}), "cannot-write",
                   "in f: cannot write the file 'no/such/f.o'" + rule);
    EXPECT_REFUSED(CompileError, f.compile_to_header("no/such/f.h", {p}), "cannot-write",
                   "in a Pipeline: cannot write the file 'no/such/f.h'" + rule);
    EXPECT_REFUSED(CompileError, f.compile_to_assembly("no/such/f.s", {p}), "cannot-write",
                   "in f: cannot write the file 'no/such/f.s'" + rule);
    EXPECT_REFUSED(CompileError, f.compile_to_lowered_stmt("no/such/f.stmt", {p}), "cannot-write",
                   "in a Pipeline: cannot write the file 'no/such/f.stmt'" + rule);
    EXPECT_REFUSED(
        CompileError, f.compile_to_object("f.o", {}), "missing-argument",
        "in f: input 'p' is not among the arguments; a compiled function takes every input that it reads; add "
        "it, or pass infer_arguments()");
    EXPECT_REFUSED(CompileError, f.compile_to_c("no/such/f.c", {p}), "cannot-write",
                   "in f: cannot write the file 'no/such/f.c'" + rule);
}

TEST_F(Places, Callables) {
    f(x) = x;
    Buffer<int> out(4);
    const Callable call = f.compile_to_callable({});
    EXPECT_REFUSED(RuntimeError, call(), "wrong-arity",
                   "in f: its Callable is given 0 arguments; it takes 0 inputs and 1 outputs; pass them in that order");
    EXPECT_REFUSED(RuntimeError, call(out, out), "wrong-arity",
                   "in f: its Callable is given 2 arguments; it takes 0 inputs and 1 outputs; pass them in that order");
    EXPECT_REFUSED(
        RuntimeError, call(3), "value-type",
        "in f: argument 0 of its Callable is a scalar of type int32; the pipeline takes a buffer there; pass "
        "one");
    EXPECT_REFUSED(
        RuntimeError, Callable()(out), "undefined-func",
        "in a Callable: it is called but was never compiled; a Callable comes from compile_to_callable; assign "
        "one");
    EXPECT_EQ(call(out), 0);
    Param<int> p("p");
    Buffer<int> none;
    JITUserContext context;
    g(x) = x + p;
    const Callable with_number = g.compile_to_callable({p});
    const std::string undefined =
        "in a Buffer: the buffer is undefined; only a default-constructed buffer is; give it a size or assign another "
        "buffer first";
    EXPECT_REFUSED(RuntimeError, with_number(3, none), "undefined-buffer", undefined);
    EXPECT_REFUSED(RuntimeError, with_number(&context, 3, none), "undefined-buffer", undefined);
    EXPECT_EQ(with_number(3, Callable::Value(out)), 0);
}

TEST_F(Places, PromisesOfBuffers) {
    f(x) = x;
    OutputImageParam out = f.output_buffer();
    ImageParam in(Int(32), 1, "in");
    const std::string extent = " with extent -5; an extent is 0 or more; pass min and extent, not min and max";
    EXPECT_REFUSED(CompileError, out.dim(0).set_extent(-5), "bound-negative-extent", "in f: set_extent" + extent);
    EXPECT_REFUSED(CompileError, out.dim(0).set_bounds(0, -5), "bound-negative-extent", "in f: set_extent" + extent);
    EXPECT_REFUSED(CompileError, in.dim(0).set_estimate(0, -5), "bound-negative-extent",
                   "in in: set_extent_estimate" + extent);
    EXPECT_REFUSED(CompileError, in.set_extent(0, -5), "bound-negative-extent", "in in: set_extent" + extent);
    EXPECT_REFUSED(CompileError, in.dim(0).set_stride(x), "directive-value",
                   "in an expression, set_stride: a number that uses the variable x is given; numbers of directives "
                   "are known before the loops run; use numbers, Params and the sizes of buffers");
}

TEST_F(Places, ConvertedImages) {
    Buffer<uint8_t> image(4, 4);
    EXPECT_REFUSED(
        RuntimeError, convert_image(image, Int(32, 4)), "image-unsupported",
        "in convert_image(): the elements are of type uint8 and are asked for as int32x4; numbers of 8 to 64 "
        "bits are converted; choose one of these types");
}

TEST_F(Places, Operands) {
    const Expr none, wide = cast<int>(x), narrow = cast<uint8_t>(x);
    EXPECT_REFUSED(
        CompileError, print(none, "x"), "undefined-operand",
        "in an expression, print: an operand is an undefined Expr; operands have a value; initialize the Expr "
        "before it is used");
    const std::string undefined =
        ": an operand is an undefined Expr; operands have a value; initialize the Expr before "
        "it is used";
    EXPECT_REFUSED(CompileError, print(x, none), "undefined-operand", "in an expression, print" + undefined);
    EXPECT_REFUSED(CompileError, print_when(x > 2, none), "undefined-operand",
                   "in an expression, print_when" + undefined);
    EXPECT_REFUSED(CompileError, require(x > 2, none), "undefined-operand", "in an expression, require" + undefined);
    EXPECT_REFUSED(CompileError, require(x > 2, x, none), "undefined-operand", "in an expression, require" + undefined);
    EXPECT_REFUSED(CompileError, require(none, x), "undefined-operand", "in an expression, require" + undefined);
    EXPECT_REFUSED(
        CompileError, require(x, x, "text"), "not-a-condition",
        "in an expression, require: an operand has type int32; a condition is a bool; compare it, as in value "
        "!= 0");
    EXPECT_REFUSED(
        CompileError, random_int(x * 1.5f), "not-an-integer",
        "in an expression, random: an operand has type float32; this works on integers; cast it to an integer "
        "type");
    EXPECT_REFUSED(
        CompileError, clamp(narrow, wide, wide), "clamp-limit-type",
        "in an expression, clamp: the lower limit has type int32 and the clamped value uint8; every value of a "
        "limit is one of the clamped type; cast the limit or the value");
    EXPECT_REFUSED(CompileError, min(none, none), "undefined-operand",
                   "in an expression, min: an operand is an undefined Expr; operands have a value; initialize the Expr "
                   "before it is used");
    EXPECT_REFUSED(CompileError, select(x > 2, Tuple(x, x), Tuple(x, x, x)), "tuple-size",
                   "in an expression, select: Tuples of 2, 2 and 3 elements; a select chooses element by element; give "
                   "Tuples of one size");
    const Tuple pair(x, x);
    EXPECT_REFUSED(CompileError, pair[2], "tuple-size",
                   "in a Tuple: element 2 is named; it has 2; elements are numbered from 0; name one of them");
}

TEST_F(Places, ReductionDomains) {
    RDom r(0, 4, 0, 4, "r"), none;
    RVar loose("loose");
    f(x) = 0;
    EXPECT_REFUSED(CompileError, f(x) += r.z, "rdom-rank",
                   "in RDom r: dimension 2 is named; it has 2; name one of its dimensions");
    EXPECT_REFUSED(CompileError, f(x) += r[5], "rdom-rank",
                   "in RDom r: dimension 5 is named; it has 2; name one of its dimensions");
    EXPECT_REFUSED(CompileError, f(x) += r, "rdom-rank",
                   "in RDom r: it is used as one variable but has 2 dimensions; only an RDom of one dimension is a "
                   "variable; name the dimension, as in r.x");
    EXPECT_REFUSED(CompileError, f(x) += none, "rdom-rank",
                   "in an undefined RDom: it is used as a variable; an RDom has dimensions where it is used; give it "
                   "ranges, as in RDom(0, 10)");
    EXPECT_REFUSED(
        CompileError, f(x) += loose, "rvar-without-domain",
        "in RVar loose: it is used as a value but belongs to no RDom; only RVars of an RDom have values (others "
        "name loops); use the x, y, z, w or [i] of an RDom");
}

TEST_F(Places, UpdatesThatThereAreNot) {
    f(x) = x;
    for (const int index : {-1, 0, 3}) {
        EXPECT_REFUSED(CompileError, f.update(index), "no-such-update",
                       "in f: update " + std::to_string(index) +
                           " is named; it has 0 updates, numbered from 0; name one of them");
    }
}

TEST_F(Places, Requirements) {
    f(x) = x;
    Pipeline pipeline(f);
    EXPECT_REFUSED(CompileError, pipeline.add_requirement(x > 3), "undefined-variable",
                   "a requirement of the pipeline uses the variable x; it is checked once, before any loop runs; use "
                   "Params and sizes of inputs, or call require() in a definition");
}

} // namespace
} // namespace fluorite::places_test
