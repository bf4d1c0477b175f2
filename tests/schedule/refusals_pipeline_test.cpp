// What is refused once the whole pipeline is known: placement, regions and storage.
#include "refusals.h"
#include "schedule/directives/directives.h"

namespace fluorite::refusals_pipeline_test {
namespace {

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

// All that is read is below all that is written; the other one reads what it writes in another iteration.
TEST_F(ScheduleRefusals, RangesOfSelfCallsThatMeet) {
    Func flip("flip"), touch("touch");
    RDom q(0, 16, "q");
    flip(x) = x;
    flip(q + 16) = flip(15 - q);
    EXPECT_NO_THROW(flip.update(0).parallel(q));
    touch(x) = x;
    touch(q + 16) = touch(16 - q);
    expect_refused(
        CALL(touch.update(0).parallel(q)), "parallel-over-dependence",
        "in touch, stage 1: parallel of RVar loop q.x; its iterations read or write what another one writes, "
        "and it reads its own values at other points than the one that it updates; keep it serial, or "
        "parallel a loop over a pure Var");
}

TEST_F(ScheduleRefusals, UndefinedLoopLevel) {
    g(x, y) = f(x, y);
    LoopLevel level;
    const unsigned line = LINE_OF(f.compute_at(level));
    expect_refused_later(g, line, "undefined-loop-level",
                         "in f: it is computed at a LoopLevel that has no place; a level is given a place before the "
                         "pipeline is compiled; call set() on it, as in level.set(LoopLevel::root())");
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

TEST_F(ScheduleRefusals, WrapperUnused) {
    g(x, y) = f(x, y);
    const unsigned line = LINE_OF(f.in(h).compute_root()); // legal, as h may still call f
    h(x, y) = g(x, y);
    g.compute_root();
    expect_refused_later(
        h, line, "wrapper-unused",
        "in f: in(h) is called, but h does not call it; a wrapper stands before a Func that calls what it "
        "wraps; name one of these: g");
    EXPECT_NO_THROW((void)g.loop_nest()) << "h is no part of this pipeline";
    f.clone_in(g);
    ImageParam im(UInt(8), 2, "im");
    Func out("out"), other("other");
    const unsigned image_line = LINE_OF(im.in(other));
    other(x, y) = x;
    out(x, y) = other(x, y) + im(x, y);
    expect_refused_later(
        out, image_line, "wrapper-unused",
        "in im: in(other) is called, but other does not call it; a wrapper stands before a Func that calls what it "
        "wraps; name one of these: out");
}

TEST_F(ScheduleRefusals, ComputeAtOutsideConsumer) {
    g(x, y) = f(x, y);
    g.compute_root();
    h(x, y) = f(x, y) + g(x, y);
    const unsigned line = LINE_OF(f.compute_at(h, y));
    expect_refused_later(h, line, "compute-at-outside-consumer",
                         "in f: computed at loop y of h; a Func is computed inside loops that enclose every use of it, "
                         "or that every stage with "
                         "a use has; legal are root");
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
                   "in g, stage 1: the loop r.x is vectorized but its extent is n * 2; the extent of such a loop must "
                   "be a constant; "
                   "vectorize by a factor, as in vectorize(r.x, 8), or promise a constant extent with bound()");
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

TEST_F(ScheduleRefusals, RequirementsThatMove) {
    Pipeline pipeline(f);
    try {
        pipeline.add_requirement(x > 3, "x is too small");
        FAIL() << "a requirement over a Var is accepted";
    } catch (const CompileError &error) {
        EXPECT_EQ(error.slug(), "undefined-variable");
        EXPECT_NE(
            std::string(error.what()).find("uses the variable x; it is checked once, before any loop runs; use Params"),
            std::string::npos)
            << error.what();
    }
}

} // namespace
} // namespace fluorite::refusals_pipeline_test
