// Programs whose ranks are not there.
//
// The number of steps for each exchange is chosen as a TimeLoop chooses it, except that one rank answers for all: the
// one in the middle of the grid, which has neighbours on each side where any rank has.

#include "ranks/replay/replay_program.h"

#include "ranks/plan/plan_alone.h"
#include "ranks/run/estimate.h"

namespace fluorite::distribute {

namespace {

StepBatch batch_of(const ProgramOnRanks &program, int64_t steps) {
    if (steps == 1) {
        return {program.program, program.domains, program.options, 1};
    }
    UnrolledProgram made = unrolled(program.program, program.fields, steps);
    StepBatch batch{{}, program.domains, program.options, steps};
    batch.options.slots = slots_of(made, program.fields);
    batch.program = std::move(made.program);
    batch.domains.resize(batch.program.arrays.size());
    return batch;
}

/// The rank that owns the middle of the first field.
int64_t middle_rank(const ProgramOnRanks &program) {
    const size_t input = program.fields.at(0).input;
    const Array &array = program.program.arrays[input];
    const Layout layout = layout_of(array.placement, program.domains[input], program.ranks, array.name);
    std::vector<int64_t> cell;
    for (const Axis &axis : layout.axes) {
        cell.push_back(axis.domain.empty() ? 0 : axis.owner(axis.domain.begin + axis.domain.extent() / 2));
    }
    return layout.replicated ? 0 : layout.rank_of(cell);
}

int64_t fastest_steps(const ProgramOnRanks &program, const LogGP &model) {
    LoneTransport middle(middle_rank(program), program.ranks);
    const auto seconds = [&](int64_t steps) {
        const StepBatch batch = batch_of(program, steps);
        const RankPlan plan = plan_alone(batch.program, batch.domains, middle.rank(), program.ranks);
        return estimated_seconds(batch.program, plan, plan_actions(batch.program, plan, batch.options), model);
    };
    const int64_t most = can_unroll(program.program, program.fields) ? DeepHalos().most_runs : 1;
    return fastest_runs(program.steps == 0 ? most : std::min(most, program.steps), seconds, middle);
}

StepBatch first_batch(const ProgramOnRanks &program, const LogGP &model) {
    int64_t steps = program.steps_per_exchange;
    if (program.fields.empty()) {
        steps = 1;
    } else if (steps == 0) {
        steps = fastest_steps(program, model);
    }
    return batch_of(program, program.steps == 0 ? steps : std::min(steps, program.steps));
}

PlannedRanks planned(const StepBatch &batch, int64_t ranks, const LogGP &model, int64_t asked) {
    return plan_all_ranks(batch.program, batch.domains, ranks, model, batch.options, asked);
}

} // namespace

ProgramReplay replay_program(const ProgramOnRanks &program, int64_t asked, const LogGP &model) {
    model.validate();
    ProgramReplay replay;
    replay.batch = first_batch(program, model);
    PlannedRanks batches = planned(replay.batch, program.ranks, model, asked);
    replay.plan = std::move(batches.plan);
    replay.seconds_to_plan = batches.seconds_to_plan;
    replay.slowest_plan = batches.slowest_plan;
    replay.steps = program.steps == 0 ? replay.batch.steps : program.steps;
    std::vector<ReplayPart> parts;
    parts.push_back({std::move(batches.ranks), replay.steps / replay.batch.steps});
    if (const int64_t remaining = replay.steps % replay.batch.steps; remaining != 0) {
        parts.push_back({planned(batch_of(program, remaining), program.ranks, model, asked).ranks, 1});
    }
    replay.result = replay_parts(parts, model);
    return replay;
}

} // namespace fluorite::distribute
