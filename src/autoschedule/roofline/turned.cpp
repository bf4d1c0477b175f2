// Arrays that are stored along another dimension than that of their vectors, so that sums go down their columns.
//
// Such an array is written, and blocks of the stage that reads it as rows read it, a few neighbours in memory at a
// time: as many as rows are turned. Where these are less than a line, the rest of the line should still be in a cache
// when the next rows ask for it, and by then all columns of the tile have been touched. Columns in memory are as long
// as the tile is high; the higher it is, the fewer sets of a cache they share, and the more pages they lie on. On
// Sapphire Rapids, with the code of AVX2, a picture that is resized so took 24 ms in tiles of 8 rows, 26 of 16, 28
// of 32, 34 of 64 and 44 of 128.
//
// Method: as for columns (columns.cpp). Cost: linear in the loops and reads of the group.
#include "autoschedule/costs.h"
#include "autoschedule/roofline/cache_lines.h"
#include "autoschedule/roofline/group_planner.h"

#include <algorithm>

namespace fluorite::autoschedule {

namespace {

/// How often something is fetched that one run of the innermost loop touches so often, where what a run of a loop
/// touches is fetched once if it is held.
double fetched(const std::vector<double> &touched, const std::vector<double> &held, const std::vector<double> &counts) {
    double all = touched[0];
    for (size_t level = 1; level < touched.size(); ++level) {
        all *= touched[level - 1] <= held[level - 1] ? touched[level] / touched[level - 1] : counts[level - 1];
    }
    return all;
}

} // namespace

GroupPlanner::Traffic GroupPlanner::traffic_again(const Turned &turned, const Boxes &around) const {
    const machine::CacheModel &caches = machine_.caches;
    const auto line = static_cast<double>(caches.line_bytes), pitch = static_cast<double>(turned.pitch);
    std::vector<double> rows, lines, pages; // of each box: bytes of a column, lines and pages of all
    for (const std::vector<int64_t> &box : around.boxes) {
        const double columns = product_of(box) / static_cast<double>(box[turned.inner]);
        rows.push_back(static_cast<double>(box[turned.inner] * turned.bytes));
        lines.push_back(columns * std::max(std::min(1.0, pitch / line), rows.back() / line));
        pages.push_back(std::max(1.0, columns * std::min(1.0, pitch / static_cast<double>(caches.page_bytes))));
    }
    Traffic traffic;
    for (const auto &[capacity, ways, rate] : {std::tuple(caches.l1_bytes, caches.l1_ways, caches.l2_rate),
                                               std::tuple(caches.l2_bytes, caches.l2_ways, caches.llc_rate)}) {
        std::vector<double> held;
        for (const double row : rows) {
            held.push_back(costs::usable_cache_part * lines_held(capacity, ways, turned.pitch, row, caches));
        }
        // What is fetched once is counted where the tile is.
        traffic.caches += std::max(0.0, fetched(lines, held, around.counts) - lines.back()) * line / rate;
    }
    for (const auto &[held, cycles] : {std::pair(caches.dtlb_entries, caches.stlb_cycles),
                                       std::pair(caches.stlb_entries, caches.page_walk_cycles)}) {
        const std::vector<double> all(pages.size(), static_cast<double>(held));
        traffic.pages += pages.back() <= all[0] ? 0 : fetched(pages, all, around.counts) * cycles;
    }
    return traffic;
}

GroupPlanner::Boxes GroupPlanner::boxes_of_blocks(const TilePlan &plan,
                                                  const std::function<std::vector<int64_t>()> &box) {
    Boxes around;
    std::vector<int64_t> size = block_points(plan);
    spread(size);
    around.boxes.push_back(box());
    for (const size_t loop : loops_of_tile(plan)) {
        around.counts.push_back(static_cast<double>(ceiling(plan.tile[loop], size[loop])));
        size[loop] = std::max(size[loop], plan.tile[loop]);
        spread(size);
        around.boxes.push_back(box());
    }
    return around;
}

GroupPlanner::Traffic GroupPlanner::turned_stores(size_t stage, const std::vector<int64_t> &whole) const {
    const StageNode &node = graph_.stages[stage];
    const size_t inner = *node.innermost, vector = cost_.vector_loop(stage, whole);
    if (vector == inner) {
        return {};
    }
    // Blocks of as many rows as a vector has lanes.
    Boxes around;
    std::vector<int64_t> box(whole.size(), 1);
    box[vector] = std::min(cost_.lanes(stage), whole[vector]);
    box[inner] = std::min(cost_.lanes(stage), whole[inner]);
    around.boxes.push_back(box);
    for (const size_t loop : inner_loops(stage, whole)) {
        around.counts.push_back(static_cast<double>(ceiling(whole[loop], box[loop])));
        box[loop] = whole[loop];
        around.boxes.push_back(box);
    }
    const int64_t height = stage == last_ ? node.loops[inner].extent : whole[inner];
    Traffic traffic = traffic_again({inner, node.bytes, height * node.bytes}, around);
    traffic.caches *= 2; // lines are fetched and written back
    return traffic;
}

GroupPlanner::Traffic GroupPlanner::turned_traffic(const TilePlan &plan) {
    Traffic all;
    const auto add = [&](const Traffic &one) {
        all.caches += one.caches;
        all.pages += one.pages;
    };
    StageSet in_blocks = plan.in_registers;
    in_blocks.insert(last_);
    for (const size_t stage : members_) {
        const StageNode &node = graph_.stages[stage];
        if (!node.innermost || plan.in_registers.contains(stage)) {
            continue;
        }
        const std::vector<int64_t> whole = stage == last_ ? plan.tile : tile_widths_[place_[stage]];
        add(turned_stores(stage, whole));
        if (stage != last_ && readers_[place_[stage]].is_subset_of(in_blocks)) {
            const Turned turned{*node.innermost, node.bytes, whole[*node.innermost] * node.bytes};
            add(traffic_again(turned, boxes_of_blocks(plan, [&] { return measured(spans_[place_[stage]], stage); })));
        }
    }
    for (const Source &source : sources_) {
        if (plan.tile.empty() || source.is_input || !graph_.stages[source.index].innermost) {
            continue;
        }
        const StageNode &node = graph_.stages[source.index];
        const Turned turned{*node.innermost, node.bytes, node.loops[*node.innermost].extent * node.bytes};
        add(traffic_again(turned, boxes_of_blocks(plan, [&] {
                              source_bytes();
                              return source.widths;
                          })));
    }
    return all;
}

} // namespace fluorite::autoschedule
