#pragma once
// What loops around a block fetch more than once: lines of the caches, and addresses of pages.
//
// For each loop, from the innermost on, what one of its iterations touches is compared with what a cache holds. If it
// is held, the iterations fetch what they share once; if not, each of them fetches all of its own.

#include "machine/cache_model.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace fluorite::autoschedule {

/// What one block, and then one run of each loop around it, computes, and the iterations of these loops, innermost
/// first.
struct LoopBoxes {
    std::vector<std::vector<int64_t>> boxes;
    std::vector<double> counts; // one fewer
};
/// A loop computes its whole width, a block at a time.
LoopBoxes loops_around(std::vector<int64_t> block, std::span<const int64_t> whole, const std::vector<size_t> &loops);

/// How often something is fetched: `touched` is what one run of each loop touches of it, `is_held(level)` whether what
/// the run below a loop touches stays where it is until the next one.
template <typename IsHeld>
double fetched(std::span<const double> touched, std::span<const double> counts, const IsHeld &is_held) {
    double all = touched[0];
    for (size_t level = 1; level < touched.size(); ++level) {
        all *= is_held(level - 1) ? touched[level] / touched[level - 1] : counts[level - 1];
    }
    return all;
}

/// A cache of a core, and the bytes a cycle of the level behind it.
struct CacheLevel {
    int64_t bytes = 0, ways = 0;
    double rate = 0;
};
std::array<CacheLevel, 2> levels_of(const machine::CacheModel &caches);

/// Rows of an array that lie `pitch` bytes apart, by box: all lines of them, and the bytes of one row.
struct StridedRows {
    std::vector<double> lines, row_bytes;
    int64_t pitch = 0;
};
/// Cycles for lines that are fetched more than once, because rows that are a multiple of a page apart share few sets of
/// a cache. By level: L1, L2.
std::array<double, 2> refetch_cycles(const StridedRows &rows, std::span<const double> counts,
                                     const machine::CacheModel &caches);

/// Cycles for addresses of pages, by box, that the data TLB and then the second-level TLB do not hold. What is touched
/// once is counted too if the pages are more than the TLB holds.
double lookup_cycles(std::span<const double> pages, std::span<const double> counts, const machine::CacheModel &caches);

/// Cycles beside those of a tile's compute: from caches, and for addresses of pages, for which operations wait.
struct Traffic {
    double caches = 0, pages = 0;
};

} // namespace fluorite::autoschedule
