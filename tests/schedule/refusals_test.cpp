// Every refusal of a schedule, provoked as by a user: its slug, its exact text, and the line that it points to. Loops
// and promises are here, placement in refusals_pipeline_test.cpp, memory and prefetches in refusals_memory_test.cpp.
#include "refusals.h"
#include "schedule/directives/directives.h"

namespace fluorite::refusals_test {
namespace {

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
    expect_refused(
        CALL(g.update(0).split(r.x, ro, ri, 4, TailStrategy::RoundUp)), "tail-strategy-on-rvar",
        "in g, stage 1: split of r.x with TailStrategy::RoundUp; an iteration of a reduction happens exactly once; use "
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
        CALL(f.split(x, xo, xi, 8)), "split-of-marked-loop",
        "in f, stage 0: split of x, which unroll() has marked; a loop is split before it is marked, unless it is "
        "parallel; split it first, then mark one of the parts, as in split(x, outer, inner, 8).unroll(inner)");
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
    const std::vector<VarOrRVar> none;
    expect_refused(
        CALL(f.tile(none, none, none, std::vector<Expr>())), "tile-lists-differ",
        "in f, stage 0: tile with 0 loops, 0 outer and 0 inner names and 0 factors; each loop takes one of each; "
        "pass lists of one length");
    EXPECT_EQ(Stage(f.tile({x}, {xo}, {xi}, {8})).loops(), (std::vector<std::string>{"xi", "xo", "y"}))
        << "a list of one loop is as good as a longer one";
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
    g(x) += cast<float>(r.x * r.y); // floats round, so the order matters
    const std::string rx = "r.x", ry = "r.y";
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

TEST_F(ScheduleRefusals, Skew) {
    const Var t("t");
    expect_refused(CALL(f.skew(x, x, t)), "skew-by-itself",
                   "in f, stage 0: skew of x by itself; a loop is shifted by a multiple of another one; name that loop "
                   "second");
    expect_refused(
        CALL(f.skew(x, y, t, 0)), "skew-factor",
        "in f, stage 0: skew of x by y with the factor 0; it is a constant integer other than 0 between -2^30 and "
        "2^30; use 1, or as many iterations as dependences reach");
    expect_refused(
        CALL(f.skew(x, y, t, Param<int>("p"))), "skew-factor",
        "in f, stage 0: skew of x by y with the factor p; it is a constant integer other than 0 between -2^30 and "
        "2^30; use 1, or as many iterations as dependences reach");
    expect_refused(CALL(f.parallel(Var::outermost())), "unknown-loop-variable",
                   "in f, stage 0: parallel names Var::outermost(); a directive names loops of the stage it is called "
                   "on; its loops are x, y");
    expect_refused(CALL(f.skew(x, z, t)), "unknown-loop-variable",
                   "in f, stage 0: skew names z; a directive names loops of the stage it is called on; its loops are "
                   "x, y");
    expect_refused(CALL(f.skew(x, y, y)), "loop-name-taken",
                   "in f, stage 0: skew makes a loop named y, which exists already; loops of a stage have distinct "
                   "names; use another Var, the loops are x, y");
    g(x, y) = x;
    g.parallel(y);
    expect_refused(CALL(g.skew(x, y, t)), "split-of-marked-loop",
                   "in g, stage 0: skew beside loop y, which is already marked; loops are skewed and fused before they "
                   "are marked; call skew first");
    f.skew(x, y, t);
    expect_refused(CALL(f.split(t, xo, xi, 8, TailStrategy::RoundUp)), "tail-strategy-not-supported",
                   "in f, stage 0: split of t with TailStrategy::RoundUp, a loop of a skew; its range ends with the "
                   "region, whose points no other iteration may compute; use TailStrategy::GuardWithIf");
    h(x) = 0;
    h(x) += r.x + r.y;
    h.update().skew(r.x, r.y, t);
    expect_refused(CALL(h.update().rfactor(r.y, z)), "rfactor-of-skewed-loop",
                   "in h, stage 1: rfactor of a stage that skews a loop; the partial results would have the loops of "
                   "the definition; call rfactor first, then skew");
}

TEST_F(ScheduleRefusals, ReorderOfWhatIsNoReduction) {
    g(x) = 0;
    g(x) = g(x) * 2 + r.x;
    expect_refused(
        CALL(g.update(0).reorder(r.y, r.x)), "reorder-changes-reduction",
        "in g, stage 1: reorder moves RVar loop r.y inside of r.x, and its value is not the old value combined by an "
        "operator that is known to be associative; iterations of a reduction keep their order unless they are "
        "independent or commute bit for bit; keep the order r.x, r.y (innermost first)");
}

TEST_F(ScheduleRefusals, ParallelOverDependence) {
    g(x) = 0;
    g(x) += r.x;
    expect_refused(CALL(g.update(0).parallel(r.x)), "parallel-over-dependence",
                   "in g, stage 1: parallel of RVar loop r.x; its iterations update the same points at once, which is "
                   "a race; call "
                   "atomic() first, make partial results with rfactor(), or parallel a loop over a pure Var");
    EXPECT_NO_THROW(g.update(0).vectorize(r.x, 2)) << "lanes of an integer sum are combined";
    EXPECT_NO_THROW(g.update(0).allow_race_conditions().parallel(r.y)) << "the user takes the blame";

    h(x) = 0.0f;
    h(x) += cast<float>(r.x);
    expect_refused(
        CALL(h.update(0).vectorize(r.x, 2)), "parallel-over-dependence",
        "in h, stage 1: vectorize of RVar loop r.x; its iterations read or write what another one writes, and "
        "+ of float32 commutes only up to rounding, NaNs and signs of zeros; keep it serial, or vectorize a "
        "loop over a pure Var, or accept another rounding with h.allow_reassociation()");
    Func scan("scan");
    scan(x) = x;
    scan(r.x + 1) += scan(r.x);
    expect_refused(CALL(scan.update(0).parallel(r.x)), "parallel-over-dependence",
                   "in scan, stage 1: parallel of RVar loop r.x; its iterations read or write what another one writes, "
                   "and it reads its own values at other points than the one that it updates; keep it serial, or "
                   "parallel a loop over a pure Var");
    Func last("last");
    last(x) = x;
    last(x) = r.x;
    expect_refused(
        CALL(last.update(0).vectorize(r.x)), "parallel-over-dependence",
        "in last, stage 1: vectorize of RVar loop r.x; its iterations read or write what another one writes, "
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

TEST_F(ScheduleRefusals, DirectivesForOtherMachines) {
    expect_refused(
        CALL(f.gpu_single_thread(DeviceAPI::Metal)), "not-built",
        "in f, stage 0: gpu_single_thread names a DeviceAPI that is not built; loops run on the devices of CUDA and "
        "OpenCL, whichever the target names; leave the argument out, and give the target a feature");
    f.gpu_blocks(y);
    expect_refused(CALL(f.gpu_single_thread()), "loop-marked-twice",
                   "in f, stage 0: gpu_single_thread where y is already marked gpu_blocks; all loops of the stage run "
                   "on one thread; call serial(y) first");
    f.serial(y);
    expect_refused(
        CALL(f.gpu_blocks(x, DeviceAPI::Metal)), "not-built",
        "in f, stage 0: gpu_blocks names a DeviceAPI that is not built; loops run on the devices of CUDA and OpenCL, "
        "whichever the target names; leave the argument out, and give the target a feature");
    f.gpu_tile(x, y, xo, yo, xi, yi, 8, 8);
    expect_refused(
        CALL(f.compile_to_object("kernels.o", {}, "f", Target("x86-64-linux"))), "gpu-target",
        "in f: loops run as blocks of a GPU, and the target names none; compile for a target with the feature opencl "
        "or cuda, or use tile, parallel and vectorize; FLUORITE_BACK_END=executor runs kernels without a device");
}

TEST_F(ScheduleRefusals, FuseOfDistantReductionLoops) {
    RDom q(0, 2, 0, 3, 0, 4, "q");
    RVar fused("fused");
    g(x) = 0.0f;
    g(x) += cast<float>(q.x + q.y * q.z);
    expect_refused(CALL(g.update(0).fuse(q.x, q.z, fused)), "reorder-changes-reduction",
                   "in g, stage 1: fuse moves RVar loop q.z inside of q.y, and + of float32 commutes only up to "
                   "rounding, NaNs and signs of zeros; iterations of a "
                   "reduction keep their order unless they are independent or commute bit for bit; keep the order q.x, "
                   "q.y, q.z (innermost first), or accept another rounding with g.allow_reassociation()");
    EXPECT_EQ(g.update(0).loops(), (std::vector<std::string>{q.x.name(), q.y.name(), q.z.name(), "x"}));
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
        "r.x, r.y, x");
}

TEST_F(ScheduleRefusals, RFactorRepeats) {
    Var u("u"), v("v");
    g(x) = 0;
    g(x) += r.x;
    expect_refused(CALL(g.update().rfactor({{r.x, u}, {r.x, v}})), "rfactor-repeats",
                   "in g, stage 1: rfactor names r.x twice; each loop has one dimension; name it once");
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
        "in g, stage 1: rfactor of a stage whose RVar loop r.x is already parallel or vectorized; rfactor makes "
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
        "in g, stage 1: rfactor of a stage that fuses x and r.y, of a pure Var and an RVar; their iterations are "
        "one loop; fuse after rfactor");
    // Loops of one kind may be fused, again and again.
    Var c("c"), xy("xy"), xyc("xyc");
    RVar rf("rf");
    Func all("all");
    all(x, y, c) = 0;
    all(x, y, c) += r.x * x + y - c;
    all.update().fuse(x, y, xy).fuse(xy, c, xyc).fuse(r.x, r.y, rf);
    EXPECT_NO_THROW(all.update().rfactor(rf, u));
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
    // The name of a loop that no longer exists is still used in the schedule of the partial results.
    g.update().rename(xi, u).rename(u, xi);
    expect_refused(CALL(g.update().rfactor(r.x, u)), "rfactor-var-taken",
                   "in g, stage 1: rfactor keeps a loop as dimension u, which is a dimension or a loop already" + rest);
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
        "in g, stage 1: rfactor keeps r.x, inside of another RVar loop, and argmin chooses between equals by their "
        "order; pieces are combined in the order of the loops that are kept; keep the outermost RVar loops");
    EXPECT_NO_THROW(g.update().rfactor(r.y, u));
}

// ---- Promises of regions.

TEST_F(ScheduleRefusals, BoundNotInteger) {
    // Func::bound converts its arguments to int32 or refuses them itself; this refusal is for other callers.
    schedule::FuncSchedule edited;
    const schedule::FuncRef func{"f", &edited, {"x", "y"}};
    const Location here{Location::current()};
    expect_refused({here.line, [&] { schedule::bound(func, "x", Expr(0.5f), Expr(8), here).or_raise(); }},
                   "bound-not-integer",
                   "in f: bound of x with a value of type float32; coordinates are int32; pass int32 values");
    expect_refused({here.line, [&] { schedule::set_estimate(func, "x", Expr(0), cast<uint8_t>(8), here).or_raise(); }},
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

} // namespace
} // namespace fluorite::refusals_test
