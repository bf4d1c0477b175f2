// Memory traffic of a group.
//
// What one tile reads from outside is fetched for each tile, unless the one before has left it in the L2 cache: one run
// of each loop over tiles, from the innermost on, is compared with that cache. So tiles of single rows or planes do not
// read their neighbours' anew, as long as the loop stays within a task. What is fetched again comes from the last-level
// cache. Each piece of memory that a box begins costs a latency, because no prefetcher has seen it.
//
// Cost: a footprint for each loop over tiles.
#include "autoschedule/roofline/memory_cost.h"

#include "autoschedule/costs.h"

#include <algorithm>

namespace fluorite::autoschedule {

namespace {

/// Whether an array is beyond what the last-level cache holds of it from one use to the next.
bool is_in_memory(double bytes, const machine::CacheModel &caches) {
    return bytes > static_cast<double>(caches.llc_bytes) / 2;
}

double rate_of(double bytes, const machine::CacheModel &caches) {
    return is_in_memory(bytes, caches) ? caches.memory_rate : caches.llc_rate;
}

} // namespace

size_t first_task_loop(const StageNode &last, const std::vector<int64_t> &tile, int64_t wanted_tasks) {
    int64_t tasks = 1;
    size_t loop = tile.size();
    while (loop > 0 && tasks < wanted_tasks) {
        --loop;
        tasks *= ceiling(last.loops[loop].extent, tile[loop]);
    }
    return loop;
}

SourceTraffic source_traffic(const GroupModel &model, const TilePlan &plan, const LiveIn &live, double touched) {
    const Group &group = model.group;
    const StageNode &last = group.last_node();
    const size_t first_task = first_task_loop(last, plan.tile, costs::tasks_of_a_thread * model.machine().threads);
    const size_t vector = model.vector_loop(plan.tile);
    const auto l2 = static_cast<double>(model.caches().l2_bytes);
    SourceTraffic traffic;
    traffic.sources.reserve(live.sources.size());
    double asked = 0, fetched = 0;
    for (const LiveIn::Box &box : live.sources) {
        traffic.sources.push_back({box.bytes, box.pieces});
        asked += box.bytes;
    }
    const double besides = touched - live.bytes;
    std::vector<int64_t> tile = plan.tile;
    LiveIn larger;
    const LiveIn *now = &live; // of the box that the loops so far cover
    bool is_held = true;
    for (size_t loop = 0; loop < tile.size(); ++loop) {
        const auto count = static_cast<double>(ceiling(last.loops[loop].extent, plan.tile[loop]));
        if (count == 1) {
            continue;
        }
        asked *= count;
        is_held = is_held && loop < first_task && (besides + now->bytes) / costs::usable_cache_part <= l2;
        if (!is_held) {
            for (Fetched &source : traffic.sources) {
                source.bytes *= count;
                source.pieces *= count;
            }
            continue;
        }
        tile[loop] = last.loops[loop].extent;
        LiveIn all = model.live_in(model.footprint(tile, plan.by_steps));
        for (size_t i = 0; i < traffic.sources.size(); ++i) {
            const LiveIn::Box &box = all.sources[i], &old = now->sources[i];
            traffic.sources[i].bytes *= std::min(count, box.bytes / old.bytes);
            // Rows that go on in the next tile are begun again.
            traffic.sources[i].pieces *= loop != vector ? std::min(count, box.pieces / old.pieces) : count;
        }
        larger = std::move(all);
        now = &larger;
    }
    for (const Fetched &source : traffic.sources) {
        fetched += source.bytes;
    }
    traffic.from_l2 = std::max(0.0, asked - fetched);
    return traffic;
}

ReadCycles read_cycles(const Fetched &fetched, double whole, bool is_gathered, const machine::CacheModel &caches) {
    const double asked = is_gathered ? std::min(fetched.bytes, caches.gathered_lines * whole) : fetched.bytes;
    const double once = std::min(asked, whole);
    return {once / rate_of(whole, caches) + (asked - once) / caches.llc_rate,
            is_in_memory(whole, caches) && !is_gathered ? fetched.pieces * caches.stream_cycles : 0};
}

ReadCycles write_cycles(const StoredResult &result, const machine::CacheModel &caches) {
    // Without streaming, a line is read before it is written.
    const double times = result.streams ? 1 : 2;
    const bool waits = is_in_memory(result.bytes, caches) && !result.waits_for_no_lines;
    return {times * result.bytes / rate_of(result.bytes, caches), waits ? result.pieces * caches.stream_cycles : 0};
}

double fresh_cycles(const StageNode &last, double bytes, const machine::CacheModel &caches) {
    const bool is_fresh = !last.is_output && bytes > static_cast<double>(caches.kept_bytes);
    return is_fresh ? bytes * caches.fresh_byte_cycles : 0;
}

bool may_stream_blocks(const StageNode &last, const std::vector<int64_t> &sizes, size_t vector, int64_t lanes,
                       BlockOrder order, const machine::CacheModel &caches) {
    const bool is_whole = (sizes.empty() ? 1 : sizes[vector]) * lanes * last.bytes >= caches.line_bytes;
    // The rest of a line is stored when the loop along the other rows has ended, which is too late to be combined.
    if (order == BlockOrder::AlongColumns && !is_whole) {
        return false;
    }
    if (sizes.empty()) {
        return true;
    }
    // Values that are narrowed to be stored are stored in parts of a vector, between parts of other rows.
    const bool is_narrowed = std::any_of(last.blocks.begin(), last.blocks.end(), [&](const BlockWork &block) {
        return block.widest * 4 > static_cast<double>(last.bytes);
    });
    const double rows = product_of(sizes) / static_cast<double>(sizes[vector]);
    const bool are_few = rows <= static_cast<double>(caches.streamed_rows);
    return is_narrowed ? is_whole && are_few : is_whole || rows <= 1;
}

} // namespace fluorite::autoschedule
