// split(old, outer, inner, factor, tail): for old in [m, m+e)
//   -->  for outer in [0, ceil(e/factor)) { for inner in [0, factor) { old = outer*factor + inner + m } }
// Legal: old is a loop of the stage; the new names are free; the factor is positive; and a tail strategy that computes
// points twice or outside the loop (RoundUp, ShiftInwards) is not used on an RVar, where an iteration happens exactly once.

#include "schedule/directive_common.h"

namespace fluorite::schedule {

namespace {

const char *tail_name(TailStrategy tail) {
    switch (tail) {
    case TailStrategy::RoundUp:
        return "RoundUp";
    case TailStrategy::GuardWithIf:
        return "GuardWithIf";
    case TailStrategy::Predicate:
        return "Predicate";
    case TailStrategy::PredicateLoads:
        return "PredicateLoads";
    case TailStrategy::PredicateStores:
        return "PredicateStores";
    case TailStrategy::ShiftInwards:
        return "ShiftInwards";
    case TailStrategy::ShiftInwardsAndBlend:
        return "ShiftInwardsAndBlend";
    case TailStrategy::RoundUpAndBlend:
        return "RoundUpAndBlend";
    case TailStrategy::Auto:
        return "Auto";
    }
    return "?";
}

bool visits_each_point_once(TailStrategy tail) {
    return tail == TailStrategy::GuardWithIf || tail == TailStrategy::Predicate || tail == TailStrategy::Auto;
}

void check_tail(const StageRef &stage, const std::string &var, bool is_rvar, TailStrategy tail, Location location) {
    if (is_rvar && !visits_each_point_once(tail)) {
        refuse(stage, "tail-strategy-on-rvar",
               "split of " + var + " with TailStrategy::" + tail_name(tail) +
                   "; an iteration of a reduction happens exactly once; use TailStrategy::GuardWithIf",
               location);
    }
    if (stage.stage > 0 && (tail == TailStrategy::ShiftInwards || tail == TailStrategy::ShiftInwardsAndBlend)) {
        refuse(stage, "shift-inwards-in-update",
               "split of " + var + " with TailStrategy::" + tail_name(tail) +
                   "; an update that runs twice on a point changes it twice; use TailStrategy::GuardWithIf or RoundUp",
               location);
    }
    if (tail == TailStrategy::PredicateLoads || tail == TailStrategy::PredicateStores ||
        tail == TailStrategy::ShiftInwardsAndBlend || tail == TailStrategy::RoundUpAndBlend) {
        refuse(stage, "tail-strategy-not-supported",
               "split of " + var + " with TailStrategy::" + tail_name(tail) +
                   "; this version lowers RoundUp, GuardWithIf, Predicate, ShiftInwards and Auto; use "
                   "TailStrategy::Predicate",
               location);
    }
}

} // namespace

void split(const StageRef &stage, const std::string &old_var, const std::string &outer, const std::string &inner,
           const Expr &factor, TailStrategy tail, Location location) {
    size_t position = require_loop(stage, old_var, "split", location);
    require_new_name(stage, outer, old_var, "split", location);
    require_new_name(stage, inner, old_var, "split", location);
    if (outer == inner) {
        refuse(stage, "loop-name-taken",
               "split of " + old_var + " names both loops " + outer +
                   "; loops of a stage have distinct names; use two Vars",
               location);
    }
    Expr checked = checked_factor(stage, old_var, factor, "split", location);
    LoopDim old = stage.schedule->dims[position];
    if (old.for_type != ForType::Serial) {
        refuse(stage, "split-of-marked-loop",
               "split of " + old_var +
                   ", which is already vectorized, unrolled or parallel; a loop is split before it is " +
                   "marked; call split first",
               location);
    }
    check_tail(stage, old_var, old.is_rvar, tail, location);
    const StageEdit edit(stage, "split", location);
    stage.schedule->splits.push_back({Split::Kind::Split, old_var, outer, inner, checked, tail, old.is_rvar, location});
    LoopDim inner_dim = old, outer_dim = old;
    inner_dim.var = inner, outer_dim.var = outer;
    inner_dim.location = outer_dim.location = location;
    auto &dims = stage.schedule->dims;
    dims[position] = inner_dim;
    dims.insert(dims.begin() + static_cast<long>(position) + 1, outer_dim);
    require_prefetch_loops(stage, "split", old_var, location);
}

} // namespace fluorite::schedule
