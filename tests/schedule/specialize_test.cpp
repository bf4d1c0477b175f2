// specialize: whichever condition holds, the values are those of the interpreter; each specialization has its loops.

#include "driver/test_interpreter.h"
#include "support/test_errors.h"

#include <gtest/gtest.h>

namespace fluorite::specialize_test {
namespace {

const Var x("x"), y("y"), xo("xo"), xi("xi"), yo("yo"), yi("yi");

TEST(Specialize, ChoosesByParamAndSize) {
    ImageParam in(UInt(16), 2, "in");
    Param<int> mode("mode");
    Func g("g"), f("f");
    g(x, y) = in(clamp(x, 0, in.width() - 1), clamp(y, 0, in.height() - 1)) * cast<uint16_t>(mode + 1);
    f(x, y) = g(x, y) + g(x + 1, y) + select(mode == 2, cast<uint16_t>(x), cast<uint16_t>(y));
    g.compute_at(f, y);
    f.specialize(mode == 2 && f.output_buffer().width() >= 16).vectorize(x, 16).parallel(y);
    f.specialize(mode == 2).unroll(x, 3);
    f.specialize(mode == 1).specialize(f.output_buffer().height() > 4).split(y, yo, y, 4).vectorize(x, 4);
    const Buffer<uint16_t> input = random_buffer<uint16_t>({13, 9}, 1);
    in.set(input);
    for (int m = 0; m < 4; m++) {
        mode.set(m);
        for (const auto &sizes : std::vector<std::vector<int>>{{1, 1}, {16, 3}, {17, 11}, {40, 5}, {7, 8}}) {
            expect_same<uint16_t>(f, sizes, concat("mode ", m, " width ", sizes[0]));
        }
    }
}

// Accesses of the specialization for large images beyond the region place no demand on the buffers of small images.
TEST(Specialize, AsksOfBuffersWhatTheOneThatRunsTouches) {
    ImageParam in(UInt(8), 2, "in");
    Func staged("staged"), f("f"), out("out");
    RDom r(0, 3, "r");
    staged(x, y) = in(x, y) + cast<uint8_t>(1);
    f(x, y) = cast<uint16_t>(staged(x, y)) + in(x + 1, y);
    f(x, y) += staged(x + r, y) * cast<uint16_t>(3);
    out(x, y) = f(x, y) + in(x, y);
    staged.compute_root();
    staged.specialize(in.width() >= 40).vectorize(x, 16, TailStrategy::RoundUp);
    f.compute_root();
    f.specialize(in.width() >= 20).vectorize(x, 16, TailStrategy::ShiftInwards);
    f.update().specialize(in.width() >= 30).vectorize(x, 16, TailStrategy::GuardWithIf);
    out.specialize(in.width() >= 20).vectorize(x, 16);
    out.specialize(in.width() >= 10).vectorize(x, 8, TailStrategy::ShiftInwards);
    for (const int width : {1, 3, 7, 8, 9, 16, 17, 18, 23, 40, 61}) {
        // For large images, the first stage rounds up what it reads, so the image must be as large.
        const int extent = width + 2;
        in.set(random_buffer<uint8_t>({extent >= 40 ? (extent + 15) / 16 * 16 : extent, 5}, 4));
        expect_same<uint16_t>(out, {width, 5}, concat("width ", width));
    }
    in.set(random_buffer<uint8_t>({18, 5}, 4));
    EXPECT_THROW(out.realize({17, 5}), RuntimeError) << "19 columns are read";
}

TEST(Specialize, AsksOfBuffersWhatIsComputedInsideOfTheOneThatRuns) {
    ImageParam in(Int(16), 2, "in");
    Func rows("rows"), f("f");
    rows(x, y) = in(x - 1, y) + in(x + 1, y);
    f(x, y) = rows(x, y - 1) * rows(x, y + 1);
    rows.compute_at(f, y);
    f.specialize(f.output_buffer().width() >= 16).vectorize(x, 16);
    f.vectorize(x, 4, TailStrategy::GuardWithIf);
    for (const int width : {1, 5, 15, 16, 29}) {
        in.reset();
        f.infer_input_bounds({width, 3});
        EXPECT_EQ(in.get().dim(0).min(), -1) << width;
        EXPECT_EQ(in.get().dim(0).extent(), width + 2);
        Buffer<int16_t> tight = random_buffer<int16_t>({width + 2, 5}, 6);
        tight.set_min({-1, -1});
        in.set(tight);
        expect_same<int16_t>(f, {width, 3}, concat("width ", width));
    }
}

TEST(Specialize, UpdatesAndWhatIsInsideOfThem) {
    ImageParam in(Int(32), 1, "in");
    Param<bool> flag("flag");
    Func g("g"), f("f"), h("h");
    RDom r(0, 11, "r");
    g(x) = in(clamp(x, 0, 20)) * 3;
    f(x, y) = x + y;
    f(x, y) += g(x + r) * y;
    f(x, 0) = f(x, 1) - in(clamp(x, 2, 9));
    h(x, y) = f(x, y) + f(x + 1, y + 1);
    f.compute_at(h, yo);
    h.split(y, yo, yi, 4, TailStrategy::GuardWithIf);
    f.update(0).specialize(flag).reorder(r, y, x).vectorize(x, 4, TailStrategy::GuardWithIf);
    f.update(0).reorder(x, y, r);
    f.update(1).specialize(h.output_buffer().width() == 12).unroll(x, 2, TailStrategy::GuardWithIf);
    g.compute_at(f, y).store_in(MemoryType::Heap);
    h.specialize(!flag).vectorize(x, 8, TailStrategy::GuardWithIf);
    const Buffer<int32_t> input = random_buffer<int32_t>({21}, 2);
    in.set(input);
    for (const bool value : {false, true}) {
        flag.set(value);
        for (const auto &sizes : std::vector<std::vector<int>>{{12, 7}, {1, 1}, {5, 3}, {23, 9}}) {
            expect_same<int32_t>(h, sizes, concat("flag ", value, " width ", sizes[0]));
        }
    }
}

TEST(Specialize, MemoryHoistedInsideOfAStageThatMoves) {
    ImageParam in(Int(32), 2, "in");
    Param<bool> wide("wide");
    for (const bool is_stored_there : {false, true}) {
        Func g("g"), f("f");
        g(x, y) = in(x, y) * 3;
        f(x, y) = x + y;
        f(x, y) += g(x, y) + g(x + 1, y);
        // Both specializations of stage 0 become stages, so that the update is stage 2 of the working copy.
        f.specialize(wide).vectorize(x, 4);
        f.update().specialize(wide).vectorize(x, 4);
        g.compute_at(LoopLevel(f, x, 1)).hoist_storage(LoopLevel(f, y, 1));
        if (is_stored_there) {
            g.store_at(LoopLevel(f, y, 1));
        }
        in.set(random_buffer<int32_t>({30, 20}, 2));
        for (const bool value : {false, true}) {
            wide.set(value);
            expect_same<int32_t>(f, {17, 9}, concat("wide ", value));
        }
    }
}

TEST(Specialize, WhatIsComputedInsideNeedsNoLoopOfAFailure) {
    ImageParam in(Int(32), 1, "in");
    Param<bool> flag("flag");
    Func g("g"), f("f");
    g(x) = in(x) * 3;
    f(x) = g(x) + g(x + 1);
    f.specialize(flag).split(x, xo, xi, 4, TailStrategy::GuardWithIf);
    f.specialize_fail("flag must be set"); // its loops are those before the split
    f.split(x, xo, xi, 8, TailStrategy::GuardWithIf);
    g.compute_at(f, xo);
    in.set(random_buffer<int32_t>({40}, 2));
    flag.set(true);
    expect_same<int32_t>(f, {17}, "flag");
    flag.set(false);
    EXPECT_THROW((void)f.realize({17}), RuntimeError);
}

TEST(Specialize, WhatOnlyFailsComputesNothingInside) {
    ImageParam in(Int(32), 1, "in");
    Func g("g"), f("f");
    g(x) = in(x) * 3;
    f(x) = g(x) + g(x + 1);
    f.specialize_fail("not today");
    g.compute_at(f, x);
    in.set(random_buffer<int32_t>({40}, 2));
    try {
        (void)f.realize({17});
        ADD_FAILURE() << "it runs";
    } catch (const RuntimeError &error) {
        EXPECT_NE(std::string(error.what()).find("not today"), std::string::npos) << error.what();
    }
}

TEST(Specialize, AParamThatIsConstantMakesLoopsConstant) {
    ImageParam in(Float(32), 1, "in");
    Param<int> taps("taps");
    Func f("f");
    RDom r(0, taps, "r");
    f(x) = 0.0f;
    f(x) += in(x + r);
    f.update().specialize(taps == 5).unroll(r);
    f.update().specialize(taps == 3).unroll(r).vectorize(x, 4, TailStrategy::GuardWithIf);
    const Buffer<float> input = random_buffer<float>({64}, 3);
    in.set(input);
    for (const int count : {0, 1, 3, 5, 6}) {
        taps.set(count);
        expect_same<float>(f, {33}, concat("taps ", count));
    }
}

TEST(Specialize, SlidingWindowsInEachSpecialization) {
    ImageParam in(UInt(8), 2, "in");
    Param<int> mode("mode");
    Func rows("rows"), f("f");
    rows(x, y) = cast<uint16_t>(in(x, y)) + in(x + 1, y);
    f(x, y) = rows(x, y) + rows(x, y + 1) + rows(x, y + 2);
    rows.store_root().compute_at(f, y);
    f.specialize(mode == 1).vectorize(x, 8, TailStrategy::GuardWithIf);
    f.specialize(mode == 2).split(y, yo, y, 4, TailStrategy::GuardWithIf);
    const Buffer<uint8_t> input = random_buffer<uint8_t>({40, 40}, 4);
    in.set(input);
    for (int m = 0; m < 4; m++) {
        mode.set(m);
        expect_same<uint16_t>(f, {21, 19}, concat("mode ", m));
    }
}

TEST(Specialize, TheSameConditionIsTheSameSpecialization) {
    Param<int> mode("mode");
    Func f("f");
    f(x, y) = x * y + mode;
    f.specialize(mode == 1).vectorize(x, 4);
    f.specialize(mode == 1).parallel(y);

    EXPECT_EQ(f.specialize(mode == 1).loops().size(), 3u);
    EXPECT_EQ(f.specialize(mode == 2).loops().size(), 2u);
}

TEST(Specialize, FailsWhereNothingElseIsLeft) {
    Param<int> mode("mode");
    Func f("f");
    f(x, y) = x * y + mode;
    f.specialize(mode == 1).vectorize(x, 4, TailStrategy::GuardWithIf);
    f.specialize_fail("mode is 1");
    mode.set(1);
    expect_same<int32_t>(f, {9, 3}, "mode 1");
    mode.set(2);
    try {
        f.realize({9, 3});
        FAIL() << "no error";
    } catch (const RuntimeError &error) {
        EXPECT_EQ(error.message(),
                  "in f: no specialization applies: mode is 1; specialize_fail() refuses every case that no "
                  "specialization takes; pass inputs that meet one of the specializations, or add one");
    }
}

TEST(Specialize, PrintsAsIfs) {
    Param<int> mode("mode");
    Func f("f"), g("g");
    g(x, y) = x + y;
    f(x, y) = g(x, y) * mode;
    g.compute_at(f, y);
    f.specialize(mode == 1).vectorize(x);
    f.bound(x, 0, 8);
    f.specialize(mode == 2).specialize_fail("never two");
    EXPECT_EQ(f.loop_nest(), "produce f:\n"
                             "  if mode == 1:\n"
                             "    for y:\n"
                             "      produce g$v1:\n"
                             "        for y:\n"
                             "          for x in [0, 7]:\n"
                             "            g$v1(...) = ...\n"
                             "      consume g$v1:\n"
                             "        vectorized x in [0, 7]:\n"
                             "          f(...) = ...\n"
                             "  else if mode == 2:\n"
                             "    fail \"never two\"\n"
                             "  else:\n"
                             "    for y:\n"
                             "      produce g:\n"
                             "        for y:\n"
                             "          for x in [0, 7]:\n"
                             "            g(...) = ...\n"
                             "      consume g:\n"
                             "        for x in [0, 7]:\n"
                             "          f(...) = ...\n");
}

TEST(Specialize, IsPartOfASchedule) {
    const auto build = [] {
        Param<int> mode("mode");
        Func f("f"), g("g");
        g(x, y) = x + y;
        f(x, y) = g(x, y) * mode;
        f(x, y) += g(x + 1, y);
        return f;
    };
    Func f = build();
    std::string text = "fluorite schedule 1\n"
                       "f.specialize(mode == 2)\n"
                       "f.specialize_fail(\"say \\\"2\\\"\")\n"
                       "f.specialized(0).specialize(mode < 5)\n"
                       "f.specialized(0).specialized(0).split(x, xo, xi, 4)\n"
                       "f.specialized(0).parallel(y)\n"
                       "f.reorder(y, x)\n"
                       "f.update(0).specialize(mode > 3)\n"
                       "f.update(0).specialized(0).unroll(x)\n"
                       "end\n";
    Pipeline pipeline(f);
    pipeline.apply(Schedule::parse(text));
    EXPECT_EQ(pipeline.schedule().text(), text);
    EXPECT_EQ(Schedule::parse(text).text(), text);
    Func again = build();
    Pipeline other(again);
    other.apply(pipeline.schedule());
    EXPECT_EQ(other.schedule(), pipeline.schedule());
}

TEST(Specialize, Refuses) {
    Param<int> mode("mode");
    ImageParam in(UInt(8), 2, "in");
    Func f("f"), g("g");
    g(x, y) = x + y + in(x, y);
    f(x, y) = g(x, y) * mode;
    expect_error(
        [&] { f.specialize(mode); }, "specialize-condition",
        "in f, stage 0: specialize on a value of type int32; a condition is true or false; compare the value with "
        "something");
    expect_error(
        [&] { f.specialize(x > 3); }, "specialize-condition",
        "in f, stage 0: specialize on the variable x; the condition chooses a loop nest before it runs; use Params "
        "and the sizes of buffers, or select() in the definition");
    expect_error(
        [&] { f.specialize(in(0, 0) > 3); }, "specialize-condition",
        "in f, stage 0: specialize on a value of the input in; the condition chooses a loop nest before it runs; use "
        "Params and the sizes of buffers, or select() in the definition");
    expect_error([&] { f.specialize(mode == 1).split(y, y, xi, 0); }, "split-factor-not-positive",
                 "in f, stage 0, specialization 0: split of y by 0; a factor counts loop iterations and is 1 or "
                 "more; pass a positive factor");
    expect_error([&] { f.specialize_fail(""); }, "specialize-fail-message",
                 "in f, stage 0: specialize_fail with an empty message; it is all that a user sees; say what is not "
                 "supported");
    g.compute_at(f, y);
    f.specialize(mode == 1).fuse(x, y, xo);
    expect_error(
        [&] { f.compile_jit(); }, "specialize-loops-differ",
        "in g: it is computed or stored at loop y of f, a specialization of which has the loops xo; the loop is one "
        "of every specialization; name the loops alike with split or rename");
    expect_error(
        [&] { Pipeline(f).schedule_tree(); }, "tree-of-specialization",
        "in f: it is specialized; the nodes of a tree have one place, and its loops have two; draw the tree before "
        "specialize, or use print_loop_nest()");
    f.specialize_fail("only 1");
    expect_error(
        [&] { f.specialize(mode == 2); }, "specialize-after-fail",
        "in f, stage 0: specialize after specialize_fail; nothing is left for it; call specialize_fail() after all "
        "others");

    Func s("s");
    RDom r(0, 8, "r");
    RVar ro("ro"), ri("ri");
    Var u("u");
    s() = 0;
    s() += r;
    s.update().split(r, ro, ri, 4);
    Stage special = s.update().specialize(mode == 1);
    expect_error(
        [&] { special.rfactor(ro, u); }, "rfactor-of-specialization",
        "in s, stage 1: rfactor is called on a specialization; it rewrites the definition, which all specializations "
        "share; call it on the stage, before specialize");
    expect_error(
        [&] { s.update().rfactor(ro, u); }, "rfactor-of-specialization",
        "in s, stage 1: rfactor of a stage that is specialized; its definition is rewritten, and with it the loops "
        "that the specializations order; call rfactor first, then specialize");
    Pipeline(s).apply(Schedule());
    expect_error(
        [&] { special.unroll(r); }, "no-such-specialization",
        "in s, stage 1: specialization 0 is scheduled, which is gone since another schedule was applied; a handle "
        "lives as long as the schedule that it was made in; call specialize again");
}

} // namespace
} // namespace fluorite::specialize_test
