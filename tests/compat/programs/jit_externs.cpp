// Extern functions that are given when a pipeline runs as it is compiled: C functions by their addresses, and
// pipelines.

#include "Halide.h"

#include <cstdio>
#include <map>
#include <sstream>
#include <string>

using namespace Halide;

// Nothing in the process has these names; set_jit_externs says what they are.
HalideExtern_1(int, jit_externs_twice, int);
HalideExtern_2(float, jit_externs_mix, float, uint8_t);
HalideExtern_1(double, jit_externs_root, double);

namespace {

int failures = 0;

void check(bool holds, const char *what) {
    if (!holds) {
        std::printf("jit_externs: %s\n", what);
        failures++;
    }
}

int calls = 0;
int twice(int v) {
    calls++;
    return 2 * v;
}
int thrice(int v) { return 3 * v; }
float mix(float a, uint8_t b) { return a * 0.5f + b; }
double root(double v) { return v * v * 0.25; }

void functions() {
    Func f("f");
    Var x("x"), y("y");
    f(x, y) = jit_externs_mix(cast<float>(jit_externs_twice(x)), cast<uint8_t>(y)) +
              cast<float>(jit_externs_root(cast<double>(x)));
    Pipeline p(f);
    check(p.get_jit_externs().empty(), "a pipeline has none at first");
    const std::map<std::string, JITExtern> externs = {{"jit_externs_twice", JITExtern(twice)},
                                                      {"jit_externs_mix", JITExtern(ExternCFunction(mix))},
                                                      {"jit_externs_root", JITExtern(root)}};
    p.set_jit_externs(externs);
    check(p.get_jit_externs().size() == 3, "they are kept");
    Buffer<float> out = p.realize({6, 5});
    for (int j = 0; j < 5; j++) {
        for (int i = 0; i < 6; i++) {
            check(out(i, j) == float(i) + j + 0.25f * i * i, "values of functions");
        }
    }
    check(calls > 0, "the function is called");

    // Another function under the same name: the next run calls it.
    std::map<std::string, JITExtern> others = externs;
    others.erase("jit_externs_twice");
    others.emplace("jit_externs_twice", JITExtern(thrice));
    p.set_jit_externs(others);
    Buffer<float> second = p.realize({6, 5});
    check(second(4, 2) == 0.5f * 12 + 2 + 4, "the function is replaced");
}

void function_objects() {
    Func f("f");
    Var x("x");
    Param<int> offset("offset");
    f(x) = jit_externs_twice(x + offset);
    Pipeline p(f);
    p.set_jit_externs({{"jit_externs_twice", JITExtern(twice)}});
    Callable c = p.compile_to_callable({offset});
    Buffer<int> out(7);
    check(c(10, out) == 0 && out(3) == 26, "a Callable calls them");
}

void signatures() {
    const ExternSignature of_function(mix);
    check(of_function.ret_type() == Float(32) && !of_function.is_void_return() && of_function.arg_types().size() == 2 &&
              of_function.arg_types()[0] == Float(32) && of_function.arg_types()[1] == UInt(8),
          "the types of a function");
    std::ostringstream text;
    text << of_function << " " << ExternSignature(Type(), true, {Int(16)});
    check(text.str() == "float32 (*)(float32, uint8) void (*)(int16)", text.str().c_str());
    const ExternCFunction function(twice), by_parts((void *)twice, ExternSignature(Int(32), false, {Int(32)}));
    check(function.address() == (void *)twice && by_parts.address() == function.address() &&
              by_parts.signature().ret_type() == Int(32),
          "a function and its types");
    check(ExternCFunction().address() == nullptr, "no function");
    Func g("g");
    g() = 1;
    check(JITExtern(twice).extern_c_function().address() == (void *)twice && JITExtern(g).pipeline().defined() &&
              !JITExtern(twice).pipeline().defined(),
          "what a JITExtern is");
}

/// A Func that another pipeline computes, from a Func and a number. Halide wants the context after the inputs.
void pipelines() {
    Var x("x"), y("y");
    ImageParam in(Int(32), 2, "a_in");
    Param<int> factor("b_factor");
    Func blur("blur");
    blur(x, y) = factor * (in(x - 1, y) + in(x, y) + in(x + 1, y));
    Pipeline inner(blur);

    Func source("source"), stage("stage"), result("result");
    source(x, y) = x + 10 * y;
    stage.define_extern("jit_externs_stage", {source, Expr(3), user_context_value()}, Int(32), {x, y});
    result(x, y) = stage(x, y) + stage(x, y + 1);
    source.compute_root();
    stage.compute_root();
    Pipeline p(result);
    p.set_jit_externs({{"jit_externs_stage", JITExtern(inner)}});
    Buffer<int> out = p.realize({9, 6});
    for (int j = 0; j < 6; j++) {
        for (int i = 0; i < 9; i++) {
            check(out(i, j) == 3 * (3 * (i + 10 * j)) + 3 * (3 * (i + 10 * (j + 1))), "values of a pipeline");
        }
    }
}

/// One that has extern functions of its own, and several values.
void nested() {
    Var x("x");
    ImageParam in(UInt(8), 1, "in");
    Func pair("pair");
    pair(x) = Tuple(cast<int16_t>(in(x)) - 5, jit_externs_twice(cast<int>(in(x))));
    Pipeline inner(pair);
    inner.set_jit_externs({{"jit_externs_twice", JITExtern(thrice)}});

    Func source("source"), stage("stage"), result("result");
    source(x) = cast<uint8_t>(x * 2);
    stage.define_extern("jit_externs_pair", {source, user_context_value()}, {Int(16), Int(32)}, {x});
    result(x) = stage(x)[0] + stage(x)[1];
    source.compute_root();
    stage.compute_root();
    Pipeline p(result);
    p.set_jit_externs({{"jit_externs_pair", JITExtern(inner)}});
    Buffer<int> out = p.realize({8});
    for (int i = 0; i < 8; i++) {
        check(out(i) == 2 * i - 5 + 6 * i, "values of a pipeline with functions of its own");
    }
}

} // namespace

int main() {
    functions();
    function_objects();
    signatures();
    pipelines();
    nested();
    if (failures == 0) {
        std::printf("jit_externs: done\n");
    }
    return failures;
}
