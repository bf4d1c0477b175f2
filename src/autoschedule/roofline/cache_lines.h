#pragma once
// Lines of a cache by the sets that they fall into.

#include "machine/cache_model.h"

#include <algorithm>
#include <cstdint>
#include <numeric>

namespace fluorite::autoschedule {

/// How many lines of rows that are `pitch` bytes apart a cache of so many bytes and ways holds, if so many bytes of
/// each row are read. Bits of an address above those of a page are taken for random, so lines are spread over all sets
/// that have the bits below in common.
inline double lines_held(int64_t bytes, int64_t ways, int64_t pitch, double row_bytes,
                         const machine::CacheModel &caches) {
    const int64_t sets = bytes / ways / caches.line_bytes, sets_in_page = caches.page_bytes / caches.line_bytes;
    const int64_t places = sets_in_page / std::gcd(sets_in_page, std::max<int64_t>(1, pitch / caches.line_bytes));
    const double in_row = std::max(1.0, row_bytes / static_cast<double>(caches.line_bytes));
    const double spread = pitch % caches.line_bytes != 0 ? static_cast<double>(sets_in_page)
                                                         : std::min<double>(static_cast<double>(sets_in_page),
                                                                            static_cast<double>(places) * in_row);
    return static_cast<double>(ways) * std::max(1.0, static_cast<double>(sets) / static_cast<double>(sets_in_page)) *
           std::min(spread, static_cast<double>(sets));
}

} // namespace fluorite::autoschedule
