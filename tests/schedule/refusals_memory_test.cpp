// Every refusal of a directive on memory: its slug, its exact text, and the line that it points to.
#include "refusals.h"

namespace fluorite::refusals_memory_test {
namespace {

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
    check("store_in", [&](Func out) { return LINE_OF(out.store_in(MemoryType::Stack)); });
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
    expect_refused_later(
        g, up, "bad-fold",
        "in f: fold_storage of y downwards, but the loop over y moves up through it; a circular buffer keeps "
        "the newest values; call fold_storage(y, 2, true)");
    f.fold_storage(y, 2, true);
    EXPECT_NO_THROW((void)g.loop_nest());
    h(x, y) = g(x, 9 - y) + g(x, 10 - y);
    g.store_root().compute_at(h, y);
    f.store_at(g, Var::outermost());
    const unsigned down = LINE_OF(g.fold_storage(y, 4));
    expect_refused_later(
        h, down, "bad-fold",
        "in g: fold_storage of y upwards, but the loop over y moves down through it; a circular buffer keeps "
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
    // A value without dimensions is read, too.
    ImageParam level(UInt(8), 0, "level");
    Func leveled("leveled");
    leveled(x, y) = input(x, y) + level();
    leveled.prefetch(level, y, y);
    EXPECT_NO_THROW((void)leveled.loop_nest());
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
    expect_refused(CALL(g.update().rfactor(r.y, y)), "rfactor-of-marked-loop",
                   "in g, stage 1: rfactor of a stage with a prefetch in loop r.y; rfactor makes new loops of the "
                   "RVars; call rfactor first, then prefetch in the loops of what it "
                   "returns");
}

} // namespace
} // namespace fluorite::refusals_memory_test
