// Each scheduling directive on a small program: the loop nests before and after it, as its page in docs/directives
// shows. Directives on placement and storage of Funcs are in directives_placement_test.cpp, and those that put Funcs
// before their consumers in directives_wrapper_test.cpp.
#include "fluorite/fluorite.h"

#include <gtest/gtest.h>

namespace fluorite::directives_test {
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

TEST_F(Directives, Skew) {
    f(x, y) = x + y;
    EXPECT_EQ(f.loop_nest(), "produce f:\n"
                             "  for y:\n"
                             "    for x:\n"
                             "      f(...) = ...\n");
    f.skew(x, y, t).reorder(y, t);
    EXPECT_EQ(f.loop_nest(), "produce f:\n"
                             "  for t:\n"
                             "    for y:\n"
                             "      f(...) = ...\n");
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

TEST_F(Directives, GpuBlocks) {
    f(x, y) = x + y;
    EXPECT_EQ(f.loop_nest(), "produce f:\n"
                             "  for y:\n"
                             "    for x:\n"
                             "      f(...) = ...\n");
    f.split(x, xo, xi, 16).gpu_blocks(xo, y).gpu_threads(xi);
    EXPECT_EQ(f.loop_nest(), "produce f:\n"
                             "  gpu_block y:\n"
                             "    gpu_block xo:\n"
                             "      gpu_thread xi in [0, 15]:\n"
                             "        f(...) = ...\n");
}

TEST_F(Directives, GpuThreads) {
    f(x, y) = x + y;
    EXPECT_EQ(f.loop_nest(), "produce f:\n"
                             "  for y:\n"
                             "    for x:\n"
                             "      f(...) = ...\n");
    f.gpu_blocks(y).gpu_threads(x);
    EXPECT_EQ(f.loop_nest(), "produce f:\n"
                             "  gpu_block y:\n"
                             "    gpu_thread x:\n"
                             "      f(...) = ...\n");
}

TEST_F(Directives, GpuLanes) {
    f(x, y) = x + y;
    EXPECT_EQ(f.loop_nest(), "produce f:\n"
                             "  for y:\n"
                             "    for x:\n"
                             "      f(...) = ...\n");
    f.split(x, xo, xi, 32).gpu_blocks(y).gpu_threads(xo).gpu_lanes(xi);
    EXPECT_EQ(f.loop_nest(), "produce f:\n"
                             "  gpu_block y:\n"
                             "    gpu_thread xo:\n"
                             "      gpu_lane xi in [0, 31]:\n"
                             "        f(...) = ...\n");
}

TEST_F(Directives, GpuSingleThread) {
    RDom scan(1, 19, "r");
    f(x) = x;
    f(scan) += f(scan - 1);
    EXPECT_EQ(f.loop_nest(), "produce f:\n"
                             "  for x:\n"
                             "    f(...) = ...\n"
                             "  for r$x in [1, 19]:\n"
                             "    f(...) = ...\n");
    f.update(0).gpu_single_thread();
    EXPECT_EQ(f.loop_nest(), "produce f:\n"
                             "  for x:\n"
                             "    f(...) = ...\n"
                             "  gpu_single_thread:\n"
                             "    for r$x in [1, 19]:\n"
                             "      f(...) = ...\n");
}

TEST_F(Directives, GpuTile) {
    f(x, y) = x + y;
    EXPECT_EQ(f.loop_nest(), "produce f:\n"
                             "  for y:\n"
                             "    for x:\n"
                             "      f(...) = ...\n");
    f.gpu_tile(x, y, xo, yo, xi, yi, 16, 8);
    EXPECT_EQ(f.loop_nest(), "produce f:\n"
                             "  gpu_block yo:\n"
                             "    gpu_block xo:\n"
                             "      gpu_thread yi in [0, 7]:\n"
                             "        gpu_thread xi in [0, 15]:\n"
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
    f.bound(y, 1, Expr()).bound_extent(y, 8); // in parts
    EXPECT_EQ(f.loop_nest(), "produce f:\n"
                             "  for y in [1, 8]:\n"
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

TEST_F(Directives, Unscheduled) {
    f(x, y) = x + y;
    EXPECT_EQ(f.loop_nest(), "produce f:\n"
                             "  for y:\n"
                             "    for x:\n"
                             "      f(...) = ...\n");
    Stage(f).unscheduled();
    EXPECT_EQ(f.loop_nest(), "produce f:\n"
                             "  for y:\n"
                             "    for x:\n"
                             "      f(...) = ...\n");
}

TEST_F(Directives, LoopLevelsAreBoundLate) {
    g(x, y) = x + y;
    f(x, y) = g(x, y) + g(x, y + 1);
    LoopLevel store, compute;
    EXPECT_FALSE(compute.defined());
    g.store_at(store).compute_at(compute);
    store.set(LoopLevel::root());
    compute.set(LoopLevel(f, y));
    EXPECT_TRUE(store.is_root());
    EXPECT_EQ(compute.func_name() + "." + compute.var_name(), "f.y");
    const Buffer<int> sliding = f.realize(5, 5);
    const std::string nest = f.loop_nest();
    EXPECT_NE(nest.find("store g"), std::string::npos) << nest;
    store.set(LoopLevel::inlined());
    compute.set(LoopLevel::inlined());
    EXPECT_EQ(f.loop_nest().find("produce g"), std::string::npos) << "set again, the levels move along";
    const Buffer<int> inlined = f.realize(5, 5);
    EXPECT_EQ(sliding(3, 4), inlined(3, 4));
}

TEST_F(Directives, InlinedReductionsKeepTheirDirectives) {
    g(x) = 0;
    g(x) += r.x * r.y + x;
    f(x, y) = g(x + y);
    g.vectorize(x, 4).update().unroll(r.x, 4).reorder(r.y, x);
    const Buffer<int> out = f.realize(6, 4);
    int sum = 0;
    for (int k = 0; k < 160; k++) {
        sum += (k % 8) * (k / 8) + 5;
    }
    EXPECT_EQ(out(2, 3), sum);
    EXPECT_NE(f.loop_nest().find("unrolled"), std::string::npos);
}

} // namespace
} // namespace fluorite::directives_test
