// Every refusal of a schedule, provoked as a user would: its slug, its exact text, and the line that it points to.
#include "fluorite/fluorite.h"
#include "language/function.h"
#include "schedule/directives.h"

#include <functional>
#include <gtest/gtest.h>
#include <random>
#include <sstream>
#include <string>

namespace fluorite {
namespace {

struct Call {
    unsigned line;
    std::function<void()> run;
};

// A call written on one line, and that line.
#define CALL(...)                                                                                                      \
    Call {                                                                                                             \
        __LINE__, [&] { __VA_ARGS__; }                                                                                 \
    }
// Makes a call that is refused later; gives its line.
#define LINE_OF(...) (static_cast<void>(__VA_ARGS__), static_cast<unsigned>(__LINE__))

void expect_refused(const Call &call, const std::string &slug, const std::string &message) {
    try {
        call.run();
    } catch (const CompileError &error) {
        EXPECT_EQ(error.slug(), slug);
        EXPECT_EQ(error.message(), message);
        EXPECT_EQ(error.location().line, call.line);
        EXPECT_NE(std::string(error.location().file).find("refusals_test"), std::string::npos) << error.location().file;
        return;
    }
    ADD_FAILURE() << "line " << call.line << " is accepted; expected [" << slug << "]";
}

// What lowering refuses: the pipeline is whole, the place is that of an earlier call.
void expect_refused_later(const Func &output, unsigned line, const std::string &slug, const std::string &message) {
    expect_refused({line, [&] { (void)output.loop_nest(); }}, slug, message);
}

class ScheduleRefusals : public testing::Test {
  protected:
    Var x{"x"}, y{"y"}, z{"z"}, xo{"xo"}, xi{"xi"}, yo{"yo"}, yi{"yi"};
    RDom r{0, 10, 0, 20, "r"};
    Func f{"f"}, g{"g"}, h{"h"};

    void SetUp() override { f(x, y) = x + y; }
};

// ---- Names of loops and dimensions.

TEST_F(ScheduleRefusals, UnknownLoopVariable) {
    const std::string rest = " names z; a directive names loops of the stage it is called on; its loops are x, y";
    expect_refused(CALL(f.split(z, xo, xi, 8)), "unknown-loop-variable", "in f, stage 0: split" + rest);
    expect_refused(CALL(f.fuse(z, y, xo)), "unknown-loop-variable", "in f, stage 0: fuse" + rest);
    expect_refused(CALL(f.rename(z, xo)), "unknown-loop-variable", "in f, stage 0: rename" + rest);
    expect_refused(CALL(f.reorder(y, z)), "unknown-loop-variable", "in f, stage 0: reorder" + rest);
    expect_refused(CALL(f.serial(z)), "unknown-loop-variable", "in f, stage 0: serial" + rest);
    expect_refused(CALL(f.parallel(z)), "unknown-loop-variable", "in f, stage 0: parallel" + rest);
    expect_refused(CALL(f.vectorize(z, 8)), "unknown-loop-variable", "in f, stage 0: vectorize" + rest);
    expect_refused(CALL(f.unroll(z, 2)), "unknown-loop-variable", "in f, stage 0: unroll" + rest);
    expect_refused(CALL(f.partition(z, Partition::Never)), "unknown-loop-variable", "in f, stage 0: partition" + rest);
}

TEST_F(ScheduleRefusals, UnknownLoopVariableNamesTheLoopsThatThereAreNow) {
    f.split(x, xo, xi, 8);
    expect_refused(
        CALL(f.vectorize(x)), "unknown-loop-variable",
        "in f, stage 0: vectorize names x; a directive names loops of the stage it is called on; its loops are "
        "xi, xo, y");
    g() = 1;
    expect_refused(
        CALL(g.parallel(x)), "unknown-loop-variable",
        "in g, stage 0: parallel names x; a directive names loops of the stage it is called on; its loops are none");
}

TEST_F(ScheduleRefusals, LoopNameTaken) {
    expect_refused(
        CALL(f.split(x, y, xi, 8)), "loop-name-taken",
        "in f, stage 0: split makes a loop named y, which exists already; loops of a stage have distinct names; "
        "use another Var, the loops are x, y");
    expect_refused(CALL(f.split(x, xo, xo, 8)), "loop-name-taken",
                   "in f, stage 0: split of x names both loops xo; loops of a stage have distinct names; use two Vars");
    expect_refused(
        CALL(f.rename(x, y)), "loop-name-taken",
        "in f, stage 0: rename makes a loop named y, which exists already; loops of a stage have distinct names; "
        "use another Var, the loops are x, y");
    expect_refused(CALL(f.fuse(x, x, xo)), "loop-name-taken",
                   "in f, stage 0: fuse of x with itself; fuse joins two loops; name two loops of x, y");
    g(x, y, z) = x;
    expect_refused(
        CALL(g.fuse(x, y, z)), "loop-name-taken",
        "in g, stage 0: fuse makes a loop named z, which exists already; loops of a stage have distinct names; "
        "use another Var, the loops are x, y, z");
}

TEST_F(ScheduleRefusals, UnknownDimension) {
    const std::string rest = " names z; it takes a pure Var of the Func's definition; these are x, y";
    expect_refused(CALL(f.bound(z, 0, 8)), "unknown-dimension", "in f: bound" + rest);
    expect_refused(CALL(f.align_bounds(z, 8)), "unknown-dimension", "in f: align_bounds" + rest);
    expect_refused(CALL(f.set_estimate(z, 0, 8)), "unknown-dimension", "in f: set_estimate" + rest);
    expect_refused(CALL(f.reorder_storage(y, z)), "unknown-dimension", "in f: reorder_storage" + rest);
}

// ---- Splits.

TEST_F(ScheduleRefusals, SplitFactorNotInteger) {
    expect_refused(
        CALL(f.split(x, xo, xi, Expr(2.5f))), "split-factor-not-integer",
        "in f, stage 0: split of x has a factor that is not an integer; a factor counts loop iterations; pass an "
        "int");
    expect_refused(
        CALL(f.vectorize(x, Expr())), "split-factor-not-integer",
        "in f, stage 0: vectorize of x has a factor that is not an integer; a factor counts loop iterations; pass "
        "an int");
}

TEST_F(ScheduleRefusals, SplitFactorNotPositive) {
    const std::string rest = "; a factor counts loop iterations and is 1 or more; pass a positive factor";
    expect_refused(CALL(f.split(x, xo, xi, 0)), "split-factor-not-positive", "in f, stage 0: split of x by 0" + rest);
    expect_refused(CALL(f.unroll(x, -3)), "split-factor-not-positive", "in f, stage 0: unroll of x by -3" + rest);
    expect_refused(CALL(f.parallel(y, 0)), "split-factor-not-positive", "in f, stage 0: parallel of y by 0" + rest);
    expect_refused(CALL(f.tile(x, y, xi, yi, 8, -1)), "split-factor-not-positive",
                   "in f, stage 0: split of y by -1" + rest);
    EXPECT_EQ(Stage(f).loops(), (std::vector<std::string>{"x", "y"})) << "a refused tile leaves the loops as they were";
}

TEST_F(ScheduleRefusals, TailStrategyOnRVar) {
    g(x) = 0;
    g(x) += r.x;
    RVar ro("ro"), ri("ri");
    expect_refused(CALL(g.update(0).split(r.x, ro, ri, 4, TailStrategy::RoundUp)), "tail-strategy-on-rvar",
                   "in g, stage 1: split of " + r.x.name() +
                       " with TailStrategy::RoundUp; an iteration of a reduction happens exactly once; use "
                       "TailStrategy::GuardWithIf");
}

TEST_F(ScheduleRefusals, ShiftInwardsInUpdate) {
    f(x, y) += 1;
    expect_refused(
        CALL(f.update(0).split(x, xo, xi, 4, TailStrategy::ShiftInwards)), "shift-inwards-in-update",
        "in f, stage 1: split of x with TailStrategy::ShiftInwards; an update that runs twice on a point changes "
        "it twice; use TailStrategy::GuardWithIf or RoundUp");
}

TEST_F(ScheduleRefusals, TailStrategyNotSupported) {
    f.split(x, xo, xi, 8);
    expect_refused(
        CALL(f.vectorize(xi, 4, TailStrategy::PredicateLoads)), "tail-strategy-not-supported",
        "in f, stage 0: split of xi, a part of another split, with TailStrategy::PredicateLoads; its stores beyond the "
        "end have no values and could fall on points of other pieces; use TailStrategy::Predicate");
    f.vectorize(xi, 4, TailStrategy::Predicate);
}

TEST_F(ScheduleRefusals, BlendOfConcurrentIterations) {
    f.split(x, xo, xi, 8, TailStrategy::ShiftInwardsAndBlend).vectorize(xi).parallel(y);
    expect_refused(CALL(f.parallel(xo)), "blend-of-concurrent-iterations",
                   "in f, stage 0: parallel makes iterations of loop xo run at once, and the split of x has "
                   "TailStrategy::ShiftInwardsAndBlend; a tail that is blended stores old values of points that other "
                   "iterations compute; use TailStrategy::GuardWithIf, or keep the loop serial");
    f.serial(xo);
}

TEST_F(ScheduleRefusals, SplitOfMarkedLoop) {
    f.parallel(y).unroll(x);
    expect_refused(
        CALL(f.split(y, yo, yi, 8)), "split-of-marked-loop",
        "in f, stage 0: split of y, which is already vectorized, unrolled or parallel; a loop is split before it "
        "is marked; call split first");
    expect_refused(
        CALL(f.fuse(x, y, xo)), "split-of-marked-loop",
        "in f, stage 0: fuse of x, which is already vectorized, unrolled or parallel; loops are fused before they "
        "are marked; call fuse first");
}

TEST_F(ScheduleRefusals, TileListsDiffer) {
    expect_refused(
        CALL(f.tile({x, y}, {xo, yo}, {xi}, {8, 8})), "tile-lists-differ",
        "in f, stage 0: tile with 2 loops, 2 outer and 1 inner names and 2 factors; each loop takes one of each; "
        "pass lists of one length");
}

// ---- Order and marks.

TEST_F(ScheduleRefusals, ReorderRepeatsLoop) {
    expect_refused(CALL(f.reorder(x, y, x)), "reorder-repeats-loop",
                   "in f, stage 0: reorder names x twice; each loop has one place; name it once");
    expect_refused(CALL(f.reorder_storage(y, y)), "reorder-repeats-loop",
                   "in f: reorder_storage names y twice; each dimension has one place; name it once");
}

TEST_F(ScheduleRefusals, ReorderChangesReduction) {
    g(x) = 0.0f;
    g(x) += cast<float>(r.x * r.y); // floats round, so the order counts
    const std::string rx = r.x.name(), ry = r.y.name();
    expect_refused(
        CALL(g.update(0).reorder(r.y, r.x)), "reorder-changes-reduction",
        "in g, stage 1: reorder moves RVar loop " + ry + " inside of " + rx +
            ", and + of float32 commutes only up to rounding, NaNs and signs of zeros; iterations of a reduction keep "
            "their order unless they are independent or commute bit for bit; keep the order " +
            rx + ", " + ry + " (innermost first), or accept another rounding with g.allow_reassociation()");
    h(x) = 0;
    h(x) += r.x * r.y;
    EXPECT_NO_THROW(h.update(0).reorder(r.y, r.x)) << "integer sums commute";
    g.allow_reassociation();
    EXPECT_NO_THROW(g.update(0).reorder(r.y, r.x)) << "the program accepts another rounding";
}

TEST_F(ScheduleRefusals, ReorderOfWhatIsNoReduction) {
    g(x) = 0;
    g(x) = g(x) * 2 + r.x;
    expect_refused(
        CALL(g.update(0).reorder(r.y, r.x)), "reorder-changes-reduction",
        "in g, stage 1: reorder moves RVar loop r$y inside of r$x, and its value is not the old value combined by an "
        "operator that is known to be associative; iterations of a reduction keep their order unless they are "
        "independent or commute bit for bit; keep the order r$x, r$y (innermost first)");
}

TEST_F(ScheduleRefusals, ParallelOverDependence) {
    g(x) = 0;
    g(x) += r.x;
    expect_refused(CALL(g.update(0).parallel(r.x)), "parallel-over-dependence",
                   "in g, stage 1: parallel of RVar loop r$x; its iterations update the same points at once, which is "
                   "a race; call "
                   "atomic() first, make partial results with rfactor(), or parallel a loop over a pure Var");
    EXPECT_NO_THROW(g.update(0).vectorize(r.x, 2)) << "lanes of an integer sum are combined";
    EXPECT_NO_THROW(g.update(0).allow_race_conditions().parallel(r.y)) << "the user takes the blame";

    h(x) = 0.0f;
    h(x) += cast<float>(r.x);
    expect_refused(
        CALL(h.update(0).vectorize(r.x, 2)), "parallel-over-dependence",
        "in h, stage 1: vectorize of RVar loop r$x; its iterations read or write what another one writes, and "
        "+ of float32 commutes only up to rounding, NaNs and signs of zeros; keep it serial, or vectorize a "
        "loop over a pure Var, or accept another rounding with h.allow_reassociation()");
    Func scan("scan");
    scan(x) = x;
    scan(r.x + 1) += scan(r.x);
    expect_refused(CALL(scan.update(0).parallel(r.x)), "parallel-over-dependence",
                   "in scan, stage 1: parallel of RVar loop r$x; its iterations read or write what another one writes, "
                   "and it reads its own values at other points than the one that it updates; keep it serial, or "
                   "parallel a loop over a pure Var");
    Func last("last");
    last(x) = x;
    last(x) = r.x;
    expect_refused(
        CALL(last.update(0).vectorize(r.x)), "parallel-over-dependence",
        "in last, stage 1: vectorize of RVar loop r$x; its iterations read or write what another one writes, "
        "and its value does not depend on the old one, so the last iteration decides; keep it serial, or "
        "vectorize a loop over a pure Var");
}

TEST_F(ScheduleRefusals, LoopMarkedTwice) {
    f.parallel(y);
    expect_refused(
        CALL(f.vectorize(y)), "loop-marked-twice",
        "in f, stage 0: vectorize of y, which is already marked parallel; a loop runs in one way; split it, or "
        "call serial(y) first");
    EXPECT_NO_THROW(f.serial(y).unroll(y));
}

TEST_F(ScheduleRefusals, AtomicNotCommutative) {
    g(x) = 0.0f;
    g(x) += cast<float>(r.x);
    expect_refused(
        CALL(g.update(0).atomic()), "atomic-not-commutative",
        "in g, stage 1: atomic of an update whose order counts: + of float32 commutes only up to rounding, NaNs and "
        "signs "
        "of zeros; atomic lets iterations run in any order; keep its loops serial, or accept another rounding with "
        "g.allow_reassociation()");
    EXPECT_NO_THROW(g.update(0).atomic(true).parallel(r.x)) << "the user takes the blame";
    h(x) = Tuple(0, 1000);
    h(x) = select(r.x * x < h(x)[1], Tuple(Expr(r.x), r.x * x), h(x));
    expect_refused(
        CALL(h.update(0).atomic()), "atomic-not-commutative",
        "in h, stage 1: atomic of an update whose order counts: argmin chooses between equals by their order; "
        "atomic lets iterations run in any order; keep its loops serial");
}

// ---- Partial results.

TEST_F(ScheduleRefusals, RFactorOfPureLoop) {
    Var u("u");
    expect_refused(
        CALL(Stage(f).rfactor(x, u)), "rfactor-of-pure-loop",
        "in f, stage 0: rfactor of a definition without RVars; partial results are those of a reduction; call it "
        "on an update that runs over an RDom");
    g(x) = 0;
    g(x) += r.x;
    expect_refused(
        CALL(g.update().rfactor(x, u)), "rfactor-of-pure-loop",
        "in g, stage 1: rfactor of x, a loop over a pure Var; partial results are kept for the iterations of an "
        "RVar; name an RVar loop");
    expect_refused(
        CALL(g.update().rfactor(RVar("q"), u)), "unknown-loop-variable",
        "in g, stage 1: rfactor names q; a directive names loops of the stage it is called on; its loops are "
        "r$x, r$y, x");
}

TEST_F(ScheduleRefusals, RFactorRepeats) {
    Var u("u"), v("v");
    g(x) = 0;
    g(x) += r.x;
    expect_refused(CALL(g.update().rfactor({{r.x, u}, {r.x, v}})), "rfactor-repeats",
                   "in g, stage 1: rfactor names r$x twice; each loop has one dimension; name it once");
    const std::vector<std::pair<RVar, Var>> none;
    expect_refused(
        CALL(g.update().rfactor(none)), "rfactor-repeats",
        "in g, stage 1: rfactor names no loop; each partial result belongs to an iteration; name an RVar loop");
}

TEST_F(ScheduleRefusals, RFactorOfMarkedLoop) {
    Var u("u");
    g(x) = 0;
    g(x) += r.x;
    g.update().vectorize(r.x);
    expect_refused(
        CALL(g.update().rfactor(r.y, u)), "rfactor-of-marked-loop",
        "in g, stage 1: rfactor of a stage whose RVar loop r$x is already parallel or vectorized; rfactor makes "
        "new loops of the RVars; call rfactor first, then mark the loops of what it returns");
}

TEST_F(ScheduleRefusals, RFactorOfFusedLoop) {
    Var u("u");
    RVar q("q");
    g(x) = 0;
    g(x) += r.x;
    g.update().reorder(r.x, x, r.y).fuse(x, r.y, q);
    expect_refused(
        CALL(g.update().rfactor(r.x, u)), "rfactor-of-fused-loop",
        "in g, stage 1: rfactor of a stage that fuses x and r$y, of a pure Var and an RVar; their iterations are "
        "one loop; fuse after rfactor");
}

TEST_F(ScheduleRefusals, RFactorVarTaken) {
    Var u("u");
    g(x) = 0;
    g(x) += r.x;
    g.update().split(x, xo, xi, 4);
    const std::string rest =
        "; the Func of partial results has the Vars of g and one more for each loop; use a new Var";
    expect_refused(CALL(g.update().rfactor(r.x, x)), "rfactor-var-taken",
                   "in g, stage 1: rfactor keeps a loop as dimension x, which is a dimension or a loop already" + rest);
    expect_refused(CALL(g.update().rfactor(r.x, xo)), "rfactor-var-taken",
                   "in g, stage 1: rfactor keeps a loop as dimension xo, which is a dimension or a loop already" +
                       rest);
    expect_refused(CALL(g.update().rfactor({{r.x, u}, {r.y, u}})), "rfactor-var-taken",
                   "in g, stage 1: rfactor keeps a loop as dimension u, which is named twice" + rest);
}

TEST_F(ScheduleRefusals, RFactorNotAssociative) {
    Var u("u");
    g(x) = 0.0f;
    g(x) += cast<float>(r.x);
    expect_refused(
        CALL(g.update().rfactor(r.y, u)), "rfactor-not-associative",
        "in g, stage 1: rfactor of an update by + of float32, which is associative only up to rounding, NaNs and "
        "signs of zeros; a schedule changes no bit; keep the loops serial, or accept another rounding with "
        "g.allow_reassociation()");
    h(x) = 0;
    h(x) = h(x) / 2 + r.x;
    expect_refused(
        CALL(h.update().rfactor(r.y, u)), "rfactor-not-associative",
        "in h, stage 1: rfactor of an update that is not proved to be associative: its value is not the old value "
        "combined by an operator that is known to be associative; partial results are combined by the update's "
        "operator; keep the loops serial");
    Func last("last");
    last(x) = Tuple(0, 1000);
    last(x) = select(r.x * x <= last(x)[1], Tuple(Expr(r.x), r.x * x), last(x));
    expect_refused(
        CALL(last.update().rfactor(r.y, u)), "rfactor-not-associative",
        "in last, stage 1: rfactor of an update by argmin that takes the last of equals; no value stands for an "
        "empty piece; compare with < or >, which takes the first");
}

TEST_F(ScheduleRefusals, RFactorChangesOrder) {
    Var u("u");
    g(x) = Tuple(0, 1000);
    g(x) = select(r.x * x < g(x)[1], Tuple(Expr(r.x), r.x * x), g(x));
    expect_refused(
        CALL(g.update().rfactor(r.x, u)), "rfactor-changes-order",
        "in g, stage 1: rfactor keeps r$x, inside of another RVar loop, and argmin chooses between equals by their "
        "order; pieces are combined in the order of the loops that are kept; keep the outermost RVar loops");
    EXPECT_NO_THROW(g.update().rfactor(r.y, u));
}

// ---- Promises of regions.

TEST_F(ScheduleRefusals, BoundNotInteger) {
    // Func::bound makes int32 of its arguments, or refuses them in its own words; this is for other callers.
    schedule::FuncSchedule edited;
    const schedule::FuncRef func{"f", &edited, {"x", "y"}};
    const Location here{std::source_location::current()};
    expect_refused({here.line, [&] { schedule::bound(func, "x", Expr(0.5f), Expr(8), here); }}, "bound-not-integer",
                   "in f: bound of x with a value of type float32; coordinates are int32; pass int32 values");
    expect_refused({here.line, [&] { schedule::set_estimate(func, "x", Expr(0), cast<uint8_t>(8), here); }},
                   "bound-not-integer",
                   "in f: set_estimate of x with a value of type uint8; coordinates are int32; pass int32 values");
    expect_refused(
        CALL(f.bound(x, 0.5f, 8)), "not-an-integer",
        "in an expression, bound: an operand has type float32; this works on integers; cast it to an integer type");
}

TEST_F(ScheduleRefusals, BoundNegativeExtent) {
    expect_refused(CALL(f.bound(x, 5, -2)), "bound-negative-extent",
                   "in f: bound of x with extent -2; an extent is 0 or more; pass min and extent, not min and max");
}

TEST_F(ScheduleRefusals, AlignNotPositive) {
    expect_refused(CALL(f.align_bounds(x, 0)), "align-not-positive",
                   "in f: align_bounds of x to 0; a modulus is 1 or more; pass a positive one");
}

// ---- Memory.

TEST_F(ScheduleRefusals, StorageOfUnknownDimensions) {
    const std::string rest = " names z; it takes a pure Var of the Func's definition; these are x, y";
    expect_refused(CALL(f.fold_storage(z, 4)), "unknown-dimension", "in f: fold_storage" + rest);
    expect_refused(CALL(f.align_storage(z, 4)), "unknown-dimension", "in f: align_storage" + rest);
    expect_refused(CALL(f.bound_storage(z, 4)), "unknown-dimension", "in f: bound_storage" + rest);
}

TEST_F(ScheduleRefusals, StorageNotPositive) {
    const std::string rest = "; extents in memory count elements and are 1 or more; pass a positive number";
    expect_refused(CALL(f.fold_storage(x, 0)), "storage-not-positive", "in f: fold_storage of x to 0" + rest);
    expect_refused(CALL(f.align_storage(x, -4)), "storage-not-positive", "in f: align_storage of x to -4" + rest);
    expect_refused(CALL(f.bound_storage(y, 0)), "storage-not-positive", "in f: bound_storage of y to 0" + rest);
    expect_refused(CALL(f.ring_buffer(0)), "storage-not-positive", "in f: ring_buffer to 0" + rest);
    expect_refused(CALL(f.bound_storage(y, Expr())), "bound-not-integer",
                   "in f: bound_storage of y without a value; extents are int32; pass an int32 value");
}

TEST_F(ScheduleRefusals, StorageOfOutput) {
    const std::string rest = " is applied to an output of the pipeline; the memory of an output is the caller's; apply "
                             "it to a Func that the "
                             "output reads, or to the wrapper that in() gives";
    auto check = [&](const std::string &directive, auto apply) {
        Func out("out");
        out(x, y) = x + y;
        const unsigned line = apply(out);
        expect_refused_later(out, line, "storage-of-output", "in out: " + directive + rest);
    };
    check("fold_storage", [&](Func out) { return LINE_OF(out.fold_storage(y, 4)); });
    check("align_storage", [&](Func out) { return LINE_OF(out.align_storage(x, 4)); });
    check("bound_storage", [&](Func out) { return LINE_OF(out.bound_storage(y, 4)); });
    check("ring_buffer", [&](Func out) { return LINE_OF(out.ring_buffer(2)); });
    check("hoist_storage", [&](Func out) { return LINE_OF(out.hoist_storage_root()); });
}

TEST_F(ScheduleRefusals, StorageOfInlinedFunc) {
    g(x, y) = f(x, y);
    const unsigned line = LINE_OF(f.align_storage(x, 8));
    expect_refused_later(g, line, "schedule-of-inlined-func",
                         "in f: align_storage is applied, but it is computed inline and stores nothing; a directive "
                         "without effect is an error; call compute_root() or compute_at() on it");
}

TEST_F(ScheduleRefusals, BadFold) {
    g(x, y) = f(x, y) + f(x, y + 1);
    f.store_root().compute_at(g, y);
    const unsigned up = LINE_OF(f.fold_storage(y, 2, false));
    expect_refused_later(g, up, "bad-fold",
                         "in f: fold_storage of y downwards, but the loop over y moves up through it; a circle keeps "
                         "the newest values; call fold_storage(y, 2, true)");
    f.fold_storage(y, 2, true);
    EXPECT_NO_THROW((void)g.loop_nest());
    h(x, y) = g(x, 9 - y) + g(x, 10 - y);
    g.store_root().compute_at(h, y);
    f.store_at(g, Var::outermost());
    const unsigned down = LINE_OF(g.fold_storage(y, 4));
    expect_refused_later(h, down, "bad-fold",
                         "in g: fold_storage of y upwards, but the loop over y moves down through it; a circle keeps "
                         "the newest values; call fold_storage(y, 4, false)");
    g.fold_storage(y, 4, false);
    EXPECT_NO_THROW((void)h.loop_nest());
}

TEST_F(ScheduleRefusals, FoldFactorTooSmall) {
    g(x, y) = f(x, y) + f(x, y + 1) + f(x, y + 2);
    f.store_root().compute_at(g, y);
    unsigned line = LINE_OF(f.fold_storage(y, 2));
    expect_refused_later(g, line, "fold-factor-too-small",
                         "in f: storage is folded by 2 along y, but 3 values along it are live at once; a fold factor "
                         "covers all values that are live at once; fold by 3 or more");
    f.fold_storage(y, 3);
    EXPECT_NO_THROW((void)g.loop_nest());
    g.bound(x, 0, 40);
    line = LINE_OF(f.fold_storage(x, 39));
    expect_refused_later(g, line, "fold-factor-too-small",
                         "in f: storage is folded by 39 along x, but 40 values along it are live at once, as no loop "
                         "moves a window through them; a fold factor covers all values that are live at once; fold by "
                         "40 or more");
    f.fold_storage(x, 40);
    EXPECT_NO_THROW((void)g.loop_nest());
}

TEST_F(ScheduleRefusals, StorageBoundTooSmall) {
    g(x, y) = f(x, y) + f(x, y + 1);
    f.compute_at(g, y);
    const unsigned line = LINE_OF(f.bound_storage(y, 1));
    expect_refused_later(g, line, "storage-bound-too-small",
                         "in f: bound_storage() gives y 1 elements, but 2 are needed; a storage bound covers what is "
                         "needed; give it 2 or more");
    f.bound_storage(y, 2);
    EXPECT_NO_THROW((void)g.loop_nest());
}

TEST_F(ScheduleRefusals, HoistStorageInsideStore) {
    g(x, y) = f(x, y) + f(x, y + 1);
    f.compute_at(g, y);
    const unsigned line = LINE_OF(f.hoist_storage(g, x));
    expect_refused_later(
        g, line, "hoist-storage-inside-store",
        "in f: its memory is taken at loop x of g; memory is taken where the Func is stored or further "
        "out; legal are root, the outermost level of g, loop y of g");
    f.hoist_storage(g, Var::outermost());
    EXPECT_NO_THROW((void)g.loop_nest());
}

TEST_F(ScheduleRefusals, RingBufferNotHoisted) {
    g(x, y) = f(x, y) + f(x, y + 1);
    f.compute_at(g, y);
    unsigned line = LINE_OF(f.ring_buffer(2));
    expect_refused_later(g, line, "ring-buffer-not-hoisted",
                         "in f: ring_buffer, but its memory is taken at loop y of g and it is stored at loop y of g, "
                         "with no loop between; iterations take turns with memory that is taken outside of their loop; "
                         "call hoist_storage too; further out are root, the outermost level of g");
    f.hoist_storage(g, Var::outermost());
    EXPECT_NO_THROW((void)g.loop_nest());
    Func h("h"), root("root");
    h(x, y) = x;
    root(x, y) = h(x, y);
    h.compute_root();
    line = LINE_OF(h.ring_buffer(2));
    expect_refused_later(root, line, "ring-buffer-not-hoisted",
                         "in h: ring_buffer, but its memory is taken at root and it is stored at root, with no loop "
                         "between; iterations take turns with memory that is taken outside of their loop; compute it "
                         "inside a loop of its consumer and call hoist_storage_root() too");
    h.compute_at(root, x).hoist_storage_root();
    EXPECT_NO_THROW((void)root.loop_nest());
}

TEST_F(ScheduleRefusals, HoistOutsideParallel) {
    g(x, y) = f(x, y) + f(x, y + 1);
    g.split(x, xo, xi, 8).parallel(y).vectorize(xi);
    f.compute_at(g, xo);
    unsigned line = LINE_OF(f.hoist_storage_root());
    expect_refused_later(g, line, "hoist-outside-parallel",
                         "in f: its memory is taken at root but used inside the parallel loop y of g; iterations that "
                         "run at once each need memory of their own; hoist it no further than that loop");
    f.hoist_storage(g, y);
    EXPECT_NO_THROW((void)g.loop_nest());
    f.compute_at(g, xi);
    line = LINE_OF(f.hoist_storage(g, xo));
    expect_refused_later(
        g, line, "hoist-outside-parallel",
        "in f: its memory is taken at loop xo of g but used inside the vectorized loop xi of g; "
        "iterations that run at once each need memory of their own; hoist it no further than that loop");
    f.hoist_storage(g, xi);
    EXPECT_NO_THROW((void)g.loop_nest());
}

TEST_F(ScheduleRefusals, HoistStorageUnbounded) {
    g(x, y) = f(cast<int>(sqrt(cast<float>(x))), y) + f(cast<int>(exp(cast<float>(x))), y);
    f.compute_at(g, x);
    const unsigned line = LINE_OF(f.hoist_storage(g, y));
    expect_refused_later(g, line, "hoist-storage-unbounded",
                         "in f: hoist_storage to loop y of g, but what is stored of x has no bound there; memory is "
                         "taken once for all iterations; call bound_storage(x, extent) too, or hoist less far");
    f.bound_storage(x, 100);
    EXPECT_NO_THROW((void)g.loop_nest());
}

TEST_F(ScheduleRefusals, StreamStoresOfScalars) {
    const unsigned line = LINE_OF(f.stream_stores());
    expect_refused_later(f, line, "stream-stores-of-scalars",
                         "in f: stream_stores is applied, but none of its loops is vectorized; whole vectors are what "
                         "bypasses the caches; call vectorize on the loop over x too");
    f.vectorize(x, 8);
    EXPECT_NO_THROW((void)f.loop_nest());
}

// ---- Prefetches.

TEST_F(ScheduleRefusals, PrefetchLoopsAndOffsets) {
    g(x, y) = f(x, y);
    const std::string names = " names z; a directive names loops of the stage it is called on; its loops are x, y";
    expect_refused(CALL(g.prefetch(f, z, y)), "unknown-loop-variable", "in g, stage 0: prefetch" + names);
    expect_refused(CALL(g.prefetch(f, x, z)), "unknown-loop-variable", "in g, stage 0: prefetch" + names);
    expect_refused(
        CALL(g.prefetch(f, x, y, 1.5f)), "prefetch-offset",
        "in g, stage 0: prefetch in loop x by an offset that is of type float32; an offset counts iterations "
        "of loop y; pass an int32 number");
    expect_refused(
        CALL(g.prefetch(f, x, y, 100000)), "prefetch-offset",
        "in g, stage 0: prefetch in loop x by an offset of 100000; what is asked for is to be read soon; pass "
        "a number of iterations up to 65536");
    g.prefetch(f, x, y, 2);
    expect_refused(CALL(g.split(y, yo, yi, 8)), "split-of-marked-loop",
                   "in g, stage 0: split of y, which prefetch names; a loop is cut before it is marked; call split "
                   "first");
    expect_refused(
        CALL(g.fuse(x, y, xo)), "split-of-marked-loop",
        "in g, stage 0: fuse of x, which prefetch names; a loop is cut before it is marked; call fuse first");
    g.split(y, y, yi, 8).rename(x, xo);
    f.compute_root();
    EXPECT_NO_THROW((void)g.loop_nest());
}

TEST_F(ScheduleRefusals, PrefetchFromInside) {
    g(x, y) = f(x, y);
    f.compute_root();
    const unsigned line = LINE_OF(g.prefetch(f, y, x, 1));
    expect_refused_later(
        g, line, "prefetch-from-inside",
        "in g, stage 0: prefetch of f in loop y from loop x, which is inside of it; the loop that moves "
        "on is the one of the prefetch or one around it; legal are y");
    g.reorder(y, x);
    EXPECT_NO_THROW((void)g.loop_nest());
}

TEST_F(ScheduleRefusals, PrefetchInSharedLoop) {
    ImageParam input(UInt(8), 2, "input");
    f = Func("f");
    f(x, y) = input(x, y);
    g(x, y) = input(x, y + 1);
    h(x, y) = f(x, y) + g(x, y);
    f.compute_root();
    g.compute_root().compute_with(f, y);
    const unsigned line = LINE_OF(g.prefetch(input, x, y));
    expect_refused_later(h, line, "prefetch-in-shared-loop",
                         "in g, stage 0: prefetch of input in loop x from loop y, which is shared by compute_with; an "
                         "iteration of it is one of several stages; look ahead along a loop of its own, such as x, or "
                         "take compute_with away");
    Func k("k"), l("l"), m("m");
    k(x, y) = input(x, y);
    l(x, y) = input(x, y + 1);
    m(x, y) = k(x, y) + l(x, y);
    k.compute_root();
    l.compute_root().compute_with(k, y);
    l.prefetch(input, x, x);
    EXPECT_NO_THROW((void)m.loop_nest());
}

TEST_F(ScheduleRefusals, PrefetchOfUnread) {
    ImageParam input(UInt(8), 2, "input");
    g(x, y) = f(x, y) + input(x, y);
    h(x, y) = g(x, y);
    g.compute_root();
    const std::string rest = "; what is prefetched is what the loop reads; name a loop that reads it, or remove the "
                             "directive";
    unsigned line = LINE_OF(h.prefetch(input, y, y));
    expect_refused_later(h, line, "prefetch-of-unread",
                         "in h, stage 0: prefetch of input in loop y; nothing in that loop reads it" + rest);
    g.compute_at(h, y);
    EXPECT_NO_THROW((void)h.loop_nest());
    Func k("k"), other("other");
    other(x, y) = x;
    k(x, y) = f(x, y);
    line = LINE_OF(k.prefetch(other, y, y));
    expect_refused_later(
        k, line, "prefetch-of-unread",
        "in k, stage 0: prefetch of other in loop y, which is no Func or input that this pipeline reads; "
        "what is prefetched is what the loop reads; name one of these, or remove the directive");
    Func m("m");
    m(x, y) = f(x, y) + 1;
    line = LINE_OF(m.prefetch(f, y, y));
    expect_refused_later(m, line, "prefetch-of-unread",
                         "in m, stage 0: prefetch of f in loop y, which is computed inline and lies nowhere; what is "
                         "prefetched is memory; prefetch what it reads, or give it a compute level");
    f.compute_root();
    EXPECT_NO_THROW((void)m.loop_nest());
}

TEST_F(ScheduleRefusals, PrefetchStoredInside) {
    g(x, y) = f(x, y) + f(x, y + 1);
    f.compute_at(g, y);
    const unsigned line = LINE_OF(g.prefetch(f, y, y));
    expect_refused_later(
        g, line, "prefetch-stored-inside",
        "in g, stage 0: prefetch of f in loop y, which is stored at loop y of g; what is prefetched is "
        "there before the loop begins; store it outside of that loop");
    f.store_root();
    EXPECT_NO_THROW((void)g.loop_nest());
}

TEST_F(ScheduleRefusals, RFactorAfterPrefetch) {
    ImageParam input(Int(32), 2, "input");
    g() = 0;
    g() += input(r.x, r.y);
    g.update().prefetch(input, r.y, r.y);
    const std::string loop = Stage(g.update()).loops()[1];
    expect_refused(
        CALL(g.update().rfactor(r.y, y)), "rfactor-of-marked-loop",
        "in g, stage 1: rfactor of a stage with a prefetch in loop " + loop +
            "; rfactor makes new loops of the RVars; call rfactor first, then prefetch in the loops of what it "
            "returns");
}

// ---- Placement: refused when the pipeline is whole.

TEST_F(ScheduleRefusals, ScheduleOfInlinedFunc) {
    const std::string rest = "; a directive without effect is an error; call compute_root() or compute_at() on it";
    auto check = [&](const std::string &where, const std::string &seen, auto apply) {
        Func inlined("inlined"), user("user");
        inlined(x, y) = x * y;
        const unsigned line = apply(inlined);
        user(x, y) = inlined(x, y);
        expect_refused_later(user, line, "schedule-of-inlined-func", "in inlined" + where + ": " + seen + rest);
    };
    const std::string loops = " is applied, but it is computed inline and has no loops";
    check(", stage 0", "vectorize" + loops, [&](Func g) { return LINE_OF(g.vectorize(x, 8)); });
    check(", stage 0", "reorder" + loops, [&](Func g) { return LINE_OF(g.reorder(y, x)); });
    check(", stage 0", "split" + loops, [&](Func g) { return LINE_OF(g.split(x, xo, xi, 8)); });
    check(", stage 0", "parallel" + loops, [&](Func g) { return LINE_OF(g.parallel(y)); });
    check(", stage 0", "never_partition" + loops, [&](Func g) { return LINE_OF(g.never_partition(y)); });
    check("", "bound is applied, but it is computed inline and has no region",
          [&](Func g) { return LINE_OF(g.bound(x, 0, 8)); });
    check("", "align_bounds is applied, but it is computed inline and has no region",
          [&](Func g) { return LINE_OF(g.align_bounds(x, 8)); });
    check("", "store_in is applied, but it is computed inline and stores nothing",
          [&](Func g) { return LINE_OF(g.store_in(MemoryType::Stack)); });
    check("", "reorder_storage is applied, but it is computed inline and stores nothing",
          [&](Func g) { return LINE_OF(g.reorder_storage(y, x)); });

    Func harmless("harmless");
    harmless(x, y) = x * y;
    harmless.serial(x).set_estimate(x, 0, 8).compute_inline();
    g(x, y) = harmless(x, y);
    EXPECT_NO_THROW((void)g.loop_nest());
}

TEST_F(ScheduleRefusals, UnscheduledHasSchedule) {
    f.vectorize(x, 8);
    expect_refused(CALL(Stage(f).unscheduled()), "unscheduled-has-schedule",
                   "in f, stage 0: unscheduled is applied after vectorize; it says that a stage keeps its default "
                   "loops on purpose; remove one of the two");
}

TEST_F(ScheduleRefusals, UndefinedLoopLevel) {
    g(x, y) = f(x, y);
    LoopLevel level;
    const unsigned line = LINE_OF(f.compute_at(level));
    expect_refused_later(g, line, "undefined-loop-level",
                         "in f: it is computed at a LoopLevel that has no place; a level is given a place before the "
                         "pipeline is compiled; call set() on it, as in level.set(LoopLevel::root())");
}

TEST_F(ScheduleRefusals, DirectivesForOtherMachines) {
    expect_refused(CALL(f.gpu_tile(x, y, xo, yo, xi, yi, 8, 8)), "not-built",
                   "in f, stage 0: gpu_tile is called; code is made for CPUs only; use tile, parallel and vectorize");
}

TEST_F(ScheduleRefusals, FuseOfDistantReductionLoops) {
    RDom q(0, 2, 0, 3, 0, 4, "q");
    RVar fused("fused");
    g(x) = 0.0f;
    g(x) += cast<float>(q.x + q.y * q.z);
    expect_refused(
        CALL(g.update(0).fuse(q.x, q.z, fused)), "reorder-changes-reduction",
        "in g, stage 1: fuse moves RVar loop " + q.z.name() + " inside of " + q.y.name() +
            ", and + of float32 commutes only up to rounding, NaNs and signs of zeros; iterations of a "
            "reduction keep their order unless they are independent or commute bit for bit; keep the order " +
            q.x.name() + ", " + q.y.name() + ", " + q.z.name() +
            " (innermost first), or accept another rounding with g.allow_reassociation()");
    EXPECT_EQ(g.update(0).loops(), (std::vector<std::string>{q.x.name(), q.y.name(), q.z.name(), "x"}));
}

TEST_F(ScheduleRefusals, StoreOfInlinedFunc) {
    g(x, y) = f(x, y);
    const unsigned line = LINE_OF(f.store_root());
    expect_refused_later(
        g, line, "store-of-inlined-func",
        "in f: store_at or store_root is set, but it is computed inline and stores nothing; give it a compute "
        "level too; call compute_at() on it");
}

TEST_F(ScheduleRefusals, UnknownLoopLevel) {
    g(x, y) = f(x, y);
    const unsigned line = LINE_OF(f.compute_at(g, xo));
    expect_refused_later(g, line, "unknown-loop-level",
                         "in f: computed at loop xo of g; a level names a loop of the consumer; its loops are x, y");
}

TEST_F(ScheduleRefusals, OutputComputedAt) {
    g(x, y) = f(x, y);
    f.compute_root();
    const unsigned line = LINE_OF(g.compute_at(f, y));
    expect_refused_later(
        g, line, "output-computed-at",
        "in g: compute_at or store_at on an output of the pipeline; an output is computed at root into the "
        "caller's buffer; remove the directive, or use in() or a wrapper Func");
}

TEST_F(ScheduleRefusals, ComputeAtOutsideConsumer) {
    g(x, y) = f(x, y);
    g.compute_root();
    h(x, y) = f(x, y) + g(x, y);
    const unsigned line = LINE_OF(f.compute_at(h, y));
    expect_refused_later(
        h, line, "compute-at-outside-consumer",
        "in f: computed at loop y of h; a Func is computed inside loops that enclose every use of it; legal "
        "are root");
    g.compute_at(h, y);
    EXPECT_NO_THROW((void)h.loop_nest()) << "now the loop encloses both uses";
}

TEST_F(ScheduleRefusals, StoreAtInsideComputeAt) {
    g(x, y) = f(x, y);
    f.compute_at(g, y);
    const unsigned line = LINE_OF(f.store_at(g, x));
    expect_refused_later(
        g, line, "store-at-inside-compute-at",
        "in f: stored at loop x of g; a Func is stored where it is computed or further out; legal are root, "
        "the outermost level of g, loop y of g");
}

TEST_F(ScheduleRefusals, StoreOutsideParallel) {
    g(x, y) = f(x, y) + f(x, y + 1);
    g.parallel(y);
    f.compute_at(g, x);
    const unsigned line = LINE_OF(f.store_root());
    expect_refused_later(
        g, line, "store-outside-parallel",
        "in f: stored at root but computed inside the parallel loop y of g; iterations that run at once must "
        "not share storage; store it inside that loop");
    f.store_at(g, y);
    EXPECT_NO_THROW((void)g.loop_nest());
}

TEST_F(ScheduleRefusals, RegisterNeedsConstantSize) {
    g(x, y) = f(x, y) + f(x + 1, y);
    f.compute_root();
    const unsigned line = LINE_OF(f.store_in(MemoryType::Register));
    expect_refused({line, [&] { g.compile_jit(); }}, "register-needs-constant-size",
                   "in f: stored in registers, but its size is not a small constant; registers hold a fixed number of "
                   "values; bound its extents or store it elsewhere");
}

TEST_F(ScheduleRefusals, ExtentsAreNamedAsInPrograms) {
    Param<int> n("n");
    g(x) = 0;
    RDom r(0, n * 2, "r");
    g(x) += r;
    const unsigned line = LINE_OF(g.update().allow_race_conditions().vectorize(r));
    expect_refused({line, [&] { g.compile_jit(); }}, "vectorize-non-constant-extent",
                   "in g, stage 1: the loop " + r.x.name() +
                       " is vectorized but its extent is n * 2; the extent of such a loop must be a constant; "
                       "vectorize by a factor, as in vectorize(" +
                       r.x.name() + ", 8), or promise a constant extent with bound()");
    const unsigned unroll_line = LINE_OF(f.unroll(y));
    expect_refused({unroll_line, [&] { f.compile_jit(); }}, "unroll-non-constant-extent",
                   "in f, stage 0: the loop y is unrolled but its extent is f.dim(1).extent(); the extent of such a "
                   "loop must be a constant; unroll by a factor, as in unroll(y, 8), or promise a constant extent with "
                   "bound()");
}

TEST_F(ScheduleRefusals, UnboundedAccess) {
    f.compute_root();
    h(x) = cast<float>(x);
    h.compute_root();
    const unsigned line = LINE_OF(g(x) = f(cast<int>(h(x)), 3));
    expect_refused_later(
        g, line, "unbounded-access",
        "in g, stage 0: coordinate 0 of f is cast<int32>(h(x)), which has no known bounds; a Func is computed "
        "over "
        "a finite region; wrap the coordinate in clamp(..., min, max)");
}

TEST_F(ScheduleRefusals, UnboundedAccessOfAnInput) {
    ImageParam table(Int(32), 1, "table"), index(Int(32), 1, "index");
    const unsigned line = LINE_OF(g(x) = table(index(x)));
    expect_refused_later(
        g, line, "unbounded-access",
        "in g, stage 0: coordinate 0 of input table is index(x), which has no known bounds; an input is read "
        "over a finite region; wrap the coordinate in clamp(..., min, max)");
}

// ---- A directive that is refused changes nothing.

/// Everything that directives edit, as text.
std::string schedule_text(const Func &func) {
    std::ostringstream out;
    const schedule::FuncSchedule &schedule = func.function()->schedule;
    for (const schedule::StageSchedule &stage : schedule.stages) {
        for (const schedule::Split &split : stage.splits) {
            out << static_cast<int>(split.kind) << split.old_var << '>' << split.outer << ',' << split.inner << ' ';
        }
        for (const schedule::LoopDim &dim : stage.dims) {
            out << dim.var << ':' << static_cast<int>(dim.for_type) << static_cast<int>(dim.partition) << ' ';
        }
        out << stage.atomic << stage.allow_race_conditions << stage.touched << stage.on_loops.name << '\n';
    }
    for (const auto *bounds : {&schedule.bounds, &schedule.estimates}) {
        for (const schedule::Bound &bound : *bounds) {
            out << bound.var << ' ' << bound.min << ' ' << bound.extent << ' ' << bound.modulus << ' '
                << bound.remainder << '\n';
        }
    }
    out << static_cast<int>(schedule.memory) << static_cast<int>(schedule.compute.kind)
        << static_cast<int>(schedule.store.kind) << schedule.touched << schedule.on_region.name
        << schedule.on_storage.name;
    for (const std::string &name : schedule.storage_order) {
        out << ' ' << name;
    }
    return out.str();
}

/// One random call of a directive, legal or not, on one of the two stages.
void apply_random(Func func, const std::vector<VarOrRVar> &vars, std::mt19937 &random) {
    auto pick = [&](size_t n) { return static_cast<size_t>(random() % n); };
    auto var = [&]() -> const VarOrRVar & { return vars[pick(vars.size())]; };
    auto pure = [&] { return Var(vars[pick(4)].name()); };
    auto factor = [&] { return Expr(static_cast<int>(pick(6)) - 1); };
    const auto tail = static_cast<TailStrategy>(pick(9));
    const auto loops = [&](auto stage) {
        switch (pick(16)) {
        case 0:
            stage.split(var(), var(), var(), factor(), tail);
            break;
        case 1:
            stage.fuse(var(), var(), var());
            break;
        case 2:
            stage.rename(var(), var());
            break;
        case 3:
            stage.reorder({var(), var(), var()});
            break;
        case 4:
            stage.tile(var(), var(), var(), var(), var(), var(), factor(), factor(), tail);
            break;
        case 5:
            stage.tile({var(), var()}, {var(), var()}, {var(), var()}, {factor(), factor()}, tail);
            break;
        case 6:
            stage.vectorize(var(), factor(), tail);
            break;
        case 7:
            stage.vectorize(var(), var(), factor(), tail);
            break;
        case 8:
            stage.unroll(var(), factor(), tail);
            break;
        case 9:
            stage.parallel(var(), factor(), tail);
            break;
        case 10:
            stage.parallel(var());
            break;
        case 11:
            stage.vectorize(var());
            break;
        case 12:
            stage.never_partition({var(), var()});
            break;
        case 13:
            stage.atomic();
            break;
        case 14:
            stage.prefetch(func, var(), var(), pick(3) == 0 ? 1 << 20 : 1);
            break;
        default:
            stage.unscheduled();
            break;
        }
    };
    switch (pick(14)) {
    case 10:
        func.fold_storage(pure(), factor());
        break;
    case 11:
        func.align_storage(pure(), factor());
        break;
    case 12:
        func.bound_storage(pure(), factor());
        break;
    case 0:
        func.bound(pure(), factor(), factor());
        break;
    case 1:
        func.align_bounds(pure(), factor());
        break;
    case 2:
        func.reorder_storage({pure(), pure()});
        break;
    case 3:
        func.set_estimates({{0, factor()}, {0, factor()}});
        break;
    case 4:
    case 5:
        loops(func);
        break;
    default:
        loops(func.update(0));
        break;
    }
}

TEST(ScheduleRefusalsProperty, ARefusedDirectiveChangesNothing) {
    std::mt19937 random(1);
    int refused = 0, accepted = 0;
    for (int program = 0; program < 300; program++) {
        Var x("x"), y("y"), a("a"), b("b");
        RDom r(0, 4, 0, 5, 0, 3, "r");
        Func f("f");
        f(x, y) = 0.0f;
        f(x, y) += cast<float>(r.x * r.y + r.z);
        const std::vector<VarOrRVar> vars = {x, y, a, b, r.x, r.y, r.z};
        for (int k = 0; k < 12; k++) {
            const std::string before = schedule_text(f);
            try {
                apply_random(f, vars, random);
                accepted++;
            } catch (const CompileError &error) {
                refused++;
                ASSERT_EQ(schedule_text(f), before) << error.what();
            }
        }
    }
    EXPECT_GT(refused, 500);
    EXPECT_GT(accepted, 500);
}

} // namespace
} // namespace fluorite
