// specialize(c): where c holds, the stage runs under another schedule, which begins as a copy of the stage's.
//   f.split(x, xo, xi, 8); f.specialize(w >= 8).vectorize(xi)
//   -->  if w >= 8 { for xo { vectorized xi } } else { for xo { for xi } }
// Conditions are tested in the order of the calls; a specialization may have specializations. specialize_fail(text)
// ends the list: if no condition holds, the pipeline fails. Legal if c is a bool that depends on Params and the sizes
// of buffers only, so it is known before the loops run. Lowering makes each specialization a stage
// (loopnest/inline/specialize.h).

#include "ir/print.h"
#include "schedule/directives/common.h"

namespace fluorite::schedule {

using ir::ExprKind;
using ir::SymbolKind;

namespace {

void check_condition(const StageRef &stage, const Expr &condition, Location location) {
    if (!condition.defined() || !(condition.type() == Bool())) {
        refuse(stage, "specialize-condition",
               "specialize on " +
                   (condition.defined() ? "a value of type " + to_string(condition.type()) : std::string("nothing")) +
                   "; a condition is true or false; compare the value with something",
               location);
    }
    const std::string unknown = unknown_at_entry(condition);
    if (!unknown.empty()) {
        refuse(
            stage, "specialize-condition",
            "specialize on " + unknown +
                "; the condition chooses a loop nest before it runs; use Params and the sizes of buffers, or select() "
                "in the definition",
            location);
    }
}

void check_open(const StageRef &stage, const char *directive, Location location) {
    const std::vector<Specialization> &list = stage.schedule->specializations;
    if (!list.empty() && list.back().fails()) {
        refuse(stage, "specialize-after-fail",
               std::string(directive) +
                   " after specialize_fail; nothing is left for it; call specialize_fail() after all others",
               location);
    }
}

} // namespace

int specialize(const StageRef &stage, const Expr &condition, Location location) {
    if (stage.schedule->with) {
        refuse(stage, "compute-with-specialization",
               "specialize of a stage that is computed with another one; fused loops are one nest; use one of the two",
               location);
    }
    check_condition(stage, condition, location);
    std::vector<Specialization> &list = stage.schedule->specializations;
    for (size_t i = 0; i < list.size(); i++) {
        if (!list[i].fails() && ir::equal(list[i].condition, condition)) {
            return static_cast<int>(i);
        }
    }
    check_open(stage, "specialize", location);
    require_scheduled(stage, "specialize", location);
    Specialization specialization{condition, "", *stage.schedule, location};
    specialization.schedule.specializations.clear();
    note_applied(stage.schedule->on_loops, "specialize", location);
    note_applied(stage.schedule->touched, "specialize", location);
    list.push_back(std::move(specialization));
    return static_cast<int>(list.size()) - 1;
}

void specialize_fail(const StageRef &stage, const std::string &message, Location location) {
    check_open(stage, "specialize_fail", location);
    if (message.empty()) {
        refuse(stage, "specialize-fail-message",
               "specialize_fail with an empty message; it is all that a user sees; say what is not supported",
               location);
    }
    require_scheduled(stage, "specialize_fail", location);
    note_applied(stage.schedule->on_loops, "specialize_fail", location);
    note_applied(stage.schedule->touched, "specialize_fail", location);
    stage.schedule->specializations.push_back(
        {Expr(), message, default_stage_schedule(*stage.func, *stage.definition, stage.stage > 0), location});
}

} // namespace fluorite::schedule
