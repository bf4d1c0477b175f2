// The exact text of explain_schedule() for the classic schedules of two stages.
#include "fluorite/fluorite.h"

#include <gtest/gtest.h>
#include <string>

namespace fluorite::explain_schedule_test {
namespace {

struct Blur {
    ImageParam input{UInt(16), 2, "input"};
    Func blur_x{"blur_x"}, blur_y{"blur_y"};
    Var x{"x"}, y{"y"}, xo{"xo"}, yo{"yo"}, xi{"xi"}, yi{"yi"};
    Pipeline pipeline;

    Blur() {
        blur_x(x, y) = (input(x, y) + input(x + 1, y) + input(x + 2, y)) / cast<uint16_t>(3);
        blur_y(x, y) = (blur_x(x, y) + blur_x(x, y + 1) + blur_x(x, y + 2)) / cast<uint16_t>(3);
        pipeline = Pipeline(blur_y);
    }
    std::string explain() const { return pipeline.explain_schedule({64, 32}); }
};

TEST(ExplainSchedule, Inline) {
    Blur b;
    EXPECT_EQ(b.explain(), "blur_x: computed inline in blur_y\n"
                           "blur_y: output, computed at root, stored by the caller\n"
                           "  loops: serial\n");
}

TEST(ExplainSchedule, Root) {
    Blur b;
    b.blur_x.compute_root().vectorize(b.x, 8).parallel(b.y);
    EXPECT_EQ(b.explain(), "blur_x: computed at root, stored there\n"
                           "  storage: 64 x 34 uint16, 4352 bytes\n"
                           "  work: 2176 values computed, 2176 needed: 1.00 times each\n"
                           "  loops: 34 tasks over y, 8 lanes over xv\n"
                           "blur_y: output, computed at root, stored by the caller\n"
                           "  loops: serial\n");
    EXPECT_EQ(b.pipeline.explain_schedule(),
              "blur_x: computed at root, stored there\n"
              "  storage: (0 - min(0 - blur_y->extent[0], -8)) x (blur_y->extent[1] + 2) uint16, (blur_y->extent[1] + "
              "2) * (min(0 - blur_y->extent[0], -8) * -2) bytes\n"
              "  loops: (blur_y->extent[1] + 2) tasks over y, 8 lanes over xv\n"
              "blur_y: output, computed at root, stored by the caller\n"
              "  loops: serial\n");
}

TEST(ExplainSchedule, MemoryThatIsTakenFurtherOut) {
    Blur b;
    b.blur_y.split(b.y, b.yo, b.yi, 8, TailStrategy::RoundUp);
    b.blur_x.compute_at(b.blur_y, b.yo).hoist_storage_root().ring_buffer(3).align_storage(b.x, 16);
    EXPECT_EQ(b.explain(),
              "blur_x: computed at loop yo of blur_y, stored there\n"
              "  storage: 64 x 10 x 3 uint16, 3840 bytes, taken at root for 3 iterations, x in multiples of 16\n"
              "  work: 2560 values computed, 2176 needed: 1.18 times each\n"
              "  loops: serial\n"
              "blur_y: output, computed at root, stored by the caller\n"
              "  loops: serial\n");
}

TEST(ExplainSchedule, StorageThatVariesInLoopsOfUnknownSize) {
    ImageParam input(Int(32), 1, "input");
    Var x("x"), y("y");
    RDom r(0, 10, "r");
    Func g("g"), f("f");
    g(x) = input(x);
    f(x, y) = 0;
    f(x, y) += g(min(r, y));
    g.compute_at(f, y);
    const std::string place = "g: computed at loop y of f.update(0), stored there\n";
    const std::string rest = "  loops: serial\n"
                             "f: output, computed at root, stored by the caller\n"
                             "  f: serial\n"
                             "  f.update(0): serial\n";
    EXPECT_EQ(Pipeline(f).explain_schedule({4, 6}),
              place + "  storage: 6 int32, 24 bytes\n  work: 21 values computed, 6 needed: 3.50 times each\n" + rest);
    EXPECT_EQ(Pipeline(f).explain_schedule(), place +
                                                  "  storage: (min(f.s1.y, 9) - min(f.s1.y, 0) + 1) int32, "
                                                  "min(f.s1.y, 9) * 4 - min(f.s1.y, 0) * 4 + 4 bytes\n" +
                                                  rest);
}

TEST(ExplainSchedule, Memoized) {
    Var x("x");
    Func g("g"), f("f");
    g(x) = x * x;
    f(x) = g(x);
    g.compute_root().memoize();
    EXPECT_EQ(Pipeline(f).explain_schedule({64}), "g: computed at root unless memoized, stored there\n"
                                                  "  storage: 64 int32, 256 bytes\n"
                                                  "  work: 64 values computed, 64 needed: 1.00 times each\n"
                                                  "  loops: serial\n"
                                                  "f: output, computed at root, stored by the caller\n"
                                                  "  loops: serial\n");
}

TEST(ExplainSchedule, Async) {
    Blur b;
    b.blur_x.store_root().compute_at(b.blur_y, b.y).async();
    const std::string text = b.explain();
    EXPECT_EQ(text.substr(0, text.find('\n')), "blur_x: computed at loop y of blur_y by a task of its own, an "
                                               "iteration ahead, stored at root, y slides along loop y of blur_y");
    Blur whole;
    whole.blur_x.compute_root().async();
    EXPECT_EQ(whole.explain().substr(0, whole.explain().find('\n')),
              "blur_x: computed at root by a task of its own, stored there");
}

TEST(ExplainSchedule, Estimates) {
    Blur b;
    b.blur_x.compute_root();
    b.blur_y.set_estimates({{0, 1920}, {0, 1080}}).parallel(b.y);
    EXPECT_EQ(b.pipeline.explain_schedule(), "blur_x: computed at root, stored there\n"
                                             "  storage: 1920 x 1082 uint16, 4154880 bytes\n"
                                             "  work: 2077440 values computed, 2077440 needed: 1.00 times each\n"
                                             "  loops: serial\n"
                                             "blur_y: output, computed at root, stored by the caller\n"
                                             "  loops: 1080 tasks over y\n");
}

TEST(ExplainSchedule, Rows) {
    Blur b;
    b.blur_x.compute_at(b.blur_y, b.y);
    b.blur_y.parallel(b.y);
    EXPECT_EQ(b.explain(), "blur_x: computed at loop y of blur_y, stored there\n"
                           "  storage: 64 x 3 uint16, 384 bytes\n"
                           "  work: 6144 values computed, 2176 needed: 2.82 times each\n"
                           "  loops: in each of the 32 tasks of blur_y.y\n"
                           "blur_y: output, computed at root, stored by the caller\n"
                           "  loops: 32 tasks over y\n");
}

TEST(ExplainSchedule, SlidingWindow) {
    Blur b;
    b.blur_x.store_root().compute_at(b.blur_y, b.y).store_in(MemoryType::Heap);
    EXPECT_EQ(b.explain(), "blur_x: computed at loop y of blur_y, stored at root, y slides along loop y of blur_y\n"
                           "  storage: 64 x 4 uint16, 512 bytes on the heap, y folded into 4\n"
                           "  work: 2176 values computed, 2176 needed: 1.00 times each\n"
                           "  loops: serial\n"
                           "blur_y: output, computed at root, stored by the caller\n"
                           "  loops: serial\n");
}

TEST(ExplainSchedule, Tiles) {
    Blur b;
    b.blur_y.tile(b.x, b.y, b.xo, b.yo, b.xi, b.yi, 16, 8).vectorize(b.xi, 4).unroll(b.yi).parallel(b.yo);
    b.blur_x.compute_at(b.blur_y, b.xo).store_in(MemoryType::Stack).vectorize(b.x, 4);
    EXPECT_EQ(b.explain(), "blur_x: computed at loop xo of blur_y, stored there\n"
                           "  storage: 16 x 10 uint16, 320 bytes on the stack\n"
                           "  work: 2560 values computed, 2176 needed: 1.18 times each\n"
                           "  loops: 4 lanes over xv, in each of the 4 tasks of blur_y.yo\n"
                           "blur_y: output, computed at root, stored by the caller\n"
                           "  loops: 4 tasks over yo, 8 copies of yi, 4 lanes over xiv\n");
    EXPECT_EQ(b.pipeline.explain_schedule({1000, 1000}),
              "blur_x: computed at loop xo of blur_y, stored there\n"
              "  storage: 16 x 10 uint16, 320 bytes on the stack\n"
              "  work: 1260000 values computed, 1002000 needed: 1.26 times each\n"
              "  loops: 4 lanes over xv, in each of the 125 tasks of blur_y.yo\n"
              "blur_y: output, computed at root, stored by the caller\n"
              "  loops: 125 tasks over yo, 8 copies of yi, 4 lanes over xiv\n");
}

TEST(ExplainSchedule, GuardedTilesOfOddSizes) {
    Blur b;
    b.blur_y.split(b.y, b.yo, b.yi, 8, TailStrategy::GuardWithIf);
    b.blur_x.compute_at(b.blur_y, b.yi);
    EXPECT_EQ(b.pipeline.explain_schedule({10, 13}), "blur_x: computed at loop yi of blur_y, stored there\n"
                                                     "  storage: 10 x 3 uint16, 60 bytes\n"
                                                     "  work: 390 values computed, 150 needed: 2.60 times each\n"
                                                     "  loops: serial\n"
                                                     "blur_y: output, computed at root, stored by the caller\n"
                                                     "  loops: serial\n");
}

TEST(ExplainSchedule, UpdatesTuplesAndReductionsInline) {
    Var x("x"), y("y");
    RDom r(0, 10, "r");
    Func pair("pair"), total("total"), out("out");
    pair(x) = {cast<uint8_t>(x), cast<float>(x)};
    total(x) = 0;
    total(x) += cast<int>(pair(x + r)[0]);
    out(x) = total(x) + cast<int>(pair(x)[1]);
    pair.compute_root();
    EXPECT_EQ(Pipeline(out).explain_schedule({100}), "pair: computed at root, stored there\n"
                                                     "  storage: 109 uint8 and float32, 545 bytes\n"
                                                     "  work: 109 values computed, 109 needed: 1.00 times each\n"
                                                     "  loops: serial\n"
                                                     "total: computed inline in out\n"
                                                     "  with its updates, once for each value that is read\n"
                                                     "  storage: 1 int32, 4 bytes\n"
                                                     "  total: serial\n"
                                                     "  total.update(0): serial\n"
                                                     "out: output, computed at root, stored by the caller\n"
                                                     "  loops: serial\n");
    total.compute_root().update().vectorize(x, 8).parallel(x);
    EXPECT_EQ(Pipeline(out).explain_schedule({100}), "pair: computed at root, stored there\n"
                                                     "  storage: 113 uint8 and float32, 565 bytes\n"
                                                     "  work: 113 values computed, 113 needed: 1.00 times each\n"
                                                     "  loops: serial\n"
                                                     "total: computed at root, stored there\n"
                                                     "  storage: 104 int32, 416 bytes\n"
                                                     "  work: 100 values computed, 100 needed: 1.00 times each\n"
                                                     "  total: serial\n"
                                                     "  total.update(0): 13 tasks over x, 8 lanes over xv\n"
                                                     "out: output, computed at root, stored by the caller\n"
                                                     "  loops: serial\n");
}

TEST(ExplainSchedule, SizesThatParamsAndInputsSay) {
    Var x("x");
    Param<int> n("n");
    Func f("f"), out("out");
    RDom r(0, n, "r");
    f(x) = x * 2;
    out(x) = 0;
    out(x) += f(x + r);
    f.compute_root();
    EXPECT_EQ(Pipeline(out).explain_schedule({100}),
              "f: computed at root, stored there\n"
              "  storage: (n + out->extent[0] + -1) int32, n * 4 + out->extent[0] * 4 + -4 bytes\n"
              "  work: depends on values not known here\n"
              "  loops: serial\n"
              "out: output, computed at root, stored by the caller\n"
              "  out: serial\n"
              "  out.update(0): serial\n");
    n.set(7);
    EXPECT_EQ(Pipeline(out).explain_schedule({100}), "f: computed at root, stored there\n"
                                                     "  storage: 106 int32, 424 bytes\n"
                                                     "  work: 106 values computed, 106 needed: 1.00 times each\n"
                                                     "  loops: serial\n"
                                                     "out: output, computed at root, stored by the caller\n"
                                                     "  out: serial\n"
                                                     "  out.update(0): serial\n");
}

TEST(ExplainSchedule, AsyncBehindABoundaryCondition) {
    const Var x("x"), y("y");
    const ImageParam in(Int(32), 2, "in");
    for (const bool is_known : {false, true}) {
        Func f("f"), g("g");
        f(x, y) = in(x, y) + 1;
        const Func edge = is_known ? BoundaryConditions::repeat_edge(f, {{0, 64}, {0, 32}})
                                   : BoundaryConditions::repeat_edge(f, {{in.dim(0).min(), in.dim(0).extent()},
                                                                         {in.dim(1).min(), in.dim(1).extent()}});
        g(x, y) = edge(x, y - 1) + edge(x, y + 1);
        f.store_root().compute_at(g, y).async();
        const std::string text = Pipeline(g).explain_schedule({64, 32});
        EXPECT_NE(text.find("by a task of its own, an iteration ahead"), std::string::npos) << text;
        EXPECT_NE(text.find("y folded into 4"), std::string::npos) << text;
    }
}

TEST(ExplainSchedule, LoopsOfUnknownLength) {
    Var x("x"), xo("xo"), xi("xi");
    Param<int> n("n");
    Func f("f"), out("out");
    f(x) = x * 2;
    out(x) = f(x) + f(x + 3);
    out.split(x, xo, xi, n, TailStrategy::GuardWithIf);
    f.store_root().compute_at(out, xi);
    const std::string unknown = Pipeline(out).explain_schedule({100});
    EXPECT_NE(unknown.find("  storage: (n + "), std::string::npos) << unknown;
    EXPECT_NE(unknown.find("  work: depends on values not known here\n"), std::string::npos) << unknown;
    n.set(10);
    EXPECT_EQ(Pipeline(out).explain_schedule({100}),
              "f: computed at loop xi of out, stored at root, x slides along loop xi of out\n"
              "  storage: 103 int32, 412 bytes\n"
              "  work: 130 values computed, 103 needed: 1.26 times each\n"
              "  loops: serial\n"
              "out: output, computed at root, stored by the caller\n"
              "  loops: serial\n");
}

TEST(ExplainSchedule, LoopsWhoseLengthDependsOnOthers) {
    Var x("x"), y("y");
    Func triangle("triangle"), inner("inner"), out("out");
    inner(x, y) = x * y;
    triangle(x, y) = inner(x, y) + inner(x, y + 1);
    out(x, y) = triangle(min(x, y), y);
    triangle.compute_at(out, y);
    inner.compute_at(triangle, x);
    // Row y of `triangle` has y + 1 points: 36 in all.
    EXPECT_EQ(Pipeline(out).explain_schedule({8, 8}), "inner: computed at loop x of triangle, stored there\n"
                                                      "  storage: 1 x 2 int32, 8 bytes\n"
                                                      "  work: 72 values computed, 72 needed: 1.00 times each\n"
                                                      "  loops: serial\n"
                                                      "triangle: computed at loop y of out, stored there\n"
                                                      "  storage: 8 x 1 int32, 32 bytes\n"
                                                      "  work: 36 values computed, 64 needed: 0.56 times each\n"
                                                      "  loops: serial\n"
                                                      "out: output, computed at root, stored by the caller\n"
                                                      "  loops: serial\n");
}

TEST(ExplainSchedule, TooManyDifferentPieces) {
    Blur b;
    b.blur_y.tile(b.x, b.y, b.xo, b.yo, b.xi, b.yi, 16, 8, TailStrategy::GuardWithIf);
    b.blur_x.compute_at(b.blur_y, b.xi);
    const std::string text = b.pipeline.explain_schedule({1001, 1001});
    EXPECT_NE(text.find("  work: too many different pieces to count\n"), std::string::npos) << text;
}

TEST(ExplainSchedule, ChangesNothing) {
    Blur b;
    b.blur_x.compute_at(b.blur_y, b.x);
    const Schedule before = b.pipeline.schedule();
    b.explain();
    EXPECT_EQ(b.pipeline.schedule(), before);
}

} // namespace
} // namespace fluorite::explain_schedule_test
