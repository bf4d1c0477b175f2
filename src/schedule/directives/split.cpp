// split(old, outer, inner, factor, tail): for old in [m, m+e)
//   -->  for outer in [0, ceil(e/factor)) { for inner in [0, factor) { old = outer*factor + inner + m } }
// Legal if old is a loop of the stage, the new names are free, and the factor is positive. On an RVar, whose iterations
// must be executed exactly once, and on loops of a skew, whose ranges end with the region, the tail strategy must not
// compute points twice or outside the loop: it is GuardWithIf or Predicate. ShiftInwards is illegal in updates,
// PredicateLoads on a loop that results from a split. Blended tails load and store points of other pieces, so these
// pieces must not run concurrently. The outer part of a parallel loop is parallel, and the inner part is serial; loops
// with other marks are not split.

#include "schedule/directives/common.h"
#include "schedule/directives/rows.h"
#include "schedule/loop_rules.h"

namespace fluorite::schedule {

bool is_blended(TailStrategy tail) {
    return tail == TailStrategy::ShiftInwardsAndBlend || tail == TailStrategy::RoundUpAndBlend;
}

bool is_part_of_split(const StageSchedule &schedule, const std::string &var) {
    return LoopRules(schedule).stems_from(Split::Kind::Split, var);
}

Verdict split(const StageRef &stage, const std::string &old_var, const std::string &outer, const std::string &inner,
              const Expr &factor, TailStrategy tail, Location location) {
    if (Verdict legal = require_edit(stage, LoopRules(stage).split(old_var, outer, inner, factor, tail),
                                     {.var = old_var, .outer = outer, .inner = inner, .factor = factor, .tail = tail},
                                     "split", location);
        !legal) {
        return legal;
    }
    note_edit(stage, "split", location);
    auto &dims = stage.schedule->dims;
    const size_t position = *find_loop(*stage.schedule, old_var);
    LoopDim inner_dim = dims[position], outer_dim = dims[position];
    const bool is_exact = inner_dim.is_rvar || LoopRules(stage).stems_from(Split::Kind::Skew, old_var);
    inner_dim.var = inner, outer_dim.var = outer;
    inner_dim.location = outer_dim.location = location;
    inner_dim.distributed = {};
    inner_dim.for_type = ForType::Serial;
    stage.schedule->splits.push_back(
        {Split::Kind::Split, old_var, outer, inner, as_factor(factor), tail, is_exact, location});
    dims[position] = inner_dim;
    dims.insert(dims.begin() + static_cast<long>(position) + 1, outer_dim);
    return {};
}

// ---- Rows.

DirectiveRow row_of_split() {
    return {.on_stage = true,
            .again = Again::Step,
            .args = {a_loop, new_loop, new_loop, an_expression, tail_strategy},
            .apply =
                [](DirectiveContext &c, const Directive &d) {
                    return split(c.stage(d), text(d, 0), text(d, 1), text(d, 2), c.expr(d, text(d, 3)), tail(d, 4),
                                 c.location());
                },
            .meaning = rewrites,
            .example = "total.split(x, xo, xi, 8)"};
}

} // namespace fluorite::schedule
