// fuse(inner, outer, fused): for outer { for inner { ... } }
//   -->  for fused in [0, e_outer*e_inner) { outer = fused / e_inner + m_outer; inner = fused % e_inner + m_inner }
// Legal if both are distinct loops of the stage, serial, and no prefetch names one that does not keep its name. If they
// are not adjacent with `inner` inside, the outer one is moved to just outside of the inner one, which is refused if it
// reorders dependent RVars. rename(old, new) changes the name of a loop.

#include "schedule/directives/common.h"
#include "schedule/loop_rules.h"

namespace fluorite::schedule {

Split fuse_step(const std::string &inner, const std::string &outer, const std::string &fused) {
    Split step;
    step.kind = Split::Kind::Fuse;
    step.old_var = fused, step.outer = outer, step.inner = inner;
    return step;
}

void join_loops(StageSchedule &schedule, const Split &step) {
    const bool skews = step.kind == Split::Kind::Skew;
    // The loop that goes joins the one that stays in its place: of a fuse, the inner one; of a skew, which another loop
    // only shifts, the skewed one, which moves inside of that other loop.
    std::vector<LoopDim> &dims = schedule.dims;
    const size_t old_at = *find_loop(schedule, skews ? step.old_var : step.inner);
    const size_t other_at = *find_loop(schedule, skews ? step.inner : step.outer);
    const LoopDim other = dims[other_at];
    LoopDim made = dims[old_at];
    made.var = skews ? step.outer : step.old_var;
    made.location = step.location;
    made.is_rvar = made.is_rvar || other.is_rvar;
    made.reorderable = made.reorderable && other.reorderable;
    if (!skews) {
        made.distributed = other.distributed;
    }
    dims[old_at] = made;
    if (!skews) {
        dims.erase(dims.begin() + static_cast<long>(other_at));
    } else if (old_at > other_at) {
        dims.erase(dims.begin() + static_cast<long>(old_at));
        dims.insert(dims.begin() + static_cast<long>(other_at), made);
    }
    schedule.splits.push_back(step);
    schedule.splits.back().exact = made.is_rvar;
}

void fuse(const StageRef &stage, const std::string &inner, const std::string &outer, const std::string &fused,
          Location location) {
    require(stage, LoopRules(stage).fuse(inner, outer, fused), {.outer = outer, .inner = inner, .fused = fused},
            location);
    const StageEdit edit(stage, "fuse", location);
    Split step = fuse_step(inner, outer, fused);
    step.location = location;
    join_loops(*stage.schedule, step);
}

void rename(const StageRef &stage, const std::string &old_name, const std::string &new_name, Location location) {
    require(stage, LoopRules(stage).rename(old_name, new_name), {.var = old_name}, location);
    const StageEdit edit(stage, "rename", location);
    const size_t position = *find_loop(*stage.schedule, old_name);
    stage.schedule->splits.push_back(
        {Split::Kind::Rename, old_name, new_name, "", Expr(), TailStrategy::Auto, false, location});
    stage.schedule->dims[position].var = new_name;
    for (Prefetch &prefetch : stage.schedule->prefetches) {
        for (std::string *loop : {&prefetch.at, &prefetch.from}) {
            *loop = *loop == old_name ? new_name : *loop;
        }
    }
}

} // namespace fluorite::schedule
