// fuse(inner, outer, fused): for outer { for inner { ... } }
//   -->  for fused in [0, e_outer*e_inner) { outer = fused / e_inner + m_outer; inner = fused % e_inner + m_inner }
// Legal if both are distinct loops of the stage, serial, and no prefetch names one that does not keep its name. If they
// are not adjacent with `inner` inside, the outer one is moved to just outside of the inner one, which is refused if it
// reorders dependent RVars. rename(old, new) changes the name of a loop.

#include "schedule/directives/common.h"
#include "schedule/directives/rows.h"
#include "schedule/loop_rules.h"

#include <algorithm>

namespace fluorite::schedule {

Split fuse_step(const std::string &inner, const std::string &outer, const std::string &fused) {
    Split step;
    step.kind = Split::Kind::Fuse;
    step.old_var = fused, step.outer = outer, step.inner = inner;
    return step;
}

namespace {

/// The loop that takes the place of `old`, after a step in which `other` has a part.
LoopDim joined(const LoopDim &old, const LoopDim &other, const std::string &name, Location location) {
    LoopDim made = old;
    made.var = name;
    made.location = location;
    made.is_rvar = old.is_rvar || other.is_rvar;
    made.reorderable = old.reorderable && other.reorderable;
    return made;
}

/// The fused loop takes the place of the inner one.
bool join_fused(std::vector<LoopDim> &dims, size_t inner_at, size_t outer_at, const Split &step) {
    const LoopDim outer = dims[outer_at];
    LoopDim &made = dims[inner_at];
    made = joined(made, outer, step.old_var, step.location);
    made.distributed = outer.distributed;
    const bool is_rvar = made.is_rvar;
    dims.erase(dims.begin() + static_cast<long>(outer_at));
    return is_rvar;
}

/// The skewed loop stays where it is, or moves to just inside of the loop that it is skewed by.
bool join_skewed(std::vector<LoopDim> &dims, size_t old_at, size_t by_at, const Split &step) {
    dims[old_at] = joined(dims[old_at], dims[by_at], step.outer, step.location);
    const bool is_rvar = dims[old_at].is_rvar;
    if (old_at > by_at) {
        std::rotate(dims.begin() + static_cast<long>(by_at), dims.begin() + static_cast<long>(old_at),
                    dims.begin() + static_cast<long>(old_at) + 1);
    }
    return is_rvar;
}

} // namespace

void join_loops(StageSchedule &schedule, const Split &step) {
    const bool is_rvar =
        step.kind == Split::Kind::Skew
            ? join_skewed(schedule.dims, *find_loop(schedule, step.old_var), *find_loop(schedule, step.inner), step)
            : join_fused(schedule.dims, *find_loop(schedule, step.inner), *find_loop(schedule, step.outer), step);
    schedule.splits.push_back(step);
    schedule.splits.back().exact = is_rvar;
}

Verdict fuse(const StageRef &stage, const std::string &inner, const std::string &outer, const std::string &fused,
             Location location) {
    if (Verdict legal = require_edit(stage, LoopRules(stage).fuse(inner, outer, fused),
                                     {.outer = outer, .inner = inner, .fused = fused}, "fuse", location);
        !legal) {
        return legal;
    }
    note_edit(stage, "fuse", location);
    Split step = fuse_step(inner, outer, fused);
    step.location = location;
    join_loops(*stage.schedule, step);
    return {};
}

Verdict rename(const StageRef &stage, const std::string &old_name, const std::string &new_name, Location location) {
    if (Verdict legal =
            require_edit(stage, LoopRules(stage).rename(old_name, new_name), {.var = old_name}, "rename", location);
        !legal) {
        return legal;
    }
    note_edit(stage, "rename", location);
    const size_t position = *find_loop(*stage.schedule, old_name);
    stage.schedule->splits.push_back(
        {Split::Kind::Rename, old_name, new_name, "", Expr(), TailStrategy::Auto, false, location});
    stage.schedule->dims[position].var = new_name;
    for (Prefetch &prefetch : stage.schedule->prefetches) {
        for (std::string *loop : {&prefetch.at, &prefetch.from}) {
            *loop = *loop == old_name ? new_name : *loop;
        }
    }
    return {};
}

// ---- Rows.

DirectiveRow row_of_fuse() {
    return {
        .on_stage = true,
        .again = Again::Step,
        .args = {a_loop, a_loop, new_loop},
        .apply = [](DirectiveContext &c,
                    const Directive &d) { return fuse(c.stage(d), text(d, 0), text(d, 1), text(d, 2), c.location()); },
        .meaning = rewrites,
        .example = "total.fuse(x, y, t)"};
}

DirectiveRow row_of_rename() {
    return {.on_stage = true,
            .again = Again::Step,
            .args = {a_loop, new_loop},
            .apply = [](DirectiveContext &c,
                        const Directive &d) { return rename(c.stage(d), text(d, 0), text(d, 1), c.location()); },
            .meaning = rewrites,
            .example = "total.rename(x, u)"};
}

} // namespace fluorite::schedule
