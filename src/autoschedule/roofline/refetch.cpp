#include "autoschedule/roofline/refetch.h"

#include "autoschedule/costs.h"
#include "autoschedule/roofline/cache_lines.h"
#include "autoschedule/roofline/tile_footprint.h"

namespace fluorite::autoschedule {

LoopBoxes loops_around(std::vector<int64_t> block, std::span<const int64_t> whole, const std::vector<size_t> &loops) {
    LoopBoxes around;
    around.boxes.push_back(block);
    for (const size_t loop : loops) {
        around.counts.push_back(static_cast<double>(ceiling(whole[loop], block[loop])));
        block[loop] = whole[loop];
        around.boxes.push_back(block);
    }
    return around;
}

std::array<CacheLevel, 2> levels_of(const machine::CacheModel &caches) {
    return {CacheLevel{caches.l1_bytes, caches.l1_ways, caches.l2_rate},
            CacheLevel{caches.l2_bytes, caches.l2_ways, caches.llc_rate}};
}

std::array<double, 2> refetch_cycles(const StridedRows &rows, std::span<const double> counts,
                                     const machine::CacheModel &caches) {
    const auto line = static_cast<double>(caches.line_bytes);
    const std::array<CacheLevel, 2> levels = levels_of(caches);
    std::array<double, 2> cycles{};
    for (size_t i = 0; i < levels.size(); ++i) {
        const auto is_held = [&](size_t level) {
            const double held = lines_held(levels[i].bytes, levels[i].ways, rows.pitch, rows.row_bytes[level], caches);
            return rows.lines[level] <= costs::usable_cache_part * held;
        };
        // What is fetched once is counted where the tile is.
        const double again = std::max(0.0, fetched(rows.lines, counts, is_held) - rows.lines.back());
        cycles[i] = again * line / levels[i].rate;
    }
    return cycles;
}

double lookup_cycles(std::span<const double> pages, std::span<const double> counts, const machine::CacheModel &caches) {
    double all = 0;
    for (const auto &[entries, cycles] : {std::pair(caches.dtlb_entries, caches.stlb_cycles),
                                          std::pair(caches.stlb_entries, caches.page_walk_cycles)}) {
        const auto held = static_cast<double>(entries);
        const auto is_held = [&](size_t level) { return pages[level] <= held; };
        all += pages.back() <= held ? 0 : fetched(pages, counts, is_held) * cycles;
    }
    return all;
}

} // namespace fluorite::autoschedule
