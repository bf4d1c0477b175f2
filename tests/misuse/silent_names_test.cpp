// The same of Funcs, arguments and targets that are named twice, wrongly, or where they have no effect.
#include "tests/misuse/silent.h"

#include <cstdlib>
#include <limits>
#include <sstream>
#include <utility>
#include <vector>

namespace fluorite::silent_names_test {
namespace {

TEST_F(Silent, OneThingTwice) {
    expect_refused([&] { Pipeline({f, g, f}); }, "duplicate-output",
                   "in f: it stands twice among the outputs of a Pipeline; each output is written once; name it once");
    ImageParam in(UInt(8), 1, "in");
    Func k("k");
    k(x) = in(x) + cast<uint8_t>(p);
    expect_refused([&] { k.compile_to_object("k.o", {in, p, in}, "k"); }, "duplicate-argument",
                   "in k: 'in' stands twice among the arguments; a function takes each once; name it once");
}

TEST_F(Silent, ArgumentsThatAreNotTheInputs) {
    ImageParam in(UInt(8), 1, "in");
    Func k("k");
    k(x) = in(x) + cast<uint8_t>(p);
    const auto compiled = [&](const Argument &argument) {
        return [&k = k, p = p, argument] { k.compile_to_object("k.o", {argument, p}, "k"); };
    };
    expect_refused(compiled(Argument("in", Argument::InputBuffer, Int(32), 1)), "argument-mismatch",
                   "in k: the argument 'in' is declared as a buffer of int32 with 1 dimensions; the pipeline reads a "
                   "buffer of uint8 with 1 dimensions of that name; declare it so, or pass the Param or ImageParam "
                   "itself");
    expect_refused(compiled(Argument("in", Argument::InputScalar, UInt(8), 0)), "argument-mismatch",
                   "in k: the argument 'in' is declared as a uint8; the pipeline reads a buffer of uint8 with 1 "
                   "dimensions of that name; declare it so, or pass the Param or ImageParam itself");
    expect_refused([&] { k.compile_to_object("k.o", {in, p, Argument("q", Argument::InputBuffer, UInt(8), -1)}, "k"); },
                   "negative-rank",
                   "in k: the argument 'q' has -1 dimensions; a rank is 0 or more; give the number of dimensions");
    for (const char *prefix : {"", "folder/"}) {
        expect_refused([&] { k.compile_to_static_library(prefix, {in, p}, "k"); }, "cannot-write",
                       std::string("in a Pipeline: the prefix '") + prefix +
                           "' names no file; extensions are added to the name of a file; give one, as in "
                           "\"folder/filter\"");
    }
}

TEST_F(Silent, TargetsWithTwoOfAKind) {
    expect_refused([] { Target("x86-64-linux-x86-64"); }, "bad-target",
                   "target 'x86-64-linux-x86-64': 'x86' is a second architecture; a target has one; leave one of both "
                   "out");
    expect_refused([] { Target("x86-64-linux-osx"); }, "bad-target",
                   "target 'x86-64-linux-osx': 'osx' is a second operating system; a target has one; leave one of both "
                   "out");
    expect_refused([] { Target("host-64-32"); }, "bad-target",
                   "target 'host-64-32': '32' is a second number of bits; a target has one; leave one of both out");
}

TEST_F(Silent, WrappersBeforeFuncsThatDoNotCall) {
    expect_refused([&] { f.in(h); }, "wrapper-unused",
                   "in f: in(h) is called, but h does not call it; a wrapper stands before a Func that calls what it "
                   "wraps; name one that does, and make all its definitions before");
    expect_refused(
        [&] { f.clone_in(h); }, "wrapper-unused",
        "in f: clone_in(h) is called, but h does not call it; a wrapper stands before a Func that calls what "
        "it wraps; name one that does, and make all its definitions before");
    ImageParam in(Int(32), 1, "in");
    EXPECT_THROW(in.in(h), CompileError);
    Func later("later");
    f.in(later).compute_root(); // legal, as `later` may still call f
    later(x) = f(x);
    Func first = f.in(g);
    first.in(g).compute_root();
    first.compute_root();
    EXPECT_EQ(Buffer<int>(g.realize({4}))(3), 7);
    EXPECT_EQ(Buffer<int>(later.realize({4}))(3), 3);
}

TEST_F(Silent, WrappersBeforePartialResults) {
    Func sum("sum");
    RDom r(0, 16, "r");
    RVar ro("ro"), ri("ri");
    Var u("u");
    sum() = 0;
    sum() += f(r);
    Func partial = sum.update().split(r, ro, ri, 4).rfactor(ro, u);
    partial.compute_root();
    f.in(sum).compute_root();
    EXPECT_EQ(Buffer<int>(sum.realize())(), 120);
}

TEST_F(Silent, LoopsOfAnotherDomain) {
    const std::string end =
        " of an RDom that this update does not run over; a stage has the loops of its own RDom r; use "
        "the RVar that its definition uses";
    RDom r(0, 4, "r"), other(0, 8, "r");
    h(x) += r.x;
    const std::string message = "in h, stage 1: a directive names the RVar r.x" + end;
    expect_refused([&] { h.update().unroll(other); }, "rvar-of-other-rdom", message);
    expect_refused([&] { h.update().vectorize(other.x, 4); }, "rvar-of-other-rdom", message);
    expect_refused([&] { h.update().reorder(x, other.x); }, "rvar-of-other-rdom", message);
    expect_refused([&] { h.update().split(other.x, other.x, RVar("ri"), 2); }, "rvar-of-other-rdom", message);
    expect_refused([&] { h.update().rfactor(other.x, y); }, "rvar-of-other-rdom", message);
    RVar ri("ri");
    h.update().split(r.x, r.x, ri, 2).reorder(r.x, ri, x).unroll(r.x);
    EXPECT_EQ(Buffer<int>(h.realize({4}))(3), 9);
}

TEST_F(Silent, SumsOfBools) {
    RDom r(0, 5, "r");
    const std::string rule = "; a bool has one bit, in which a sum wraps; cast it, as in cast<int>(e)";
    expect_refused([&] { sum(r > x); }, "sum-of-bools", "in an inline sum: its operand is a bool" + rule);
    expect_refused([&] { product(r, r > x); }, "sum-of-bools", "in an inline product: its operand is a bool" + rule);
    Func count("count"), all("all");
    count(x) = sum(cast<int>(r > x));
    all(x) = minimum(r >= x);
    EXPECT_EQ(Buffer<int>(count.realize({4}))(1), 3);
    EXPECT_TRUE(Buffer<bool>(all.realize({4}))(0));
}

TEST_F(Silent, FuncsOfManyDimensions) {
    std::vector<Var> vars(65);
    expect_refused([&] { Func("wide")(vars) = 1; }, "too-many-dimensions",
                   "in wide, stage 0: it has 65 dimensions; loops and regions grow with each; at most 64 are compiled; "
                   "put several coordinates into one");
    vars.resize(20);
    Func many("many");
    many(vars) = 1;
    EXPECT_EQ(many.dimensions(), 20);
}

TEST_F(Silent, IndicesOfMux) {
    expect_refused([&] { mux(cast<float>(x), {x, y}); }, "not-an-integer",
                   "in an expression, mux: an operand has type float32; this works on integers; cast it to an integer "
                   "type");
    EXPECT_EQ(mux(cast<uint8_t>(x), {x, y}).type(), Int(32));
}

TEST_F(Silent, MixedTypesThatHaveAMeaning) {
    // As in C++ and Halide: a bool combined with a number is 0 or 1, and the wider type determines the result.
    EXPECT_EQ(((x > 3) & x).type(), Int(32));
    EXPECT_EQ(absd(cast<uint8_t>(x), cast<float>(x)).type(), Float(32));
    Func mixed("mixed");
    mixed(x) = Tuple((x > 3) & x, absd(cast<uint8_t>(x), cast<float>(x) + 0.5F));
    Realization result = mixed.realize({8});
    EXPECT_EQ(Buffer<int>(result[0])(5), 1);
    EXPECT_EQ(Buffer<int>(result[0])(3), 0);
    EXPECT_EQ(Buffer<float>(result[1])(5), 0.5F);
}

TEST_F(Silent, ExpressionsPrintAsTheyAreWritten) {
    RDom r(0, 4, "r");
    const auto printed = [](const Expr &expr) {
        std::ostringstream stream;
        stream << expr;
        return stream.str();
    };
    EXPECT_EQ(printed(x + r.x * 2), "x + r.x * 2");
    EXPECT_EQ(printed(f(x + 1) > p), "f(x + 1) > p");
    EXPECT_EQ(printed(Expr("a@b $x 'c'")), "\"a@b $x 'c'\"");
}

TEST_F(Silent, NumbersOfThreads) {
    h.parallel(x);
    const char *set = std::getenv("FLUORITE_NUM_THREADS");
    const std::string before = set ? set : "";
    fluorite_set_num_threads(0);
    setenv("FLUORITE_NUM_THREADS", "-4", 1);
    fluorite_set_num_threads(0);
    expect_error<RuntimeError>(
        [&] { (void)h.realize({4}); }, "bad-thread-count",
        "in FLUORITE_NUM_THREADS: its value is '-4'; a number of threads is a whole number from 1 "
        "to 256; set it to one, or unset it for the number of cores");
    setenv("FLUORITE_NUM_THREADS", "2", 1);
    EXPECT_EQ(Buffer<int>(h.realize({4}))(3), 3);
    set ? setenv("FLUORITE_NUM_THREADS", before.c_str(), 1) : unsetenv("FLUORITE_NUM_THREADS");
    fluorite_set_num_threads(0);
}

TEST_F(Silent, ConstraintsSayWhatTheyAreAbout) {
    ImageParam in(Int(32), 1, "in");
    in.dim(0).set_stride(3);
    Func k("k");
    k(x) = in(x);
    Buffer<int> dense(4);
    in.set(dense);
    expect_error<RuntimeError>(
        [&] { (void)k.realize({4}); }, "constraint-violated",
        "in in: its stride along dimension 0 is 1; the pipeline was compiled for 3; pass a buffer "
        "of that shape, or change the constraint before compiling");
}

TEST_F(Silent, LimitsThatAreNoNumbers) {
    Param<float> q("q");
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const std::string text = "in q: a limit of its values is to be NaN; no value is less than it or greater; give a "
                             "number";
    expect_refused([&] { q.set_range(nan, 2.0F); }, "reversed-limits", text);
    expect_refused([&] { q.set_max_value(nan); }, "reversed-limits", text);
}

TEST_F(Silent, BoxesOfFractions) {
    const std::string text = ": an operand has type float32; this works on integers; cast it to an integer type";
    expect_refused([&] { BoundaryConditions::repeat_edge(f, {{0, 2.5F}}); }, "not-an-integer",
                   "in an expression, repeat_edge" + text);
    expect_refused([&] { BoundaryConditions::constant_exterior(f, 0, {{0.5F, 2}}); }, "not-an-integer",
                   "in an expression, constant_exterior" + text);
}

TEST_F(Silent, ShapesOfTilesThatAreNone) {
    Iterated steps = iterate(4, {{0, 8}}, f, [&](const IterationStep &step) {
        Func next("next");
        next(x) = step.field()(x) + 1;
        return next;
    });
    expect_refused([&] { steps.time_tile(2, {4}, static_cast<TimeTileShape>(9)); }, "no-such-value",
                   "in next: time_tile with the TimeTileShape 9, which is none; use one of TimeTileShape's names");
}

TEST_F(Silent, ImagesOfVectors) {
    const std::string text = "its values are to have the type int32x4; a value is one number, and vectors are a matter "
                             "of schedules; give the type of a lane";
    expect_refused([] { ImageParam(Int(32, 4), 1, "image"); }, "bad-type", "in image: " + text);
    expect_refused([] { Func(Int(32, 4), 1, "declared"); }, "bad-type", "in declared: " + text);
}

TEST_F(Silent, WrappersBeforeFuncsThatAreNeverDefined) {
    Func never("never"), k("k");
    f.in(never).compute_root();
    expect_refused([&] { (void)g.realize({4}); }, "wrapper-unused",
                   "in f: in(never) is called, but never has no definition; a wrapper stands before a Func that calls "
                   "what it wraps; define it before the pipeline is compiled");
    never(x) = f(x);
    EXPECT_EQ(Buffer<int>(g.realize({4}))(3), 7);
    {
        Func gone("gone");
        h.clone_in(gone);
    }
    k(x) = h(x);
    EXPECT_EQ(Buffer<int>(k.realize({4}))(3), 3);
}

TEST_F(Silent, WalksOfNegativeLength) {
    const ScheduleTree tree = Pipeline(g).schedule_tree();
    expect_refused(
        [&] { (void)tree.random_walk(1, -3); }, "illegal-tree-step",
        "in a schedule tree: a random walk of -3 steps is asked for; a walk has 0 or more; give such a number");
    EXPECT_TRUE(tree.random_walk(1, 0) == tree);
}

TEST_F(Silent, TargetsOfThisProcessForFiles) {
    const Target target = Target("x86-64-linux-jit");
    const std::string text = "target x86-64-linux-jit: jit is given for a file; code with that feature runs in the "
                             "process that compiles it; leave it out";
    expect_refused([&] { f.compile_to_object("jit.o", {}, "f", target); }, "bad-target", text);
    expect_refused([&] { f.compile_to_static_library("jit", {}, "f", target); }, "bad-target", text);
    expect_refused([&] { f.compile_to_file("jit", {}, "f", target); }, "bad-target", text);
    expect_refused([&] { f.compile_to_bitcode("jit.bc", {}, "f", target); }, "bad-target", text);
    expect_refused([&] { f.compile_to_header("jit.h", {}, "f", target); }, "bad-target", text);
    f.compile_to_lowered_stmt("jit.stmt", {}, Text, target);
}

TEST_F(Silent, TargetsOfOtherProcessors) {
    const Target host = get_host_target();
    std::string missing; // the first, which the others require
    for (const char *name : {"sse41", "avx", "avx2", "fma", "avx512", "avx512_skylake", "avx512_cannonlake",
                             "avx512_zen4", "avx512_sapphirerapids"}) {
        const Target::Feature feature = Target::feature_from_name(name);
        if (host.has_feature(feature)) {
            continue;
        }
        missing = missing.empty() ? name : missing;
        const Target other = Target("x86-64-linux").with_feature(feature);
        expect_refused([&] { f.compile_jit(other); }, "bad-target",
                       "target " + other.with_feature(Target::JIT).to_string() + ": this machine has no " + missing +
                           ", and code that is run as it is compiled runs here; leave it out, or compile to a file");
    }
}

TEST_F(Silent, ArgumentsOfCallablesThatAreNotTheInputs) {
    ImageParam in(Int(32), 1, "in");
    Func reads("reads");
    reads(x) = in(x) + p;
    const auto refused = [&](const std::vector<Argument> &args, const char *slug, const std::string &text) {
        expect_refused([&] { (void)reads.compile_to_callable(args); }, slug, "in reads: " + text);
    };
    const std::string fix = " of that name; declare it so, or pass the Param or ImageParam itself";
    refused({in, Argument("p", Argument::InputScalar, Float(32), 0)}, "argument-mismatch",
            "the argument 'p' is declared as a float32; the pipeline reads a int32" + fix);
    refused(
        {p, Argument("in", Argument::InputBuffer, Int(32), 2)}, "argument-mismatch",
        "the argument 'in' is declared as a buffer of int32 with 2 dimensions; the pipeline reads a buffer of int32 "
        "with 1 dimensions" +
            fix);
    refused({p, Argument("in", Argument::InputScalar, Int(32), 0)}, "argument-mismatch",
            "the argument 'in' is declared as a int32; the pipeline reads a buffer of int32 with 1 dimensions" + fix);
    refused({p, in, Argument("reads", Argument::OutputBuffer, Int(32), 1)}, "argument-mismatch",
            "the argument 'reads' is declared as an output; the list is of inputs, and the outputs follow by "
            "themselves; leave it out");
    refused({p, in, p}, "duplicate-argument",
            "'p' stands twice among the arguments; a function takes each once; name it once");
    const Callable call = f.compile_to_callable({});
    expect_error<RuntimeError>([&] { call(static_cast<fluorite_buffer_t *>(nullptr)); }, "value-type",
                               "in f: argument 0 of its Callable is a null pointer; the pipeline takes a buffer there; "
                               "pass one");
}

TEST_F(Silent, RequirementsOnValuesOfFuncs) {
    Pipeline pipeline(g);
    const std::string text = "a requirement of the pipeline uses a value of f; it is checked once, before any Func is "
                             "computed; use Params and sizes of inputs, or call require() in a definition";
    expect_refused([&] { pipeline.add_requirement(f(3) > 2); }, "directive-value", text);
    expect_refused([&] { pipeline.add_requirement(p > 2, "it is", f(3)); }, "directive-value", text);
}

} // namespace
} // namespace fluorite::silent_names_test
