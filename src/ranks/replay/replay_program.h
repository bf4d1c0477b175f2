#pragma once
// Programs whose ranks are not there: planned by the planner of runs, then replayed on a network.

#include "ranks/replay/replay_actions.h"
#include "ranks/run/time_loop.h"

namespace fluorite::distribute {

/// A program that ranks would run some times.
struct ProgramOnRanks {
    DistributedProgram program; // one step
    std::vector<Box> domains;   // those of plan_rank
    int64_t ranks = 1;
    int64_t steps = 0;         // 0: those for one exchange
    std::vector<Field> fields; // what a step writes and the next reads; without them, nothing remains of a step
    /// Steps for each exchange, as a TimeLoop has them (DeepHalos::runs): 0 for the fastest; more than one with fields.
    int64_t steps_per_exchange = 1;
    RunOptions options;
};

/// What the ranks between two exchanges do: some steps as one program.
struct StepBatch {
    DistributedProgram program;
    std::vector<Box> domains;
    RunOptions options;
    int64_t steps = 1;
};

struct ProgramReplay {
    ReplayResult result; // of all steps
    int64_t steps = 1;
    StepBatch batch;
    RankPlan plan;                                // of the rank that is asked about, for a batch
    double seconds_to_plan = 0, slowest_plan = 0; // PlannedRanks
};

/// Plans all ranks and replays all steps: as many batches as there are, and the remaining steps as a batch of their
/// own. Throws what plan_rank and replay_ranks throw.
ProgramReplay replay_program(const ProgramOnRanks &program, int64_t asked, const LogGP &model);

} // namespace fluorite::distribute
