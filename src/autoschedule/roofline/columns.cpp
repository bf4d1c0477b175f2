// Rows of an array that the last stage reads as columns, as a transposition does.
//
// A block of the last stage reads a few bytes of each of many rows, which lie as far apart as the array is wide. Where
// less than a line of a row is read, its rest should still be in a cache when the next block along the rows asks for
// it; but rows that are a multiple of a page apart share few sets of a cache, so that a cache of a thousand lines may
// hold eight of them. And each row lies on a page of its own, whose address has to be known. Both depend on the order
// of the loops around the blocks: along the rows that are read, few lines and pages are in use, but each block of the
// result begins lines of its own.
//
// Method: as for sums, what one iteration of each loop around the blocks touches is compared with what the caches and
// the buffers of addresses hold; what they hold is not counted again.
//
// Cost: linear in the loops and reads of the last stage.
#include "autoschedule/costs.h"
#include "autoschedule/roofline/cache_lines.h"
#include "autoschedule/roofline/group_planner.h"

#include <algorithm>

namespace fluorite::autoschedule {

std::vector<size_t> GroupPlanner::loops_of_tile(const TilePlan &plan) const {
    std::vector<size_t> loops = inner_loops(last_, plan.tile);
    if (plan.along) {
        loops.erase(std::find(loops.begin(), loops.end(), *plan.along));
        loops.insert(loops.begin(), *plan.along);
    }
    return loops;
}

bool GroupPlanner::is_column_read(const Read &read, const std::vector<int64_t> &tile) const {
    return !read.footprint.empty() && read.footprint[0].kind == Footprint::Kind::Affine &&
           read.footprint[0].loop != cost_.vector_loop(last_, tile) &&
           std::any_of(read.footprint.begin() + 1, read.footprint.end(), [&](const Footprint &f) {
               return f.kind == Footprint::Kind::Affine && f.loop == cost_.vector_loop(last_, tile);
           });
}

std::optional<size_t> GroupPlanner::column_loop(const std::vector<int64_t> &tile) const {
    for (const Read &read : graph_.stages[last_].reads) {
        if (is_column_read(read, tile)) {
            return read.footprint[0].loop;
        }
    }
    return {};
}

GroupPlanner::Traffic GroupPlanner::column_traffic(const TilePlan &plan) {
    const StageNode &last = graph_.stages[last_];
    const machine::CacheModel &caches = machine_.caches;
    Traffic traffic;
    if (!column_loop(plan.tile)) {
        return traffic;
    }
    // What one block, and then one run of each loop around it, computes.
    std::vector<std::vector<int64_t>> boxes{block_points(plan)};
    std::vector<double> counts;
    for (const size_t loop : loops_of_tile(plan)) {
        std::vector<int64_t> box = boxes.back();
        counts.push_back(static_cast<double>(ceiling(plan.tile[loop], box[loop])));
        box[loop] = std::max(box[loop], plan.tile[loop]);
        boxes.push_back(std::move(box));
    }
    const auto bytes_of = [&](const Read &read) {
        return static_cast<double>(read.is_input ? graph_.inputs[read.source].bytes : graph_.stages[read.source].bytes);
    };
    const auto line = static_cast<double>(caches.line_bytes);
    std::vector<double> pages(boxes.size()), looked_up(boxes.size());
    const auto written = [&](const std::vector<int64_t> &box) {
        double rows = static_cast<double>(last.bytes), count = 1;
        for (size_t dim = 0; dim < box.size(); ++dim) {
            const double apart = rows / static_cast<double>(caches.page_bytes);
            count *= std::max(1.0, static_cast<double>(box[dim]) * std::min(1.0, apart));
            rows *= static_cast<double>(last.loops[dim].extent);
        }
        return count;
    };
    for (size_t level = 0; level < boxes.size(); ++level) {
        pages[level] = written(boxes[level]);
        for (const Read &read : last.reads) {
            pages[level] += is_column_read(read, plan.tile) ? read_pages(read, boxes[level]) : 0;
        }
    }
    // Addresses of pages, of reads and of the result.
    for (const auto &[held, cycles] : {std::pair(caches.dtlb_entries, caches.stlb_cycles),
                                       std::pair(caches.stlb_entries, caches.page_walk_cycles)}) {
        double missed = pages[0];
        for (size_t level = 1; level < boxes.size(); ++level) {
            missed *=
                pages[level - 1] <= static_cast<double>(held) ? pages[level] / pages[level - 1] : counts[level - 1];
        }
        traffic.pages += pages.back() <= static_cast<double>(held) ? 0 : missed * cycles;
    }
    // Lines whose rest is read by another block.
    for (const Read &read : last.reads) {
        if (!is_column_read(read, plan.tile)) {
            continue;
        }
        const auto row_bytes = [&](const std::vector<int64_t> &box) {
            std::vector<int64_t> one(box.size(), 1);
            one[read.footprint[0].loop] = box[read.footprint[0].loop];
            Read row = read;
            row.footprint.resize(1);
            return read_bytes(row, one);
        };
        const auto lines = [&](const std::vector<int64_t> &box) {
            return read_bytes(read, box) / row_bytes(box) * std::max(1.0, row_bytes(box) / line);
        };
        const int64_t width =
            read.is_input ? graph_.inputs[read.source].extents[0] : graph_.stages[read.source].loops[0].extent;
        const auto pitch = static_cast<int64_t>(static_cast<double>(width) * bytes_of(read));
        for (const auto &[capacity, ways, rate] : {std::tuple(caches.l1_bytes, caches.l1_ways, caches.l2_rate),
                                                   std::tuple(caches.l2_bytes, caches.l2_ways, caches.llc_rate)}) {
            double fetched = lines(boxes[0]);
            for (size_t level = 1; level < boxes.size(); ++level) {
                const double held =
                    costs::usable_cache_part * lines_held(capacity, ways, pitch, row_bytes(boxes[level - 1]), caches);
                fetched *=
                    lines(boxes[level - 1]) <= held ? lines(boxes[level]) / lines(boxes[level - 1]) : counts[level - 1];
            }
            traffic.caches += std::max(0.0, fetched - lines(boxes.back())) * line / rate;
        }
    }
    return traffic;
}

} // namespace fluorite::autoschedule
