#include "ranks/plan/grid.h"

#include "fluorite/errors.h"
#include "support/check.h"

#include <algorithm>
#include <cmath>

namespace fluorite::distribute {

namespace {

void require_ranks(int64_t ranks) {
    if (ranks < 1 || ranks > max_ranks) {
        throw RuntimeError("bad-distribution", concat("a grid of ", ranks, " ranks is asked for; there are from 1 to ",
                                                      max_ranks, " ranks; ask for a number in that range"));
    }
}

/// The largest s with s^power <= value.
int64_t integer_root(int64_t value, int power) {
    const auto raised = [&](int64_t base) {
        int64_t result = 1;
        for (int i = 0; i < power; i++) {
            result *= base;
        }
        return result;
    };
    auto root = static_cast<int64_t>(std::pow(static_cast<double>(value), 1.0 / power));
    while (raised(root) > value) {
        root--;
    }
    while (raised(root + 1) <= value) {
        root++;
    }
    return root;
}

struct Choice {
    int64_t working = 0; // parts that are not empty
    double surface = 0;  // relative to the volume of a part
    std::vector<int64_t> grid;

    bool is_better_than(const Choice &other) const {
        if (grid.empty() || other.grid.empty()) {
            return other.grid.empty() && !grid.empty();
        }
        if (working != other.working) {
            return working > other.working;
        }
        // The sums have a few rounding errors, which must not decide between grids that mirror each other.
        const double tolerance = 1e-9 * (surface + other.surface);
        if (std::abs(surface - other.surface) > tolerance) {
            return surface < other.surface;
        }
        return grid < other.grid;
    }
};

Choice rated(const std::vector<int64_t> &grid, const std::vector<int64_t> &extents) {
    Choice choice{1, 0, grid};
    for (size_t d = 0; d < grid.size(); d++) {
        choice.working *= std::min(grid[d], extents[d]);
        // A part has at most two neighbours in a dimension, and fewer where there are not three parts.
        const int64_t neighbours = std::min<int64_t>(2, grid[d] - 1);
        choice.surface += static_cast<double>(neighbours * grid[d]) / static_cast<double>(extents[d]);
    }
    return choice;
}

void try_factors(int64_t ranks, std::vector<int64_t> &grid, const std::vector<int64_t> &extents, Choice &best) {
    if (grid.size() + 1 == extents.size()) {
        grid.push_back(ranks);
        Choice choice = rated(grid, extents);
        if (choice.is_better_than(best)) {
            best = std::move(choice);
        }
        grid.pop_back();
        return;
    }
    for (int64_t small = 1; small * small <= ranks; small++) {
        if (ranks % small != 0) {
            continue;
        }
        for (int64_t factor : {small, ranks / small}) {
            grid.push_back(factor);
            try_factors(ranks / factor, grid, extents, best);
            grid.pop_back();
        }
    }
}

} // namespace

std::pair<int64_t, int64_t> approx_factors_near_sqrt(int64_t ranks) {
    require_ranks(ranks);
    const int64_t a = ranks / integer_root(ranks, 2), b = ranks / a;
    return {std::min(a, b), std::max(a, b)};
}

std::vector<int64_t> approx_factors_near_cubert(int64_t ranks) {
    require_ranks(ranks);
    const auto [a, b] = approx_factors_near_sqrt(ranks / integer_root(ranks, 3));
    std::vector<int64_t> factors = {a, b, ranks / (a * b)};
    std::sort(factors.begin(), factors.end());
    return factors;
}

std::vector<int64_t> choose_grid(int64_t ranks, const std::vector<int64_t> &extents) {
    require_ranks(ranks);
    if (extents.empty() || *std::min_element(extents.begin(), extents.end()) < 1) {
        throw RuntimeError("bad-distribution", "a grid is asked for over a domain without points; a domain has one or "
                                               "more dimensions, each with an extent of 1 or more; give such extents");
    }
    Choice best;
    std::vector<int64_t> grid;
    try_factors(ranks, grid, extents, best);
    return best.grid;
}

} // namespace fluorite::distribute
