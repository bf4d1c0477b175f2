// specialize(c): where c holds, the stage runs under another schedule, which begins as a copy of the stage's.
//   f.split(x, xo, xi, 8); f.specialize(w >= 8).vectorize(xi)
//   -->  if w >= 8 { for xo { vectorized xi } } else { for xo { for xi } }
// Conditions are tested in the order of the calls; a specialization may have specializations. specialize_fail(text)
// ends the list: if no condition holds, the pipeline fails. Legal if c is a bool that depends on Params and the sizes
// of buffers only, so it is known before the loops run. Lowering makes each specialization a stage
// (loopnest/inline/specialize.h).

#include "ir/print.h"
#include "schedule/directives/common.h"
#include "schedule/directives/rows.h"

namespace fluorite::schedule {

using ir::ExprKind;
using ir::SymbolKind;

namespace {

Verdict check_condition(const StageRef &stage, const Expr &condition, Location location) {
    if (!condition.defined() || !(condition.type() == Bool())) {
        return refused(
            stage, "specialize-condition",
            "specialize on " +
                (condition.defined() ? "a value of type " + to_string(condition.type()) : std::string("nothing")) +
                "; a condition is true or false; compare the value with something",
            location);
    }
    const std::string unknown = unknown_at_entry(condition);
    if (!unknown.empty()) {
        return refused(
            stage, "specialize-condition",
            "specialize on " + unknown +
                "; the condition chooses a loop nest before it runs; use Params and the sizes of buffers, or select() "
                "in the definition",
            location);
    }
    return {};
}

Verdict check_open(const StageRef &stage, const char *directive, Location location) {
    const std::vector<Specialization> &list = stage.schedule->specializations;
    if (!list.empty() && list.back().fails()) {
        return refused(stage, "specialize-after-fail",
                       std::string(directive) +
                           " after specialize_fail; nothing is left for it; call specialize_fail() after all others",
                       location);
    }
    return {};
}

} // namespace

Result<int> specialize(const StageRef &stage, const Expr &condition, Location location) {
    if (stage.schedule->with) {
        return refused(
            stage, "compute-with-specialization",
            "specialize of a stage that is computed with another one; fused loops are one nest; use one of the two",
            location);
    }
    if (Verdict legal = check_condition(stage, condition, location); !legal) {
        return legal.refusal();
    }
    std::vector<Specialization> &list = stage.schedule->specializations;
    for (size_t i = 0; i < list.size(); i++) {
        if (!list[i].fails() && ir::equal(list[i].condition, condition)) {
            return static_cast<int>(i);
        }
    }
    if (Verdict legal = check_open(stage, "specialize", location); !legal) {
        return legal.refusal();
    }
    if (Verdict legal = require_scheduled(stage, "specialize", location); !legal) {
        return legal.refusal();
    }
    Specialization specialization{condition, "", *stage.schedule, location};
    specialization.schedule.specializations.clear();
    note_applied(stage.schedule->on_loops, "specialize", location);
    note_applied(stage.schedule->touched, "specialize", location);
    list.push_back(std::move(specialization));
    return static_cast<int>(list.size()) - 1;
}

Verdict specialize_fail(const StageRef &stage, const std::string &message, Location location) {
    if (Verdict legal = check_open(stage, "specialize_fail", location); !legal) {
        return legal;
    }
    if (message.empty()) {
        return refused(stage, "specialize-fail-message",
                       "specialize_fail with an empty message; it is all that a user sees; say what is not supported",
                       location);
    }
    if (Verdict legal = require_scheduled(stage, "specialize_fail", location); !legal) {
        return legal;
    }
    note_applied(stage.schedule->on_loops, "specialize_fail", location);
    note_applied(stage.schedule->touched, "specialize_fail", location);
    stage.schedule->specializations.push_back(
        {Expr(), message, default_stage_schedule(*stage.func, *stage.definition, stage.stage > 0), location});
    return {};
}

// ---- Rows.

DirectiveRow row_of_specialize() {
    return {.on_stage = true,
            .args = {an_expression},
            .apply =
                [](DirectiveContext &c, const Directive &d) {
                    return specialize(c.stage(d), c.expr(d, text(d, 0)), c.location()).verdict();
                },
            .meaning = rewrites,
            .example = "total.update(0).specialize(p > 3)"};
}

DirectiveRow row_of_specialize_fail() {
    return {.on_stage = true,
            .args = {{ArgKind::Text}},
            .apply = [](DirectiveContext &c,
                        const Directive &d) { return specialize_fail(c.stage(d), text(d, 0), c.location()); },
            .meaning = rewrites,
            .example = "total.specialize_fail(\"never\")"};
}

} // namespace fluorite::schedule
