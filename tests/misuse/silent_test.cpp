// Mistakes in values, types and sizes that C++ and the language allow, and that would compute something else than
// intended: each is refused where it is made.
#include "tests/misuse/silent.h"

#include <cstdlib>
#include <limits>
#include <sstream>
#include <utility>
#include <vector>

namespace fluorite::silent_test {
namespace {

TEST_F(Silent, LimitsTheWrongWayRound) {
    const std::string end = "; no value lies between them; give the lower one first";
    expect_refused([&] { clamp(x, 10, 0); }, "reversed-limits",
                   "in an expression, clamp: the lower limit is 10 and the upper 0" + end);
    expect_refused([&] { clamp(cast<float>(x), 1.5F, 1.25F); }, "reversed-limits",
                   "in an expression, clamp: the lower limit is 1.5:float32 and the upper 1.25:float32" + end);
    expect_refused([&] { clamp(cast<uint8_t>(x), 255, 254); }, "reversed-limits",
                   "in an expression, clamp: the lower limit is 255:uint8 and the upper 254:uint8" + end);
    EXPECT_EQ(clamp(x, 3, 3).type(), Int(32));
    Func computed("computed");
    computed(x) = clamp(x, p, p - 1); // gives the lower limit
    p.set(7);
    EXPECT_EQ(Buffer<int>(computed.realize({4}))(3), 7);
}

TEST_F(Silent, RangesOfParams) {
    const std::string end = "; no value lies between them; give the least one first";
    expect_refused([&] { p.set_range(5, 2); }, "reversed-limits",
                   "in p: its least value is to be 5 and its greatest 2" + end);
    expect_refused([&] { Param<float>("q", 1.0F, 3.0F, 2.0F); }, "reversed-limits",
                   "in q: its least value is to be 3.0:float32 and its greatest 2.0:float32" + end);
    p.set_min_value(3);
    expect_refused([&] { p.set_max_value(2); }, "reversed-limits",
                   "in p: its least value is to be 3 and its greatest 2" + end);
    p.set_range(1, 2);
    EXPECT_TRUE(p.max_value().defined());
}

TEST_F(Silent, ParamsWithoutValue) {
    expect_error<RuntimeError>([&] { (void)p.get(); }, "unset-param",
                               "in p: its value is asked for; it has none before set() is called; set one");
    p.set(3);
    EXPECT_EQ(p.get(), 3);
    EXPECT_EQ(p.get<double>(), 3.0);
}

TEST_F(Silent, ExtentsOfDomains) {
    expect_refused([&] { RDom(0, -5); }, "rdom-negative-extent",
                   "in RDom r: the extent of dimension 0 is -5; an RDom is given as min and number of points; give an "
                   "extent of 0 or more");
    expect_refused([&] { RDom(0, 4, 0, -1, "s"); }, "rdom-negative-extent",
                   "in RDom s: the extent of dimension 1 is -1; an RDom is given as min and number of points; give an "
                   "extent of 0 or more");
    expect_refused([&] { RDom(0, cast<int64_t>(1) << 40); }, "literal-out-of-range",
                   "in RDom r: the extent of dimension 0 is 1099511627776:int64; coordinates are integers of 32 bits; "
                   "give a smaller one");
    expect_refused(
        [&] { RDom(cast<uint32_t>(3000000000U), 4); }, "literal-out-of-range",
        "in RDom r: the min of dimension 0 is 3000000000:uint32; coordinates are integers of 32 bits; give a "
        "smaller one");
}

TEST_F(Silent, EmptyDomains) {
    Func sum("sum"), none("none");
    sum(x) = 5;
    sum(x) += RDom(0, p);
    none(x) = 5;
    none(x) += RDom(0, 0);
    p.set(-3);
    EXPECT_EQ(Buffer<int>(sum.realize({4}))(3), 5);
    EXPECT_EQ(Buffer<int>(none.realize({4}))(3), 5);
}

TEST_F(Silent, ConstantsBeyondCoordinates) {
    expect_refused(
        [&] { h(x) = f(cast<int64_t>(1) << 40); }, "literal-out-of-range",
        "in f: coordinate 0 is 1099511627776:int64; coordinates are integers of 32 bits; give a smaller one");
    expect_refused(
        [&] { f.bound(x, cast<int64_t>(1) << 40, 8); }, "literal-out-of-range",
        "in an expression, bound: 1099511627776:int64 is given; coordinates and sizes are integers of 32 bits; "
        "give a smaller one");
    expect_refused(
        [&] { f.split(x, xo, xi, cast<int64_t>(1) << 40); }, "factor-too-large",
        "in f, stage 0: split of x by 1099511627776; coordinates are int32, so that such a number is at most "
        "1073741824; pass a smaller one");
    EXPECT_EQ(Buffer<int>(f.split(x, xo, xi, cast<int64_t>(4)).realize({4}))(3), 3);
}

TEST_F(Silent, NumbersThatAreNotKnown) {
    const std::string rule =
        "; numbers of directives are known before the loops run; use numbers, Params and the sizes of buffers";
    expect_refused([&] { g.bound(x, 0, f(3)); }, "directive-value",
                   "in an expression, bound: a number that uses a value of f is given" + rule);
    expect_refused([&] { g.align_bounds(x, x); }, "directive-value",
                   "in an expression, align_bounds: a number that uses the variable x is given" + rule);
    expect_refused([&] { g.split(x, xo, xi, f(0)); }, "directive-value",
                   "in g, stage 0: split of x has a factor that uses a value of f" + rule);
    expect_refused([&] { g.parallel(x, x); }, "directive-value",
                   "in g, stage 0: parallel of x has a factor that uses the variable x" + rule);
    expect_refused([&] { p.set_range(0, x); }, "directive-value",
                   "in an expression, Param range: a limit that uses the variable x is given" + rule);
    ImageParam in(Int(32), 1, "in");
    expect_refused([&] { in.dim(0).set_extent(in(0)); }, "directive-value",
                   "in an expression, set_extent: a number that uses a value of the input in is given" + rule);
    f.compute_root();
    expect_refused([&] { g.prefetch(f, x, x, f(0)); }, "directive-value",
                   "in g, stage 0: prefetch in loop x has an offset that uses a value of f" + rule);
    in.dim(0).set_extent(p * 4);
    g.bound(x, 0, in.dim(0).extent()).split(x, xo, xi, p);
}

TEST_F(Silent, UndefinedImageParams) {
    const std::string rule = "; an ImageParam has a type and a rank; construct it as ImageParam(type, dimensions)";
    ImageParam none;
    Buffer<int> image(4);
    expect_refused([&] { none.set(image); }, "undefined-input", "in an undefined ImageParam: set() is called" + rule);
    expect_refused([&] { none.reset(); }, "undefined-input", "in an undefined ImageParam: reset() is called" + rule);
    expect_refused([&] { (void)none.type(); }, "undefined-input",
                   "in an undefined ImageParam: its type is asked for" + rule);
    expect_refused([&] { (void)none.name(); }, "undefined-input",
                   "in an undefined ImageParam: its name is asked for" + rule);
    expect_refused([&] { none.set_host_alignment(8); }, "undefined-input",
                   "in an undefined ImageParam: its alignment is set" + rule);
    expect_refused([&] { none.set_estimates({}); }, "undefined-input",
                   "in an undefined ImageParam: its estimates are set" + rule);
    expect_refused([&] { none.trace_loads(); }, "undefined-input",
                   "in an undefined ImageParam: trace_loads() is called" + rule);
    expect_refused([&] { h.infer_arguments(), (void)Argument(none); }, "undefined-input",
                   "in an undefined ImageParam: it is an argument" + rule);
}

TEST_F(Silent, OutputsThatOverlapThemselves) {
    Func k("k");
    k(x, y) = x + 10 * y;
    std::vector<int> memory(40);
    const auto into = [&](int stride_x, int stride_y) {
        Buffer<int> out(memory.data(), std::vector<fluorite_dimension_t>{{0, 4, stride_x}, {0, 4, stride_y}});
        k.realize(out);
    };
    k.output_buffer().dim(0).set_stride(Expr());
    const std::string message = "in k: it shares memory with itself; each element of an output has a place of its own; "
                                "give it memory of its own, as in buffer.copy()";
    for (const auto &[a, b] : {std::pair(1, 2), std::pair(0, 4), std::pair(2, 3), std::pair(1, 0)}) {
        expect_error<RuntimeError>([&, a = a, b = b] { into(a, b); }, "buffers-overlap", message);
    }
    for (const auto &[a, b] : {std::pair(1, 4), std::pair(4, 1), std::pair(1, 7), std::pair(2, 8), std::pair(3, 5)}) {
        into(a, b);
        EXPECT_EQ(memory[static_cast<size_t>(3 * a + 2 * b)], 23) << a << " " << b;
    }
}

TEST_F(Silent, DataOnADevice) {
    Buffer<int> image(4, "image");
    image.fill(1);
    Func k("k");
    k(x) = image(x);
    image.set_device_dirty();
    expect_error<RuntimeError>(
        [&] { (void)k.realize({4}); }, "device-dirty",
        "in image: the newest copy of the buffer is in device memory; a pipeline compiled without "
        "a device cannot reach it; call copy_to_host() on the buffer first");
    image.set_device_dirty(false);
    EXPECT_EQ(Buffer<int>(k.realize({4}))(3), 1);
}

TEST_F(Silent, StrategiesThatAreNone) {
    expect_refused(
        [&] { h.split(x, xo, xi, 4, static_cast<TailStrategy>(77)); }, "tail-strategy-not-supported",
        "in h, stage 0: split of x with the tail strategy 77, which is none; use one of TailStrategy's names");
}

TEST_F(Silent, BoolsAddedToBools) {
    const Expr a = f(x) > 3, b = f(x) > 5;
    const std::string rest =
        ": both operands are bools; a value keeps its type when it is added up, and a bool holds 0 "
        "or 1; cast one of them, as in cast<int>(a) + b, or use ||, && or ^";
    expect_refused([&] { a + b; }, "sum-of-bools", "in an expression, operator +" + rest);
    expect_refused([&] { a + 1; }, "sum-of-bools", "in an expression, operator +" + rest);
    expect_refused([&] { a - b; }, "sum-of-bools", "in an expression, operator -" + rest);
    Func counts("counts"), odd("odd");
    counts(x) = cast<int>(a) + b;
    EXPECT_EQ(Buffer<int>(counts.realize({8}))(7), 2);
    odd(x) = a;
    expect_refused([&] { odd(x) += b; }, "sum-of-bools", "in an expression, operator +" + rest);
}

TEST_F(Silent, NegativeBools) {
    expect_refused([&] { -(f(x) > 3); }, "sum-of-bools",
                   "in an expression, operator -: its operand is a bool; a bool holds 0 or 1 and has no other sign; "
                   "cast it, as in -cast<int>(a), or use !");
}

// A number of 64 bits does not become another one of 32.
TEST_F(Silent, SizesBeyond32Bits) {
    Param<int64_t> wide("wide");
    Param<uint32_t> positive("positive");
    wide.set((int64_t{1} << 32) + 4);
    positive.set(4294967295U);
    Func outside("outside");
    outside(x) = BoundaryConditions::repeat_edge(f, {{0, wide}})(x);
    EXPECT_EQ(Buffer<int>(outside.realize({8}))(7), 7);
    const std::string rule = "; pass a buffer of that shape, or change the constraint before compiling";
    ImageParam in(Int(32), 1, "in"), strided(Int(32), 1, "strided");
    Func reads("reads"), reads_strided("reads_strided");
    reads(x) = in(x);
    reads_strided(x) = strided(x);
    Buffer<int> image(4);
    image.fill(1);
    in.set(image), strided.set(image);
    in.dim(0).set_extent(wide);
    strided.dim(0).set_stride(positive);
    expect_error<RuntimeError>(
        [&] { (void)reads.realize({4}); }, "constraint-violated",
        "in in: its extent along dimension 0 is 4; the pipeline was compiled for saturating_cast<int32>(wide) = "
        "2147483647" +
            rule);
    expect_error<RuntimeError>([&] { (void)reads_strided.realize({4}); }, "constraint-violated",
                               "in strided: its stride along dimension 0 is 1; the pipeline was compiled for "
                               "saturating_cast<int32>(positive) = 2147483647" +
                                   rule);
    Func stored("stored"), reader("reader");
    stored(x) = x;
    reader(x) = stored(x);
    stored.compute_root().bound_storage(x, positive);
    EXPECT_EQ(Pipeline(reader).schedule().text(),
              "fluorite schedule 1\nstored.compute_root()\n"
              "stored.bound_storage(x, saturating_cast<int32>(positive:uint32))\nend\n");
    wide.set(-(int64_t{1} << 40));
    const Func forever = iterate(wide, {{0, 8}}, f, [this](const IterationStep &step) {
        Func next("next");
        next(x) = step.field()(x) + 1;
        return next;
    });
    expect_error<RuntimeError>([&] { (void)forever.realize({8}); }, "iterate-negative-steps",
                               "in next: it is to run -2147483648 steps; a number of steps is 0 or more; pass 0 or "
                               "more");
}

// The coordinates are 0 then, as in Halide, also where 0 is outside of the domain.
TEST_F(Silent, ExtremesThatNoValueBeats) {
    const RDom r(100, 4, -7, 2);
    Buffer<uint8_t> image(4, 2);
    image.set_min(100, -7);
    Func least("least"), greatest("greatest"), later("later");
    least() = argmin(r, image(r.x, r.y));
    greatest() = argmax(r, image(r.x, r.y));
    const auto expect = [](const Func &extreme, int at_x, int at_y) {
        const Realization result = extreme.realize();
        EXPECT_EQ(Buffer<int>(result[0])(), at_x);
        EXPECT_EQ(Buffer<int>(result[1])(), at_y);
    };
    image.fill(255);
    expect(least, 0, 0);
    image.fill(0);
    expect(greatest, 0, 0);
    image(102, -6) = 9;
    expect(greatest, 102, -6);
    p.set(5);
    const RDom given(p, 3);
    later() = argmin(given, given.x / p * 0 + std::numeric_limits<int>::max());
    EXPECT_EQ(Buffer<int>(later.realize()[0])(), 0);
}

TEST_F(Silent, WhatLiesOutside) {
    expect_refused([&] { BoundaryConditions::constant_exterior(f, Expr(), {{0, 8}}); }, "undefined-operand",
                   "in an expression, constant_exterior: an operand is an undefined Expr; operands have a value; "
                   "initialize the Expr before it is used");
    expect_refused([&] { BoundaryConditions::constant_exterior(f, x + 1, {{0, 8}}); }, "undefined-variable",
                   "in an expression, constant_exterior: the constant uses the variable x; what lies outside is one "
                   "value for all points; give a number or a Param, or choose by select where the values are read");
    p.set(7);
    const Func beyond = BoundaryConditions::constant_exterior(f, p, {{0, 8}});
    EXPECT_EQ(Buffer<int>(beyond.realize({10}))(9), 7);
}

TEST_F(Silent, NumbersThatNameNothing) {
    const auto expect = [&](const std::function<void()> &call, const std::string &func, const std::string &what,
                            const std::string &enumeration) {
        expect_refused(call, "no-such-value",
                       "in " + func + ": " + what + " with the " + enumeration + " 99, which is none; use one of " +
                           enumeration + "'s names");
    };
    f.compute_root();
    expect([&] { f.store_in(static_cast<MemoryType>(99)); }, "f", "store_in", "MemoryType");
    expect([&] { h.partition(x, static_cast<Partition>(99)); }, "h, stage 0", "partition", "Partition");
    expect([&] { h.compute_with(f, x, static_cast<LoopAlignStrategy>(99)); }, "h, stage 0", "compute_with",
           "LoopAlignStrategy");
    expect([&] { h.prefetch(f, x, x, 2, static_cast<PrefetchBoundStrategy>(99)); }, "h, stage 0", "prefetch",
           "PrefetchBoundStrategy");
}

TEST_F(Silent, InfiniteCoordinates) {
    Param<float> far("far");
    Func k("k");
    k(x) = f(x + cast<int>(far));
    f.compute_root();
    far.set(std::numeric_limits<float>::infinity());
    EXPECT_THROW((void)k.realize({3}), RuntimeError);
    far.set(2.5F);
    EXPECT_EQ(Buffer<int>(k.realize({3}))(2), 4);
}

TEST_F(Silent, TypesThatNoValueHas) {
    const std::string rule =
        " is named; integers have 8, 16, 32 or 64 bits, floats 16, 32 or 64, a bool 1; use one of these";
    expect_refused([&] { cast(Int(13), x); }, "bad-type", "in an expression, cast: the type int13" + rule);
    expect_refused([&] { cast(UInt(0), x); }, "bad-type", "in an expression, cast: the type without bits" + rule);
    expect_refused([&] { cast(Int(1), x); }, "bad-type", "in an expression, cast: the type int1" + rule);
    expect_refused([&] { cast(Int(32, 0), x); }, "bad-type", "in an expression, cast: the type int32x0" + rule);
    expect_refused([&] { cast(Float(8), x); }, "bad-type", "in an expression, cast: the type float8" + rule);
    expect_refused([&] { ImageParam(UInt(24), 2, "in"); }, "bad-type", "in in: the type uint24" + rule);
    expect_refused([&] { Func(Float(80), 1, "k"); }, "bad-type", "in k: the type float80" + rule);
    expect_refused([&] { ImageParam(UInt(8), -1, "in"); }, "negative-rank",
                   "in in: it is given -1 dimensions; a rank is 0 or more; give the number of dimensions");
    for (const Type type : {Bool(), Int(8), UInt(64), Float(16), BFloat(16), Float(64)}) {
        EXPECT_EQ(cast(type, x).type(), type);
    }
}

TEST_F(Silent, EmptyBoundaries) {
    const std::string rule = "; what lies outside is made of what lies inside; give an extent of 1 or more";
    expect_refused([&] { BoundaryConditions::mirror_image(f, {{0, -4}}); }, "empty-boundary",
                   "in f: mirror_image gives a range of -4 points" + rule);
    expect_refused([&] { BoundaryConditions::constant_exterior(f, 0, {{0, 0}}); }, "empty-boundary",
                   "in f: constant_exterior gives a range of 0 points" + rule);
}

} // namespace
} // namespace fluorite::silent_test
