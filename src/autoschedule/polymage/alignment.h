#pragma once
// The loops of a group's stages in one space of tiles.

#include "autoschedule/stage_graph.h"

#include <optional>

namespace fluorite::autoschedule {

/// Loops of different stages that run together are one dimension of the group. A point x of a loop is at scale * x of
/// its dimension; the finest loop of a dimension has scale 1.
struct Alignment {
    static constexpr size_t whole = ~size_t(0); // of a loop that every tile runs from end to end
    struct AlignedLoop {
        size_t dimension = whole;
        double scale = 1;
    };
    struct AlignedStage {
        size_t stage = 0;
        std::vector<AlignedLoop> loops;
        std::vector<double> low, high; // by dimension: how far beyond its tile the stage is computed
    };
    std::vector<AlignedStage> stages; // in the graph's order
    std::vector<double> extents;      // by dimension
    size_t innermost = whole;         // the dimension of the innermost loop of the last stage
};

/// None where loops cannot be scaled and aligned so that all distances between the group's stages are constant.
std::optional<Alignment> align(const StageGraph &graph, const StageSet &group);

} // namespace fluorite::autoschedule
