#pragma once
// How long the actions of all ranks of a program take on a network.

#include "ranks/replay/replay_ranks.h"
#include "ranks/run/actions.h"
#include "ranks/transport/log_gp.h"

namespace fluorite::distribute {

/// What one rank does in each run.
struct RankActions {
    RankPlan plan;
    std::vector<Action> actions;
};

/// Replays so many runs, one after the other without a barrier, of all ranks, by rank. Messages and ports are those of
/// EmulatedTransport, computations cost seconds_of (estimate.h). Not for the basic mode, which is there to be measured.
/// Cost: proportional to the actions and messages of all ranks.
ReplayResult replay_actions(const DistributedProgram &program, const std::vector<RankActions> &ranks, int64_t runs,
                            const LogGP &model);

/// What all ranks of a program would do, planned in one place.
struct PlannedRanks {
    std::vector<ReplayRank> ranks;
    RankPlan plan;              // of the rank that is asked about, with what it sends
    double seconds_to_plan = 0; // of a processor, for one rank on average, what segments answer included
    double slowest_plan = 0;    // and at most
};

/// Plans all ranks. `domains` are those of plan_rank. `asked` is the rank whose plan is kept. Cost: that of
/// plan_actions for each rank, on all processors, and some kilobytes of memory.
PlannedRanks plan_all_ranks(const DistributedProgram &program, const std::vector<Box> &domains, int64_t ranks,
                            const LogGP &model, const RunOptions &options = {}, int64_t asked = 0);

} // namespace fluorite::distribute
