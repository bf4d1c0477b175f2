#pragma once
// Tiles that run in steps of one loop: which loops may slide, and what a step touches and loads again.

#include "autoschedule/roofline/tile_footprint.h"

namespace fluorite::autoschedule {

/// Whether every member moves with the loop of the last stage, at a whole number of its rows for each of the last
/// stage's; as a producer's loop 0 is that of its vectors, it may not be the one that moves.
bool may_slide(const Group &group, size_t loop);

struct Steps {
    std::vector<int64_t> tile; // of one step, by loops of the last stage
    size_t loop = 0;           // that runs in steps
    bool slides = false;       // other members compute the rows that the steps before did not
};
struct StepFootprint {
    double held = 0;   // bytes that are touched until the next step begins
    double loaded = 0; // bytes that the members load in one step
};
StepFootprint footprint_of_step(const Group &group, const Steps &steps, const StageSet &in_registers,
                                double gathered_lines);

} // namespace fluorite::autoschedule
