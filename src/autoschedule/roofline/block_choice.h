#pragma once
// The block of the last stage that is unrolled, and the members whose values stay in registers.

#include "autoschedule/roofline/tile_search.h"

namespace fluorite::autoschedule {

/// Blocks to choose from. Those that cost far more than the best one under some tiles are not tried again under others.
struct BlockChoices {
    struct Choice {
        std::vector<int64_t> block;
        bool is_for_sums = false; // of members in registers
        double cycles = 0;        // under the last tiles
    };
    std::vector<Choice> choices; // empty: all
};

/// The block and the members in registers of the least cost under the plan's tiles, which `search` completes. Leaves
/// the blocks that are worth another look.
void choose_block(const GroupModel &model, const TileSearch &search, BlockChoices &among, TilePlan &plan);

/// Sums whose lanes are rows of the last stage's blocks: the loop of these rows. Blocks of them are as many rows as a
/// vector has lanes, and are transposed by shuffles on their way through memory.
std::optional<size_t> transposed_rows(const Group &group, size_t stage);

/// Whether a member's values may stay in registers while the last stage's block is computed, if those of `others` do.
bool may_stay_in_registers(const Group &group, size_t stage, const StageSet &others);

/// Blocks that sums in registers ask for beside those of the last stage.
std::vector<std::vector<int64_t>> blocks_for_sums(const GroupModel &model, const TilePlan &plan);

} // namespace fluorite::autoschedule
