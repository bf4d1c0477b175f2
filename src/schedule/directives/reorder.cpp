// reorder(a, b, c): the named loops, innermost first, occupy their present positions in the new order. Legal if each
// name is a loop of the stage and occurs once, and no two RVar loops change their relative order unless their
// iterations are independent (schedule/dependence.h) or the update is proved to commute (analysis/reduction.h).

#include "schedule/directives/common.h"
#include "schedule/directives/rows.h"
#include "schedule/loop_rules.h"

#include <algorithm>

namespace fluorite::schedule {

Verdict reorder(const StageRef &stage, const std::vector<std::string> &vars, Location location) {
    if (Verdict legal = require_edit(stage, LoopRules(stage).reorder(vars), {}, "reorder", location); !legal) {
        return legal;
    }
    std::vector<size_t> places;
    for (const std::string &var : vars) {
        places.push_back(*find_loop(*stage.schedule, var));
    }
    std::vector<size_t> sorted = places;
    std::sort(sorted.begin(), sorted.end());
    std::vector<LoopDim> dims = stage.schedule->dims;
    for (size_t i = 0; i < vars.size(); i++) {
        dims[sorted[i]] = stage.schedule->dims[places[i]];
    }
    note_edit(stage, "reorder", location);
    stage.schedule->dims = dims;
    return {};
}

// ---- Rows.

DirectiveRow row_of_reorder() {
    return {
        .on_stage = true,
        .again = Again::Step,
        .args = {all_loops},
        .apply = [](DirectiveContext &c, const Directive &d) { return reorder(c.stage(d), list(d, 0), c.location()); },
        .meaning = implied,
        .example = "total.reorder(y, x)"};
}

} // namespace fluorite::schedule
