// The exact texts of the errors of a run.

#include "interpret/test_graph.h"

#include "fluorite/errors.h"

#include <gtest/gtest.h>

namespace fluorite::interpret::errors_test {
namespace {

using namespace test;

/// The message of the RuntimeError that the function throws.
template <typename Function> std::string error_of(const Function &function) {
    try {
        function();
    } catch (const RuntimeError &error) {
        return error.what();
    }
    return "no error";
}

std::string error_of_point(const TestGraph &g, const std::vector<int32_t> &point) {
    return error_of([&] { evaluate_point(g.graph, 0, point); });
}

TEST(InterpretErrors, ReadsOutsideOfAnInput) {
    TestBuffer<uint8_t> in({-2, 3}, {5, 4});
    TestGraph g;
    const Var x("x"), y("y");
    const RVar r("r", 0, 3);
    const size_t input = g.input("photo", in);
    const size_t f = g.func("f", {x, y}, {i32(0)});
    const Expr value = ir::make_cast(Int(32), g.image(input, {x, ir::add(y, r)}));
    g.update(f, {x, y}, {ir::add(g.call(f, {x, y}), value)}, {r});
    g.graph.funcs[f].stages[1].location.file = "user.cpp";
    g.graph.funcs[f].stages[1].location.line = 12;
    EXPECT_EQ(error_of_point(g, {2, 4}), "no error");
    EXPECT_EQ(
        error_of_point(g, {2, 5}),
        "user.cpp:12: in f, stage 1: it reads photo at 7 along dimension 1, but photo holds [3, 6] there; an input "
        "must hold every coordinate that is read; pass a larger photo, realize a smaller output, or give photo a "
        "boundary condition [input-too-small]");
    EXPECT_NE(error_of_point(g, {-3, 4}).find("photo at -3 along dimension 0"), std::string::npos);
}

TEST(InterpretErrors, InputsThatDoNotFit) {
    TestBuffer<uint8_t> in({4});
    TestBuffer<float> other({4});
    TestBuffer<uint8_t> flat({2, 2});
    TestGraph g;
    const Var x("x");
    const size_t input = g.input("in", in);
    g.func("f", {x}, {g.image(input, {x})});
    ir::Parameter &parameter = *g.graph.inputs[input].parameter;
    parameter.buffer = nullptr;
    EXPECT_EQ(error_of_point(g, {0}),
              "in in: no buffer is bound; every ImageParam needs one before a run; call set(buffer), or "
              "infer_input_bounds [unset-image-param]");
    parameter.buffer = other.raw();
    EXPECT_EQ(error_of_point(g, {0}),
              "in in: the buffer has elements of type float32; the pipeline was compiled for uint8; "
              "pass a buffer of uint8, or compile the pipeline for float32 [wrong-buffer-type]");
    parameter.buffer = flat.raw();
    EXPECT_EQ(error_of_point(g, {0}),
              "in in: the buffer has 2 dimensions; the pipeline was compiled for 1; slice or embed "
              "the buffer to 1 dimension [wrong-buffer-rank]");
    parameter.buffer = in.raw();
    in.raw()->host = nullptr;
    EXPECT_EQ(error_of_point(g, {0}),
              "in in: the buffer has no host memory; code that runs on the host reads and writes host memory; allocate "
              "the buffer before the call [host-is-null]");
}

TEST(InterpretErrors, Parameters) {
    TestGraph g;
    ir::Parameter *gain = g.param("gain", Int(32));
    g.graph.params[0].min_value = i32(-3);
    g.graph.params[0].max_value = i32(8);
    g.func("f", {}, {g.param_value(gain)});
    EXPECT_EQ(error_of_point(g, {}),
              "in gain: it has no value; every Param needs one before a run; call set(value) [unset-param]");
    set_param<int32_t>(gain, -4);
    EXPECT_EQ(error_of_point(g, {}),
              "in gain: the parameter is -4; its range starts at -3; pass a value of -3 or more [param-too-small]");
    set_param<int32_t>(gain, 9);
    EXPECT_EQ(error_of_point(g, {}),
              "in gain: the parameter is 9; its range ends at 8; pass a value of 8 or less [param-too-large]");
    set_param<int32_t>(gain, 8);
    EXPECT_EQ(error_of_point(g, {}), "no error");
}

Expr require(const Expr &condition, const Expr &value, const std::vector<Expr> &parts) {
    std::vector<Expr> args = {condition, value, ir::make_string("the condition")};
    args.insert(args.end(), parts.begin(), parts.end());
    return ir::ExprNode::create(ir::ExprKind::Require, value.type(), args);
}

TEST(InterpretErrors, Requirements) {
    TestGraph g;
    const Var x("x");
    g.func("f", {x},
           {require(ir::less(x, i32(5)), ir::mul(x, i32(2)),
                    {ir::make_string("x is "), x, ir::make_string(" and "), ir::make_cast(Float(16), x),
                     ir::make_cast(Float(64), x)})});
    EXPECT_EQ(evaluate_point(g.graph, 0, {4})[0], 8U);
    EXPECT_EQ(
        error_of_point(g, {7}),
        "in f, stage 0: x is 7 and 7.0000007.000000e+00; require(the condition) must hold for every point that is "
        "computed; pass inputs and parameters that meet it [requirement-failed]");

    TestGraph entry;
    ir::Parameter *size = entry.param("size", Int(32));
    set_param<int32_t>(size, 3);
    entry.func("f", {}, {i32(1)});
    const Expr even = ir::equals(ir::mod(entry.param_value(size), i32(2)), i32(0));
    entry.graph.requirements = {require(even, ir::make_int(Int(32), 0), {})};
    EXPECT_NE(error_of_point(entry, {}).find("in the pipeline: the condition is false; require("), std::string::npos);
    set_param<int32_t>(size, 4);
    EXPECT_EQ(error_of_point(entry, {}), "no error");
}

TEST(InterpretErrors, TheValueOfAFailedRequirementIsNotNeeded) {
    TestBuffer<int32_t> in({4});
    TestGraph g;
    const Var x("x");
    const size_t input = g.input("in", in);
    g.func("f", {x}, {require(ir::less(x, i32(4)), g.image(input, {x}), {})});
    EXPECT_NE(error_of_point(g, {4}).find("[requirement-failed]"), std::string::npos);
}

TEST(InterpretErrors, Externs) {
    TestGraph g;
    const Var x("x");
    g.func("f", {x}, {ir::make_extern(Int(32), "no_such_function", std::vector<Expr>{x})});
    EXPECT_EQ(
        error_of_point(g, {1}),
        "in no_such_function: the program has no C function of this name; every extern function must be known to the "
        "process or given to the interpreter; link it, export it, or pass its address [missing-extern]");
    TestGraph wide;
    wide.func("f", {x}, {ir::make_extern(Int(32), "abs", std::vector<Expr>{ir::make_cast(Float(16), x)})});
    EXPECT_EQ(error_of_point(wide, {1}), "in abs: the C function is called with 1 arguments for a int32; the "
                                         "interpreter passes integers, bools, float32, "
                                         "float64 and pointers; cast 16-bit floats to float32 [extern-signature]");
}

TEST(InterpretErrors, Destinations) {
    TestGraph g;
    const Var x("x");
    g.func("f", {x}, {x});
    TestBuffer<int32_t> out({4});
    TestBuffer<float> wrong({4});
    TestBuffer<int32_t> flat({2, 2});
    const auto run = [&](fluorite_buffer_t *buffer) {
        return error_of([&] { evaluate(g.graph, 0, {{2}, {3}}, {buffer}); });
    };
    EXPECT_EQ(run(nullptr),
              "in f: the buffer argument is null; every buffer argument must point at a buffer; pass a buffer, "
              "or one without host memory to ask for its bounds [buffer-is-null]");
    EXPECT_EQ(run(wrong.raw()),
              "in f: the buffer has elements of type float32; the pipeline was compiled for int32; pass a "
              "buffer of int32, or compile the pipeline for float32 [wrong-buffer-type]");
    EXPECT_EQ(run(flat.raw()), "in f: the buffer has 2 dimensions; the pipeline was compiled for 1; slice or embed the "
                               "buffer to 1 dimension [wrong-buffer-rank]");
    EXPECT_EQ(run(out.raw()),
              "in f: the pipeline writes f over [2, 4] along dimension 0, which the buffer does not hold; an "
              "output must hold every coordinate that is written; pass a larger output "
              "[output-too-small]");
}

// ---- Print.

// A long chain continues on another stack (machine.cpp): its errors come back from there.
TEST(InterpretErrors, ComeFromTheEndsOfLongChains) {
    TestGraph g;
    const Var x("x");
    size_t last = g.func("deepest", {x}, {require(ir::less(x, i32(5)), x, {})});
    for (int i = 0; i < 2500; i++) {
        last = g.func("f" + std::to_string(i), {x}, {g.call(last, {x})});
    }
    EXPECT_EQ(evaluate_point(g.graph, 0, {4})[0], 4U);
    EXPECT_NE(error_of_point(g, {5}).find("in deepest, stage 0: the condition is false"), std::string::npos);
    EXPECT_EQ(evaluate_point(g.graph, 0, {3})[0], 3U);
}

std::string printed;

TEST(InterpretPrint, PrintsWhereTheConditionHolds) {
    TestGraph g;
    const Var x("x");
    const Expr condition = ir::equals(ir::mod(x, i32(2)), i32(0));
    const Expr parts[] = {condition,
                          ir::mul(x, i32(3)),
                          ir::make_string("even "),
                          x,
                          ir::make_string(" "),
                          ir::make_cast(Float(32), x),
                          ir::make_string("\n")};
    g.func("f", {x}, {ir::ExprNode::create(ir::ExprKind::Print, Int(32), parts)});
    printed.clear();
    const fluorite_print_t old = fluorite_set_custom_print([](void *, const char *text) { printed += text; });
    TestBuffer<int32_t> out({4});
    g.run(out);
    fluorite_set_custom_print(old);
    EXPECT_EQ(printed, "even 0 0.000000\neven 2 2.000000\n");
    EXPECT_EQ(out.data, (std::vector<int32_t>{0, 3, 6, 9}));
}

} // namespace
} // namespace fluorite::interpret::errors_test
