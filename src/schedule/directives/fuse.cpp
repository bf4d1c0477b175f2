// fuse(inner, outer, fused): for outer { for inner { ... } }
//   -->  for fused in [0, e_outer*e_inner) { outer = fused / e_inner + m_outer; inner = fused % e_inner + m_inner }
// Legal: both are loops of the stage, unmarked, and stand next to each other with `inner` inside (where they do not,
// the outer one is moved in, which is refused if that reorders dependent RVars). rename(old, new) changes a loop's
// name.

#include "schedule/directives/common.h"

namespace fluorite::schedule {

void fuse(const StageRef &stage, const std::string &inner, const std::string &outer, const std::string &fused,
          Location location) {
    size_t inner_at = require_loop(stage, inner, "fuse", location);
    size_t outer_at = require_loop(stage, outer, "fuse", location);
    if (inner == outer) {
        refuse(stage, "loop-name-taken",
               "fuse of " + inner + " with itself; fuse joins two loops; name two loops of " +
                   join(loop_names(*stage.schedule)),
               location);
    }
    if (fused != inner && fused != outer) {
        require_new_name(stage, fused, "", "fuse", location);
    }
    for (size_t at : {inner_at, outer_at}) {
        const LoopDim &dim = stage.schedule->dims[at];
        if (dim.for_type != ForType::Serial) {
            refuse(stage, "split-of-marked-loop",
                   "fuse of " + dim.var +
                       ", which is already vectorized, unrolled or parallel; loops are fused before " +
                       "they are marked; call fuse first",
                   location);
        }
    }
    const StageEdit edit(stage, "fuse", location);
    auto &dims = stage.schedule->dims;
    if (outer_at != inner_at + 1) {
        // Bring them together: outer moves to just outside inner.
        std::vector<LoopDim> moved = dims;
        moved.erase(moved.begin() + static_cast<long>(outer_at));
        inner_at = outer_at < inner_at ? inner_at - 1 : inner_at;
        moved.insert(moved.begin() + static_cast<long>(inner_at) + 1, dims[outer_at]);
        check_reduction_order(stage, dims, moved, "fuse", location);
        dims = moved;
        outer_at = inner_at + 1;
    }
    LoopDim joined = dims[inner_at];
    joined.var = fused;
    joined.location = location;
    joined.is_rvar = dims[inner_at].is_rvar || dims[outer_at].is_rvar;
    joined.reorderable = dims[inner_at].reorderable && dims[outer_at].reorderable;
    stage.schedule->splits.push_back(
        {Split::Kind::Fuse, fused, outer, inner, Expr(), TailStrategy::Auto, joined.is_rvar, location});
    dims[inner_at] = joined;
    dims.erase(dims.begin() + static_cast<long>(outer_at));
    require_prefetch_loops(stage, "fuse", find_loop(*stage.schedule, inner) ? outer : inner, location);
}

void rename(const StageRef &stage, const std::string &old_name, const std::string &new_name, Location location) {
    size_t position = require_loop(stage, old_name, "rename", location);
    require_new_name(stage, new_name, old_name, "rename", location);
    const StageEdit edit(stage, "rename", location);
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
