// Calls of C functions of all signatures, and the effects of extern functions in a pipeline.

#include "interpret/extern_call.h"

#include "interpret/test_graph.h"

#include <bit>
#include <gtest/gtest.h>

extern "C" {
int32_t interpret_test_add8(int8_t a, uint16_t b, int32_t c, int64_t d, uint8_t e, int16_t f, uint32_t g, int64_t h) {
    return static_cast<int32_t>(a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * static_cast<int64_t>(g) + 8 * h);
}
double interpret_test_mixed(float a, int32_t b, double c, bool d, float e, uint8_t f, double g, int64_t h) {
    return static_cast<double>(a) + 2 * b + 3 * c + (d ? 4 : 0) + 5 * static_cast<double>(e) + 6 * f + 7 * g +
           8 * static_cast<double>(h);
}
float interpret_test_half(float x) { return x / 2; }
bool interpret_test_is_odd(int32_t x) { return (x & 1) != 0; }
int8_t interpret_test_negate(int8_t x) { return static_cast<int8_t>(-x); }
uint32_t interpret_test_answer(void) { return 0xFFFFFFF0U; }
const char *interpret_test_name(const char *name) { return name + 1; }
double interpret_test_sum24(int32_t a, double b, int32_t c, double d, int32_t e, double f, int32_t g, double h,
                            int32_t i, double j, int32_t k, double l, int32_t m, double n, int32_t o, double p,
                            int32_t q, double r, int32_t s, double t, int32_t u, double v, int32_t w, double x) {
    return a + b + c + d + e + f + g + h + i + j + k + l + m + n + o + p + q + r + s + t + u + v + w + x;
}
int32_t interpret_test_throws(int32_t x) { throw std::runtime_error("thrown at " + std::to_string(x)); }
}

namespace fluorite::interpret::extern_call_test {
namespace {

using namespace test;

template <typename T> Cell cell(T value) { return find_loader(type_of<T>())(&value); }

TEST(ExternCall, IntegersOfAllWidths) {
    const std::vector<Type> types = {Int(8), UInt(16), Int(32), Int(64), UInt(8), Int(16), UInt(32), Int(64)};
    const Cell arguments[] = {cell<int8_t>(-5),   cell<uint16_t>(60000), cell<int32_t>(-7),   cell<int64_t>(9),
                              cell<uint8_t>(200), cell<int16_t>(-300),   cell<uint32_t>(100), cell<int64_t>(-11)};
    const Cell result =
        call_extern(CFunction(reinterpret_cast<void *>(interpret_test_add8), types, Int(32)), arguments);
    EXPECT_EQ(static_cast<int64_t>(result), interpret_test_add8(-5, 60000, -7, 9, 200, -300, 100, -11));
}

TEST(ExternCall, IntegersAndFloatsMixed) {
    const std::vector<Type> types = {Float(32), Int(32), Float(64), Bool(), Float(32), UInt(8), Float(64), Int(64)};
    const Cell arguments[] = {cell(1.5F),  cell<int32_t>(-2),  cell(3.25), 1,
                              cell(-4.0F), cell<uint8_t>(250), cell(1e10), cell<int64_t>(-6)};
    const Cell result =
        call_extern(CFunction(reinterpret_cast<void *>(interpret_test_mixed), types, Float(64)), arguments);
    EXPECT_EQ(std::bit_cast<double>(result), interpret_test_mixed(1.5F, -2, 3.25, true, -4.0F, 250, 1e10, -6));
}

TEST(ExternCall, ResultsOfAllKinds) {
    const Cell three = cell(3.0F), five = cell<int32_t>(5), minimum = cell<int8_t>(-100);
    EXPECT_EQ(call_extern(CFunction(reinterpret_cast<void *>(interpret_test_half), {Float(32)}, Float(32)), &three),
              cell(1.5F));
    EXPECT_EQ(call_extern(CFunction(reinterpret_cast<void *>(interpret_test_is_odd), {Int(32)}, Bool()), &five), 1U);
    EXPECT_EQ(call_extern(CFunction(reinterpret_cast<void *>(interpret_test_negate), {Int(8)}, Int(8)), &minimum),
              100U);
    EXPECT_EQ(call_extern(CFunction(reinterpret_cast<void *>(interpret_test_answer), {}, UInt(32)), nullptr),
              0xFFFFFFF0U);
    const Cell text = reinterpret_cast<Cell>("xabc");
    const Cell result =
        call_extern(CFunction(reinterpret_cast<void *>(interpret_test_name), {Handle()}, Handle()), &text);
    EXPECT_STREQ(reinterpret_cast<const char *>(result), "abc");
}

TEST(ExternCall, MoreArgumentsThanRegisters) {
    std::vector<Type> types;
    std::vector<Cell> arguments;
    for (int i = 0; i < 12; i++) {
        types.insert(types.end(), {Int(32), Float(64)});
        arguments.insert(arguments.end(), {cell<int32_t>(i), cell(i * 0.5)});
    }
    const Cell result =
        call_extern(CFunction(reinterpret_cast<void *>(interpret_test_sum24), types, Float(64)), arguments.data());
    EXPECT_EQ(std::bit_cast<double>(result), 66 * 1.5);
}

TEST(ExternCall, WhatCannotBeCalled) {
    EXPECT_FALSE(is_callable({Float(16)}, Int(32)));
    EXPECT_FALSE(is_callable({}, BFloat(16)));
    EXPECT_FALSE(is_callable({Int(32, 4)}, Int(32)));
    EXPECT_TRUE(is_callable(std::vector<Type>(30, Float(32)), Bool()));
}

TEST(ExternCall, InAPipeline) {
    TestGraph g;
    const Var x("x");
    const Expr value = ir::make_cast(Float(32), x);
    g.func("f", {x}, {ir::make_extern(Float(32), "interpret_test_half", std::vector<Expr>{value})});
    Interpreter interpreter(g.graph, {{"interpret_test_half", reinterpret_cast<void *>(interpret_test_half)}});
    EXPECT_EQ(interpreter.evaluate_point(0, {7})[0], cell(3.5F));
}

TEST(ExternCall, ProcessAndRuntimeFunctionsAreFound) {
    TestGraph g;
    const Var x("x");
    const std::vector<Expr> args = {ir::make_cast(Float(32), x)};
    g.func("f", {x},
           {ir::make_extern(Float(32), "cbrtf", args), ir::make_extern(Float(32), "fluorite_sqrt_f32", args)});
    EXPECT_EQ(evaluate_point(g.graph, 0, {27})[0], cell(3.0F));
    EXPECT_EQ(evaluate_point(g.graph, 0, {25})[1], cell(5.0F));
}

TEST(ExternCall, ExceptionsPass) {
    TestGraph g;
    const Var x("x");
    g.func("f", {x}, {ir::make_extern(Int(32), "throws", std::vector<Expr>{x})});
    Interpreter interpreter(g.graph, {{"throws", reinterpret_cast<void *>(interpret_test_throws)}});
    try {
        interpreter.evaluate_point(0, {3});
        FAIL();
    } catch (const std::runtime_error &error) {
        EXPECT_STREQ(error.what(), "thrown at 3");
    }
}

} // namespace
} // namespace fluorite::interpret::extern_call_test
