// Misuse found when a pipeline runs: the exact text, the slug and the line of the call, through compiled code.
#include "fluorite/fluorite.h"
#include "support/test_errors.h"

#include <functional>
#include <gtest/gtest.h>
#include <stdexcept>
#include <string>

static int curve(int x) {
    if (x > 6) {
        throw std::runtime_error("no curve beyond 6");
    }
    return x * 2;
}
static int surface(int) { return fluorite_error_extern_function_failed(nullptr, "surface", "no surface at all"); }
FLUORITE_EXTERN_1(int, curve, int)
FLUORITE_EXTERN_1(int, surface, int)

namespace fluorite::run_time_test {
namespace {

void expect_refused(const std::function<void()> &run, const std::string &slug, const std::string &message,
                    unsigned line) {
    expect_error<RuntimeError>(run, slug, message, {"run_time_test", line});
}

class RunTimeMisuse : public testing::Test {
  protected:
    Var x{"x"}, y{"y"};
    Func f{"f"};
    ImageParam in{Int(32), 2, "in"};
    Buffer<int> image{10, 8};
    unsigned line = 0; // of the refused call

    void SetUp() override {
        image.fill(7);
        in.set(image);
        f(x, y) = in(x, y) + in(x + 2, y);
    }
    /// Checks that nothing was written.
    static bool untouched(const Buffer<int> &out) { return out.all_equal(-1); }
    static Buffer<int> marked(int width, int height) {
        Buffer<int> out(width, height);
        out.fill(-1);
        return out;
    }
};

TEST_F(RunTimeMisuse, InputTooSmall) {
    Buffer<int> out = marked(9, 8);
    line = __LINE__ + 1;
    expect_refused([&] { f.realize(out); }, "input-too-small",
                   "in f: it reads in over [0, 10] along dimension 0, but in holds [0, 9] there; an input "
                   "must hold every coordinate that is read; pass a larger in, realize a smaller output, or "
                   "give in a boundary condition",
                   line);
    EXPECT_TRUE(untouched(out));
}

TEST_F(RunTimeMisuse, WrongBuffers) {
    Buffer<float> floats(4, 4);
    line = __LINE__ + 1;
    expect_refused([&] { f.realize(floats); }, "wrong-buffer-type",
                   "in f: the buffer has elements of type float32; the pipeline was compiled for int32; pass "
                   "a buffer of int32, or compile the pipeline for float32",
                   line);
    Buffer<int> flat(4);
    line = __LINE__ + 1;
    expect_refused([&] { f.realize(flat); }, "wrong-buffer-rank",
                   "in f: the buffer has 1 dimension; the pipeline was compiled for 2; slice or embed the "
                   "buffer to 2 dimensions",
                   line);
    Buffer<int> strided = Buffer<int>(4, 4).transposed(0, 1);
    line = __LINE__ + 2;
    expect_refused(
        [&] { f.realize(strided); }, "constraint-violated",
        "in f: its stride along dimension 0 (x) is 4; the pipeline was compiled for 1; pass a buffer of that shape, or "
        "change the constraint before compiling",
        line);
    line = __LINE__ + 1;
    expect_refused([&] { f.realize(static_cast<fluorite_buffer_t *>(nullptr)); }, "buffer-is-null",
                   "in f: the buffer argument is null; every buffer argument must point at a buffer; pass a "
                   "buffer, or one without host memory to ask for its bounds",
                   line);
    Buffer<int> hollow(nullptr, 4, 4);
    in.set(hollow);
    Buffer<int> out = marked(2, 2);
    line = __LINE__ + 1;
    expect_refused([&] { f.realize(out); }, "host-is-null",
                   "in in: the buffer has no host memory; code that runs on the host reads and writes host memory; "
                   "allocate the buffer before the call",
                   line);
    EXPECT_TRUE(untouched(out));
}

TEST_F(RunTimeMisuse, NegativeExtent) {
    line = __LINE__ + 2;
    expect_refused(
        [&] { f.realize({-3, 2}); }, "negative-extent",
        "in f: the extent of dimension 0 is -3; an extent is 0 or more; pass a buffer with a size of 0 or more", line);
}

TEST_F(RunTimeMisuse, ParamsOutOfRange) {
    Param<int> p("p");
    Func g("g");
    g(x) = x * p;
    p.set_range(-2, 5);
    p.set(6);
    line = __LINE__ + 1;
    expect_refused([&] { g.realize({3}); }, "param-too-large",
                   "in p: the parameter is 6; its range ends at 5; pass a value of 5 or less", line);
    p.set(-3);
    line = __LINE__ + 1;
    expect_refused([&] { g.realize({3}); }, "param-too-small",
                   "in p: the parameter is -3; its range starts at -2; pass a value of -2 or more", line);
    Param<int> unset("unset");
    Func h("h");
    h(x) = x + unset;
    line = __LINE__ + 1;
    expect_refused([&] { h.realize({3}); }, "unset-param",
                   "in unset: it has no value; every Param needs one before a run; call set(value)", line);
}

TEST_F(RunTimeMisuse, FactorsThatAreNotPositive) {
    for (int value : {0, -4}) {
        Param<int> n("n", value);
        Var xo("xo"), xi("xi");
        Func g("g"), h("h");
        g(x) = x * 3;
        g.split(x, xo, xi, n + 1 - 1);
        Buffer<int> out = marked(6, 1).sliced(1, 0);
        expect_refused([&] { g.realize(out); }, "split-factor-not-positive",
                       "in g: x is split by n + 1 - 1, which is " + std::to_string(value) +
                           "; a split factor is 1 or more; pass parameters that make it so",
                       __LINE__ - 3);
        EXPECT_TRUE(untouched(out));
        n.set(4);
        g.realize(out);
        EXPECT_EQ(out(5), 15);
        n.set(value);
        out.fill(-1);
        h(x) = g(x) + 1;
        Func k("k");
        k(x) = x;
        k.compute_root().align_bounds(x, n);
        Func user("user");
        user(x) = k(x);
        expect_refused([&] { user.realize(out); }, "align-not-positive",
                       "in k: x is aligned to n, which is " + std::to_string(value) +
                           "; a modulus is 1 or more; pass parameters that make it so",
                       __LINE__ - 3);
        EXPECT_TRUE(untouched(out));
    }
}

TEST_F(RunTimeMisuse, DivisionByZeroIsZero) {
    Param<int> zero("zero", 0);
    Func g("g");
    g(x) = Tuple(x / zero, x % zero, cast<uint8_t>(x) / cast<uint8_t>(zero));
    g.vectorize(x, 4);
    const Realization r = g.realize({9});
    const Buffer<int> q = r[0], m = r[1];
    const Buffer<uint8_t> u = r[2];
    EXPECT_TRUE(q.all_equal(0) && m.all_equal(0) && u.all_equal(0));
}

TEST_F(RunTimeMisuse, ExternFunctionsThatFail) {
    Func g("g"), h("h"), k("k");
    g(x, y) = curve(x) + y;
    g.compute_root().parallel(y);
    h(x, y) = g(x, y) + 1;
    const std::string rule = "; a C function in an expression gives a value for all arguments; repair it, or keep the "
                             "arguments that it cannot take away from it";
    line = __LINE__ + 1;
    expect_refused([&] { h.realize({10, 4}); }, "extern-failed",
                   "in curve: the C function failed: no curve beyond 6" + rule, line);
    EXPECT_NO_THROW(h.realize({6, 4})) << "the failure is gone with the run that it ended";
    k(x) = surface(x);
    line = __LINE__ + 1;
    expect_refused([&] { k.realize({3}); }, "extern-failed",
                   "in surface: the C function failed: no surface at all" + rule, line);
}

TEST_F(RunTimeMisuse, AllocationsThatCannotBeHad) {
    Param<int> n("n");
    Func g("g"), h("h");
    g(x, y) = cast<int64_t>(x + y);
    h(x) = g(x, 0) + g(x + n, n);
    g.compute_root();
    Buffer<int64_t> out(4);
    out.fill(-1);
    n.set(1 << 24);
    line = __LINE__ + 1;
    expect_refused([&] { h.realize(out); }, "out-of-memory",
                   "in g: an allocation of 2251800484773920 bytes failed; the storage of a Func must fit "
                   "into memory; compute it in smaller tiles, or realize a smaller region",
                   line);
    EXPECT_TRUE(out.all_equal(-1));
    n.set(2000000000);
    line = __LINE__ + 1;
    expect_refused([&] { h.realize(out); }, "allocation-too-large",
                   "in g: its storage takes 13553256006290448416 bytes; at most 9223372036854775807 bytes "
                   "can be addressed; use a smaller buffer or smaller tiles",
                   line);
    n.set(1);
    h.realize(out);
    EXPECT_EQ(out(3), 3 + 5);
}

// ---- Sizes determined by promises and schedules of the program.

TEST_F(RunTimeMisuse, RealizeBySizesHonoursPromises) {
    Var c("c");
    Func g("g");
    g(x, y, c) = x + 10 * y + 100 * c;
    g.output_buffer().dim(0).set_stride(3);
    g.output_buffer().dim(2).set_stride(1).set_bounds(0, 3);
    g.reorder(c, x, y).unroll(c);
    const Buffer<int> out = g.realize({5, 4, 3});
    EXPECT_EQ(out.dim(0).stride(), 3);
    EXPECT_EQ(out.dim(2).stride(), 1);
    EXPECT_EQ(out(4, 3, 2), 234);
}

TEST_F(RunTimeMisuse, RealizeBySizesGivesRoomForTails) {
    Func g("g");
    g(x) = x * x;
    g.vectorize(x, 8, TailStrategy::RoundUp);
    const Buffer<int> out = g.realize({13});
    EXPECT_EQ(out.dim(0).extent(), 13);
    EXPECT_EQ(out(12), 144);
    Buffer<int> exact(13);
    line = __LINE__ + 1;
    expect_refused([&] { g.realize(exact); }, "output-too-small",
                   "in g: the pipeline writes g over [0, 15] along dimension 0 (x; loop x of g is split by 8 with "
                   "TailStrategy::RoundUp), but g holds [0, 12] there; an output must hold every coordinate that is "
                   "written; pass a larger output, or a schedule that does not round its extent up",
                   line);
}

// A part of a row more, and of an output with that row again: as many rows as are whole pieces.
TEST_F(RunTimeMisuse, RealizeBySizesGivesRoomForTailsOfFusedLoops) {
    Var xy("xy"), outer("outer"), inner("inner");
    for (const int factor : {4, 8, 21, 64}) {
        for (int width = 1; width < 9; width++) {
            Func g("g");
            g(x, y) = x * 10 + y;
            g.fuse(x, y, xy).split(xy, outer, inner, factor, TailStrategy::RoundUp);
            const Buffer<int> out = g.realize({width, 5});
            EXPECT_EQ(out.dim(0).extent(), width);
            EXPECT_EQ(out.dim(1).extent(), 5);
            out.for_each_element([&](int i, int j) { EXPECT_EQ(out(i, j), i * 10 + j); });
        }
    }
    Func g("g");
    g(x, y) = x * 10 + y;
    g.fuse(x, y, xy).split(xy, outer, inner, 8, TailStrategy::RoundUp);
    Buffer<int> exact(5, 5);
    line = __LINE__ + 1;
    expect_refused([&] { g.realize(exact); }, "output-too-small",
                   "in g: the pipeline writes g over [0, 6] along dimension 1 (y; loop xy of g is split by 8 with "
                   "TailStrategy::RoundUp), but g holds [0, 4] there; an output must hold every coordinate that is "
                   "written; pass a larger output, or a schedule that does not round its extent up",
                   line);
}

// The tail is named where it matters: that of the stage that reads, or of one for which it is computed.
TEST_F(RunTimeMisuse, InputTooSmallForTails) {
    const std::string fix =
        ", but in holds [0, 9] there; an input must hold every coordinate that is read; pass a larger "
        "in, realize a smaller output, or give in a boundary condition";
    const auto refused = [&](int width, const std::function<void(Func &, Func &)> &schedule, const std::string &text) {
        Func g("g"), h("h");
        g(x, y) = in(x, y) * 2;
        h(x, y) = g(x, y) + 1;
        g.compute_root();
        schedule(g, h);
        line = __LINE__ + 1;
        expect_refused([&] { h.realize({width, 8}); }, "input-too-small", "in g: it reads in over " + text + fix, line);
    };
    refused(
        10, [&](Func &g, Func &) { g.vectorize(x, 8, TailStrategy::RoundUp); },
        "[0, 15] along dimension 0 (loop x of g is split by 8 with TailStrategy::RoundUp)");
    refused(
        10, [&](Func &g, Func &) { g.vectorize(x, 8, TailStrategy::PredicateStores); },
        "[0, 15] along dimension 0 (loop x of g is split by 8 with TailStrategy::PredicateStores)");
    refused(
        5, [&](Func &g, Func &) { g.vectorize(x, 8, TailStrategy::ShiftInwards); },
        "[-3, 4] along dimension 0 (loop x of g is split by 8 with TailStrategy::ShiftInwards)");
    refused(
        10, [&](Func &, Func &h) { h.vectorize(x, 8, TailStrategy::RoundUp); },
        "[0, 15] along dimension 0 (loop x of h is split by 8 with TailStrategy::RoundUp)");
    refused(
        10,
        [&](Func &g, Func &h) {
            h.vectorize(x, 8, TailStrategy::RoundUp);
            g.compute_at(h, y);
        },
        "[0, 15] along dimension 0 (loop x of h is split by 8 with TailStrategy::RoundUp)");
    refused(
        10, [&](Func &g, Func &) { g.align_bounds(x, 8); },
        "[0, 15] along dimension 0 (align_bounds() rounds up x of g)");
    // These do not matter.
    refused(11, [&](Func &g, Func &) { g.vectorize(x, 8, TailStrategy::ShiftInwards); }, "[0, 10] along dimension 0");
    refused(16, [&](Func &g, Func &) { g.vectorize(x, 8, TailStrategy::RoundUp); }, "[0, 15] along dimension 0");
    refused(11, [&](Func &g, Func &) { g.vectorize(x, 8, TailStrategy::GuardWithIf); }, "[0, 10] along dimension 0");
}

TEST_F(RunTimeMisuse, ExplainBounds) {
    Func g("g");
    g(x, y) = f(x, y) + f(x, y + 1);
    f.compute_root();
    const std::string text = g.explain_bounds(f);
    EXPECT_EQ(text, g.explain_bounds().substr(0, text.size()));
    EXPECT_NE(text.find("f is computed at root, stored at root\n"), std::string::npos) << text;
    EXPECT_NE(text.find("g, stage 0 reads (x, y), so it needs x in ["), std::string::npos) << text;
    EXPECT_NE(text.find("storage of y has extent"), std::string::npos) << text;
}

} // namespace
} // namespace fluorite::run_time_test
