#include "schedule/tree/rules/stage_replay.h"

#include "schedule/directives/directives.h"

namespace fluorite::schedule {

StageReplay::StageReplay(const ir::FuncDef &func, const StageSchedule &rest, int stage) {
    const ir::Stage &definition = func.stages[static_cast<size_t>(stage)];
    loops = default_stage_schedule(func, definition, stage > 0);
    loops.atomic = rest.atomic;
    loops.order_is_free = rest.order_is_free;
    loops.allow_race_conditions = rest.allow_race_conditions;
    ref = {func.name(), stage, &loops, &of_func, func.arg_names, &definition, &func, {}};
}

std::string StageReplay::steps(const std::vector<Split> &splits) {
    for (const Split &step : splits) {
        if (const std::string refusal = message_of(apply(step)); !refusal.empty()) {
            return refusal;
        }
    }
    return "";
}

Verdict StageReplay::apply(const Split &step) {
    switch (step.kind) {
    case Split::Kind::Split:
        return split(ref, step.old_var, step.outer, step.inner, step.factor, step.tail, step.location);
    case Split::Kind::Fuse:
        return fuse(ref, step.inner, step.outer, step.old_var, step.location);
    case Split::Kind::Skew:
        return skew(ref, step.old_var, step.inner, step.outer, step.factor, step.location);
    case Split::Kind::Rename:
        break;
    }
    return rename(ref, step.old_var, step.outer, step.location);
}

} // namespace fluorite::schedule
