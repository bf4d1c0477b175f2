// What propagate_adjoints refuses, and what it answers of what the output does not depend on.
#include "tests/derivative/gradients.h"

#include "fluorite/extern_functions.h"
#include "fluorite/iterate.h"
#include "language/test_support.h"

extern "C" double derivative_test_unknown(double x) { return x; }
extern "C" int derivative_test_stage(fluorite_buffer_t *, fluorite_buffer_t *) { return 0; }

FLUORITE_EXTERN_1(double, derivative_test_unknown, double)

namespace fluorite::refusals_test {
namespace {

using language::expect_compile_error;

const Var x("x"), y("y");

TEST(DerivativeRefusals, AdjointsThatDoNotFit) {
    Func f("f"), g("g"), h("h"), undefined("undefined");
    f(x, y) = cast<float>(x) * 2;
    g(x) = cast<float>(x);
    h(x, y) = cast<double>(x);
    const Region two = {{0, 4}, {0, 4}};
    expect_compile_error(
        "derivative-adjoint",
        "in f: its adjoint is a Func without definition; the adjoint of an output has its "
        "dimensions, types and bounds; give one that fits",
        [&] { propagate_adjoints(f, undefined, two); }, __LINE__);
    expect_compile_error(
        "derivative-adjoint",
        "in f: it has 2 dimensions, and its adjoint 1; the adjoint of an output has its dimensions, "
        "types and bounds; give one that fits",
        [&] { propagate_adjoints(f, g, two); }, __LINE__);
    expect_compile_error(
        "derivative-adjoint",
        "in f: it has 2 dimensions, and bounds are given for 1; the adjoint of an output has its "
        "dimensions, types and bounds; give one that fits",
        [&] { propagate_adjoints(f, f, {{0, 4}}); }, __LINE__);
    expect_compile_error(
        "derivative-adjoint",
        "in f: its adjoint has the values float64 in place of float32; the adjoint of an output has "
        "its dimensions, types and bounds; give one that fits",
        [&] { propagate_adjoints(f, h, two); }, __LINE__);
    expect_compile_error(
        "derivative-adjoint",
        "in f: its bounds have an undefined side; the adjoint of an output has its dimensions, types "
        "and bounds; give one that fits",
        [&] { propagate_adjoints(f, f, {{0, 4}, {Expr(), 4}}); }, __LINE__);
    expect_compile_error(
        "derivative-adjoint",
        "in f: its bounds have types int32 and float32; the adjoint of an output has its dimensions, types and bounds; "
        "give one that fits",
        [&] { propagate_adjoints(f, f, {{0, 4}, {0, 4.0f}}); }, __LINE__);
    expect_compile_error(
        "derivative-adjoint",
        "in f: its bounds have an extent of -1; the adjoint of an output has its dimensions, types and bounds; give "
        "one "
        "that fits",
        [&] { propagate_adjoints(f, f, {{0, 4}, {0, -1}}); }, __LINE__);
}

TEST(DerivativeRefusals, EmptyRegions) {
    const Buffer<double> a = numbers<double>({5}, 1);
    Func f("f"), ones("ones");
    f(x) = a(x) * a(x);
    ones(x) = cast<double>(1);
    const Derivative d = propagate_adjoints(f, ones, {{2, 0}});
    const Buffer<double> seen = interpreted<double>(d(a), {5}), of_f = interpreted<double>(d(f), {5});
    for (int i = 0; i < 5; i++) {
        EXPECT_EQ(seen(i), 0);
        EXPECT_EQ(of_f(i), 0);
    }
}

TEST(DerivativeRefusals, OutputsWithoutFloats) {
    Func f("f"), undefined("undefined");
    f(x) = x;
    expect_compile_error(
        "derivative-integer",
        "in f: it is differentiated and has values of type int32; only floats have derivatives; cast "
        "the values to a float where they are computed",
        [&] { propagate_adjoints(f); }, __LINE__);
    expect_compile_error(
        "undefined-func",
        "in undefined: it is differentiated but has no definition; derivatives are those of "
        "definitions; define it first",
        [&] { propagate_adjoints(undefined); }, __LINE__);
}

TEST(DerivativeRefusals, CFunctions) {
    const Buffer<double> a = numbers<double>({5}, 1);
    Func f("f");
    f(x) = derivative_test_unknown(a(x));
    expect_compile_error(
        "no-derivative",
        "in f, stage 0: the C function derivative_test_unknown is called with a value that has an "
        "adjoint; nothing is known of what a C function computes; give its derivatives in "
        "DerivativeOptions::externs",
        [&] { propagate_adjoints(f); }, __LINE__);
    DerivativeOptions options;
    options.externs["derivative_test_unknown"] = [](const std::vector<Expr> &, const Expr &) {
        return std::vector<Expr>();
    };
    expect_compile_error(
        "no-derivative",
        "in f, stage 0: the rule for the C function derivative_test_unknown gives 0 derivatives; it "
        "has 1 operands; give one for each, undefined where it is 0",
        [&] { propagate_adjoints(f, options); }, __LINE__);
}

TEST(DerivativeRefusals, ExternStages) {
    const Buffer<double> a = numbers<double>({5}, 1);
    Func source("source"), stage("stage"), f("f");
    source(x) = a(x) * 2;
    stage.define_extern("derivative_test_stage", {source}, Float(64), 1);
    f(x) = stage(x) * stage(x);
    expect_compile_error(
        "no-derivative",
        "in stage, stage 0: the C function derivative_test_stage computes it from other values; "
        "nothing is known of what a C function computes; name it in DerivativeOptions::inputs, and "
        "propagate from there by a function of your own",
        [&] { propagate_adjoints(f); }, __LINE__);
    DerivativeOptions options;
    options.inputs = {stage};
    const Derivative d = propagate_adjoints(f, options);
    EXPECT_TRUE(d(stage).defined());
    EXPECT_FALSE(d(source).defined());
}

TEST(DerivativeRefusals, RandomFactors) {
    const Buffer<double> a = numbers<double>({5}, 1);
    Func f("f");
    f(x) = random_float() * a(x);
    expect_compile_error(
        "no-derivative",
        "in f, stage 0: its derivative depends on a random number; another Func that asks for it "
        "gets another one; let a Func of its own have the random numbers, and read that",
        [&] { propagate_adjoints(f); }, __LINE__);
    Func noise("noise"), g("g");
    noise(x) = random_float();
    g(x) = noise(x) * a(x);
    EXPECT_TRUE(propagate_adjoints(g)(a).defined());
}

TEST(DerivativeRefusals, ResultsOfIterations) {
    Func initial("initial"), f("f");
    initial(x) = cast<double>(x);
    const Iterated result = iterate(3, {{0, 9}}, initial, [&](const IterationStep &state) {
        Func next("next");
        next(x) = state.field(0)(clamp(x, 0, 8)) * 2;
        return next;
    });
    f(x) = result(x) * 3;
    expect_compile_error(
        "no-derivative",
        "in next_iterated, stage 0: it reads the result of iterate(), and adjoints are not propagated through its "
        "steps, as all of them would have to be kept; write the steps as Funcs, one after the other",
        [&] { propagate_adjoints(f); }, __LINE__);
}

TEST(DerivativeRefusals, UnboundedCoordinates) {
    const Buffer<double> a = numbers<double>({5}, 1);
    const Buffer<int> index(5);
    Func g("g"), f("f");
    g(x) = a(clamp(x, 0, 4)) * 2;
    f(x) = g(index(x));
    expect_compile_error(
        "derivative-bounds",
        "in f, stage 0: it reads or updates g in dimension 0 at a coordinate of unknown range; the "
        "adjoint of g is computed over the box that is read; clamp the coordinate",
        [&] { propagate_adjoints(f); }, __LINE__);
}

TEST(DerivativeRefusals, UpdatesThatDoNotExist) {
    const Buffer<double> a = numbers<double>({5}, 1);
    Func f("f");
    f(x) = a(x);
    f(x) *= 2;
    const Derivative d = propagate_adjoints(f);
    expect_compile_error(
        "no-such-update",
        "in f: the adjoint of update 1 is asked for; it has 1 updates, numbered from 0, and -1 is the "
        "pure definition; name one of them",
        [&] { d(f, 1); }, __LINE__);
}

TEST(DerivativeRefusals, WhatTheOutputDoesNotDependOn) {
    const Buffer<double> a = numbers<double>({5}, 1), unused = numbers<double>({5}, 2);
    const Buffer<int> index(5);
    ImageParam in(Float(64), 1, "in");
    Param<double> gain("gain"), other("other");
    Func f("f"), by_index("by_index"), elsewhere("elsewhere");
    by_index(x) = cast<double>(index(x)) + cast<double>(cast<int>(a(x)));
    elsewhere(x) = a(x);
    f(x) = by_index(x) * gain + in(x);
    const Derivative d = propagate_adjoints(f);
    EXPECT_FALSE(d(unused).defined());
    EXPECT_FALSE(d(index).defined());
    EXPECT_FALSE(d(a).defined());
    EXPECT_FALSE(d(elsewhere).defined());
    EXPECT_FALSE(d(other).defined());
    EXPECT_TRUE(d(by_index).defined());
    EXPECT_TRUE(d(gain).defined() && d(gain).dimensions() == 0);
    EXPECT_TRUE(d("gain").same_as(d(gain)));
    EXPECT_TRUE(d("in").same_as(d(in)));
    EXPECT_TRUE(d("by_index").same_as(d(by_index)));
    EXPECT_FALSE(d("nothing").defined());
}

TEST(DerivativeRefusals, AdjointsOfEachStage) {
    const Buffer<double> a = numbers<double>({5}, 1);
    Func f("f");
    f(x) = a(x);
    f(x) = f(x) * f(x);
    f(2) = a(0);
    const Derivative d = propagate_adjoints(f, numbers<double>({5}, 2));
    const Buffer<double> last = interpreted<double>(d(f, 1), {5}), middle = interpreted<double>(d(f, 0), {5}),
                         first = interpreted<double>(d(f), {5}), weights = numbers<double>({5}, 2);
    for (int i = 0; i < 5; i++) {
        EXPECT_EQ(last(i), weights(i));
        EXPECT_EQ(middle(i), i == 2 ? 0 : weights(i));
        EXPECT_EQ(first(i), i == 2 ? 0 : weights(i) * a(i) + weights(i) * a(i));
    }
    Func g("g");
    g(x) = a(x);
    g(x) = a(4 - x);
    EXPECT_EQ(interpreted<double>(propagate_adjoints(g, numbers<double>({5}, 2))(g), {5})(1), 0);
}

} // namespace
} // namespace fluorite::refusals_test
