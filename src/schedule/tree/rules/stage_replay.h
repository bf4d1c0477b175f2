#pragma once
// The loops of a stage, made again from its definition and steps, so that the rules of loops can be asked.

#include "schedule/directives/common.h"
#include "schedule/tree/tree.h"

#include <string>
#include <vector>

namespace fluorite::schedule {

/// The default schedule of a stage with its steps; its StageRef sees only what it is given here.
struct StageReplay {
    StageSchedule loops;
    FuncSchedule of_func;
    StageRef ref;

    StageReplay(const ir::FuncDef &func, const StageSchedule &rest, int stage);
    StageReplay(const StageReplay &) = delete;
    /// Takes the steps that are legal; gives what is said of the first that is not, or nothing.
    std::string steps(const std::vector<Split> &splits);

  private:
    Verdict apply(const Split &step);
};

/// The message of a refusal, or nothing.
inline std::string message_of(const Verdict &verdict) { return verdict ? "" : verdict.refusal().message; }

/// Visits (func, schedule, number) of each stage.
template <typename Visit> void for_each_stage(const Tree &tree, const Visit &visit) {
    for (const ir::FuncDef &func : tree.graph->funcs) {
        const FuncSchedule &schedule = tree.rest.func(func.id());
        for (size_t k = 0; k < func.stages.size(); k++) {
            visit(func, schedule.stages[k], static_cast<int>(k));
        }
    }
}

} // namespace fluorite::schedule
