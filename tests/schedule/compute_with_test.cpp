// compute_with: fused stages give the interpreter's values, for all ranges, tails and alignments.

#include "driver/test_interpreter.h"
#include "support/test_errors.h"

#include <gtest/gtest.h>

#include <functional>

namespace fluorite::compute_with_test {
namespace {

const Var x("x"), y("y"), xo("xo"), xi("xi"), yo("yo"), yi("yi");

const std::vector<std::vector<int>> sizes = {{1, 1}, {7, 5}, {16, 16}, {33, 18}};

// Two planes of one picture, which one output reads at different coordinates, and their common producer.
struct Planes {
    Func source{"source"}, f{"f"}, g{"g"}, out{"out"};
    ImageParam in{UInt(8), 2, "in"};
    Buffer<uint8_t> input = random_buffer<uint8_t>({60, 60}, 1, {-8, -8});

    /// `add` adds updates before other Funcs call f and g.
    explicit Planes(const std::function<void(Planes &)> &add = [](Planes &) {}) {
        Func clamped = BoundaryConditions::repeat_edge(in);
        source(x, y) = cast<uint16_t>(clamped(x, y)) + clamped(x + 1, y + 1);
        f(x, y) = source(x, y) + source(x, y + 1) * 3;
        g(x, y) = source(x - 1, y) * 5 + source(x, y - 1);
        add(*this);
        out(x, y) = f(x + 2, y) + f(x, y + 3) * 2 + g(x - 4, y - 1) + g(x, y + 2);
        in.set(input);
        source.compute_root();
        f.compute_root();
        g.compute_root();
    }
    void check(const std::string &what = "") {
        for (const std::vector<int> &size : sizes) {
            expect_same<uint16_t>(out, size, concat(what, " width ", size[0]));
        }
    }
};

TEST(ComputeWith, SharesOneLoopOrAll) {
    for (const char *loop : {"y", "x"}) {
        for (const LoopAlignStrategy align :
             {LoopAlignStrategy::Auto, LoopAlignStrategy::AlignStart, LoopAlignStrategy::AlignEnd}) {
            Planes p;
            p.f.compute_with(p.g, Var(loop), align);
            p.check(concat(loop, " ", static_cast<int>(align)));
        }
    }
}

TEST(ComputeWith, AlignsEachLoop) {
    Planes p;
    p.g.compute_with(p.f, x, {{x, LoopAlignStrategy::AlignEnd}, {y, LoopAlignStrategy::AlignStart}});
    p.check();
}

TEST(ComputeWith, MeetsSplitsAndMarks) {
    for (const TailStrategy tail : {TailStrategy::RoundUp, TailStrategy::ShiftInwards, TailStrategy::GuardWithIf}) {
        Planes p;
        for (Func *func : {&p.f, &p.g}) {
            func->tile(x, y, xo, yo, xi, yi, 8, 4, tail).vectorize(xi).parallel(yo);
        }
        p.f.compute_with(p.g, xo);
        p.check(concat("tail ", static_cast<int>(tail)));
    }
    Planes p;
    for (Func *func : {&p.f, &p.g}) {
        func->split(x, xo, xi, 4, TailStrategy::GuardWithIf).reorder(xo, y, xi).unroll(xi);
    }
    p.f.compute_with(p.g, xi);
    p.check("unrolled outside");
    Planes v;
    for (Func *func : {&v.f, &v.g}) {
        func->vectorize(x, xi, 8, TailStrategy::RoundUp);
    }
    v.f.compute_with(v.g, xi, LoopAlignStrategy::AlignStart);
    v.check("vectorized");
}

TEST(ComputeWith, WhatBothReadIsComputedInTheSharedLoop) {
    for (const bool by_child : {false, true}) {
        for (const bool slides : {false, true}) {
            Planes p;
            p.f.compute_with(p.g, y, LoopAlignStrategy::AlignEnd);
            p.source.compute_at(by_child ? p.f : p.g, y);
            if (slides) {
                p.source.store_root();
            }
            p.check(concat("child ", by_child, " slides ", slides));
        }
    }
}

TEST(ComputeWith, WhatOneReadsIsComputedInItsOwnLoops) {
    for (const bool at_shared : {false, true}) {
        Func extra("extra");
        Planes p([&](Planes &planes) {
            extra(x, y) = planes.source(x, y) * 7;
            planes.f(x, y) += extra(x, y) + extra(x + 1, y);
        });
        p.f.update().compute_with(p.g, y);
        at_shared ? extra.compute_at(p.f, y) : extra.compute_at(p.f, x);
        extra.vectorize(x, 4);
        p.check(concat("at the shared loop ", at_shared));
    }
}

TEST(ComputeWith, StagesOfTwoFuncsInOrder) {
    Planes p([](Planes &planes) {
        RDom r(0, 5, "r");
        planes.f(x, y) += planes.source(x + r, y);
        planes.g(x, y) = planes.g(x, y) + planes.source(x, y + r);
    });
    p.f.compute_with(p.g, x);
    p.f.update().compute_with(p.g.update(), y);
    p.check();
}

TEST(ComputeWith, InsideOfAConsumer) {
    Planes p;
    p.f.compute_at(p.out, yo).compute_with(p.g, y);
    p.g.compute_at(p.out, yo);
    p.out.split(y, yo, yi, 4, TailStrategy::GuardWithIf);
    p.check("tiles");
    Planes q;
    q.f.store_root().compute_at(q.out, y);
    q.g.store_root().compute_at(q.out, y);
    q.f.compute_with(q.g, x);
    q.check("sliding");
}

TEST(ComputeWith, TwoGroupsInOnePipeline) {
    ImageParam in(Int(32), 2, "in");
    std::vector<Func> funcs;
    Func out("out");
    Expr sum = 0;
    for (int i = 0; i < 4; i++) {
        funcs.emplace_back("f" + std::to_string(i));
        funcs.back()(x, y) = in(x + i, y) * (i + 1);
        funcs.back().compute_root();
        sum = sum + funcs.back()(x, y + i % 2);
    }
    out(x, y) = sum;
    funcs[1].compute_with(funcs[0], y);
    funcs[3].compute_with(funcs[2], x);
    in.set(random_buffer<int32_t>({30, 30}, 6));
    expect_same<int32_t>(out, {9, 7}, "two groups");
}

TEST(ComputeWith, ThreeFuncsAndOutputs) {
    ImageParam in(Int(32), 2, "in");
    Func a("a"), b("b"), c("c");
    a(x, y) = in(x, y) + 1;
    b(x, y) = in(x, y) * 2;
    c(x, y) = in(x, y) - 3;
    b.compute_with(a, y);
    c.compute_with(b, y);
    const Buffer<int32_t> input = random_buffer<int32_t>({30, 30}, 5);
    in.set(input);
    Pipeline pipeline({a, b, c});
    Buffer<int32_t> ra(9, 4), rb(20, 30), rc(1, 7);
    Pipeline({c, b, a}).realize({rc, rb, ra}); // a Func is listed before those that it is computed with
    rc.for_each_element([&](int i, int j) { ASSERT_EQ(rc(i, j), static_cast<int32_t>(input(i, j) - 3u)); });
    rb.fill(0), rc.fill(0), ra.fill(0);
    pipeline.realize({ra, rb, rc});
    ra.for_each_element([&](int i, int j) { ASSERT_EQ(ra(i, j), static_cast<int32_t>(input(i, j) + 1u)); });
    rb.for_each_element([&](int i, int j) { ASSERT_EQ(rb(i, j), static_cast<int32_t>(input(i, j) * 2u)); });
    rc.for_each_element([&](int i, int j) { ASSERT_EQ(rc(i, j), static_cast<int32_t>(input(i, j) - 3u)); });
    EXPECT_EQ(pipeline.loop_nest(), "produce a, b, c:\n"
                                    "  for y:\n"
                                    "    for x:\n"
                                    "      a(...) = ...\n"
                                    "    for x:\n"
                                    "      b(...) = ...\n"
                                    "    for x:\n"
                                    "      c(...) = ...\n");
}

TEST(ComputeWith, RefusesAtTheCall) {
    Planes p([](Planes &planes) { planes.f(x, y) += planes.source(x, y); });
    expect_error(
        [&] { p.f.compute_with(LoopLevel::root()); }, "compute-with-no-loop",
        "in f, stage 0: compute_with of no loop of another Func; it shares loops; give a Func and one of its loops");
    expect_error(
        [&] { p.f.update().compute_with(p.f, y); }, "compute-with-itself",
        "in f, stage 1: compute_with of a stage of the same Func; its stages run one after the other; give a stage of "
        "another Func");
    expect_error(
        [&] { p.f.compute_with(p.g, xo); }, "unknown-loop-variable",
        "in f, stage 0: compute_with names xo; a directive names loops of the stage it is called on; its loops are x, "
        "y");
    expect_error([&] { p.f.compute_with(p.g, y, {{xo, LoopAlignStrategy::AlignEnd}}); }, "compute-with-align",
                 "in f, stage 0: compute_with aligns xo; shared loops are aligned; name loops of the stage that are");
    Param<bool> flag("flag");
    p.g.specialize(flag);
    expect_error(
        [&] { p.g.compute_with(p.f, y); }, "compute-with-specialization",
        "in g, stage 0: compute_with of a stage that is specialized; fused loops are one nest; use one of the two");
}

TEST(ComputeWith, RefusesWhatThePipelineDoesNotAllow) {
    const auto refused = [](const char *slug, const std::string &message,
                            const std::function<void(Planes &)> &schedule) {
        Planes p;
        schedule(p);
        expect_error([&] { p.out.compile_jit(); }, slug, message);
    };
    refused("compute-with-inlined",
            "in f, stage 0: it is computed with g, which is computed inline; what is inlined has no loops; call "
            "compute_root() or "
            "compute_at() on it",
            [](Planes &p) { p.f.compute_with(p.g, y), p.g.compute_inline(); });
    refused("compute-with-dependent",
            "in source, stage 0: it is computed with g, and one of the two, or of those that are computed with them, "
            "needs the "
            "other; loops that are shared compute both at once; use compute_at",
            [](Planes &p) { p.source.compute_with(p.g, y); });
    refused("compute-with-loops-differ",
            "in f, stage 0: it is computed with g, whose loop y is parallel, and its own is serial; a shared loop runs "
            "in one "
            "way; mark both alike",
            [](Planes &p) { p.f.compute_with(p.g, y), p.g.parallel(y); });
    refused("compute-with-loops-differ",
            "in f, stage 0: it is computed with g, down to loop x, but their loops are y, x, and its own x, y "
            "(innermost first); "
            "shared loops, from the outermost in, have the same names; use split, rename and reorder",
            [](Planes &p) { p.f.compute_with(p.g, x), p.g.reorder(y, x); });
    refused("compute-with-skewed-loop",
            "in f, stage 0: it is computed with g, and a loop of one of them is skewed; the range of a shared loop is "
            "the same in all iterations of those around it; use one of the two directives",
            [](Planes &p) { p.f.compute_with(p.g, y), p.g.skew(x, y, Var("t")); });
    refused("compute-with-loops-differ",
            "in f, stage 0: it is computed with g, and gpu_single_thread is called for one of them; it takes the loops "
            "of one stage alone to the device; use one of the two directives",
            [](Planes &p) { p.f.compute_with(p.g, y), p.g.gpu_single_thread(); });
    refused("compute-with-levels-differ",
            "in f: it is computed at loop y of out, and g, which it is computed with, at root; shared loops are at one "
            "place; give "
            "both the same compute level",
            [](Planes &p) { p.f.compute_with(p.g, x).compute_at(p.out, y); });
    const auto crossed = [] {
        Planes p([](Planes &planes) {
            planes.f(x, y) += planes.source(x, y);
            planes.g(x, y) += planes.source(x, y);
        });
        p.f.compute_with(p.g.update(), x);
        p.f.update().compute_with(p.g, x);
        p.out.compile_jit();
    };
    expect_error(
        crossed, "compute-with-order",
        "in f: its stages are computed with stages that come in another order; the stages of each Func run one after "
        "the other; fuse them in their order");
    expect_error(
        [] {
            Planes p;
            p.f.compute_with(p.g, y);
            Pipeline(p.out).schedule_tree();
        },
        "tree-of-fused-loops",
        "in f: it is computed with another Func; a node of a tree is a loop of one stage; draw the tree before "
        "compute_with, or use "
        "print_loop_nest()");
}

} // namespace
} // namespace fluorite::compute_with_test
