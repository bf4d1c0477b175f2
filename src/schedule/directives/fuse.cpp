// fuse(inner, outer, fused): for outer { for inner { ... } }
//   -->  for fused in [0, e_outer*e_inner) { outer = fused / e_inner + m_outer; inner = fused % e_inner + m_inner }
// Legal if both are distinct loops of the stage, serial, and no prefetch names one that does not keep its name. If they
// are not adjacent with `inner` inside, the outer one is moved to just outside of the inner one, which is refused if it
// reorders dependent RVars. rename(old, new) changes the name of a loop.

#include "schedule/directives/common.h"
#include "schedule/loop_rules.h"

namespace fluorite::schedule {

void fuse(const StageRef &stage, const std::string &inner, const std::string &outer, const std::string &fused,
          Location location) {
    require(stage, LoopRules(stage).fuse(inner, outer, fused), {.outer = outer, .inner = inner, .fused = fused},
            location);
    const StageEdit edit(stage, "fuse", location);
    auto &dims = stage.schedule->dims;
    size_t inner_at = *find_loop(*stage.schedule, inner);
    const size_t outer_at = *find_loop(*stage.schedule, outer);
    const LoopDim outer_dim = dims[outer_at];
    dims.erase(dims.begin() + static_cast<long>(outer_at));
    inner_at = outer_at < inner_at ? inner_at - 1 : inner_at;
    LoopDim &joined = dims[inner_at];
    joined.var = fused;
    joined.location = location;
    joined.is_rvar = joined.is_rvar || outer_dim.is_rvar;
    joined.reorderable = joined.reorderable && outer_dim.reorderable;
    joined.distributed = outer_dim.distributed;
    stage.schedule->splits.push_back(
        {Split::Kind::Fuse, fused, outer, inner, Expr(), TailStrategy::Auto, joined.is_rvar, location});
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
