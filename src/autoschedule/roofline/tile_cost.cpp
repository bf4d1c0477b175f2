// The cost of tiles, from its parts.
//
// A tile takes the cycles of its operations (compute_cost.h), of what its stages hand to each other through the cache
// that holds them, and of what loops around blocks fetch again (refetch.h); meanwhile the boxes that come from outside,
// and the results, pass through memory or the last-level cache (memory_cost.h). The slowest counts. Tiles share the
// threads; what is left over in the last round idles.
//
// With a sliding loop, stages are computed a row at a time and keep a window, so only windows have to stay in a cache.
//
// Cost: some footprints, each linear in the reads of the group.
#include "autoschedule/roofline/tile_cost.h"

#include "autoschedule/costs.h"
#include "autoschedule/roofline/column_reads.h"
#include "autoschedule/roofline/compute_cost.h"
#include "autoschedule/roofline/memory_cost.h"
#include "autoschedule/roofline/reduction_traffic.h"
#include "autoschedule/roofline/sliding.h"
#include "autoschedule/roofline/transposed_storage.h"

#include <algorithm>

namespace fluorite::autoschedule {

namespace {

/// What one tile, and one of the steps that it runs in, needs.
struct TileData {
    Steps steps;
    bool has_steps = false; // windows or single rows, and not the tile, have to stay in a cache
    StepFootprint step;
    MemberWidths tile_widths, row_widths; // the latter if the plan slides
    LiveIn live;
    double row_live_bytes = 0;
    double touched = 0;            // bytes of one tile
    double bytes_between_uses = 0; // of one tile or step
};

/// Whether the loops of several members read a source: those in registers are computed in the loops of the last one.
bool is_read_again(const Group &group, const TilePlan &plan, const Group::Source &source) {
    size_t loops = 0;
    bool is_in_last = false;
    for (const size_t stage : source.readers) {
        const bool is_part_of_last = stage == group.last || plan.in_registers.contains(stage);
        is_in_last = is_in_last || is_part_of_last;
        loops += is_part_of_last ? 0 : 1;
    }
    return loops + (is_in_last ? 1 : 0) > 1;
}

/// Bytes of what comes from outside that have to stay in a cache: of a row, or of the whole tile where the loops of one
/// stage over the tile end before those of the next stage read it again.
double live_bytes(const Group &group, const TilePlan &plan, const LiveIn &tile, const LiveIn &row) {
    double bytes = 0;
    for (size_t i = 0; i < group.sources.size(); ++i) {
        const bool stays = !plan.sliding && is_read_again(group, plan, group.sources[i]);
        bytes += (stays ? tile : row).sources[i].bytes;
    }
    return bytes;
}

double bytes_between_uses(const GroupModel &model, const TilePlan &plan, const TileData &data) {
    const Group &group = model.group;
    double bytes = data.row_live_bytes;
    for (const size_t stage : group.members) {
        const auto point_bytes = static_cast<double>(group.node(stage).bytes);
        if (stage == group.last) {
            bytes += product_of(data.steps.tile) * point_bytes;
        } else if (!plan.in_registers.contains(stage)) {
            const MemberWidths &widths = plan.sliding ? data.row_widths : data.tile_widths;
            bytes += product_of(widths.of(group, stage)) * point_bytes;
        }
    }
    return bytes;
}

TileData data_of(const GroupModel &model, const TilePlan &plan) {
    const Group &group = model.group;
    TileData data;
    // What comes from outside is read row by row; so is what slides.
    const std::optional<size_t> loop = plan.sliding ? plan.sliding : model.outermost_step(plan);
    data.steps = {plan.tile, loop.value_or(0), plan.sliding.has_value()};
    if (loop) {
        data.steps.tile[*loop] = GroupModel::block_size(plan, *loop);
    }
    // What sums load again is counted by reduction_traffic().
    const bool has_updates = std::any_of(group.members.begin(), group.members.end(),
                                         [&](size_t stage) { return group.node(stage).updates > 0; });
    data.has_steps = loop && !has_updates && (plan.sliding || model.is_one_loop(plan));
    if (data.has_steps) {
        data.step = footprint_of_step(group, data.steps, plan.in_registers, model.caches().gathered_lines);
    }
    const TileFootprint tile = model.footprint(plan.tile, plan.by_steps);
    data.live = model.live_in(tile);
    data.tile_widths = widths_of(group, tile);
    data.row_live_bytes = data.live.bytes;
    if (loop) {
        const TileFootprint row = model.footprint(data.steps.tile, plan.by_steps);
        data.row_live_bytes = live_bytes(group, plan, data.live, model.live_in(row));
        data.row_widths = plan.sliding ? widths_of(group, row) : MemberWidths();
    }
    data.touched = data.live.bytes;
    for (const size_t stage : group.members) {
        data.touched += plan.in_registers.contains(stage) ? 0
                                                          : product_of(data.tile_widths.of(group, stage)) *
                                                                static_cast<double>(group.node(stage).bytes);
    }
    data.bytes_between_uses = bytes_between_uses(model, plan, data);
    return data;
}

/// Tiles, and the tasks that they are put into.
struct TileCounts {
    int64_t tiles = 1, tasks = 1;
};

TileCounts count_tiles(const StageNode &last, const std::vector<int64_t> &tile, int64_t wanted_tasks) {
    TileCounts counts;
    for (size_t loop = last.loops.size(); loop-- > 0;) {
        const int64_t count = ceiling(last.loops[loop].extent, tile[loop]);
        counts.tasks *= counts.tasks < wanted_tasks ? count : 1;
        counts.tiles *= count;
    }
    return counts;
}

/// The loops of updates are tasks, in no tiles.
int64_t tasks_of_updates(const GroupModel &model, const TilePlan &plan) {
    const size_t last = model.group.last;
    if (model.group.last_node().sums.empty()) {
        return model.cost.update_tasks(last);
    }
    const std::vector<size_t> &loops = reduction_loops(model, last, plan.tile);
    return loops.front() == model.vector_loop(plan.tile)
               ? model.cost.tasks_around(last, plan.tile, model.cost.sum_plan(last, plan.tile, false, true).block)
               : plan.tile[loops.back()];
}

/// Cycles for what members hand to each other, and what the group reads, through the cache that holds it.
double hand_over_cycles(const GroupModel &model, const TilePlan &plan, const TileData &data, double handed,
                        double from_l2) {
    double held = data.bytes_between_uses / costs::usable_cache_part, all = handed + data.live.bytes;
    if (data.has_steps) { // what a step loads is loaded again by the next one
        const size_t loop = data.steps.loop;
        held = data.step.held / costs::usable_cache_part;
        all = handed / 2 + data.step.loaded * static_cast<double>(ceiling(plan.tile[loop], data.steps.tile[loop]));
    }
    const double rate = hand_over_rate(held, model.machine());
    return rate > 0 ? all * static_cast<double>(plan.tiles) / rate : from_l2 / model.caches().l2_rate;
}

double memory_cycles(const GroupModel &model, const TilePlan &plan, const SourceTraffic &traffic) {
    const Group &group = model.group;
    const machine::CacheModel &caches = model.caches();
    double memory = 0;
    for (size_t i = 0; i < group.sources.size(); ++i) {
        const Group::Source &source = group.sources[i];
        const double whole = model.cost.source_bytes(source.is_input, source.index);
        const ReadCycles cycles = read_cycles(traffic.sources[i], whole, source.is_gathered, caches);
        memory += cycles.bytes;
        memory += cycles.starts;
    }
    const double pieces = pieces_of(plan.tile, group.last_extents) * static_cast<double>(plan.tiles);
    const bool waits_for_no_lines = plan.along && plan.streams;
    const ReadCycles cycles =
        write_cycles({model.cost.source_bytes(false, group.last), pieces, plan.streams, waits_for_no_lines}, caches);
    memory += cycles.bytes;
    return memory + cycles.starts;
}

} // namespace

double overlapped_cycles(const Roofs &roofs, bool is_one_loop) {
    const double inside = std::max(roofs.arithmetic, roofs.caches) +
                          costs::unhidden_across_loops * std::min(roofs.arithmetic, roofs.caches);
    const double unhidden = is_one_loop ? costs::unhidden_in_one_loop : costs::unhidden_across_loops;
    return std::max(inside, roofs.memory) + unhidden * std::min(inside, roofs.memory);
}

double elapsed_cycles(double cycles, int64_t tasks, const RooflineMachine &machine) {
    if (machine.threads == 1) { // loops over tiles are no tasks
        return cycles;
    }
    const auto rounds = static_cast<double>(ceiling(tasks, machine.threads));
    const double elapsed = cycles * (rounds + (tasks > 1 ? costs::last_task_excess : 0)) / static_cast<double>(tasks);
    return elapsed + (tasks > 1 ? machine.caches.task_cycles * (1 + rounds) : 0);
}

double hand_over_rate(double held, const RooflineMachine &machine) {
    const machine::CacheModel &caches = machine.caches;
    return held <= static_cast<double>(caches.l1_bytes)                      ? 0
           : held <= static_cast<double>(caches.l2_bytes)                    ? caches.l2_rate
           : held * machine.threads <= static_cast<double>(caches.llc_bytes) ? caches.llc_rate
                                                                             : caches.memory_rate;
}

void evaluate(const GroupModel &model, TilePlan &plan) {
    const Group &group = model.group;
    const StageNode &last = group.last_node();
    const int64_t wanted_tasks = costs::tasks_of_a_thread * model.machine().threads;
    const TileData data = data_of(model, plan);
    TileCounts counts = count_tiles(last, plan.tile, wanted_tasks);
    plan.tiles = counts.tiles;
    const auto tiles = static_cast<double>(plan.tiles);

    const SourceTraffic sources = source_traffic(model, plan, data.live, data.touched);
    TileCompute compute = compute_of_members(model, plan, data.tile_widths, data.row_widths, data.live.rows);
    if (last.sums.empty()) {
        compute.cycles += block_cycles(model, plan);
    } else {
        compute.cycles += initial_cycles(model, plan);
        compute.cycles += update_cycles(model, plan);
    }
    if (last.updates > 0 || !last.sums.empty()) {
        counts.tasks = std::min(tasks_of_updates(model, plan), wanted_tasks);
    }
    const Traffic reductions = reduction_traffic(model, plan, data.tile_widths);
    const Traffic columns = column_traffic(model, plan, data.tile_widths);
    const Traffic transposed = transposed_traffic(model, plan, data.tile_widths);

    plan.streams = model.cost.may_stream(group.last) &&
                   may_stream_blocks(last, model.cost.block_sizes(plan), model.vector_loop(plan.tile),
                                     model.cost.lanes(group.last),
                                     plan.along ? BlockOrder::AlongColumns : BlockOrder::AlongRows, model.caches());
    plan.tile_bytes = static_cast<int64_t>(data.has_steps ? data.step.held : data.bytes_between_uses);
    plan.recomputed = std::max(0.0, compute.points * tiles / group.points - 1);
    plan.fresh = fresh_cycles(last, model.cost.source_bytes(false, group.last), model.caches());
    plan.arithmetic =
        compute.cycles * tiles + (reductions.pages + columns.pages + transposed.pages) * tiles + plan.fresh;
    plan.caches = hand_over_cycles(model, plan, data, compute.handed, sources.from_l2) +
                  (reductions.caches + columns.caches + transposed.caches) * tiles;
    plan.memory = memory_cycles(model, plan, sources);
    plan.cycles =
        elapsed_cycles(overlapped_cycles({plan.arithmetic, plan.caches, plan.memory}, model.is_one_loop(plan)),
                       counts.tasks, model.machine());
}

} // namespace fluorite::autoschedule
