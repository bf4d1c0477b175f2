// The cost of a group for tiles whose sizes are powers of two: its operations, with what tiles recompute, and LOAD_COST
// for what each tile loads, which weighs less as long as a tile leaves room in the cache. The number of tiles is at
// least that of the cores, and the innermost loop at least as long as a vector; the tile of the least cost counts.
//
// Where the text is silent: the weight of a load is LOAD_COST times the part of the cache that the tile fills, at most
// 1; sizes of the loops are tried one by one, from whole loops down to 1, until none is better. This weight makes loads
// of tiny tiles nearly free, so that no merger of two groups gains: as a baseline, this is each stage by itself.
//
// Cost: some forty evaluations of a group for each of its loops.
#include "autoschedule/mullapudi/greedy_cost.h"

#include <algorithm>

namespace fluorite::autoschedule {

namespace {

constexpr double bytes_of_a_load = 4, unit = 1000;

std::vector<int64_t> powers_of_two(int64_t least, int64_t extent) {
    std::vector<int64_t> sizes{extent};
    for (int64_t size = 1; size < extent; size *= 2) {
        if (size >= least) {
            sizes.push_back(size);
        }
    }
    return sizes;
}

} // namespace

std::optional<Cost> MullapudiCost::of(const StageSet &group) const {
    const std::optional<Choice> choice = best(group);
    const double most = static_cast<double>(greatest_group_cost);
    return choice
               ? std::optional(static_cast<Cost>(std::min(choice->cost / unit * static_cast<double>(cost_unit), most)))
               : std::nullopt;
}

std::optional<std::vector<int64_t>> MullapudiCost::tile(const StageSet &group) const {
    const std::optional<Choice> choice = best(group);
    return choice ? std::optional(choice->tile) : std::nullopt;
}

std::optional<MullapudiCost::Choice> MullapudiCost::best(const StageSet &group) const {
    const std::optional<size_t> last = plans_.last_stage(group);
    if (!last) {
        return {};
    }
    const std::vector<LoopExtent> &loops = graph_.stages[*last].loops;
    Choice best;
    for (const LoopExtent &loop : loops) {
        best.tile.push_back(loop.extent);
    }
    const auto cost_of = [&](const std::vector<int64_t> &tile) {
        double tiles = 1;
        for (size_t loop = 0; loop < tile.size(); ++loop) {
            tiles *= static_cast<double>((loops[loop].extent + tile[loop] - 1) / tile[loop]);
        }
        double operations = 0;
        const RooflineCost::TileAccesses touches = plans_.accesses_of(group, *last, tile);
        for (const auto &[stage, points] : touches.points) {
            operations += points * graph_.stages[stage].arithmetic;
        }
        const double filled = touches.bytes / static_cast<double>(machine_.cache_bytes);
        const double weight = machine_.load_cost * std::min(1.0, filled);
        return tiles * (operations + touches.loaded_bytes / bytes_of_a_load * weight);
    };
    const auto is_parallel = [&](const std::vector<int64_t> &tile) {
        int64_t tiles = 1;
        for (size_t loop = 0; loop < tile.size(); ++loop) {
            tiles *= (loops[loop].extent + tile[loop] - 1) / tile[loop];
        }
        return tiles >= machine_.cores;
    };
    best.cost = cost_of(best.tile);
    bool is_valid = is_parallel(best.tile);
    for (bool is_better = graph_.stages[*last].updates == 0; is_better;) {
        is_better = false;
        for (size_t loop = loops.size(); loop-- > 0;) {
            for (const int64_t size : powers_of_two(loop == 0 ? machine_.vector_lanes : 1, loops[loop].extent)) {
                std::vector<int64_t> tile = best.tile;
                tile[loop] = size;
                const bool is_other_valid = is_parallel(tile);
                const double cost = cost_of(tile);
                if (is_other_valid >= is_valid && (is_other_valid > is_valid || cost < best.cost)) {
                    best = {tile, cost};
                    is_valid = is_other_valid;
                    is_better = true;
                }
            }
        }
    }
    return best;
}

} // namespace fluorite::autoschedule
