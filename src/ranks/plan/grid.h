#pragma once
// Grids of ranks: how many ranks each dimension is divided among.

#include <cstdint>
#include <utility>
#include <vector>

namespace fluorite::distribute {

/// More ranks than any machine has; products with coordinates fit 64 bits.
constexpr int64_t max_ranks = int64_t{1} << 28;

/// Factors (a, b), a <= b, near the square root of `ranks`, with a * b <= ranks. Up to ranks - a * b ranks idle: 10
/// gives (3, 3). The algorithm is ApproxFactorsNearSqrt of the text on distributed Halide, section 3.2.
std::pair<int64_t, int64_t> approx_factors_near_sqrt(int64_t ranks);

/// Three ascending factors near the cube root, with a product of at most `ranks`: 17 gives (2, 2, 4).
std::vector<int64_t> approx_factors_near_cubert(int64_t ranks);

/// The grid over a domain of these extents whose product is exactly `ranks`, so that no rank idles: 10 ranks over
/// (100, 100) give (2, 5). Among these factorizations it takes the one with the most parts that are not empty, then the
/// one whose ranks have the smallest surface, then the one with more parts in later dimensions, whose halos are
/// contiguous. Cost: the number of factorizations, some hundreds for 16,384 ranks in three dimensions.
std::vector<int64_t> choose_grid(int64_t ranks, const std::vector<int64_t> &extents);

} // namespace fluorite::distribute
