// Loops around blocks of sums.
//
// Blocks follow each other along rows, or down columns where that keeps what they read in a cache. Rows that come from
// memory are then read a part at a time: if a column has more rows than a prefetcher follows, each part is waited for.
//
// What a block reads comes from the cache that holds it until it is read again (refetch.h), as far as all that the
// stage touches fits beside it. Rows of a block that lie on pages of their own need an address each.
//
// Cost: linear in the loops and reads of the stage; rows and columns are compared once for each width (RooflineCost).
#include "autoschedule/roofline/reduction_traffic.h"

#include "autoschedule/costs.h"
#include "autoschedule/roofline/read_traffic.h"

#include <algorithm>

namespace fluorite::autoschedule {

namespace {

/// Of a stage whose blocks are its own, not parts of the last stage's.
LoopBoxes loops_around_own_blocks(const RooflineCost &cost, size_t stage, const std::vector<int64_t> &whole,
                                  const std::vector<size_t> &loops) {
    std::vector<int64_t> block = cost.sum_plan(stage, whole, false).block;
    block[cost.vector_loop(stage, whole)] *= cost.lanes(stage);
    for (size_t loop = 0; loop < block.size(); ++loop) {
        block[loop] = std::min(block[loop], whole[loop]);
    }
    return loops_around(std::move(block), whole, loops);
}

SumLoops choose_loops(const RooflineCost &cost, size_t stage, const std::vector<int64_t> &whole,
                      const std::vector<bool> &from_memory) {
    const machine::CacheModel &caches = cost.machine().caches;
    const auto along = [&](const std::vector<size_t> &loops) {
        const LoopBoxes around = loops_around_own_blocks(cost, stage, whole, loops);
        return SumLoops{loops, reread_cycles(cost.graph(), stage, around, caches) +
                                   unfollowed_row_cycles(cost.graph(), stage, around, from_memory, caches)};
    };
    const std::vector<size_t> rows = vector_loop_first(cost.vector_loop(stage, whole), whole.size());
    std::vector<size_t> columns(rows.begin() + 1, rows.end());
    columns.push_back(rows[0]);
    const SumLoops by_rows = along(rows), by_columns = along(columns);
    const double least_gain = costs::column_order_gain * cost.sum_plan(stage, whole, false).cycles;
    return by_rows.cycles - by_columns.cycles > least_gain ? by_columns : by_rows;
}

const SumLoops &loops_of(const GroupModel &model, size_t stage, const std::vector<int64_t> &whole) {
    const std::vector<bool> from_memory = reads_from_memory(model, stage);
    return model.cost.sum_loops(stage, whole, from_memory,
                                [&] { return choose_loops(model.cost, stage, whole, from_memory); });
}

/// Cycles for addresses of the pages that each block reads.
double page_cycles(const GroupModel &model, size_t stage, const MemberWidths &members, const LoopBoxes &around) {
    const machine::CacheModel &caches = model.caches();
    double pages = 0, blocks = 1;
    for (const double count : around.counts) {
        blocks *= count;
    }
    for (const Read &read : model.group.node(stage).reads) {
        pages += read.is_initial ? 0 : read_pages(model.group, members, read, around.boxes[0], caches.page_bytes);
    }
    return pages > static_cast<double>(caches.dtlb_entries) ? blocks * pages * caches.stlb_cycles : 0;
}

/// Of a stage whose blocks are parts of the last stage's: boxes of the stage.
LoopBoxes loops_around_blocks_of_last(const GroupModel &model, const TilePlan &plan, size_t stage) {
    LoopBoxes around = loops_around(model.block_points(plan), plan.tile, model.loops_of_tile(plan));
    for (std::vector<int64_t> &box : around.boxes) {
        box = widths_of(model.group, model.footprint(box, plan.by_steps), stage);
    }
    return around;
}

} // namespace

double reread_cycles(const StageGraph &graph, size_t stage, const LoopBoxes &around,
                     const machine::CacheModel &caches) {
    const StageNode &node = graph.stages[stage];
    std::vector<double> totals;
    for (const std::vector<int64_t> &box : around.boxes) {
        totals.push_back(product_of(box) * static_cast<double>(node.bytes));
        for (const Read &read : node.reads) {
            totals.back() += read.is_initial ? 0 : read_bytes(graph, read, box);
        }
    }
    double cycles = 0;
    for (const Read &read : node.reads) {
        if (read.is_initial) {
            continue;
        }
        std::vector<double> bytes;
        for (const std::vector<int64_t> &box : around.boxes) {
            bytes.push_back(read_bytes(graph, read, box));
        }
        for (const CacheLevel &cache : levels_of(caches)) {
            const auto is_held = [&](size_t level) {
                return totals[level] <= costs::usable_cache_part * static_cast<double>(cache.bytes);
            };
            // What is read once is counted where the tile is.
            cycles += std::max(0.0, fetched(bytes, around.counts, is_held) - bytes.back()) / cache.rate;
        }
    }
    return cycles;
}

double unfollowed_row_cycles(const StageGraph &graph, size_t stage, const LoopBoxes &around,
                             const std::vector<bool> &from_memory, const machine::CacheModel &caches) {
    const StageNode &node = graph.stages[stage];
    double begun = 0;
    for (size_t i = 0; i < node.reads.size(); ++i) {
        const Read &read = node.reads[i];
        if (read.is_initial || read.footprint.empty() || !from_memory[i]) {
            continue;
        }
        const auto rows = [&](size_t level) { return rows_of(graph, read, around.boxes[level]); };
        double all = rows(0);
        for (size_t level = 1; level < around.boxes.size(); ++level) {
            const bool goes_on = rows(level) == rows(level - 1) && read_bytes(graph, read, around.boxes[level]) >
                                                                       read_bytes(graph, read, around.boxes[level - 1]);
            const bool is_followed = rows(level - 1) <= static_cast<double>(caches.followed_rows);
            all *= goes_on && !is_followed ? around.counts[level - 1] : rows(level) / rows(level - 1);
        }
        begun += all - rows(around.boxes.size() - 1); // which are counted where the tile is
    }
    return begun * caches.stream_cycles;
}

std::vector<bool> reads_from_memory(const GroupModel &model, size_t stage) {
    std::vector<bool> result;
    for (const Read &read : model.group.node(stage).reads) {
        const double bytes = model.cost.source_bytes(read.is_input, read.source);
        result.push_back(!model.group.is_inside(read) && bytes > static_cast<double>(model.caches().llc_bytes) / 2);
    }
    return result;
}

const std::vector<size_t> &reduction_loops(const GroupModel &model, size_t stage, const std::vector<int64_t> &whole) {
    return loops_of(model, stage, whole).loops;
}

Traffic reduction_traffic(const GroupModel &model, const TilePlan &plan, const MemberWidths &members) {
    Traffic all;
    for (const size_t stage : model.group.members) {
        if (model.group.node(stage).sums.empty() || plan.by_steps.contains(stage)) {
            continue;
        }
        Traffic one;
        if (plan.in_registers.contains(stage)) {
            const LoopBoxes around = loops_around_blocks_of_last(model, plan, stage);
            one = {reread_cycles(model.graph(), stage, around, model.caches()),
                   page_cycles(model, stage, members, around)};
        } else {
            const std::vector<int64_t> whole = members.copy(model.group, stage);
            const SumLoops &own = loops_of(model, stage, whole);
            const LoopBoxes around = loops_around_own_blocks(model.cost, stage, whole, own.loops);
            one = {own.cycles, page_cycles(model, stage, members, around)};
        }
        all.caches += one.caches;
        all.pages += one.pages;
    }
    return all;
}

} // namespace fluorite::autoschedule
