// Inputs whose kind and type are known when the program runs: Parameter and Param<>.

#include "Halide.h"

#include <cstdio>
#include <cstring>
#include <map>

using namespace Halide;

namespace {

int failures = 0;

void check(bool holds, const char *what) {
    if (!holds) {
        std::printf("untyped_parameters: %s\n", what);
        failures++;
    }
}

template <typename T> bool is_constant(const Expr &e, T value) {
    return e.defined() && e.type() == type_of<T>() && evaluate<T>(e) == value;
}

template <typename T> Expr constant(T value) {
    if constexpr (std::is_same_v<T, bool>) {
        return Internal::make_bool(value);
    } else {
        return Expr(value);
    }
}

template <typename T> void scalar_of(T first, T second) {
    Parameter p(type_of<T>(), false, 0, "p");
    check(p.defined() && !p.is_buffer() && p.type() == type_of<T>() && p.dimensions() == 0 && p.name() == "p",
          "what a scalar is");
    check(!p.has_scalar_value(), "a new scalar has no value");
    p.set_scalar<T>(first);
    check(p.has_scalar_value() && p.scalar<T>() == first && is_constant(p.scalar_expr(), first),
          "the value of a scalar");

    // Copies share the value.
    Parameter q = p;
    check(q.same_as(p) && !(q < p) && !(p < q), "copies are the same");
    q.set_scalar<T>(second);
    check(p.scalar<T>() == second, "copies share the value");

    halide_scalar_value_t bits;
    std::memcpy(&bits.u, &first, sizeof(first));
    p.set_scalar(type_of<T>(), bits);
    check(q.scalar<T>() == first, "a value as bits");

    check(!p.min_value().defined() && !p.max_value().defined() && !p.estimate().defined() &&
              !p.default_value().defined(),
          "nothing is known of a new scalar");
    p.set_min_value(constant(first));
    p.set_max_value(constant(second));
    p.set_estimate(constant(second));
    p.set_default_value(constant(first));
    check(is_constant(p.min_value(), first) && is_constant(p.max_value(), second) &&
              is_constant(p.estimate(), second) && is_constant(p.default_value(), first),
          "what is known of a scalar");
    const ArgumentEstimates known = p.get_argument_estimates();
    check(is_constant(known.scalar_def, first) && is_constant(known.scalar_min, first) &&
              is_constant(known.scalar_max, second) && is_constant(known.scalar_estimate, second) &&
              known.buffer_estimates.empty(),
          "the estimates of a scalar");
}

template <typename T> void typed_at_run_time(T value, T other) {
    Param<> p(type_of<T>(), "p");
    check(p.type() == type_of<T>() && p.name() == "p" && !Param<>::has_static_type, "a Param<>");
    p.set(value);
    check(p.get<T>() == value, "the value of a Param<>");

    Param<T> typed = p;
    check(Param<T>::has_static_type && Param<T>::static_type() == type_of<T>() && typed.get() == value,
          "a Param of a Param<>");
    typed.set(other);
    check(p.get<T>() == other && p.parameter().same_as(typed.parameter()), "both have one value");
    Param<> again = typed;
    again.set(value);
    check(typed.get() == value, "a Param<> of a Param");
    check(typed.parameter().template scalar<T>() == value, "the Parameter of a Param");

    Func f;
    f() = p;
    const Buffer<T> result = f.realize();
    check(result() == value, "a Param<> is read");
    typed.set(other);
    const Buffer<T> second = f.realize();
    check(second() == other, "the value of the run");
}

void buffer_parameter() {
    Parameter p(Int(16), true, 3, "image");
    check(p.defined() && p.is_buffer() && p.type() == Int(16) && p.dimensions() == 3 && p.name() == "image",
          "what a buffer is");
    check(!p.buffer().defined() && !p.has_scalar_value(), "a new buffer is not bound");
    Buffer<int16_t> data(4, 3, 2);
    p.set_buffer(data);
    check(p.buffer().defined() && p.buffer().data() == (const void *)data.data(), "the bound buffer");

    check(!p.min_constraint(0).defined() && !p.extent_constraint(1).defined() &&
              is_constant(p.stride_constraint(0), 1) && !p.stride_constraint(1).defined(),
          "constraints of a new buffer");
    p.set_min_constraint(0, 0);
    p.set_extent_constraint(1, 3);
    p.set_stride_constraint(2, 12);
    p.set_min_constraint_estimate(0, 0);
    p.set_extent_constraint_estimate(0, 4);
    p.set_host_alignment(32);
    check(is_constant(p.min_constraint(0), 0) && is_constant(p.extent_constraint(1), 3) &&
              is_constant(p.stride_constraint(2), 12) && is_constant(p.min_constraint_estimate(0), 0) &&
              is_constant(p.extent_constraint_estimate(0), 4) && p.host_alignment() == 32,
          "constraints");
    const std::vector<BufferConstraint> all = p.buffer_constraints();
    check(all.size() == 3 && is_constant(all[0].min, 0) && !all[0].extent.defined() && is_constant(all[1].extent, 3) &&
              is_constant(all[2].stride, 12) && is_constant(all[0].extent_estimate, 4),
          "all constraints");
    p.set_stride_constraint(0, Expr());
    check(!p.stride_constraint(0).defined(), "a constraint is withdrawn");

    check(!p.is_tracing_loads() && p.memory_type() == MemoryType::Auto, "what a new buffer does not do");
    p.trace_loads();
    p.store_in(MemoryType::Heap);
    check(p.is_tracing_loads() && p.memory_type() == MemoryType::Heap, "what it does");
}

void of_images() {
    ImageParam im(UInt(8), 2, "im");
    const Parameter p = im.parameter();
    check(p.is_buffer() && p.name() == "im" && p.type() == UInt(8) && p.dimensions() == 2, "the Parameter of an image");
    im.dim(0).set_estimate(0, 20);
    check(is_constant(p.extent_constraint_estimate(0), 20), "they share constraints");
    Buffer<uint8_t> data(5, 4);
    data.fill(7);
    im.parameter().set_buffer(data);
    Func f;
    Var x, y;
    f(x, y) = im(x, y) + 1;
    f.prefetch(im.parameter(), y, y, 2);
    const Buffer<uint8_t> result = f.realize({5, 4});
    check(result(4, 3) == 8, "a buffer that is bound through the Parameter");

    const Argument argument = im;
    check(argument.argument_estimates.buffer_estimates.size() == 2 &&
              is_constant(argument.argument_estimates.buffer_estimates[0].extent, 20),
          "the estimates of an argument");
    const Argument by_name("im", Argument::InputBuffer, UInt(8), 2, p.get_argument_estimates());
    check(by_name == argument, "an argument by its name and estimates");
    const Argument other("im", Argument::InputBuffer, UInt(8), 2, ArgumentEstimates());
    check(!(other == argument), "estimates distinguish arguments");
}

void as_keys() {
    std::map<Parameter, int> numbers;
    Parameter a(Int(32), false, 0), b(Float(32), true, 1);
    numbers[a] = 1;
    numbers[b] = 2;
    numbers[a] += 10;
    check(numbers.size() == 2 && numbers[a] == 11 && numbers[b] == 2 && !a.same_as(b) && a.name() != b.name(),
          "Parameters as keys");
    check(!Parameter().defined() && Parameter().same_as(Parameter()), "undefined Parameters");
}

template <typename Run> bool is_refused(const Run &run) {
    try {
        run();
    } catch (const Error &) {
        return true;
    }
    return false;
}

void refusals() {
    Parameter p(UInt(8), false, 0, "p");
    check(is_refused([&] { p.set_scalar<int>(1); }), "a value of another type");
    check(is_refused([&] { Param<int> q = Param<>(UInt(8)); }), "a Param of another type");
    Param<> q(UInt(8));
    check(is_refused([&] { q.set(300); }) && is_refused([&] { q.set(-1); }) && is_refused([&] { q.set(0.5); }),
          "values that the type does not have");
    check(!is_refused([&] { q.set(255.0); }) && q.get<uint8_t>() == 255, "a value of another C++ type");
    check(is_refused([&] { q.get<int>(); }), "the value as another type");
}

} // namespace

int main() {
    scalar_of<bool>(false, true);
    scalar_of<int8_t>(-100, 100);
    scalar_of<uint8_t>(3, 250);
    scalar_of<int16_t>(-30000, 30000);
    scalar_of<uint16_t>(7, 65000);
    scalar_of<int32_t>(-2000000000, 2000000000);
    scalar_of<uint32_t>(1, 4000000000u);
    scalar_of<int64_t>(-5, 5);
    scalar_of<uint64_t>(6, 8);
    scalar_of<float>(-0.5f, 1.25f);
    scalar_of<double>(-0.1, 1e300);
    typed_at_run_time<bool>(true, false);
    typed_at_run_time<int8_t>(-5, 6);
    typed_at_run_time<uint16_t>(65535, 0);
    typed_at_run_time<int32_t>(-70000, 5);
    typed_at_run_time<uint64_t>(1ull << 63, 2);
    typed_at_run_time<float>(0.75f, -3.0f);
    typed_at_run_time<double>(0.1, 0.2);
    buffer_parameter();
    of_images();
    as_keys();
    refusals();
    if (failures == 0) {
        std::printf("untyped_parameters: done\n");
    }
    return failures;
}
