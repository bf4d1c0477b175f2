// reorder(a, b, c): the named loops, innermost first, take the places that they hold now in the new order.
// Legal: names are loops of the stage, each once; and no two RVar loops change their relative order unless their
// iterations are independent (schedule/dependence.h) or the update is proved to commute (analysis/reduction.h).

#include "schedule/directives/common.h"

#include <algorithm>

namespace fluorite::schedule {

void check_reduction_order(const StageRef &stage, const std::vector<LoopDim> &before, const std::vector<LoopDim> &after,
                           const char *directive, Location location) {
    if (stage.schedule->allow_race_conditions) {
        return;
    }
    auto dependent = [](const std::vector<LoopDim> &dims) {
        std::vector<std::string> names;
        for (const LoopDim &dim : dims) {
            if (dim.is_rvar && !dim.reorderable) {
                names.push_back(dim.var);
            }
        }
        return names;
    };
    std::vector<std::string> old_order = dependent(before), new_order = dependent(after);
    for (size_t i = 0; i < old_order.size(); i++) {
        if (old_order[i] != new_order[i]) {
            if (stage.schedule->order_is_free || commutes(stage)) {
                return;
            }
            refuse(stage, "reorder-changes-reduction",
                   std::string(directive) + " moves RVar loop " + new_order[i] + " inside of " + old_order[i] +
                       ", and " + why_order_counts(stage) +
                       "; iterations of a reduction keep their order unless they are independent or commute bit for " +
                       "bit; keep the order " + join(old_order) + " (innermost first)" + way_to_reassociate(stage),
                   location);
        }
    }
}

void reorder(const StageRef &stage, const std::vector<std::string> &vars, Location location) {
    std::vector<size_t> places;
    for (size_t i = 0; i < vars.size(); i++) {
        places.push_back(require_loop(stage, vars[i], "reorder", location));
        if (std::count(vars.begin(), vars.end(), vars[i]) > 1) {
            refuse(stage, "reorder-repeats-loop",
                   "reorder names " + vars[i] + " twice; each loop has one place; name it once", location);
        }
    }
    std::vector<size_t> sorted = places;
    std::sort(sorted.begin(), sorted.end());
    std::vector<LoopDim> dims = stage.schedule->dims;
    for (size_t i = 0; i < vars.size(); i++) {
        dims[sorted[i]] = stage.schedule->dims[places[i]];
    }
    check_reduction_order(stage, stage.schedule->dims, dims, "reorder", location);
    const StageEdit edit(stage, "reorder", location);
    stage.schedule->dims = dims;
}

} // namespace fluorite::schedule
