// Names that are rarely used, each with its value: streams, division by eight bits, promises, modules' neighbours.
#include <Halide.h>

#include <sstream>
#include <stdio.h>
#include <string>
#include <vector>

using namespace Halide;

static int bad = 0;
static void check(bool good, const char *what) {
    if (!good) {
        printf("wrong: %s\n", what);
        bad++;
    }
}

template <typename T> static std::string printed(const T &value) {
    std::ostringstream text;
    text << value;
    return text.str();
}

// All divisors, and dividends at the ends of the type and around multiples.
template <typename T> static void divide(const char *what) {
    std::vector<T> values;
    for (int i = -300; i <= 300; i += 75) {
        values.push_back((T)i);
        values.push_back((T)(std::numeric_limits<T>::min() + (T)i));
    }
    Buffer<T> in(values.data(), (int)values.size());
    Var x, y;
    Func quotient, remainder, toward_zero;
    Expr by = cast<uint8_t>(y);
    quotient(x, y) = fast_integer_divide(in(x), by);
    remainder(x, y) = fast_integer_modulo(in(x), by);
    toward_zero(x, y) = fast_integer_divide_round_to_zero(in(x), by);
    quotient.vectorize(x, 16);
    Buffer<T> q(in.width(), 255), r(in.width(), 255), z(in.width(), 255);
    q.set_min(0, 1), r.set_min(0, 1), z.set_min(0, 1);
    quotient.realize(q), remainder.realize(r), toward_zero.realize(z);
    bool good = true;
    for (int d = 1; d <= 255; d++) {
        for (int i = 0; i < in.width(); i++) {
            int64_t a = in(i), floor = a / d - (a % d < 0);
            good = good && q(i, d) == (T)floor && r(i, d) == (T)(a - floor * d) && z(i, d) == (T)(a / d);
        }
    }
    check(good, what);
}

static void expressions() {
    divide<int8_t>("int8 / uint8");
    divide<uint8_t>("uint8 / uint8");
    divide<int16_t>("int16 / uint8");
    divide<uint16_t>("uint16 / uint8");
    divide<int32_t>("int32 / uint8");
    divide<uint32_t>("uint32 / uint8");
    check(evaluate<int>(fast_integer_divide(-7, 2)) == -4, "a constant divisor");

    // The promise bounds what is read.
    Buffer<int> table(10);
    for (int i = 0; i < 10; i++) {
        table(i) = i * i;
    }
    Var x("x");
    ImageParam index(Int(32), 1);
    Func f("f");
    f(x) = table(unsafe_promise_clamped(index(x), 0, 9));
    Buffer<int> where(4);
    for (int i = 0; i < 4; i++) {
        where(i) = 9 - i;
    }
    index.set(where);
    Buffer<int> squares = f.realize({4});
    check(squares(0) == 81 && squares(3) == 36, "unsafe_promise_clamped");
    check(unsafe_promise_clamped(cast<uint8_t>(x), Expr(), 200).type() == UInt(8), "a promise of one side");

    Func a("a"), b("b"), both("both");
    a(x) = x;
    b(x) = 10 * x;
    both(x) = mux(x % 3, {a(x), b(x), a(x) + b(x)});
    Func chosen("chosen"), pairs("pairs");
    pairs(x) = mux(x % 2, {Tuple(a(x), b(x)), Tuple(b(x), a(x))});
    chosen(x) = mux(x % 2, {a(x), b(x)});
    Buffer<int> muxed = both.realize({6}), two = chosen.realize({4});
    Realization tuples = pairs.realize({4});
    Buffer<int> first = tuples[0];
    check(muxed(3) == 3 && muxed(4) == 40 && muxed(5) == 55 && two(2) == 2 && two(3) == 30, "mux of Funcs");
    check(first(2) == 2 && first(3) == 30, "mux of Tuples");

    check(evaluate<uint8_t>(Internal::make_const(UInt(8), 7)) == 7, "make_const");
    check(Internal::make_one(Float(32)).type() == Float(32) && evaluate<float>(Internal::make_zero(Float(32))) == 0,
          "make_one and make_zero");
    check(Internal::safe_numeric_cast<int>(1e20) == INT32_MAX && Internal::safe_numeric_cast<uint8_t>(-1.5f) == 0 &&
              Internal::safe_numeric_cast<int>(2.5f) == 2,
          "safe_numeric_cast");
}

static void schedules() {
    Var x("x"), y("y"), xo("xo"), yo("yo"), xi("xi"), yi("yi");
    Func f("f"), g("g");
    f(x, y) = x + 10 * y;
    RDom r(Region{{0, 5}, {0, 4}}, "r");
    g(x) = 0;
    g(x) += f(r.x, r.y) + x;

    f.compute_root().tile({x, y}, {xo, yo}, {xi, yi}, {4, 3}, {TailStrategy::GuardWithIf, TailStrategy::RoundUp});
    // By the names that the schedule has.
    Var outer(f.get_schedule().dims()[2].var);
    check(outer.name() == "xo" && f.get_schedule().dims().size() == 5, "the loops of get_schedule()");
    f.parallel(outer);
    RVar inner(g.update().get_schedule().rvars()[0].var);
    check(inner.name() == r.x.name(), "the reduction variables of get_schedule()");
    g.update().unroll(inner);
    Buffer<int> sums = g.realize({3});
    check(sums(0) == 340 && sums(2) == 380, "a schedule by names");

    Func h("h"), late("late");
    h(x) = x;
    late(x) = h(x) + h(x + 1);
    LoopLevel level(late, x);
    check(level.to_string() == "late.x" && printed(level) == "late.x" && level.func() == "late", "LoopLevel");
    check(level.var().name() == "x" && !level.is_rvar() && level.get_stage_index() == -1, "the loop of a LoopLevel");
    check(printed(LoopLevel::root()) == "root" && printed(LoopLevel::inlined()) == "inlined" &&
              printed(LoopLevel()) == "undefined",
          "LoopLevels that are no loops");
    check(LoopLevel(g, inner, 1).to_string() == "g.update(0)." + inner.name() && LoopLevel(g, inner).is_rvar(),
          "the loop of an update");

    // Producers come before consumers, by name.
    ImageParam image(Int(32), 1, "image");
    Func one("one"), two("two"), out("out");
    two(x) = image(x);
    one(x) = two(x) + 1;
    out(x) = one(x) + two(x) + image(x);
    Pipeline pipeline(out);
    check(pipeline.get_func(1).name() == "two" && pipeline.get_func(2).name() == "one" &&
              pipeline.get_func(3).name() == "out",
          "get_func");
    check(Var::is_placeholder("_") && Var(std::string("z")).name() == "z" && _2.implicit_index() == 2, "Vars");
    Var by_name = std::string("z");
    check(by_name.same_as(Var("z")), "a Var of a string");
}

static void arguments() {
    Var x("x");
    Buffer<int> data(4, "data");
    data.fill(5);
    Func f("f");
    f(x) = data(x) + 1;
    Argument of_buffer = data;
    check(of_buffer.name == "data" && of_buffer.is_buffer() && of_buffer.dimensions == 1 && of_buffer == Argument(data),
          "a Buffer as an Argument");
    Callable call = f.compile_to_callable({data});
    Buffer<int> other(4), out(4);
    other.fill(7);
    check(call(other, out) == 0 && out(3) == 8, "a Callable that takes the place of a Buffer");

    ImageParam image(Int(32), 1);
    Func shifted("shifted");
    shifted(x) = image(x + 3);
    JITUserContext context;
    shifted.infer_input_bounds(&context, {5});
    Buffer<int> bound = image.get();
    check(bound.dim(0).min() == 3 && bound.dim(0).extent() == 5, "infer_input_bounds with a context");
    Pipeline::RealizationArg place(out);
    f.realize(std::move(place));
    check(out(0) == 6, "a RealizationArg");

    check(bfloat16_t::zero.is_zero() && bfloat16_t::infinity.is_infinity() && bfloat16_t::nan.is_nan(), "bfloat16_t");
    check(float16_t::exponent_mask == 0x7C00 && float16_t::mantissa_bits == 10, "float16_t");
    AutoschedulerParams params("Mullapudi2016", {{"parallelism", "8"}});
    check(params.to_string() == "autoscheduler=Mullapudi2016 autoscheduler.parallelism=8", "AutoschedulerParams");
    size_t before = get_compiler_stack_size();
    set_compiler_stack_size(64 * 1024 * 1024);
    check(get_compiler_stack_size() == 64 * 1024 * 1024, "set_compiler_stack_size");
    set_compiler_stack_size(before);
    load_plugin("autoschedule_mullapudi2016");
}

template <typename Run> static void refused(Run run, const std::string &message) {
    std::string seen = "nothing";
    try {
        run();
    } catch (const CompileError &error) {
        seen = error.message() + " [" + error.slug() + "]";
    }
    check(seen == message, (message + "\n  but " + seen).c_str());
}

static void refusals() {
    Var x("x"), y("y"), xi("xi"), yi("yi");
    refused([&] { fast_integer_divide(x, cast<uint16_t>(x)); },
            "in an expression, fast_integer_divide: a value of type int32 is divided by one of type uint16; this "
            "divides integers of 8, "
            "16 or 32 bits by unsigned ones of 8; cast the operands [not-an-integer]");
    refused([&] { fast_integer_modulo(cast<int64_t>(x), cast<uint8_t>(x)); },
            "in an expression, fast_integer_modulo: a value of type int64 is divided by one of type uint8; this "
            "divides integers of 8, "
            "16 or 32 bits by unsigned ones of 8; cast the operands [not-an-integer]");
    refused([&] { scatter(x, y); },
            "in scatter: several points of an update at once have no implementation here; an update writes one point; "
            "write an update for each [not-built]");
    refused([&] { gather(std::vector<Expr>{x, y}); },
            "in gather: several points of an update at once have no implementation here; an update writes one point; "
            "write an update for each [not-built]");
    Func f("f"), g("g");
    f(x, y) = x;
    g(x, y) = f(x, y);
    refused(
        [&] { f.tile({x, y}, {x, y}, {xi, yi}, {4, 4}, std::vector<TailStrategy>{TailStrategy::RoundUp}); },
        "in f, stage 0: tile with 2 loops and 1 tail strategies; each loop takes one; pass lists of one length, or one "
        "TailStrategy for all [tile-lists-differ]");
    refused(
        [&] { Pipeline(g).get_func(2); },
        "in a Pipeline: Func 2 is asked for; it has 2, numbered from 0, each behind those that it calls; ask for one "
        "of them [no-outputs]");
    ImageParam image(Int(32), 1, "image");
    Func h("h");
    h(x) = image(x);
    refused([&] { Pipeline(h).get_func(0); },
            "in a Pipeline: Func 0 is asked for, which is the image image_im; images are counted and have no schedule; "
            "ask for another number [no-outputs]");
    const int n = 3;
    refused([&] { _halide_user_assert(n > 4) << "n is " << n; },
            "in an assertion: n > 4 does not hold; n is 3 [user-assert]");
    _halide_user_assert(n > 2) << "not evaluated";
    refused([&] { throw CompileError("the program says so"); }, "the program says so [user-error]");
    refused([&] { f.hexagon(); },
            "in f, stage 0: hexagon is called; it is not built; use tile, parallel and vectorize [not-built]");
}

int main() {
    expressions();
    schedules();
    arguments();
    refusals();
    return bad;
}
