// Rules whose violation few programs reveal: each of these assertions once failed while all other tests passed.
#include "driver/compiled.h"
#include "driver/test_interpreter.h"
#include "fluorite/fluorite.h"
#include "fluorite/schedule.h"
#include "ir/print.h"
#include "language/pipeline_contents.h"
#include "support/test_errors.h"
#include "support/test_text.h"

#include <functional>
#include <gtest/gtest.h>
#include <sstream>
#include <string>

namespace fluorite::subtle_rules_test {
namespace {

class SubtleRules : public testing::Test {
  protected:
    Var x{"x"}, y{"y"}, xo{"xo"}, xi{"xi"}, t{"t"};
    Func f{"f"}, g{"g"};
    ImageParam in{Int(32), 1, "in"};

    static std::string lowered(const Func &func) {
        std::ostringstream text;
        text << ir::with_tasks_in_place(driver::lower_for(*Pipeline(func).contents(), get_host_target(), "lowered"));
        return text.str();
    }
};

/// A fused loop has the iterations of both loops: neither may be around a blended tail.
TEST_F(SubtleRules, BlendsKnowBothLoopsOfAFusion) {
    for (const bool is_inner : {true, false}) {
        Func h("h");
        h(x, y) = x;
        h(x, y) += 1;
        h.update().split(x, xo, xi, 8, TailStrategy::ShiftInwardsAndBlend);
        is_inner ? h.update().fuse(xo, y, t) : h.update().fuse(y, xo, t);
        expect_error<CompileError>(
            [&] { h.update().parallel(t); }, "blend-of-concurrent-iterations",
            "in h, stage 1: parallel makes iterations of loop t run at once, and the split of x has "
            "TailStrategy::ShiftInwardsAndBlend; a tail that is blended stores old values of points that other "
            "iterations compute; use TailStrategy::GuardWithIf, or keep the loop serial");
    }
}

/// The region of f is [-x, x]: its min decreases while its max increases, so there is no window.
TEST_F(SubtleRules, WindowsMoveOneWayWithBothEnds) {
    f(x) = x * x + 3 * x;
    g(x) = f(-x) + f(max(x, -x));
    f.store_root().compute_at(g, x);
    const Buffer<int> seen = g.realize({20});
    for (int i = 0; i < 20; i++) {
        ASSERT_EQ(seen(i), 2 * i * i) << i;
    }
}

TEST_F(SubtleRules, StagesThatReadInputsAreSkipped) {
    const Param<int> p("p", 1);
    f(x) = in(x) * 3;
    g(x) = select(p > 0, f(x) * 2, 5);
    f.compute_root();
    EXPECT_NE(lowered(g).find("if 1 <= p"), std::string::npos) << lowered(g);
    in.trace_loads();
    EXPECT_EQ(lowered(g).find("if 1 <= p"), std::string::npos) << lowered(g);
}

TEST_F(SubtleRules, WhatASpecializationDeniesIsKnownInIt) {
    const Param<bool> b("b");
    f(x) = select(b, 1, x * 7);
    EXPECT_EQ(count(lowered(f), "select"), 1U) << lowered(f);
    f.specialize(!b);
    EXPECT_EQ(count(lowered(f), "select"), 1U) << lowered(f); // where b holds
}

TEST_F(SubtleRules, UpdatesAtDataWithoutBoundsAreRefused) {
    const RDom r(0, 10, "r");
    f(x) = 0;
    f(in(r)) = 1;
    g(x) = f(x);
    f.compute_root();
    expect_error<CompileError>([&] { g.compile_jit(); }, "unbounded-access",
                               "in f, stage 1: coordinate 0 of f is in(r.x), which has no known bounds; a Func is "
                               "computed over a finite region; wrap the coordinate in clamp(..., min, max)");
}

TEST_F(SubtleRules, PromisedAlignmentIsLookedAt) {
    in.set_host_alignment(64);
    g(x) = in(x);
    Buffer<int> all(64);
    all.fill(1);
    const auto beyond = static_cast<int>(reinterpret_cast<uintptr_t>(all.data()) % 64 / sizeof(int));
    int *aligned = all.data() + (16 - beyond) % 16;
    in.set(Buffer<int>(aligned, 16));
    EXPECT_EQ(Buffer<int>(g.realize({16}))(3), 1);
    in.set(Buffer<int>(aligned + 1, 16));
    expect_error<RuntimeError>([&] { (void)g.realize({16}); }, "unaligned-host",
                               "in in: its host pointer is not a multiple of 64 bytes; the pipeline was compiled for "
                               "that alignment; allocate the buffer with it, or remove set_host_alignment()");
}

TEST_F(SubtleRules, EstimatesAreOfWholeFuncs) {
    f(x, y) = x;
    f(x, y) += 1;
    for (const char *text : {"set_estimate(x, 0, 8)", "set_estimates({0, 8}, {0, 4})"}) {
        const std::string name(text, std::string(text).find('('));
        expect_error<CompileError>(
            [&] {
                Pipeline(f).apply(Schedule::parse("fluorite schedule 1\nf.update(0)." + std::string(text) + "\nend\n"));
            },
            "schedule-syntax",
            "in the schedule, line 2: " + name +
                " is given to update(0) of f; it is a directive on whole Funcs; write f." + name);
    }
}

} // namespace
} // namespace fluorite::subtle_rules_test
