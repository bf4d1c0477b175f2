#pragma once
// Layouts: which part of a domain each rank owns.
//
// A dimension is cut into balanced integer parts: part p of N has the tiles from floor(p T / N) to floor((p + 1) T / N)
// of the dimension's T tiles, a tile being one coordinate unless a schedule demands more. Extents need not divide, and
// parts are empty where there are more of them than tiles. The part that owns a coordinate is a division, so nothing
// here or in what is built on it ever loops over all ranks.

#include "ranks/plan/box.h"

namespace fluorite::distribute {

/// How one dimension is cut.
struct Axis {
    Span domain;
    int64_t parts = 1;
    int64_t tile = 1;      // where parts begin is a multiple of this many coordinates from the domain's begin
    bool periodic = false; // coordinates outside of the domain wrap around instead of being nothing
    /// The coordinates that are cut into balanced parts; what the domain has before and behind them belongs to the
    /// first and the last part. Empty: the domain. So arrays whose domains differ by a halo have the same partition.
    Span core = {};

    Span partitioned() const { return core.empty() ? domain : core; }
    int64_t tiles() const { return (partitioned().extent() + tile - 1) / tile; }
    Span part(int64_t index) const;
    /// The part that owns a coordinate of the domain. It is never empty.
    int64_t owner(int64_t coordinate) const;
    /// The extent of the smallest part that is not empty.
    int64_t smallest_part() const;
};

/// The parts of a domain and their ranks. Parts are cells of a grid of ranks, whose first dimension is innermost: rank
/// = x + y * grid[0] + z * grid[0] * grid[1]. A dimension that is not distributed has one part and a grid extent of 1.
/// A dimension may have fewer parts than its grid has ranks: as coarse levels of pyramids have: their owners are at
/// equal distances in the grid, and the ranks between them own nothing. So do ranks beyond the grid.
struct Layout {
    int64_t ranks = 1;
    std::vector<Axis> axes;
    std::vector<int64_t> grid;
    bool replicated = false; // every rank has all of the domain; then there is one part

    /// Cuts the domain by a grid of ranks. An empty `grid` stands for the one that choose_grid finds.
    static Layout blocks(const Box &domain, int64_t ranks, std::vector<int64_t> grid = {});
    static Layout everywhere(const Box &domain, int64_t ranks);

    size_t dimensions() const { return axes.size(); }
    Box domain() const;
    /// The parts' indices of a rank; false, where it owns nothing by its place in the grid. A part may still be empty.
    bool find_cell(int64_t rank, std::vector<int64_t> &cell) const;
    /// What a rank owns; an empty box if nothing.
    Box slice(int64_t rank) const;
    int64_t rank_of(const std::vector<int64_t> &cell) const;
    /// Throws RuntimeError [bad-distribution] where the layout is none; `name` says of what.
    void validate(const std::string &name) const;
};

/// The same domain on at most `ranks` of the layout's ranks: parts are merged with their neighbours, in the dimension
/// whose parts are the narrowest first. A merged part is owned by one of the ranks that owned some of it, as far as
/// their numbers divide.
Layout agglomerated(const Layout &layout, int64_t ranks);

/// `4 x 2 ranks of 9 over [0, 10) x [0, 5), the first periodic`: one line.
std::string to_string(const Layout &layout);

} // namespace fluorite::distribute
