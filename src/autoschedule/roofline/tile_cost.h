#pragma once
// The cost of a group under given tiles.

#include "autoschedule/roofline/group_model.h"

namespace fluorite::autoschedule {

/// Fills in the costs of a plan, and whether it streams.
void evaluate(const GroupModel &model, TilePlan &plan);

/// What limits a run, in cycles of all threads together.
struct Roofs {
    double arithmetic = 0, caches = 0, memory = 0;
};
/// The slowest roof counts, and of the others the part that it does not hide.
double overlapped_cycles(const Roofs &roofs, bool is_one_loop);
/// What a run takes of so many cycles, in tasks that the threads share.
double elapsed_cycles(double cycles, int64_t tasks, const RooflineMachine &machine);
/// Bytes a cycle from the level that holds so many bytes of each thread; 0: the L1 cache does, at no cost.
double hand_over_rate(double held, const RooflineMachine &machine);

} // namespace fluorite::autoschedule
