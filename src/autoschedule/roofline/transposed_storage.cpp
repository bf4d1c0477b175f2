// Arrays that are stored along another dimension than that of their vectors.
//
// Such an array is written, and blocks of the stage that reads it as rows read it, a few neighbours in memory at a
// time: as many as rows are transposed together. Where these are less than a line, the rest of the line should still be
// in a cache when the next rows ask for it, and by then all columns of the tile have been touched. Columns in memory
// are as long as the tile is high; the higher it is, the fewer sets of a cache they share, and the more pages they lie
// on. On Sapphire Rapids, with the code of AVX2, a picture that is resized so took 24 ms in tiles of 8 rows, 26 of 16,
// 28 of 32, 34 of 64 and 44 of 128.
//
// Method: refetch.h. Cost: linear in the loops and reads of the group.
#include "autoschedule/roofline/transposed_storage.h"

#include <algorithm>

namespace fluorite::autoschedule {

namespace {

struct TransposedArray {
    size_t inner = 0;              // the dimension whose neighbours lie together
    int64_t bytes = 4, height = 0; // of a point; points of that dimension
};

/// `around` says what is touched of the array, and not of the loops of a stage.
Traffic traffic_of(const TransposedArray &array, const LoopBoxes &around, const machine::CacheModel &caches) {
    const int64_t pitch = array.height * array.bytes;
    const double line_part = static_cast<double>(pitch) / static_cast<double>(caches.line_bytes);
    const double page_part = static_cast<double>(pitch) / static_cast<double>(caches.page_bytes);
    StridedRows rows{{}, {}, pitch};
    std::vector<double> pages;
    for (const std::vector<int64_t> &box : around.boxes) {
        const double columns = product_of(box) / static_cast<double>(box[array.inner]);
        rows.row_bytes.push_back(static_cast<double>(box[array.inner] * array.bytes));
        const double lines_of_column = rows.row_bytes.back() / static_cast<double>(caches.line_bytes);
        rows.lines.push_back(columns * std::max(std::min(1.0, line_part), lines_of_column));
        pages.push_back(std::max(1.0, columns * std::min(1.0, page_part)));
    }
    const std::array<double, 2> cycles = refetch_cycles(rows, around.counts, caches);
    return {cycles[0] + cycles[1], lookup_cycles(pages, around.counts, caches)};
}

/// Of a stage that stores an array, in blocks of as many rows as a vector has lanes.
Traffic traffic_of_stores(const GroupModel &model, size_t stage, const std::vector<int64_t> &whole) {
    const StageNode &node = model.group.node(stage);
    const size_t inner = *node.innermost, vector = model.cost.vector_loop(stage, whole);
    if (vector == inner) {
        return {};
    }
    std::vector<int64_t> block(whole.size(), 1);
    block[vector] = std::min(model.cost.lanes(stage), whole[vector]);
    block[inner] = std::min(model.cost.lanes(stage), whole[inner]);
    const LoopBoxes around = loops_around(block, whole, vector_loop_first(vector, whole.size()));
    const int64_t height = stage == model.group.last ? node.loops[inner].extent : whole[inner];
    Traffic traffic = traffic_of({inner, node.bytes, height}, around, model.caches());
    traffic.caches *= 2; // lines are fetched and written back
    return traffic;
}

/// What blocks of the last stage read of an array, whose boxes `box_of` finds in a footprint.
template <typename BoxOf>
Traffic traffic_of_reads(const GroupModel &model, const TilePlan &plan, const TransposedArray &array,
                         const BoxOf &box_of) {
    LoopBoxes around = model.loops_around_blocks(plan);
    for (std::vector<int64_t> &box : around.boxes) {
        box = box_of(model.footprint(box, plan.by_steps));
    }
    return traffic_of(array, around, model.caches());
}

} // namespace

Traffic transposed_traffic(const GroupModel &model, const TilePlan &plan, const MemberWidths &members) {
    const Group &group = model.group;
    Traffic all;
    const auto add = [&](const Traffic &one) {
        all.caches += one.caches;
        all.pages += one.pages;
    };
    StageSet in_blocks = plan.in_registers;
    in_blocks.insert(group.last);
    for (const size_t stage : group.members) {
        const StageNode &node = group.node(stage);
        if (!node.innermost || plan.in_registers.contains(stage)) {
            continue;
        }
        const std::vector<int64_t> whole = stage == group.last ? plan.tile : members.copy(group, stage);
        add(traffic_of_stores(model, stage, whole));
        if (stage != group.last && group.readers[group.place[stage]].is_subset_of(in_blocks)) {
            add(traffic_of_reads(model, plan, {*node.innermost, node.bytes, whole[*node.innermost]},
                                 [&](const TileFootprint &footprint) { return widths_of(group, footprint, stage); }));
        }
    }
    for (const Group::Source &source : group.sources) {
        if (plan.tile.empty() || source.is_input || !group.node(source.index).innermost) {
            continue;
        }
        const StageNode &node = group.node(source.index);
        add(traffic_of_reads(model, plan, {*node.innermost, node.bytes, node.loops[*node.innermost].extent},
                             [&](const TileFootprint &footprint) { return widths_of(source, footprint); }));
    }
    return all;
}

} // namespace fluorite::autoschedule
