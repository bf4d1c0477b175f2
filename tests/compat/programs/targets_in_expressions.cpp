// Expressions that ask for the target, types and their codes, calls that are compared, and schedulers of the program.

#include "Halide.h"

#include <cstdio>
#include <string>

using namespace Halide;

namespace {

int failures = 0;

void check(bool holds, const char *what) {
    if (!holds) {
        std::printf("targets_in_expressions: %s\n", what);
        failures++;
    }
}

int number_for(const Expr &value, const Target &target) {
    Func f;
    f() = cast<int>(value);
    const Buffer<int> result = f.realize({}, target);
    return result();
}

void target_queries() {
    const Target target = get_host_target();
    check(number_for(target_bits(), target) == target.bits, "the bits of the target");
    check(number_for(target_arch_is(target.arch), target) == 1 &&
              number_for(target_arch_is(target.arch == Target::X86 ? Target::ARM : Target::X86), target) == 0,
          "the architecture");
    check(number_for(target_os_is(target.os), target) == 1 && number_for(target_os_is(Target::IOS), target) == 0,
          "the operating system");
    check(number_for(target_has_feature(Target::NoAsserts), target) == 0 &&
              number_for(target_has_feature(Target::NoAsserts), target.with_feature(Target::NoAsserts)) == 1,
          "a feature, of each target that one Func is compiled for");
    check(number_for(target_natural_vector_size<float>(), target) == target.natural_vector_size<float>() &&
              number_for(target_natural_vector_size(UInt(8)), target) == target.natural_vector_size(UInt(8)),
          "the lanes of a vector");

    Func f;
    Var x;
    f(x) = select(target_has_feature(Target::NoAsserts), x, -x) + target_bits();
    const Buffer<int> result = f.realize({5}, target);
    check(result(3) == target.bits - 3, "within a definition");
}

void types() {
    const Type type = Int(16, 4);
    const halide_type_t as_abi = type;
    check(as_abi.code == halide_type_int && as_abi.bits == 16 && as_abi.lanes == 4, "a type in the form of the ABI");
    check(Type(as_abi) == type && type == as_abi && !(type != as_abi), "and back");
    check(Type(halide_type_float, 32, 1) == Float(32) && Type(Type::BFloat, 16, 1) == BFloat(16), "a type of a code");
    const halide_type_code_t code = UInt(8).code();
    check(code == halide_type_uint && code == Type::UInt && Handle().code() == Type::Handle, "the code of a type");
    int kind = 0;
    switch (Float(64).code()) {
    case halide_type_int:
    case halide_type_uint:
        kind = 1;
        break;
    case Type::Float:
        kind = 2;
        break;
    default:
        kind = 3;
    }
    check(kind == 2, "a switch over codes");
    check(Int(32).with_code(halide_type_uint) == UInt(32), "a type of another code");
    check(Int(8).can_overflow_int() && !Int(32).can_overflow_int() && UInt(64).can_overflow() &&
              !Float(32).can_overflow(),
          "where sums wrap");
    check(type_to_c_type(Int(32), false) == "int32_t" && type_to_c_type(UInt(1), true) == "bool " &&
              type_to_c_type(Float(64), false) == "double" && type_to_c_type(Handle(), false) == "void *" &&
              type_to_c_type(UInt(8, 16), false) == "uint8x16_t",
          "the names of types in C");
}

void calls_and_loops() {
    Func f("f"), g("g");
    Var x("x"), y("y"), xi("xi");
    f(x, y) = x + y;
    g(x, y) = x - y;
    check(f(x, y).equivalent_to(f(x, y)) && !f(x, y).equivalent_to(f(y, x)) && !f(x, y).equivalent_to(g(x, y)),
          "calls are compared");
    check(Stage(g).dump_argument_list() == "Vars: x y __outermost\n", "the loops of a stage");
}

void own_scheduler() {
    static int runs = 0;
    Pipeline::add_autoscheduler(
        "targets_in_expressions",
        [](const Pipeline &pipeline, const Target &, const AutoschedulerParams &params, AutoSchedulerResults *results) {
            runs++;
            Func output = pipeline.outputs()[0];
            output.vectorize(output.args()[0], 4);
            results->schedule_source = "vectorized by " + params.name;
        });
    Func f("f");
    Var x("x");
    f(x) = x * 3;
    Pipeline p(f);
    const AutoSchedulerResults results =
        p.apply_autoscheduler(get_host_target(), AutoschedulerParams("targets_in_expressions"));
    check(runs == 1 && results.schedule_source == "vectorized by targets_in_expressions", "the program's scheduler");
    const Buffer<int> out = p.realize({16});
    check(out(5) == 15, "what it has scheduled");
}

void errors() {
    int caught = 0;
    try {
        throw InternalError("broken");
    } catch (const Error &error) {
        caught += std::string(error.what()) == "broken";
    }
    check(caught == 1, "an InternalError is an Error");
}

} // namespace

int main() {
    target_queries();
    types();
    calls_and_loops();
    own_scheduler();
    errors();
    if (failures == 0) {
        std::printf("targets_in_expressions: done\n");
    }
    return failures;
}
