// Each directive on the placement and storage of a Func: the loop nests before and after it, as its page in
// docs/directives shows.
#include "fluorite/fluorite.h"

#include <gtest/gtest.h>

namespace fluorite::directives_placement_test {
namespace {

class PlacementDirectives : public testing::Test {
  protected:
    Var x{"x"}, y{"y"}, xo{"xo"}, yo{"yo"}, xi{"xi"}, yi{"yi"}, t{"t"};
    RDom r{0, 8, 0, 20, "r"};
    Func f{"f"}, g{"g"};
};

TEST_F(PlacementDirectives, ComputeRoot) {
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

TEST_F(PlacementDirectives, ComputeAt) {
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

TEST_F(PlacementDirectives, ComputeInline) {
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

TEST_F(PlacementDirectives, StoreRoot) {
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

TEST_F(PlacementDirectives, StoreAt) {
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

TEST_F(PlacementDirectives, StoreIn) {
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

TEST_F(PlacementDirectives, ReorderStorage) {
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

TEST_F(PlacementDirectives, FoldStorage) {
    g(x, y) = x + y;
    f(x, y) = g(x, y) + g(x, y + 1);
    g.store_root().compute_at(f, y);
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
    g.fold_storage(y, 3);
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

TEST_F(PlacementDirectives, AlignStorage) {
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
    g.align_storage(x, 16);
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

TEST_F(PlacementDirectives, BoundStorage) {
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
    g.bound_storage(x, 128);
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

TEST_F(PlacementDirectives, HoistStorage) {
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
    g.hoist_storage(f, yo);
    EXPECT_EQ(f.loop_nest(), "produce f:\n"
                             "  for yo:\n"
                             "    allocate g:\n"
                             "      for yi in [0, 15]:\n"
                             "        produce g:\n"
                             "          for y:\n"
                             "            for x:\n"
                             "              g(...) = ...\n"
                             "        consume g:\n"
                             "          for x:\n"
                             "            f(...) = ...\n");
}

TEST_F(PlacementDirectives, HoistStorageRoot) {
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
    g.hoist_storage_root();
    EXPECT_EQ(f.loop_nest(), "allocate g:\n"
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

TEST_F(PlacementDirectives, Prefetch) {
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
    f.prefetch(g, y, y, 2);
    EXPECT_EQ(f.loop_nest(), "produce g:\n"
                             "  for y:\n"
                             "    for x:\n"
                             "      g(...) = ...\n"
                             "consume g:\n"
                             "  produce f:\n"
                             "    for y:\n"
                             "      prefetch g for y + 2\n"
                             "      for x:\n"
                             "        f(...) = ...\n");
}

TEST_F(PlacementDirectives, StreamStores) {
    f(x, y) = x + y;
    f.vectorize(x, 8);
    EXPECT_EQ(f.loop_nest(), "produce f:\n"
                             "  for y:\n"
                             "    for x:\n"
                             "      vectorized xv in [0, 7]:\n"
                             "        f(...) = ...\n");
    f.stream_stores();
    EXPECT_EQ(f.loop_nest(), "produce f:\n"
                             "  for y:\n"
                             "    for x:\n"
                             "      vectorized xv in [0, 7]:\n"
                             "        f(...) = ...\n");
}

TEST_F(PlacementDirectives, Memoize) {
    g(x, y) = x * y;
    f(x, y) = g(x, y) + g(x, y + 1);
    g.compute_root();
    const std::string rest = "  for y:\n"
                             "    for x:\n"
                             "      g(...) = ...\n"
                             "consume g:\n"
                             "  produce f:\n"
                             "    for y:\n"
                             "      for x:\n"
                             "        f(...) = ...\n";
    EXPECT_EQ(f.loop_nest(), "produce g:\n" + rest);
    g.memoize();
    EXPECT_EQ(f.loop_nest(), "produce g, unless memoized:\n" + rest);
}

TEST_F(PlacementDirectives, Async) {
    g(x, y) = x * y;
    f(x, y) = g(x, y) + g(x, y + 1);
    g.store_root().compute_at(f, y);
    const std::string before = "store g:\n"
                               "  produce f:\n"
                               "    for y:\n",
                      rest = "        for y:\n"
                             "          for x:\n"
                             "            g(...) = ...\n"
                             "      consume g:\n"
                             "        for x:\n"
                             "          f(...) = ...\n";
    EXPECT_EQ(f.loop_nest(), before + "      produce g:\n" + rest);
    g.async();
    EXPECT_EQ(f.loop_nest(), before + "      produce g, async:\n" + rest);
}

} // namespace
} // namespace fluorite::directives_placement_test
