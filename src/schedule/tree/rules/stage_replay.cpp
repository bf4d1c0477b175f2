#include "schedule/tree/rules/stage_replay.h"

#include "schedule/directives/table.h"
#include "support/loop_name.h"

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
        if (const std::string refusal = refusal_of_step(step); !refusal.empty()) {
            return refusal;
        }
        switch (step.kind) {
        case Split::Kind::Split:
            split(ref, step.old_var, step.outer, step.inner, step.factor, step.tail, step.location);
            break;
        case Split::Kind::Fuse:
            fuse(ref, step.inner, step.outer, step.old_var, step.location);
            break;
        case Split::Kind::Skew:
            skew(ref, step.old_var, step.inner, step.outer, step.factor, step.location);
            break;
        case Split::Kind::Rename:
            rename(ref, step.old_var, step.outer, step.location);
            break;
        }
    }
    return "";
}

std::string StageReplay::message_of(const LoopVerdict &verdict, const LoopCall &call) const {
    return verdict ? "" : ref.where() + ": " + with_dotted_loops(refusal_of(ref, verdict, call).text);
}

std::string StageReplay::refusal_of_step(const Split &step) const {
    const LoopRules rules(ref);
    switch (step.kind) {
    case Split::Kind::Split:
        return message_of(
            rules.split(step.old_var, step.outer, step.inner, step.factor, step.tail),
            {.var = step.old_var, .outer = step.outer, .inner = step.inner, .factor = step.factor, .tail = step.tail});
    case Split::Kind::Fuse:
        return message_of(rules.fuse(step.inner, step.outer, step.old_var),
                          {.outer = step.outer, .inner = step.inner, .fused = step.old_var});
    case Split::Kind::Skew:
        return message_of(rules.skew(step.old_var, step.inner, step.outer, step.factor),
                          {.var = step.old_var, .outer = step.inner, .fused = step.outer, .factor = step.factor});
    case Split::Kind::Rename:
        break;
    }
    return message_of(rules.rename(step.old_var, step.outer), {.var = step.old_var});
}

} // namespace fluorite::schedule
