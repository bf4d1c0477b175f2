#pragma once
// What passes between a group's tiles and the memory outside of them.

#include "autoschedule/roofline/group_model.h"

namespace fluorite::autoschedule {

/// Bytes and pieces of memory that all tiles together fetch of one array.
struct Fetched {
    double bytes = 0, pieces = 0;
};
struct SourceTraffic {
    std::vector<Fetched> sources;
    double from_l2 = 0; // bytes that tiles read again while the L2 cache holds them
};
/// Tiles that follow each other in a task share what they read, as long as it stays in the L2 cache. `touched` are the
/// bytes that one tile touches, those of `live` among them.
SourceTraffic source_traffic(const GroupModel &model, const TilePlan &plan, const LiveIn &live, double touched);

/// The first of the loops over tiles that are tasks, as all further out are.
size_t first_task_loop(const StageNode &last, const std::vector<int64_t> &tile, int64_t wanted_tasks);

/// Cycles to fetch an array of `whole` bytes: each byte once from where it is, the rest from the last-level cache.
struct ReadCycles {
    double bytes = 0;  // at the rate of the level that has them
    double starts = 0; // of rows that no prefetcher has seen
};
ReadCycles read_cycles(const Fetched &fetched, double whole, bool is_gathered, const machine::CacheModel &caches);

/// The result of a group.
struct StoredResult {
    double bytes = 0, pieces = 0;
    bool streams = false;            // its stores bypass the caches
    bool waits_for_no_lines = false; // blocks begin lines of their own and stream them
};
ReadCycles write_cycles(const StoredResult &result, const machine::CacheModel &caches);

/// Cycles to touch a result that the system gives anew in each run, because the runtime does not keep so much.
double fresh_cycles(const StageNode &last, double bytes, const machine::CacheModel &caches);

/// In which order the blocks of a tile are computed: along the rows of the result, or along the columns that it reads.
enum class BlockOrder { AlongRows, AlongColumns };

/// Whether the rows of a block are few enough, or whole lines, for stores past the caches.
bool may_stream_blocks(const StageNode &last, const std::vector<int64_t> &sizes, size_t vector, int64_t lanes,
                       BlockOrder order, const machine::CacheModel &caches);

} // namespace fluorite::autoschedule
