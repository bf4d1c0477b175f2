#pragma once
// The cost model of "An Effective Fusion and Tile Size Model for PolyMage" (section 4), over stage graphs.

#include "autoschedule/grouping/grouping.h"
#include "autoschedule/polymage/alignment.h"

#include <span>
#include <string_view>

namespace fluorite::autoschedule {

/// A row of the text's Table 2; the tile size along the innermost dimension is from its section 7.1.
struct PolymageWeights {
    std::string_view machine;
    double live, cleanup, overlap, extents; // w1 to w4
    int64_t innermost_tile;
};
std::span<const PolymageWeights> polymage_weights();

/// What the first term takes for live-in and live-out data. Algorithm 2 prints those of a tile, a ratio of a few bytes
/// for each point. The ranges behind Table 3 (w1 = 1.0 normalizes to 47 times 100 cleanup tiles) need the data of all
/// tiles.
enum class LiveTerm : uint8_t { AllTiles, OneTile };

struct PolymageMachine {
    int64_t l1_bytes = 32 * 1024, l2_bytes = 256 * 1024; // of a core: section 7.1, Xeon
    int64_t cores = 16;
    PolymageWeights weights = polymage_weights()[0];
    LiveTerm live_term = LiveTerm::AllTiles;
};

/// The terms before weights, and the tiles that they are of.
struct PolymageTerms {
    double live = 0, cleanup = 0, overlap = 0, extents = 0;
    std::vector<int64_t> tile; // by dimension of the alignment, in points of its finest loop
    int64_t tiles = 0;
    bool is_for_first_cache = true;
};

class PolymageCost : public GroupCost {
  public:
    /// The graph lives longer than this.
    PolymageCost(const StageGraph &graph, const PolymageMachine &machine);

    std::optional<Cost> of(const StageSet &group) const override;
    bool is_hopeless(const StageSet &group) const override;
    Cost share(size_t stage) const override;
    /// None where the group cannot be tiled.
    std::optional<PolymageTerms> terms(const StageSet &group) const;
    /// The tile by the loops of a stage of the group; none where it cannot be tiled.
    std::optional<std::vector<int64_t>> tile(const StageSet &group, size_t stage) const;

  private:
    const StageGraph &graph_;
    const PolymageMachine machine_;
    StageSet reductions_;
    std::vector<StageSet> apart_, consumers_; // by stage: readers that cannot be tiled with it, and all readers

    bool is_live_out(size_t stage, const StageSet &group) const;
    std::vector<double> reuse(const Alignment &alignment, const StageSet &group) const;
    std::vector<int64_t> tile_of(const Alignment &alignment, const StageSet &group, double footprint_bytes) const;
    double live_in(const Alignment::AlignedStage &aligned, const std::vector<int64_t> &tile,
                   const StageSet &group) const;
    PolymageTerms terms_for_cache(const Alignment &alignment, const StageSet &group, int64_t cache_bytes,
                                  double &overlap_bytes, double &tile_bytes) const;
};

} // namespace fluorite::autoschedule
