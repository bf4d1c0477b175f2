// fuse(inner, outer, fused): for outer { for inner { ... } }
//   -->  for fused in [0, e_outer*e_inner) { outer = fused / e_inner + m_outer; inner = fused % e_inner + m_inner }
// Legal: both are loops of the stage, unmarked, and stand next to each other with `inner` inside (where they do not, the
// outer one is moved in, which is refused if that reorders dependent RVars). rename(old, new) changes a loop's name.

#include "schedule/directive_common.h"

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
    if (outer_at != inner_at + 1) {
        // Bring them together: outer moves to just outside inner.
        std::vector<std::string> order = {inner, outer};
        reorder(stage, order, location);
        size_t low = *find_loop(*stage.schedule, inner), high = *find_loop(*stage.schedule, outer);
        std::vector<std::string> names = loop_names(*stage.schedule);
        if (high != low + 1) {
            std::vector<std::string> whole;
            for (size_t i = low; i <= high; i++) {
                if (i == low) {
                    whole.push_back(inner);
                    whole.push_back(outer);
                } else if (i != high) {
                    whole.push_back(names[i]);
                }
            }
            reorder(stage, whole, location);
        }
        inner_at = *find_loop(*stage.schedule, inner);
        outer_at = inner_at + 1;
    }
    auto &dims = stage.schedule->dims;
    LoopDim joined = dims[inner_at];
    joined.var = fused;
    joined.location = location;
    joined.is_rvar = dims[inner_at].is_rvar || dims[outer_at].is_rvar;
    joined.reorderable = dims[inner_at].reorderable && dims[outer_at].reorderable;
    stage.schedule->splits.push_back(
        {Split::Kind::Fuse, fused, outer, inner, Expr(), TailStrategy::Auto, joined.is_rvar, location});
    dims[inner_at] = joined;
    dims.erase(dims.begin() + static_cast<long>(outer_at));
    stage.schedule->touched = true;
}

void rename(const StageRef &stage, const std::string &old_name, const std::string &new_name, Location location) {
    size_t position = require_loop(stage, old_name, "rename", location);
    require_new_name(stage, new_name, old_name, "rename", location);
    stage.schedule->splits.push_back(
        {Split::Kind::Rename, old_name, new_name, "", Expr(), TailStrategy::Auto, false, location});
    stage.schedule->dims[position].var = new_name;
    stage.schedule->touched = true;
}

} // namespace fluorite::schedule
