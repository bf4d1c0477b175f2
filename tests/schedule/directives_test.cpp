// Each scheduling directive on a small program: the loop nests before and after it, as its page in docs/directives shows.
#include "fluorite/fluorite.h"

#include <gtest/gtest.h>

namespace fluorite {
namespace {

class Directives : public testing::Test {
  protected:
    Var x{"x"}, y{"y"}, xo{"xo"}, yo{"yo"}, xi{"xi"}, yi{"yi"}, t{"t"};
    RDom r{0, 8, 0, 20, "r"};
    Func f{"f"}, g{"g"};
};

TEST_F(Directives, Split) {
    f(x, y) = x + y;
    EXPECT_EQ(f.loop_nest(), "produce f:\n"
                             "  for y:\n"
                             "    for x:\n"
                             "      f(...) = ...\n");
    f.split(x, xo, xi, 8);
    EXPECT_EQ(f.loop_nest(), "produce f:\n"
                             "  for y:\n"
                             "    for xo:\n"
                             "      for xi in [0, 7]:\n"
                             "        f(...) = ...\n");
}

TEST_F(Directives, Fuse) {
    f(x, y) = x + y;
    EXPECT_EQ(f.loop_nest(), "produce f:\n"
                             "  for y:\n"
                             "    for x:\n"
                             "      f(...) = ...\n");
    f.fuse(x, y, t);
    EXPECT_EQ(f.loop_nest(), "produce f:\n"
                             "  for t:\n"
                             "    f(...) = ...\n");
}

TEST_F(Directives, Rename) {
    f(x, y) = x + y;
    EXPECT_EQ(f.loop_nest(), "produce f:\n"
                             "  for y:\n"
                             "    for x:\n"
                             "      f(...) = ...\n");
    f.rename(x, xo);
    EXPECT_EQ(f.loop_nest(), "produce f:\n"
                             "  for y:\n"
                             "    for xo:\n"
                             "      f(...) = ...\n");
}

TEST_F(Directives, Reorder) {
    f(x, y) = x + y;
    EXPECT_EQ(f.loop_nest(), "produce f:\n"
                             "  for y:\n"
                             "    for x:\n"
                             "      f(...) = ...\n");
    f.reorder(y, x);
    EXPECT_EQ(f.loop_nest(), "produce f:\n"
                             "  for x:\n"
                             "    for y:\n"
                             "      f(...) = ...\n");
}

TEST_F(Directives, Tile) {
    f(x, y) = x + y;
    EXPECT_EQ(f.loop_nest(), "produce f:\n"
                             "  for y:\n"
                             "    for x:\n"
                             "      f(...) = ...\n");
    f.tile(x, y, xo, yo, xi, yi, 16, 8);
    EXPECT_EQ(f.loop_nest(), "produce f:\n"
                             "  for yo:\n"
                             "    for xo:\n"
                             "      for yi in [0, 7]:\n"
                             "        for xi in [0, 15]:\n"
                             "          f(...) = ...\n");
}

TEST_F(Directives, Serial) {
    f(x, y) = x + y;
    f.parallel(y);
    EXPECT_EQ(f.loop_nest(), "produce f:\n"
                             "  parallel y:\n"
                             "    for x:\n"
                             "      f(...) = ...\n");
    f.serial(y);
    EXPECT_EQ(f.loop_nest(), "produce f:\n"
                             "  for y:\n"
                             "    for x:\n"
                             "      f(...) = ...\n");
}

TEST_F(Directives, Parallel) {
    f(x, y) = x + y;
    EXPECT_EQ(f.loop_nest(), "produce f:\n"
                             "  for y:\n"
                             "    for x:\n"
                             "      f(...) = ...\n");
    f.parallel(y, 8);
    EXPECT_EQ(f.loop_nest(), "produce f:\n"
                             "  parallel y:\n"
                             "    for yt in [0, 7]:\n"
                             "      for x:\n"
                             "        f(...) = ...\n");
}

TEST_F(Directives, Vectorize) {
    f(x, y) = x + y;
    EXPECT_EQ(f.loop_nest(), "produce f:\n"
                             "  for y:\n"
                             "    for x:\n"
                             "      f(...) = ...\n");
    f.vectorize(x, 8);
    EXPECT_EQ(f.loop_nest(), "produce f:\n"
                             "  for y:\n"
                             "    for x:\n"
                             "      vectorized xv in [0, 7]:\n"
                             "        f(...) = ...\n");
}

TEST_F(Directives, Unroll) {
    f(x, y) = x + y;
    EXPECT_EQ(f.loop_nest(), "produce f:\n"
                             "  for y:\n"
                             "    for x:\n"
                             "      f(...) = ...\n");
    f.unroll(x, 4);
    EXPECT_EQ(f.loop_nest(), "produce f:\n"
                             "  for y:\n"
                             "    for x:\n"
                             "      unrolled xu in [0, 3]:\n"
                             "        f(...) = ...\n");
}

TEST_F(Directives, Partition) {
    f(x, y) = x + y;
    EXPECT_EQ(f.loop_nest(), "produce f:\n"
                             "  for y:\n"
                             "    for x:\n"
                             "      f(...) = ...\n");
    f.partition(x, Partition::Never);
    EXPECT_EQ(f.loop_nest(), "produce f:\n"
                             "  for y:\n"
                             "    for x:\n"
                             "      f(...) = ...\n");
}

TEST_F(Directives, NeverPartition) {
    f(x, y) = x + y;
    EXPECT_EQ(f.loop_nest(), "produce f:\n"
                             "  for y:\n"
                             "    for x:\n"
                             "      f(...) = ...\n");
    f.never_partition(x, y);
    EXPECT_EQ(f.loop_nest(), "produce f:\n"
                             "  for y:\n"
                             "    for x:\n"
                             "      f(...) = ...\n");
}

TEST_F(Directives, AlwaysPartition) {
    f(x, y) = x + y;
    EXPECT_EQ(f.loop_nest(), "produce f:\n"
                             "  for y:\n"
                             "    for x:\n"
                             "      f(...) = ...\n");
    f.always_partition(x);
    EXPECT_EQ(f.loop_nest(), "produce f:\n"
                             "  for y:\n"
                             "    for x:\n"
                             "      f(...) = ...\n");
}

TEST_F(Directives, AllowRaceConditions) {
    f(x) = 0;
    f(x) += r.x * r.y;
    EXPECT_EQ(f.loop_nest(), "produce f:\n"
                             "  for x:\n"
                             "    f(...) = ...\n"
                             "  for x:\n"
                             "    for r$y in [0, 19]:\n"
                             "      for r$x in [0, 7]:\n"
                             "        f(...) = ...\n");
    f.update(0).allow_race_conditions().vectorize(r.x);
    EXPECT_EQ(f.loop_nest(), "produce f:\n"
                             "  for x:\n"
                             "    f(...) = ...\n"
                             "  for x:\n"
                             "    for r$y in [0, 19]:\n"
                             "      vectorized r$x in [0, 7]:\n"
                             "        f(...) = ...\n");
}

TEST_F(Directives, Atomic) {
    f(x) = 0;
    f(x) += r.x * r.y;
    EXPECT_EQ(f.loop_nest(), "produce f:\n"
                             "  for x:\n"
                             "    f(...) = ...\n"
                             "  for x:\n"
                             "    for r$y in [0, 19]:\n"
                             "      for r$x in [0, 7]:\n"
                             "        f(...) = ...\n");
    f.update(0).atomic().parallel(r.y).vectorize(r.x);
    EXPECT_EQ(f.loop_nest(), "produce f:\n"
                             "  for x:\n"
                             "    f(...) = ...\n"
                             "  for x:\n"
                             "    parallel r$y in [0, 19]:\n"
                             "      vectorized r$x in [0, 7]:\n"
                             "        f(...) = ...\n");
}

TEST_F(Directives, RFactor) {
    f(x) = 0;
    f(x) += r.x * r.y;
    EXPECT_EQ(f.loop_nest(), "produce f:\n"
                             "  for x:\n"
                             "    f(...) = ...\n"
                             "  for x:\n"
                             "    for r$y in [0, 19]:\n"
                             "      for r$x in [0, 7]:\n"
                             "        f(...) = ...\n");
    Var u("u");
    Func partial = f.update(0).rfactor(r.x, u);
    partial.compute_root().reorder(u, x).vectorize(u).update().reorder(u, r.y).vectorize(u);
    EXPECT_EQ(f.loop_nest(), "produce f_intm:\n"
                             "  for x:\n"
                             "    vectorized u in [0, 7]:\n"
                             "      f_intm(...) = ...\n"
                             "  for x:\n"
                             "    for r$y in [0, 19]:\n"
                             "      vectorized u in [0, 7]:\n"
                             "        f_intm(...) = ...\n"
                             "consume f_intm:\n"
                             "  produce f:\n"
                             "    for x:\n"
                             "      f(...) = ...\n"
                             "    for x:\n"
                             "      for r$x in [0, 7]:\n"
                             "        f(...) = ...\n");
}

TEST_F(Directives, ComputeRoot) {
    g(x, y) = x + y;
    f(x, y) = g(x, y) + g(x, y + 1);
    EXPECT_EQ(f.loop_nest(), "produce f:\n"
                             "  for y:\n"
                             "    for x:\n"
                             "      f(...) = ...\n");
    g.compute_root();
    EXPECT_EQ(f.loop_nest(), "produce g:\n"
                             "  for y:\n"
                             "    for x:\n"
                             "      g(...) = ...\n"
                             "consume g:\n"
                             "  produce f:\n"
                             "    for y:\n"
                             "      for x:\n"
                             "        f(...) = ...\n");
}

TEST_F(Directives, ComputeAt) {
    g(x, y) = x + y;
    f(x, y) = g(x, y) + g(x, y + 1);
    EXPECT_EQ(f.loop_nest(), "produce f:\n"
                             "  for y:\n"
                             "    for x:\n"
                             "      f(...) = ...\n");
    g.compute_at(f, y);
    EXPECT_EQ(f.loop_nest(), "produce f:\n"
                             "  for y:\n"
                             "    produce g:\n"
                             "      for y:\n"
                             "        for x:\n"
                             "          g(...) = ...\n"
                             "    consume g:\n"
                             "      for x:\n"
                             "        f(...) = ...\n");
}

TEST_F(Directives, ComputeInline) {
    g(x, y) = x + y;
    f(x, y) = g(x, y) + g(x, y + 1);
    g.compute_root();
    EXPECT_EQ(f.loop_nest(), "produce g:\n"
                             "  for y:\n"
                             "    for x:\n"
                             "      g(...) = ...\n"
                             "consume g:\n"
                             "  produce f:\n"
                             "    for y:\n"
                             "      for x:\n"
                             "        f(...) = ...\n");
    g.compute_inline();
    EXPECT_EQ(f.loop_nest(), "produce f:\n"
                             "  for y:\n"
                             "    for x:\n"
                             "      f(...) = ...\n");
}

TEST_F(Directives, StoreRoot) {
    g(x, y) = x + y;
    f(x, y) = g(x, y) + g(x, y + 1);
    g.compute_at(f, y);
    EXPECT_EQ(f.loop_nest(), "produce f:\n"
                             "  for y:\n"
                             "    produce g:\n"
                             "      for y:\n"
                             "        for x:\n"
                             "          g(...) = ...\n"
                             "    consume g:\n"
                             "      for x:\n"
                             "        f(...) = ...\n");
    g.store_root();
    EXPECT_EQ(f.loop_nest(), "store g:\n"
                             "  produce f:\n"
                             "    for y:\n"
                             "      produce g:\n"
                             "        for y:\n"
                             "          for x:\n"
                             "            g(...) = ...\n"
                             "      consume g:\n"
                             "        for x:\n"
                             "          f(...) = ...\n");
}

TEST_F(Directives, StoreAt) {
    g(x, y) = x + y;
    f(x, y) = g(x, y) + g(x, y + 1);
    f.split(y, yo, yi, 16);
    g.compute_at(f, yi);
    EXPECT_EQ(f.loop_nest(), "produce f:\n"
                             "  for yo:\n"
                             "    for yi in [0, 15]:\n"
                             "      produce g:\n"
                             "        for y:\n"
                             "          for x:\n"
                             "            g(...) = ...\n"
                             "      consume g:\n"
                             "        for x:\n"
                             "          f(...) = ...\n");
    g.store_at(f, yo);
    EXPECT_EQ(f.loop_nest(), "produce f:\n"
                             "  for yo:\n"
                             "    store g:\n"
                             "      for yi in [0, 15]:\n"
                             "        produce g:\n"
                             "          for y:\n"
                             "            for x:\n"
                             "              g(...) = ...\n"
                             "        consume g:\n"
                             "          for x:\n"
                             "            f(...) = ...\n");
}

TEST_F(Directives, StoreIn) {
    g(x, y) = x + y;
    f(x, y) = g(x, y) + g(x, y + 1);
    g.compute_at(f, y);
    EXPECT_EQ(f.loop_nest(), "produce f:\n"
                             "  for y:\n"
                             "    produce g:\n"
                             "      for y:\n"
                             "        for x:\n"
                             "          g(...) = ...\n"
                             "    consume g:\n"
                             "      for x:\n"
                             "        f(...) = ...\n");
    g.store_in(MemoryType::Stack);
    EXPECT_EQ(f.loop_nest(), "produce f:\n"
                             "  for y:\n"
                             "    produce g:\n"
                             "      for y:\n"
                             "        for x:\n"
                             "          g(...) = ...\n"
                             "    consume g:\n"
                             "      for x:\n"
                             "        f(...) = ...\n");
}

TEST_F(Directives, ReorderStorage) {
    g(x, y) = x + y;
    f(x, y) = g(x, y) + g(x, y + 1);
    g.compute_root();
    EXPECT_EQ(f.loop_nest(), "produce g:\n"
                             "  for y:\n"
                             "    for x:\n"
                             "      g(...) = ...\n"
                             "consume g:\n"
                             "  produce f:\n"
                             "    for y:\n"
                             "      for x:\n"
                             "        f(...) = ...\n");
    g.reorder_storage(y, x);
    EXPECT_EQ(f.loop_nest(), "produce g:\n"
                             "  for y:\n"
                             "    for x:\n"
                             "      g(...) = ...\n"
                             "consume g:\n"
                             "  produce f:\n"
                             "    for y:\n"
                             "      for x:\n"
                             "        f(...) = ...\n");
}

TEST_F(Directives, Bound) {
    f(x, y) = x + y;
    EXPECT_EQ(f.loop_nest(), "produce f:\n"
                             "  for y:\n"
                             "    for x:\n"
                             "      f(...) = ...\n");
    f.bound(x, 0, 32);
    EXPECT_EQ(f.loop_nest(), "produce f:\n"
                             "  for y:\n"
                             "    for x in [0, 31]:\n"
                             "      f(...) = ...\n");
}

TEST_F(Directives, BoundExtent) {
    f(x, y) = x + y;
    EXPECT_EQ(f.loop_nest(), "produce f:\n"
                             "  for y:\n"
                             "    for x:\n"
                             "      f(...) = ...\n");
    f.bound_extent(x, 32).unroll(x);
    EXPECT_EQ(f.loop_nest(), "produce f:\n"
                             "  for y:\n"
                             "    unrolled x:\n"
                             "      f(...) = ...\n");
}

TEST_F(Directives, AlignBounds) {
    g(x, y) = x + y;
    f(x, y) = g(x, y) + g(x, y + 1);
    f.bound(x, 0, 30).bound(y, 0, 20);
    g.compute_root();
    EXPECT_EQ(f.loop_nest(), "produce g:\n"
                             "  for y in [0, 20]:\n"
                             "    for x in [0, 29]:\n"
                             "      g(...) = ...\n"
                             "consume g:\n"
                             "  produce f:\n"
                             "    for y in [0, 19]:\n"
                             "      for x in [0, 29]:\n"
                             "        f(...) = ...\n");
    g.align_bounds(x, 8);
    EXPECT_EQ(f.loop_nest(), "produce g:\n"
                             "  for y in [0, 20]:\n"
                             "    for x in [0, 31]:\n"
                             "      g(...) = ...\n"
                             "consume g:\n"
                             "  produce f:\n"
                             "    for y in [0, 19]:\n"
                             "      for x in [0, 29]:\n"
                             "        f(...) = ...\n");
}

TEST_F(Directives, AlignExtent) {
    g(x, y) = x + y;
    f(x, y) = g(x, y) + g(x, y + 1);
    f.bound(x, 0, 30).bound(y, 0, 20);
    g.compute_root();
    EXPECT_EQ(f.loop_nest(), "produce g:\n"
                             "  for y in [0, 20]:\n"
                             "    for x in [0, 29]:\n"
                             "      g(...) = ...\n"
                             "consume g:\n"
                             "  produce f:\n"
                             "    for y in [0, 19]:\n"
                             "      for x in [0, 29]:\n"
                             "        f(...) = ...\n");
    g.align_extent(x, 8);
    EXPECT_EQ(f.loop_nest(), "produce g:\n"
                             "  for y in [0, 20]:\n"
                             "    for x in [0, 31]:\n"
                             "      g(...) = ...\n"
                             "consume g:\n"
                             "  produce f:\n"
                             "    for y in [0, 19]:\n"
                             "      for x in [0, 29]:\n"
                             "        f(...) = ...\n");
}

TEST_F(Directives, SetEstimate) {
    f(x, y) = x + y;
    EXPECT_EQ(f.loop_nest(), "produce f:\n"
                             "  for y:\n"
                             "    for x:\n"
                             "      f(...) = ...\n");
    f.set_estimate(x, 0, 1920);
    EXPECT_EQ(f.loop_nest(), "produce f:\n"
                             "  for y:\n"
                             "    for x:\n"
                             "      f(...) = ...\n");
}

TEST_F(Directives, SetEstimates) {
    f(x, y) = x + y;
    EXPECT_EQ(f.loop_nest(), "produce f:\n"
                             "  for y:\n"
                             "    for x:\n"
                             "      f(...) = ...\n");
    f.set_estimates({{0, 1920}, {0, 1080}});
    EXPECT_EQ(f.loop_nest(), "produce f:\n"
                             "  for y:\n"
                             "    for x:\n"
                             "      f(...) = ...\n");
}

TEST_F(Directives, In) {
    g(x, y) = x + y;
    f(x, y) = g(x, y) + g(x, y + 1);
    g.compute_root();
    EXPECT_EQ(f.loop_nest(), "produce g:\n"
                             "  for y:\n"
                             "    for x:\n"
                             "      g(...) = ...\n"
                             "consume g:\n"
                             "  produce f:\n"
                             "    for y:\n"
                             "      for x:\n"
                             "        f(...) = ...\n");
    g.in(f).compute_at(f, y);
    EXPECT_EQ(f.loop_nest(), "produce g:\n"
                             "  for y:\n"
                             "    for x:\n"
                             "      g(...) = ...\n"
                             "consume g:\n"
                             "  produce f:\n"
                             "    for y:\n"
                             "      produce g_in_f:\n"
                             "        for y:\n"
                             "          for x:\n"
                             "            g_in_f(...) = ...\n"
                             "      consume g_in_f:\n"
                             "        for x:\n"
                             "          f(...) = ...\n");
}

} // namespace
} // namespace fluorite
