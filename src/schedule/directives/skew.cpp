// skew(x, y, w, f): for y in [m_y, m_y+e_y) { for x in [m_x, m_x+e_x) { ... } }
//   -->  for y in [m_y, m_y+e_y) { for w in [m_x + f*y, m_x + f*y + e_x) { x = w - f*y ... } }
// Legal if both are distinct serial loops of the stage, f is a constant other than 0, and no prefetch names x unless w
// has its name. If x is around y, it is moved to just inside of it, which is refused if it reorders dependent RVars.
// The order of iterations is otherwise the same. What it permits is a reorder: with w around y, iterations of y are
// those of one diagonal, and independent where every dependence has a positive distance in w
// (schedule/carried_dependences.h).

#include "schedule/directives/common.h"
#include "schedule/directives/rows.h"
#include "schedule/loop_rules.h"

namespace fluorite::schedule {

Split skew_step(const std::string &old_var, const std::string &by, const std::string &skewed, const Expr &factor) {
    Split step;
    step.kind = Split::Kind::Skew;
    step.old_var = old_var, step.outer = skewed, step.inner = by;
    step.factor = factor;
    return step;
}

Verdict skew(const StageRef &stage, const std::string &old_var, const std::string &by, const std::string &skewed,
             const Expr &factor, Location location) {
    if (Verdict legal =
            require_edit(stage, LoopRules(stage).skew(old_var, by, skewed, factor),
                         {.var = old_var, .outer = by, .fused = skewed, .factor = factor}, "skew", location);
        !legal) {
        return legal;
    }
    note_edit(stage, "skew", location);
    Split step = skew_step(old_var, by, skewed, as_factor(factor));
    step.location = location;
    join_loops(*stage.schedule, step);
    return {};
}

// ---- Rows.

DirectiveRow row_of_skew() {
    return {.on_stage = true,
            .again = Again::Step,
            .args = {a_loop, a_loop, new_loop, an_expression},
            .apply =
                [](DirectiveContext &c, const Directive &d) {
                    return skew(c.stage(d), text(d, 0), text(d, 1), text(d, 2), c.expr(d, text(d, 3)), c.location());
                },
            .meaning = rewrites,
            .example = "total.skew(x, y, t, -2)"};
}

} // namespace fluorite::schedule
