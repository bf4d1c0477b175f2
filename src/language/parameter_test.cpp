// What Parameter and Param<> refuse, and what the handles of one input share.

#include "fluorite/fluorite.h"
#include "ir/parameter.h"
#include "support/test_errors.h"

#include <gtest/gtest.h>

namespace fluorite::language::parameter_test {
namespace {

TEST(Parameter, AnUndefinedOneHasNothing) {
    const Parameter none;
    EXPECT_FALSE(none.defined());
    EXPECT_FALSE(none.has_scalar_value());
    expect_error([&] { none.type(); }, "parameter-kind",
                 "in an undefined Parameter: its type is asked for; an input has a kind and a type; construct it as "
                 "Parameter(type, is_buffer, dimensions)",
                 {"parameter_test.cpp", __LINE__ - 3});
    expect_error([&] { ImageParam image(none); }, "parameter-kind",
                 "in an undefined Parameter: its kind is asked for; an input has a kind and a type; construct it as "
                 "Parameter(type, is_buffer, dimensions)");
}

TEST(Parameter, ScalarsAndBuffersHaveFunctionsOfTheirOwn) {
    Parameter scalar(Int(32), false, 0, "n"), buffer(UInt(8), true, 2, "in");
    expect_error([&] { scalar.buffer(); }, "parameter-kind",
                 "in n: its buffer is asked for, and it is a scalar; only buffers have one; use the function for "
                 "scalars");
    expect_error([&] { buffer.set_scalar<uint8_t>(1); }, "parameter-kind",
                 "in in: its value is set, and it is a buffer; only scalars have one; use the function for buffers");
    expect_error([&] { buffer.set_min_value(1); }, "parameter-kind",
                 "in in: its least value is set, and it is a buffer; only scalars have one; use the function for "
                 "buffers");
    expect_error([&] { Param<> as_scalar(buffer); }, "parameter-kind",
                 "in in: it is used as a Param, and it is a buffer; a Param is a scalar; use ImageParam(parameter)");
    expect_error([&] { ImageParam as_image(scalar); }, "parameter-kind",
                 "in n: it is used as an ImageParam, and it is a scalar; an ImageParam is a buffer; use "
                 "Param<>(parameter)");
    expect_error([] { Parameter(Int(32), false, 2, "n"); }, "parameter-kind",
                 "in n: a scalar is given 2 dimensions; only buffers have some; give it 0, or make it a buffer");
    EXPECT_THROW(Parameter(Int(13), false, 0), CompileError);
    EXPECT_THROW(Parameter(UInt(8), true, -1), CompileError);
    EXPECT_THROW(buffer.min_constraint(2), CompileError);
}

TEST(Parameter, ConvertsNothing) {
    Parameter n(UInt(16), false, 0, "n");
    expect_error([&] { n.set_scalar(5); }, "parameter-kind",
                 "in n: its value is set as int32, and its type is uint16; a Parameter converts nothing; use its type");
    n.set_scalar<uint16_t>(5);
    expect_error([&] { n.scalar<float>(); }, "parameter-kind",
                 "in n: its value is asked for as float32, and its type is uint16; a Parameter converts nothing; use "
                 "its type");
    expect_error([&] { Param<int> typed{Param<>(n)}; }, "parameter-kind",
                 "in n: it is used as a Param of type int32, and its type is uint16; a handle converts nothing; use "
                 "its type, or a Param<>");
    expect_error([&] { n.set_default_value(Var("x") + 1); }, "parameter-kind",
                 "in n: its default value is to be x + 1; metadata have numbers; give a constant");
    Parameter pointer(Handle(), false, 0, "p");
    pointer.set_scalar<void *>(nullptr);
    expect_error([&] { pointer.scalar_expr(); }, "parameter-kind",
                 "in p: its value is asked for as an Expr, and it is a pointer; expressions have no constant pointers; "
                 "use scalar<void *>()");
    Param<> number(n), address(pointer);
    EXPECT_THROW(number.set(static_cast<void *>(nullptr)), CompileError);
    EXPECT_THROW(address.set(1), CompileError);
    int here = 0;
    address.set(&here);
    EXPECT_EQ(pointer.scalar<void *>(), &here);
}

TEST(Parameter, AValueThatWasNotSet) {
    const Parameter n(Float(32), false, 0, "n");
    expect_error<RuntimeError>([&] { n.scalar<float>(); }, "unset-param",
                               "in n: its value is asked for; it has none before set_scalar() is called; set one");
}

/// Of each type: the value in a run, as bits, as a constant and as a limit.
template <typename T> void shares(T value) {
    Param<T> typed("t");
    Param<> dynamic = typed;
    Parameter bare = dynamic.parameter();
    bare.set_scalar<T>(value);
    EXPECT_EQ(typed.get(), value);
    dynamic.set(value);
    EXPECT_TRUE(ir::equal(bare.scalar_expr(), Expr(value))) << bare.scalar_expr();
    dynamic.set_estimate(value);
    EXPECT_TRUE(ir::equal(typed.get_estimate(), Expr(value)));
    EXPECT_TRUE(ir::equal(static_cast<Expr>(typed), static_cast<Expr>(dynamic)));
    EXPECT_EQ(typed.parameter().contents().get(), bare.contents().get());
}

TEST(Parameter, HandlesOfOneInputShareAllOfIt) {
    shares<bool>(true);
    shares<int8_t>(-128);
    shares<uint8_t>(255);
    shares<int16_t>(-32768);
    shares<uint16_t>(65535);
    shares<int32_t>(-2147483647);
    shares<uint32_t>(4294967295U);
    shares<int64_t>(int64_t{1} << 62);
    shares<uint64_t>(~uint64_t{0});
    shares<float16_t>(float16_t(1.5F));
    shares<bfloat16_t>(bfloat16_t(-2.0F));
    shares<float>(0.1F);
    shares<double>(1e-300);
}

TEST(Parameter, EstimatesOfArguments) {
    Param<int> n("n", 4, 0, 9);
    n.set_estimate(7);
    ArgumentEstimates estimates = Argument(n).argument_estimates;
    EXPECT_TRUE(ir::equal(estimates.scalar_def, Expr(4)) && ir::equal(estimates.scalar_min, Expr(0)) &&
                ir::equal(estimates.scalar_max, Expr(9)) && ir::equal(estimates.scalar_estimate, Expr(7)));
    n.parameter().set_default_value(5); // comes before the current value
    EXPECT_TRUE(ir::equal(n.parameter().get_argument_estimates().scalar_def, Expr(5)));
    EXPECT_NE(Argument(n), Argument("n", Argument::InputScalar, Int(32), 0, estimates));
    estimates.scalar_def = Expr(5);
    EXPECT_EQ(Argument(n), Argument("n", Argument::InputScalar, Int(32), 0, estimates));

    ImageParam image(Float(32), 2, "image");
    EXPECT_TRUE(Argument(image).argument_estimates.buffer_estimates.empty());
    image.dim(1).set_estimate(-1, 8);
    const Region region = Argument(image).argument_estimates.buffer_estimates;
    ASSERT_EQ(region.size(), 2U);
    EXPECT_FALSE(region[0].min.defined());
    EXPECT_TRUE(ir::equal(region[1].min, Expr(-1)) && ir::equal(region[1].extent, Expr(8)));
    image.dim(0).set_bounds(3, n); // a constant that is promised is the estimate, too
    image.dim(1).set_extent(9);
    const Region promised = Argument(image).argument_estimates.buffer_estimates;
    EXPECT_TRUE(ir::equal(promised[0].min, Expr(3)) && ir::equal(image.dim(0).min_estimate(), Expr(3)));
    EXPECT_FALSE(promised[0].extent.defined() || image.dim(0).extent_estimate().defined());
    EXPECT_TRUE(ir::equal(promised[1].extent, Expr(8)) && ir::equal(image.dim(1).extent_estimate(), Expr(8)));
}

TEST(Parameter, StagesInCTakeThem) {
    Parameter n(Int(32), false, 0, "n"), image(UInt(8), true, 3, "image");
    const ExternFuncArgument value(n), buffer(image);
    EXPECT_TRUE(value.is_expr() && value.defined() && !value.is_buffer());
    EXPECT_TRUE(buffer.is_image_param() && buffer.image_param.same_as(image));
    EXPECT_TRUE(ExternFuncArgument(Func("f")).is_func() && ExternFuncArgument(Buffer<int>(2)).is_buffer());
    EXPECT_FALSE(ExternFuncArgument().defined());
    EXPECT_EQ(value.operands(0).size(), 1U);
    EXPECT_EQ(buffer.operands(4).size(), 1U);
    EXPECT_TRUE(ExternFuncArgument().operands(0).empty());
}

TEST(TargetQueries, RefuseNumbersThatAreNone) {
    expect_error([] { target_has_feature(static_cast<Target::Feature>(5000)); }, "no-such-value",
                 "in target.has_feature: the number 5000 is given, which no enumerator has; use one of Target's names");
    expect_error([] { target_arch_is(static_cast<Target::Arch>(-1)); }, "no-such-value",
                 "in target.arch_is: the number -1 is given, which no enumerator has; use one of Target's names");
}

TEST(FuncRef, EquivalentCalls) {
    Var x("x"), y("y");
    Func f("f"), g("g");
    f(x, y) = x + y;
    g(x, y) = x - y;
    EXPECT_TRUE(f(x + 1, y).equivalent_to(f(x + 1, y)));
    EXPECT_FALSE(f(x + 1, y).equivalent_to(f(x + 2, y)));
    EXPECT_FALSE(f(x, y).equivalent_to(g(x, y)));
    f.split(x, x, Var("xi"), 8);
    EXPECT_EQ(Stage(f).dump_argument_list(), "Vars: xi x y __outermost\n");
}

} // namespace
} // namespace fluorite::language::parameter_test
