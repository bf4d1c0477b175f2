#pragma once
// What blocks of sums load again from caches, and the order of the loops around them.

#include "autoschedule/roofline/group_model.h"

namespace fluorite::autoschedule {

/// Cycles for bytes that blocks of a stage read more than once, by the boxes of the stage that they and the loops
/// around them compute.
double reread_cycles(const StageGraph &graph, size_t stage, const LoopBoxes &around, const machine::CacheModel &caches);

/// Cycles to wait for parts of rows from memory where blocks follow each other down columns of more rows than a
/// prefetcher follows. `from_memory` says by read which of them are beyond the caches.
double unfollowed_row_cycles(const StageGraph &graph, size_t stage, const LoopBoxes &around,
                             const std::vector<bool> &from_memory, const machine::CacheModel &caches);

/// By read of a stage: whether it is of an array outside of the group that the last-level cache does not hold.
std::vector<bool> reads_from_memory(const GroupModel &model, size_t stage);

/// The loops around the blocks of sums of a stage that runs this far, innermost first: rows of blocks, or columns.
const std::vector<size_t> &reduction_loops(const GroupModel &model, size_t stage, const std::vector<int64_t> &whole);

/// Of all reductions of a plan whose sums stay in registers.
Traffic reduction_traffic(const GroupModel &model, const TilePlan &plan, const MemberWidths &members);

} // namespace fluorite::autoschedule
