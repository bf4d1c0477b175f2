#include "ranks/plan/layout.h"

#include "fluorite/errors.h"
#include "ranks/plan/grid.h"
#include "support/check.h"

namespace fluorite::distribute {

namespace {

constexpr int64_t max_coordinate = int64_t{1} << 31; // coordinates have 32 bits

[[noreturn]] void refuse_layout(const std::string &name, const std::string &text) {
    throw RuntimeError("bad-distribution", concat("in the layout of ", name, ": ", text));
}

void validate_axis(const std::string &name, size_t dimension, const Axis &axis, int64_t grid) {
    const std::string where = concat("dimension ", dimension);
    if (axis.domain.empty()) {
        refuse_layout(name,
                      concat(where, " is empty; a domain has points in every dimension; give it an extent above 0"));
    }
    if (axis.domain.begin < -max_coordinate || axis.domain.end > max_coordinate) {
        refuse_layout(name, concat(where, " is ", to_string(axis.domain),
                                   "; coordinates have 32 bits; move the domain or make it smaller"));
    }
    if (axis.tile < 1 || axis.tile > max_coordinate) {
        refuse_layout(name, concat(where, " has tiles of ", axis.tile, "; a tile has from 1 to ", max_coordinate,
                                   " coordinates; use 1 where no tiles are wanted"));
    }
    if (axis.parts < 1 || axis.parts > grid) {
        refuse_layout(name, concat(where, " has ", axis.parts, " parts on ", grid,
                                   " ranks; each rank has at most one part; use from 1 to ", grid, " parts"));
    }
}

} // namespace

Span Axis::part(int64_t index) const {
    const Span cuts = partitioned();
    const auto bound = [&](int64_t at) {
        return at == 0       ? std::min(domain.begin, cuts.begin)
               : at == parts ? std::max(domain.end, cuts.end)
                             : std::min(cuts.end, cuts.begin + at * tiles() / parts * tile);
    };
    return intersect({bound(index), bound(index + 1)}, domain);
}

int64_t Axis::owner(int64_t coordinate) const {
    // The greatest p with floor(p T / N) <= t is the greatest with p T < (t + 1) N.
    const Span cuts = partitioned();
    const int64_t inside = std::max(cuts.begin, std::min(coordinate, cuts.last()));
    if (inside != coordinate) {
        return inside < coordinate ? parts - 1 : 0;
    }
    const int64_t at = (coordinate - cuts.begin) / tile;
    return ((at + 1) * parts - 1) / tiles();
}

int64_t Axis::smallest_part() const {
    const int64_t full = std::max<int64_t>(1, tiles() / parts) * tile;
    // The last part that is not empty ends with the domain, maybe inside of a tile.
    return std::min(full, part(owner(domain.last())).extent());
}

Layout Layout::blocks(const Box &domain, int64_t ranks, std::vector<int64_t> grid) {
    if (grid.empty()) {
        std::vector<int64_t> extents;
        for (Span span : domain) {
            extents.push_back(span.extent());
        }
        grid = choose_grid(ranks, extents);
    }
    Layout layout;
    layout.ranks = ranks;
    layout.grid = std::move(grid);
    for (size_t d = 0; d < domain.size(); d++) {
        layout.axes.push_back({domain[d], d < layout.grid.size() ? layout.grid[d] : 1});
    }
    return layout;
}

Layout Layout::everywhere(const Box &domain, int64_t ranks) {
    Layout layout;
    layout.ranks = ranks;
    layout.grid.assign(domain.size(), 1);
    for (const Span &span : domain) {
        layout.axes.push_back({span, 1});
    }
    layout.replicated = true;
    return layout;
}

Box Layout::domain() const {
    Box box;
    for (const Axis &axis : axes) {
        box.push_back(axis.domain);
    }
    return box;
}

bool Layout::find_cell(int64_t rank, std::vector<int64_t> &cell) const {
    cell.assign(axes.size(), 0);
    if (replicated) {
        return true;
    }
    for (size_t d = 0; d < axes.size(); d++) {
        // Part p is at floor(p G / P) of the grid, so place g has the part ceil(g P / G), if that is at g.
        const int64_t at = rank % grid[d], parts = axes[d].parts, part = (at * parts + grid[d] - 1) / grid[d];
        rank /= grid[d];
        if (part >= parts || part * grid[d] / parts != at) {
            return false;
        }
        cell[d] = part;
    }
    return rank == 0;
}

Box Layout::slice(int64_t rank) const {
    std::vector<int64_t> cell;
    if (!find_cell(rank, cell)) {
        return Box(axes.size());
    }
    Box box(axes.size());
    for (size_t d = 0; d < axes.size(); d++) {
        box[d] = axes[d].part(cell[d]);
    }
    return box;
}

int64_t Layout::rank_of(const std::vector<int64_t> &cell) const {
    check(!replicated, "the parts of a replicated layout have no rank of their own");
    int64_t rank = 0;
    for (size_t d = axes.size(); d-- > 0;) {
        rank = rank * grid[d] + cell[d] * grid[d] / axes[d].parts;
    }
    return rank;
}

void Layout::validate(const std::string &name) const {
    if (axes.empty() || grid.size() != axes.size()) {
        refuse_layout(name,
                      concat("a grid of ", grid.size(), " dimensions over a domain of ", axes.size(),
                             "; each dimension of the domain, of which there is at least one, has an extent of the "
                             "grid; use 1 for dimensions that are not distributed"));
    }
    if (ranks < 1 || ranks > max_ranks) {
        refuse_layout(name,
                      concat(ranks, " ranks; there are from 1 to ", max_ranks, " ranks; use a number in that range"));
    }
    int64_t cells = 1;
    for (size_t d = 0; d < axes.size(); d++) {
        if (grid[d] < 1 || grid[d] > ranks / cells) {
            std::string text;
            for (int64_t extent : grid) {
                text += concat(text.empty() ? "" : " x ", extent);
            }
            refuse_layout(name,
                          concat("a grid of ", text, " on ", ranks, " ranks; a grid has at least one rank in each ",
                                 "dimension and no more ranks than there are; use another grid or more ranks"));
        }
        cells *= grid[d];
        validate_axis(name, d, axes[d], grid[d]);
        if (replicated && axes[d].parts != 1) {
            refuse_layout(
                name, concat("dimension ", d, " has ", axes[d].parts,
                             " parts, but every rank has all of it; a replicated dimension is not cut; use 1 part"));
        }
    }
}

Layout agglomerated(const Layout &layout, int64_t ranks) {
    if (ranks < 1) {
        throw RuntimeError("bad-distribution", concat("agglomeration to ", ranks, " ranks; something has to own the ",
                                                      "domain; use 1 rank or more"));
    }
    Layout result = layout;
    const auto cells = [&] {
        int64_t product = 1;
        for (const Axis &axis : result.axes) {
            product *= axis.parts;
        }
        return product;
    };
    while (cells() > ranks) {
        Axis *narrowest = nullptr;
        for (Axis &axis : result.axes) {
            if (axis.parts > 1 && (narrowest == nullptr ||
                                   axis.domain.extent() * narrowest->parts < narrowest->domain.extent() * axis.parts)) {
                narrowest = &axis;
            }
        }
        narrowest->parts = (narrowest->parts + 1) / 2;
    }
    return result;
}

std::string to_string(const Layout &layout) {
    std::string grid, periodic;
    for (size_t d = 0; d < layout.axes.size(); d++) {
        const Axis &axis = layout.axes[d];
        grid += concat(d == 0 ? "" : " x ", axis.parts);
        if (axis.tile != 1) {
            grid += concat(" (tiles of ", axis.tile, ")");
        }
        if (axis.periodic) {
            periodic += concat(periodic.empty() ? "; periodic: " : ", ", "dimension ", d);
        }
    }
    if (layout.replicated) {
        return concat(to_string(layout.domain()), " on each of ", layout.ranks, " ranks");
    }
    return concat(to_string(layout.domain()), " in ", grid, " parts on ", layout.ranks, " ranks", periodic);
}

} // namespace fluorite::distribute
