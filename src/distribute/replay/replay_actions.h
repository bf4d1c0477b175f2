#pragma once
// How long the actions of all ranks of a program take on a network.

#include "distribute/execute/actions.h"
#include "distribute/replay/log_gp.h"

namespace fluorite::distribute {

/// What one rank does in each run.
struct RankActions {
    RankPlan plan;
    std::vector<Action> actions;
};

struct ActionsReplay {
    double seconds = 0; // when the last rank ends
    double waited = 0;  // by all ranks together
    int64_t messages = 0, bytes = 0;
};

/// Replays so many runs, one after the other without a barrier, of all ranks, by rank. Messages and ports are those of
/// EmulatedTransport, computations cost seconds_of (estimate.h). Not for the basic mode, which is there to be measured.
/// Cost: proportional to the actions and messages of all ranks.
ActionsReplay replay_actions(const DistributedProgram &program, const std::vector<RankActions> &ranks, int64_t runs,
                             const LogGP &model);

} // namespace fluorite::distribute
