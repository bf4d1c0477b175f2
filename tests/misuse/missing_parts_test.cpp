// Definitions, directives and calls of which a part is missing, or is there too often: which one, and what to do.
#include "fluorite/fluorite.h"
#include "fluorite/iterate.h"
#include "fluorite/stencil.h"
#include "support/check.h"
#include "support/test_errors.h"

#include <gtest/gtest.h>

namespace fluorite::missing_parts_test {
namespace {

/// Tells where the call stands, for errors say the line.
#define EXPECT_MISSING(call, slug, message)                                                                            \
    expect_error<CompileError>([&] { call; }, slug, message, {"missing_parts_test", __LINE__})

class MissingParts : public testing::Test {
  protected:
    Var x{"x"}, y{"y"};
    Func f{"f"}, g{"g"};
    const Expr none;

    void SetUp() override { g(x, y) = x + y; }
};

TEST_F(MissingParts, ValuesOfDefinitions) {
    const std::string undefined = " is an undefined Expr; a definition has values; initialize the Expr";
    EXPECT_MISSING(f(x) = none, "undefined-operand", "in f, stage 0: value 0" + undefined);
    EXPECT_MISSING(f(x) = Tuple(x, none), "undefined-operand", "in f, stage 0: value 1" + undefined);
    EXPECT_MISSING(f(x) += none, "undefined-operand", "in f, stage 0: value 0" + undefined);
    EXPECT_MISSING(g(x, y) = none, "undefined-operand", "in g, stage 1: value 0" + undefined);
    Func declared(std::vector<Type>{Int(32), Float(32)}, 1, "declared");
    EXPECT_MISSING(declared(x) = x, "tuple-size",
                   "in declared, stage 0: it is defined by 1 values; it was declared with 2; give as many values as "
                   "declared");
}

TEST_F(MissingParts, ValuesOfFuncsThatHaveSeveral) {
    Func pair("pair");
    pair(x) = Tuple(x, x + 1);
    pair(x) = Tuple(x, 3);
    EXPECT_MISSING((void)pair.value(), "tuple-size",
                   "in pair: its value is asked for but it has 2; value() is for Funcs of one; use values()");
    EXPECT_MISSING((void)pair.type(), "tuple-size",
                   "in pair: its type is asked for but it has 2 values; type() is for Funcs of one; use types()");
    EXPECT_MISSING((void)pair.update_value(), "tuple-size",
                   "in pair, stage 1: its value is asked for but it has 2; update_value() is for Funcs of one; use "
                   "update_values()");
    EXPECT_MISSING((void)f.type(), "undefined-func",
                   "in f: its type is asked for but it has 0 values; type() is for Funcs of one; use types()");
}

TEST_F(MissingParts, Arguments) {
    EXPECT_MISSING(f(x, y) = g(_, _), "wrong-arity",
                   "in g: _ stands twice among its arguments; _ means all dimensions that remain; keep one");
    EXPECT_MISSING(lerp(x, y, Expr(3)), "lerp-weight",
                   "in an expression, lerp: the weight has type int32; a weight is a float in [0, 1] or unsigned; cast "
                   "it to a float or unsigned type");
    EXPECT_MISSING(mux(x, std::vector<Expr>()), "tuple-size",
                   "in an expression, mux: there are no values; mux chooses one of them; give at least one value");
    EXPECT_MISSING(mux(x, std::vector<Tuple>()), "tuple-size",
                   "in an expression, mux: there are no values; mux chooses one of them; give at least one value");
    EXPECT_MISSING(
        BoundaryConditions::repeat_edge(g, {{0, 8}, {Expr(), 3}}), "undefined-operand",
        "in g: repeat_edge gives a range with one side; a range has both, or none for no bound; give min and "
        "extent");
    EXPECT_MISSING(RDom(Region(), "r"), "rdom-rank",
                   "in RDom r: it has no dimension; a reduction domain has one or more; give ranges");
    EXPECT_MISSING(StencilSource(std::vector<ImageParam>()), "stencil-empty",
                   "in a stencil: its source is a list of no images; a source has a value; give one or more");
}

TEST_F(MissingParts, Directives) {
    EXPECT_MISSING(g.in(std::vector<Func>()), "no-outputs",
                   "in g: in() is given no consumers; a wrapper stands before one or more; name them, or use in() for "
                   "all");
    EXPECT_MISSING(g.clone_in(std::vector<Func>()), "no-outputs",
                   "in g: clone_in() is given no consumers; a clone is what one or more call; name them");
    f(x, y) = g(x, y);
    EXPECT_MISSING(f.compute_with(LoopLevel()), "undefined-loop-level",
                   "in f, stage 0: compute_with of a LoopLevel that has no place; the loops are shared from here on; "
                   "call set() on it first");
    EXPECT_MISSING(f.prefetch(OutputImageParam(), y, y, 2), "undefined-func",
                   "in f, stage 0: prefetch names an ImageParam without a type; it is given one before it is read; "
                   "define it first");
}

// Features that Target names for the sake of programs that ask for them.
TEST_F(MissingParts, FeaturesWithoutImplementation) {
    f(x) = x;
    for (const Target::Feature feature : {Target::FMA4, Target::Vulkan, Target::HVX}) {
        Target target("x86-64-linux-avx2");
        target.set_feature(feature);
        EXPECT_MISSING(f.compile_to_object("f.o", {}, "f", target), "bad-target",
                       concat("target ", target.to_string(), ": ", Target::feature_to_name(feature),
                              " has no implementation here; a feature is honoured or refused; leave it out"));
    }
}

TEST_F(MissingParts, Iterations) {
    const IterationBody body = [](const IterationStep &) { return Func("next"); };
    EXPECT_MISSING(iterate(2, {{0, 4}, {0, 4}}, f, body), "undefined-func",
                   "in iterate: the initial Func has no definition; iterate takes Funcs that are defined; define it "
                   "first");
    EXPECT_MISSING(
        iterate(2, {{0, 4}, {0, 4}}, g, body), "undefined-func",
        "in iterate: the Func that the body returns has no definition; iterate takes Funcs that are defined; "
        "define it first");
    EXPECT_MISSING(iterate(2, {{0, 4}, {0, Expr()}}, g, body), "iterate-domain",
                   "in iterate: a range of the domain has no min or no extent; the fields are stored, so their box is "
                   "bounded; give both");
    EXPECT_MISSING(iterate(2, {{0, 4}}, g, body), "iterate-domain",
                   "in iterate: the domain has 1 ranges, and the initial Func g has 2 dimensions; a domain has a range "
                   "for each dimension; give as many");
}

} // namespace
} // namespace fluorite::missing_parts_test
