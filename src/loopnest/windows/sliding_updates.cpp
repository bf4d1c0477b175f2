// Windows of Funcs with updates.
//
// An iteration computes the positions of dimension d that are new, by all stages in turn:
//   f(x, y) = 0;  f(x, y) += g(x + r, y)        read as f(x, y - 1) + f(x, y + 1)
//   -->
//   for y { for fy in [later ? y + 1 : y - 1, y + 1] { f(x, fy) = 0;  for r { f(x, fy) += g(x + r, fy) } }  ... }
// This gives the values that computing the whole window gives if the positions of d are independent, and those that
// earlier iterations have finished are left alone:
//   - each update writes at the Var of d, and reads its own Func there only, so a position depends on no other;
//   - no tail of a loop over d writes on the side where positions are finished: pieces that shift inwards repeat
//     positions below, from the first stage on; those that round up write positions above. What is written beyond the
//     window on the other side is computed again, from the first stage on, before it is read;
//   - the region along d is what is needed: bounds that the schedule promises would enlarge the regions of the stages
//     before the last one again;
//   - the same holds of other dimensions that loops further in move: w(r, y) = 0 stores to all columns of the new rows,
//     also to those that an earlier iteration of a loop over columns has finished (mixes_inside in sliding.cpp).
// Values of a Func that is memoized, or shares loops, are not kept so.
//
// Relies on: infer_func.cpp gives all stages the region of the last one along such a d. Cost: linear in the stages'
// accesses and splits.

#include "loopnest/windows/sliding_updates.h"

#include "loopnest/regions/storage.h"

#include <algorithm>
#include <set>

namespace fluorite::loopnest {

using namespace ir;

namespace {

/// Whether a stage writes at the Var of the dimension, and reads the values of its own Func there only.
bool keeps_positions_apart(const FuncInProgress &func, StageId stage, size_t d) {
    const FuncDef &def = func.func();
    const auto is_its_var = [&](const Expr &coordinate) {
        return is_kind(coordinate, ExprKind::Variable) && coordinate->symbol() == def.args[d];
    };
    const std::vector<Access> &calls = func.views.accesses(stage).calls;
    return is_its_var(def.stages[stage.index()].args[d]) &&
           std::all_of(calls.begin(), calls.end(),
                       [&](const Access &call) { return call.symbol != def.symbol || is_its_var(call.args[d]); });
}

/// Where tails of the loops over a dimension write beyond it.
void restrict_by_tails(const schedule::StageSchedule &schedule, const std::string &var, bool is_update,
                       SlideDirections &may) {
    std::set<std::string> over = {var}; // the loops that stem from it
    for (const schedule::Split &step : schedule.splits) {
        using Kind = schedule::Split::Kind;
        if (step.kind == Kind::Fuse) {
            if (over.contains(step.outer) || over.contains(step.inner)) {
                over.insert(step.old_var);
            }
            continue;
        }
        if (!over.contains(step.old_var)) {
            continue;
        }
        over.insert({step.outer, step.inner});
        if (step.kind == Kind::Skew) {
            may = {false, false};
        }
        if (step.kind != Kind::Split || step.exact) {
            continue;
        }
        const bool stays = step.tail == TailStrategy::GuardWithIf || step.tail == TailStrategy::Predicate;
        const bool rounds = step.tail == TailStrategy::RoundUp || (step.tail == TailStrategy::Auto && is_update);
        may.up = may.up && (stays || rounds);
        may.down = may.down && stays;
    }
}

} // namespace

std::vector<SlideDirections> slide_directions(const FuncInProgress &func) {
    const FuncDef &def = func.func();
    std::vector<SlideDirections> directions(def.arg_names.size());
    if (!func.graph().has_updates(func.id)) {
        return directions;
    }
    for (size_t k = 0; k < def.stages.size(); k++) {
        const StageId stage(func.id, k);
        const bool is_alone = !func.schedule().marks.has(schedule::DirectiveName::memoize) && !func.views.fusion(stage);
        for (size_t d = 0; d < directions.size(); d++) {
            if (!is_alone || !keeps_positions_apart(func, stage, d)) {
                directions[d] = {false, false};
                continue;
            }
            restrict_by_tails(func.graph().schedule(stage), def.arg_names[d],
                              func.graph().variant(stage).definition > 0, directions[d]);
        }
    }
    for (const schedule::Bound &bound : func.schedule().bounds) {
        directions[dimension_of(func.func(), bound.var)] = {false, false};
    }
    return directions;
}

} // namespace fluorite::loopnest
