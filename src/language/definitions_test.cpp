// Definitions of Funcs: their stored form, and the errors of invalid ones.

#include "fluorite/fluorite.h"
#include "language/function.h"
#include "language/test_support.h"

#include <memory>

namespace definitions_test {

using namespace fluorite;
using namespace fluorite::language;

namespace {

Var x("x"), y("y"), c("c");

/// A Func of x and y.
Func two_dimensional(const char *name = "f") {
    Func f(name);
    f(x, y) = x + y;
    return f;
}

} // namespace

TEST(Func, AnswersQuestionsAboutItsDefinitions) {
    Func f("f");
    EXPECT_FALSE(f.defined());
    f(x, y) = Tuple(x + y, cast<uint8_t>(x));
    RDom r(0, 10, -1, y.name() == "y" ? 5 : 6, "r");
    f(r.x, y) = Tuple(f(r.x, y)[0] + r.y, f(r.x, y)[1]);
    f(x, y)[1] += 3;
    EXPECT_TRUE(f.defined());
    EXPECT_EQ(f.dimensions(), 2);
    EXPECT_EQ(f.outputs(), 2);
    EXPECT_EQ(f.types(), (std::vector<Type>{Int(32), UInt(8)}));
    EXPECT_EQ(f.args()[1].name(), "y");
    EXPECT_EQ(f.num_update_definitions(), 2);
    EXPECT_EQ(f.rvars(0).size(), 2U);
    EXPECT_EQ(f.rvars(0)[1].name(), "r$y");
    EXPECT_TRUE(f.rvars(1).empty());
    EXPECT_EQ(shown(f.update_args(0)[0] + x), "r.x + x");
    EXPECT_EQ(f.update(0).loops(), (std::vector<std::string>{"r$x", "r$y", "y"}));
    EXPECT_EQ(f.update(1).name(), "f.update(1)");
    EXPECT_EQ(f.update_values(1)[1].type(), UInt(8));
}

TEST(Func, PlaceholdersStandForRemainingDimensions) {
    Func f = two_dimensional(), g("g"), h("h");
    g(_) = f(_) + 1;
    EXPECT_EQ(g.dimensions(), 2);
    EXPECT_EQ(g.args()[0].name(), "_0");
    h(c, _) = g(_) * c;
    EXPECT_EQ(h.dimensions(), 3);
    h(3, _) += f(_);
    EXPECT_EQ(h.update(0).loops(), (std::vector<std::string>{"_0", "_1"}));
    ImageParam im(UInt(8), 3, "im");
    Func k("k");
    k(x, y, _) = im(x, _, y);
    EXPECT_EQ(k.dimensions(), 3);
}

// Names that only look like those of implicit variables are names of any other.
TEST(Func, ImplicitVariablesHaveNumbers) {
    const std::pair<const char *, int> indices[] = {{"_0", 0}, {"_9", 9},     {"_10", 10}, {"_999", 999}, {"_", -1},
                                                    {"", -1},  {"_1000", -1}, {"_a", -1},  {"_1a", -1},   {"_ 1", -1},
                                                    {"1", -1}, {"x1", -1},    {"__1", -1}, {"_-1", -1}};
    for (const auto &[name, index] : indices) {
        EXPECT_EQ(Var::implicit_index(name), index) << name;
        EXPECT_EQ(Var::is_implicit(name), index >= 0) << name;
    }
    Func f("f"), g("g");
    const Var odd("_a");
    f(odd) = odd;
    g(_) = f(_) + 2 * _0;
    EXPECT_EQ(f.args()[0].name(), "_a");
    EXPECT_EQ(g.dimensions(), 1);
}

TEST(Func, UpdatesDefineWhatIsUndefined) {
    ImageParam im(UInt(8), 2, "im");
    RDom r(im);
    Func histogram("histogram"), products("products"), direct("direct");
    histogram(im(r.x, r.y)) += 1;
    EXPECT_EQ(histogram.dimensions(), 1);
    EXPECT_EQ(text_of(histogram.value()), "0");
    EXPECT_EQ(histogram.type(), Int(32));
    products(x) *= cast<float>(im(x, r.x % 2));
    EXPECT_EQ(float_of(products.value()), 1.0);
    EXPECT_EQ(products.args()[0].name(), "x");
    direct(x, y) -= Tuple(x, cast<float>(y));
    EXPECT_EQ(direct.types(), (std::vector<Type>{Int(32), Float(32)}));
}

TEST(Func, DeclaredTypesHold) {
    Func f(UInt(8), 2, "f");
    f(x, y) = 3; // the number takes the declared type
    EXPECT_EQ(f.type(), UInt(8));
    f(x, 5) = 7;
    expect_compile_error(
        "value-type",
        "in g, stage 0: value 0 has type int32; the declaration has type uint8 there; cast it, as in "
        "cast(uint8, e)",
        [&] {
            Func g(UInt(8), 1, "g");
            g(x) = x;
        },
        __LINE__);
    expect_compile_error(
        "wrong-arity",
        "in g, stage 0: it is defined with 1 dimensions; it was declared with 2; use as many Vars as "
        "declared",
        [&] {
            Func g(UInt(8), 2, "g");
            g(x) = cast<uint8_t>(x);
        },
        __LINE__);
}

TEST(Definitions, RefuseUndefinedFuncs) {
    expect_compile_error(
        "undefined-func",
        "in f: it is called but has no definition; a Func is defined before it is called, and its first definition "
        "cannot "
        "call it; define it first, or for a recurrence give a start value and update it over an RDom",
        [&] {
            Func f("f"), g("g");
            g(x) = f(x) + 1;
        },
        __LINE__);
    expect_compile_error(
        "undefined-func", "in f: it is scheduled but has no definition; loops come from a definition; define it first",
        [&] {
            Func f("f");
            f.memoize();
        },
        __LINE__);
    expect_compile_error(
        "undefined-func",
        "in f: it is an output of a Pipeline but has no definition; a Func is defined before it is run; "
        "define it first",
        [&] {
            Func f("f");
            Pipeline p(f);
        },
        __LINE__);
    expect_compile_error(
        "no-outputs", "in a Pipeline: it has no outputs; a Pipeline has one or more; give Funcs",
        [&] { Pipeline p(std::vector<Func>{}); }, __LINE__);
    expect_compile_error(
        "no-such-update", "in f: update 1 is named; it has 0 updates, numbered from 0; name one of them",
        [&] { two_dimensional().update(1); }, __LINE__);
}

TEST(Definitions, RefuseWrongArity) {
    expect_compile_error(
        "wrong-arity",
        "in f: it is called with 1 coordinate; it has 2 dimensions; give one coordinate for each "
        "dimension, or _ for the remaining ones",
        [&] {
            Func f = two_dimensional(), g("g");
            g(x) = f(x);
        },
        __LINE__);
    EXPECT_THROW(two_dimensional()(x, y, c) + 1, CompileError);
    EXPECT_THROW(two_dimensional()(x, y, _, c) + 1, CompileError);
    EXPECT_THROW(two_dimensional()(_, _) + 1, CompileError);
    Func f = two_dimensional();
    EXPECT_THROW(f(x) = 3, CompileError);
    expect_compile_error(
        "non-integer-coordinate",
        "in f: coordinate 1 has type float32; coordinates are integers; cast it, as in cast<int>(e)",
        [&] { f(x, 1.5f) + 1; }, __LINE__);
}

TEST(Definitions, RefuseBadLeftSides) {
    expect_compile_error(
        "pure-argument",
        "in f, stage 0: argument 0 of its first definition is x + 1; the first definition gives the value "
        "everywhere, so its arguments are Vars; define it with Vars first, then update single points",
        [&] {
            Func f("f");
            f(x + 1) = x;
        },
        __LINE__);
    expect_compile_error(
        "duplicate-var",
        "in f, stage 0: the Var x stands twice on the left side; each dimension has its own Var; use "
        "distinct Vars",
        [&] {
            Func f("f");
            f(x, x) = x;
        },
        __LINE__);
    Func f = two_dimensional();
    expect_compile_error(
        "misplaced-var",
        "in f, stage 1: argument 0 is the Var y; an update keeps a dimension with its own Var, here x, or "
        "gives it by RVars and numbers; write x there, or use an RDom",
        [&] { f(y, x) = 1; }, __LINE__);
    EXPECT_NO_THROW(f(x, x) = 1); // the diagonal
}

TEST(Definitions, RefuseUnknownVariables) {
    expect_compile_error(
        "undefined-variable",
        "in f, stage 0: its right side or coordinates use the Var y, which is no Var of the left side; a "
        "definition uses the Vars of its left side (x) and RVars; add it to the left side, or give a "
        "number",
        [&] {
            Func f("f");
            f(x) = x + y;
        },
        __LINE__);
    Func f = two_dimensional();
    EXPECT_THROW(f(x, 3) = y, CompileError);
    EXPECT_THROW(f(3, x + 1) = 1, CompileError);
    EXPECT_NO_THROW(f(x, x + 1) = 1);
}

TEST(Definitions, RefuseRecursion) {
    expect_compile_error(
        "recursive-definition",
        "in f, stage 0: its first definition calls itself; a pure definition cannot, as nothing defines "
        "the value that it would call; define a start value first, then update it over an RDom",
        [&] {
            Func f(Int(32), 1, "f");
            f.function()->def.types = {Int(32)};
            std::vector<Expr> at{x};
            const Expr self = ir::make_call(Int(32), f.function()->def.symbol, 0, at);
            f(x) = self + 1;
        });
    expect_compile_error(
        "undefined-func",
        "in f: it is called but has no definition; a Func is defined before it is called, and its first definition "
        "cannot "
        "call it; define it first, or for a recurrence give a start value and update it over an RDom",
        [&] {
            Func f("f");
            f(x) = f(x - 1) + 1;
        },
        __LINE__);
    Func f = two_dimensional(), g("g");
    g(x) = f(x, x);
    expect_compile_error(
        "func-in-use",
        "in f, stage 1: it is changed after another Func has called it; what others have called stays as "
        "it is; make all its definitions before it is called",
        [&] { f(x, y) = g(x); }, __LINE__);
}

TEST(Definitions, RefuseShiftedSelfCalls) {
    Func f = two_dimensional();
    expect_compile_error(
        "shifted-self-call",
        "in f, stage 1: it calls itself with x - 1 in dimension 0, which the left side keeps as x; all "
        "points of a Var are updated in any order, so they cannot read each other; write x there, or run "
        "the dimension over an RDom",
        [&] { f(x, y) = f(x - 1, y) + 1; }, __LINE__);
    RDom r(1, 9);
    EXPECT_NO_THROW(f(r, y) = f(r - 1, y) + 1);
}

TEST(Definitions, RefuseBadReductionDomains) {
    Func f = two_dimensional();
    RDom r(0, 5, "r"), s(0, 5, "s");
    expect_compile_error(
        "several-rdoms",
        "in f, stage 1: it uses RDom r and RDom s; an update runs over one RDom; make one RDom of all "
        "dimensions",
        [&] { f(r, s) = 0; }, __LINE__);
    expect_compile_error(
        "rvar-in-pure-definition",
        "in g, stage 0: its first definition uses RDom r; a pure definition runs over its Vars only; "
        "define a start value first, then update it over the RDom, or use sum, product, minimum or maximum",
        [&] {
            Func g("g");
            g(x) = x + r;
        },
        __LINE__);
    RDom t(0, f(0, 0), "t");
    expect_compile_error(
        "rdom-depends-on-func",
        "in f, stage 1: the bounds of RDom t depend on the Func itself; the domain is known before the "
        "update runs; compute the bounds from Params, sizes or numbers, and cut the domain with where()",
        [&] { f(t, y) += 1; }, __LINE__);
    expect_compile_error(
        "rdom-bounds",
        "in g, stage 1: the bounds of RDom t use the Func f; bounds are computed from Params, sizes and "
        "numbers; give constant bounds and cut the domain with where()",
        [&] {
            Func g("g");
            g(x) = 0;
            g(t) += 1;
        },
        __LINE__);
    expect_compile_error(
        "rdom-bounds-type", "in RDom r: the extent of dimension 0 has type handle; bounds are numbers; cast it to int",
        [&] {
            Param<char *> text("text");
            RDom q(0, text);
        },
        __LINE__);
    expect_compile_error(
        "rdom-rank",
        "in RDom q: it is used as one variable but has 2 dimensions; only an RDom of one dimension is a "
        "variable; name the dimension, as in r.x",
        [&] {
            RDom q(0, 5, 0, 5, "q");
            Expr e = q;
        });
    f(r, y) += 1;
    expect_compile_error(
        "rdom-in-use",
        "in RDom r: where() is called after a definition has used it; predicates are part of the domain; "
        "call where() before",
        [&] { r.where(r > 3); }, __LINE__);
    expect_compile_error("rvar-without-domain",
                         "in RVar ro: it is used as a value but belongs to no RDom; only RVars of an RDom have values "
                         "(others name loops); use the x, y, z, w or [i] of an RDom",
                         [&] {
                             RVar ro("ro");
                             Expr e = ro;
                         });
}

TEST(Definitions, RefuseMixedValues) {
    Func f = two_dimensional();
    expect_compile_error(
        "value-type",
        "in f, stage 1: value 0 has type float32; its first definition has type int32 there; cast it, as "
        "in cast(int32, e)",
        [&] { f(x, y) = 1.5f; }, __LINE__);
    expect_compile_error(
        "tuple-size",
        "in f, stage 1: it is updated by 2 values; it was defined with 1; give as many values as its "
        "first definition",
        [&] { f(x, y) = Tuple(1, 2); }, __LINE__);
    Func t("t");
    t(x) = Tuple(x, 1.5f);
    expect_compile_error(
        "tuple-size",
        "in t: its call is used as one value but has 2; a Tuple is used by its elements; index the call, "
        "as in f(x)[0]",
        [&] { t(x) + 1; }, __LINE__);
    expect_compile_error(
        "tuple-size", "in t: element 2 of its call is named; it has 2; elements are numbered from 0; name one of them",
        [&] { t(x)[2] + 1; }, __LINE__);
}

TEST(Inputs, RefuseMisuse) {
    ImageParam im(UInt(8), 2, "im");
    expect_compile_error(
        "no-such-dimension", "in im: dimension 2 is named; it has 2; name one of them, from 0", [&] { im.dim(2); },
        __LINE__);
    expect_compile_error(
        "bad-alignment", "in im: a host alignment of 3 bytes; an alignment is a power of two; give one",
        [&] { im.set_host_alignment(3); }, __LINE__);
    expect_compile_error(
        "input-type",
        "in im: it is set to a buffer of type int32 with 1 dimensions; it was declared with type uint8 and "
        "2 dimensions; give a buffer as declared",
        [&] { im.set(Buffer<int>(3)); }, __LINE__);
    expect_compile_error(
        "undefined-input",
        "in an undefined ImageParam: it is called; an ImageParam has a type and a rank; construct it as "
        "ImageParam(type, dimensions)",
        [&] {
            ImageParam none;
            none(x);
        },
        __LINE__);
    expect_compile_error(
        "undefined-input",
        "in an undefined Buffer: it is an argument; a Buffer has memory when it is used; allocate it first",
        [&] { Argument argument = Buffer<int>(); }, __LINE__);
    EXPECT_THROW(im(x), CompileError);
}

TEST(InlineReductions, CaptureFreeVariables) {
    Func f = two_dimensional(), g("g"), h("h");
    RDom r(-1, 3, -1, 3, "r"), s(0, 4, "s");
    g(x, y) = sum(f(x + r.x, y + r.y)) + maximum(f(x + s, y));
    EXPECT_EQ(g.num_update_definitions(), 0);
    EXPECT_EQ(g.function()->callees.size(), 2U);
    const Function &helper = *g.function()->callees[0];
    EXPECT_EQ(helper.name, "sum");
    EXPECT_EQ(helper.def.args.size(), 2U);
    EXPECT_EQ(helper.def.stages[1].rvars.size(), 2U);
    // RVars of the enclosing update become Vars of the helper.
    h(x) = 0;
    h(x) += sum(s, f(x + r.x, s + r.y));
    EXPECT_EQ(h.function()->callees[0]->def.args.size(), 3U);
    EXPECT_EQ(h.rvars(0).size(), 2U);
    Func named("named");
    Func k("k");
    k(x) = argmax(f(x, s), named)[0];
    EXPECT_EQ(named.outputs(), 2);
    EXPECT_EQ(text_of(named.values()[0]), "0");
    expect_compile_error(
        "several-rdoms",
        "in an inline sum: its operand uses RDom r and RDom s; it reduces over one of them; give that one "
        "first, as in sum(r, e)",
        [&] { sum(f(r.x, s)); }, __LINE__);
    expect_compile_error(
        "no-rdom", "in an inline sum: its operand uses no RDom; a reduction runs over one; use an RVar in the operand",
        [&] { sum(f(x, y)); }, __LINE__);
    expect_compile_error(
        "helper-defined",
        "in f: it is given to an inline sum but has a definition; the helper of a reduction is defined by "
        "it; give a Func without definition",
        [&] { sum(f(x, s), f); }, __LINE__);
}

TEST(Functions, DieWithTheirLastUser) {
    std::weak_ptr<buffer_detail::Contents> header;
    {
        Buffer<int> image(16);
        header = image.contents();
        Func f("f"), g("g"), h("h");
        RDom r(1, 9), s(1, 9);
        r.where(r < 5);
        f(x) = image(x);
        f(r) = f(r - 1) + image(r);
        s.where(f(s) > 0);
        f(s) = f(s) + 1;
        g(x) = f(x) + sum(f(x + r));
        h(x) = g(x) + f(x);
        f.compute_at(g, x);
        f.in(h).compute_at(h, x);
        f.in().compute_root();
        f.bound(x, 0, 16);
        ImageParam im(Int(32), 2, "im");
        im.dim(1).set_stride(im.dim(0).extent());
        im.dim(0).set_extent(16);
        h(x) += im(x, x);
    }
    EXPECT_TRUE(header.expired());
}

TEST(Wrappers, RefuseOverlappingConsumers) {
    Func f = two_dimensional(), g("g"), h("h");
    g(x, y) = f(x, y);
    h(x, y) = f(x, y) + g(x, y);
    EXPECT_TRUE(f.in({g, h}).same_as(f.in({g, h})));
    expect_compile_error(
        "wrapper-exists",
        "in f: in() names a consumer that has the wrapper f_in_g_h already; a consumer calls one wrapper of "
        "a Func; call in() with the same consumers again to get it",
        [&] { f.in(g); }, __LINE__);
}

} // namespace definitions_test
