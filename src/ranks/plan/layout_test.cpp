#include "ranks/plan/layout.h"

#include "ranks/plan/grid.h"
#include "support/test_errors.h"

#include <numeric>

namespace fluorite::distribute::layout_test {

TEST(Grid, factors_of_the_text) {
    using Pair = std::pair<int64_t, int64_t>;
    EXPECT_EQ(approx_factors_near_sqrt(1), Pair(1, 1));
    EXPECT_EQ(approx_factors_near_sqrt(2), Pair(1, 2));
    EXPECT_EQ(approx_factors_near_sqrt(8), Pair(2, 4));
    EXPECT_EQ(approx_factors_near_sqrt(10), Pair(3, 3));
    EXPECT_EQ(approx_factors_near_sqrt(16), Pair(4, 4));
    EXPECT_EQ(approx_factors_near_sqrt(17), Pair(4, 4));
    EXPECT_EQ(approx_factors_near_sqrt(85), Pair(9, 9));
    EXPECT_EQ(approx_factors_near_sqrt(99), Pair(9, 11));
    using Triple = std::vector<int64_t>;
    EXPECT_EQ(approx_factors_near_cubert(2), Triple({1, 1, 2}));
    EXPECT_EQ(approx_factors_near_cubert(8), Triple({2, 2, 2}));
    EXPECT_EQ(approx_factors_near_cubert(16), Triple({2, 2, 4}));
    EXPECT_EQ(approx_factors_near_cubert(17), Triple({2, 2, 4}));
    EXPECT_EQ(approx_factors_near_cubert(85), Triple({4, 4, 5}));
    EXPECT_EQ(approx_factors_near_cubert(99), Triple({4, 4, 6}));
    EXPECT_EQ(approx_factors_near_cubert(100), Triple({4, 5, 5}));
}

TEST(Grid, no_rank_idles) {
    using Extents = std::vector<int64_t>;
    EXPECT_EQ(choose_grid(10, {100, 100}), Extents({2, 5}));
    EXPECT_EQ(choose_grid(10, {1000, 10}), Extents({10, 1}));
    EXPECT_EQ(choose_grid(85, {1000, 1000}), Extents({5, 17}));
    EXPECT_EQ(choose_grid(64, {100, 100, 100}), Extents({4, 4, 4}));
    EXPECT_EQ(choose_grid(12, {100, 100, 100}), Extents({2, 2, 3}));
    EXPECT_EQ(choose_grid(7, {100}), Extents({7}));
    EXPECT_EQ(choose_grid(8, {4, 2}), Extents({4, 2})) << "eight parts that are not empty";
    for (int64_t ranks = 1; ranks <= 200; ranks++) {
        for (const Extents &extents : {Extents{1000, 1000}, Extents{5, 70}, Extents{300, 200, 100}}) {
            const Extents grid = choose_grid(ranks, extents);
            EXPECT_EQ(std::accumulate(grid.begin(), grid.end(), int64_t{1}, std::multiplies<>()), ranks);
        }
    }
}

// Parts cover the domain in order, are balanced, and the owner of each coordinate is the part that has it.
TEST(Axis, parts_are_balanced_and_owners_are_exact) {
    for (int64_t tile : {1, 2, 5}) {
        for (int64_t extent = 1; extent <= 40; extent++) {
            for (int64_t parts = 1; parts <= 45; parts++) {
                const Axis axis{{-7, extent - 7}, parts, tile};
                int64_t next = -7, smallest = extent;
                for (int64_t p = 0; p < parts; p++) {
                    const Span part = axis.part(p);
                    ASSERT_EQ(part.begin, next);
                    next = part.end;
                    for (int64_t at = part.begin; at < part.end; at++) {
                        ASSERT_EQ(axis.owner(at), p) << "extent " << extent << ", " << parts << " parts";
                    }
                    if (!part.empty()) {
                        smallest = std::min(smallest, part.extent());
                        ASSERT_EQ((part.begin + 7) % tile, 0);
                    }
                    if (tile == 1) {
                        ASSERT_TRUE(part.extent() == extent / parts || part.extent() == extent / parts + 1);
                    }
                }
                ASSERT_EQ(next, axis.domain.end);
                ASSERT_LE(axis.smallest_part(), smallest);
            }
        }
    }
}

TEST(Layout, cells_and_ranks_are_inverse) {
    for (int64_t ranks : {1, 6, 12, 13, 64}) {
        Layout layout = Layout::blocks({{0, 30}, {0, 20}}, ranks);
        for (int64_t parts = 1; parts <= layout.grid[1]; parts++) {
            layout.axes[1].parts = parts;
            std::vector<int64_t> cell;
            int64_t cells = 0;
            for (int64_t rank = 0; rank < ranks; rank++) {
                if (layout.find_cell(rank, cell)) {
                    cells++;
                    EXPECT_EQ(layout.rank_of(cell), rank);
                } else {
                    EXPECT_TRUE(empty(layout.slice(rank)));
                }
            }
            EXPECT_EQ(cells, layout.grid[0] * parts);
        }
    }
}

TEST(Layout, ranks_are_numbered_from_the_first_dimension) {
    const Layout layout = Layout::blocks({{0, 4}, {0, 6}}, 6, {2, 3});
    EXPECT_EQ(to_string(layout.slice(0)), "[0, 2) x [0, 2)");
    EXPECT_EQ(to_string(layout.slice(1)), "[2, 4) x [0, 2)");
    EXPECT_EQ(to_string(layout.slice(2)), "[0, 2) x [2, 4)");
    EXPECT_EQ(to_string(layout), "[0, 4) x [0, 6) in 2 x 3 parts on 6 ranks");
}

TEST(Layout, agglomerates_neighbours) {
    const Layout fine = Layout::blocks({{0, 64}, {0, 64}}, 64), coarse = agglomerated(fine, 4);
    EXPECT_EQ(to_string(coarse), "[0, 64) x [0, 64) in 2 x 2 parts on 64 ranks");
    int64_t working = 0;
    for (int64_t rank = 0; rank < 64; rank++) {
        const Box part = coarse.slice(rank);
        working += empty(part) ? 0 : 1;
        if (!empty(part)) {
            EXPECT_EQ(intersect(part, fine.slice(rank)), fine.slice(rank)) << "a merged part holds the rank's own";
        }
    }
    EXPECT_EQ(working, 4);
}

TEST(Layout, refuses) {
    const auto expect = [](const Layout &layout, const std::string &text) {
        expect_error<RuntimeError>([&] { layout.validate("f"); }, "bad-distribution", "in the layout of f: " + text);
    };
    expect(Layout::blocks({{0, 0}}, 2, {2}),
           "dimension 0 is empty; a domain has points in every dimension; give it an extent above 0");
    expect(Layout::blocks({{0, 10}, {0, 10}}, 5, {2, 3}),
           "a grid of 2 x 3 on 5 ranks; a grid has at least one rank in each dimension and no more ranks than there "
           "are; use another grid or more ranks");
    expect(Layout::blocks({{0, 10}, {0, 10}}, 2, {2}),
           "a grid of 1 dimensions over a domain of 2; each dimension of the domain, of which there is at least one, "
           "has an extent of the grid; use 1 for dimensions that are not distributed");
    expect(Layout::blocks({{0, int64_t{1} << 32}}, 2, {2}),
           "dimension 0 is [0, 4294967296); coordinates have 32 bits; move the domain or make it smaller");
    Layout layout = Layout::blocks({{0, 10}}, 2);
    layout.axes[0].parts = 3;
    expect(layout, "dimension 0 has 3 parts on 2 ranks; each rank has at most one part; use from 1 to 2 parts");
    layout.axes[0] = {{0, 10}, 2, 0};
    expect(layout, "dimension 0 has tiles of 0; a tile has from 1 to 2147483648 coordinates; use 1 where no tiles are "
                   "wanted");
    layout = Layout::everywhere({{0, 10}}, 2);
    layout.axes[0].parts = 2;
    layout.grid[0] = 2;
    expect(layout,
           "dimension 0 has 2 parts, but every rank has all of it; a replicated dimension is not cut; use 1 part");
    expect(Layout::everywhere({{0, 10}}, 0),
           "0 ranks; there are from 1 to 268435456 ranks; use a number in that range");
    expect_error<RuntimeError>([] { (void)agglomerated(Layout::blocks({{0, 10}}, 2), 0); }, "bad-distribution",
                               "agglomeration to 0 ranks; something has to own the domain; use 1 rank or more");
    for (const std::vector<int64_t> &extents : {std::vector<int64_t>{}, {5, 0}}) {
        expect_error<RuntimeError>([&] { choose_grid(2, extents); }, "bad-distribution",
                                   "a grid is asked for over a domain without points; a domain has one or more "
                                   "dimensions, each with an extent of 1 or more; give such extents");
    }
    expect_error<RuntimeError>([] { choose_grid(0, {5}); }, "bad-distribution",
                               "a grid of 0 ranks is asked for; there are from 1 to 268435456 ranks; ask for a number "
                               "in that range");
}

TEST(Layout, ACoreIsCutAndTheFirstAndLastPartHaveTheRest) {
    for (const int64_t parts : {1, 2, 3, 7, 40}) {
        for (const Span domain : {Span{-3, 20}, Span{0, 17}, Span{2, 16}, Span{-1, 15}}) {
            Axis axis{domain, parts};
            axis.core = {0, 17};
            const Axis plain{{0, 17}, parts};
            int64_t next = domain.begin;
            for (int64_t p = 0; p < parts; p++) {
                const Span part = axis.part(p);
                EXPECT_EQ(intersect(part, {0, 17}).extent(), intersect(plain.part(p), domain).extent());
                for (int64_t at = part.begin; at < part.end; at++) {
                    EXPECT_EQ(at, next++);
                    EXPECT_TRUE(axis.part(axis.owner(at)).contains(at)) << at << " of " << parts;
                }
            }
            EXPECT_EQ(next, domain.end);
        }
    }
}

} // namespace fluorite::distribute::layout_test
