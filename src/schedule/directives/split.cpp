// split(old, outer, inner, factor, tail): for old in [m, m+e)
//   -->  for outer in [0, ceil(e/factor)) { for inner in [0, factor) { old = outer*factor + inner + m } }
// Legal: old is a loop of the stage; the new names are free; the factor is positive; and a tail strategy that computes
// points twice or outside the loop (all but GuardWithIf and Predicate) is not used on an RVar, where an iteration
// happens exactly once. Blended tails load and store points of other pieces: those do not run at the same time.

#include "schedule/directives/common.h"
#include "schedule/directives/table.h"

#include <algorithm>
#include <map>
#include <set>

namespace fluorite::schedule {

bool is_blended(TailStrategy tail) {
    return tail == TailStrategy::ShiftInwardsAndBlend || tail == TailStrategy::RoundUpAndBlend;
}

bool is_part_of_split(const StageSchedule &schedule, const std::string &var) {
    std::set<std::string> parts;
    for (const Split &split : schedule.splits) {
        const bool was_part = parts.erase(split.old_var) > 0;
        switch (split.kind) {
        case Split::Kind::Split:
            parts.insert({split.outer, split.inner});
            break;
        case Split::Kind::Fuse:
            if (parts.erase(split.inner) + parts.erase(split.outer) > 0) {
                parts.insert(split.old_var);
            }
            break;
        case Split::Kind::Rename:
            if (was_part) {
                parts.insert(split.outer);
            }
            break;
        }
    }
    return parts.count(var) > 0;
}

namespace {

bool visits_each_point_once(TailStrategy tail) {
    return tail == TailStrategy::GuardWithIf || tail == TailStrategy::Predicate || tail == TailStrategy::Auto;
}

void check_tail(const StageRef &stage, const std::string &var, bool is_rvar, TailStrategy tail, Location location) {
    if (is_rvar && !visits_each_point_once(tail)) {
        refuse(stage, "tail-strategy-on-rvar",
               "split of " + var + " with TailStrategy::" + tail_word(tail) +
                   "; an iteration of a reduction happens exactly once; use TailStrategy::GuardWithIf",
               location);
    }
    if (stage.stage > 0 && tail == TailStrategy::ShiftInwards) {
        refuse(stage, "shift-inwards-in-update",
               "split of " + var + " with TailStrategy::" + tail_word(tail) +
                   "; an update that runs twice on a point changes it twice; use TailStrategy::GuardWithIf or RoundUp",
               location);
    }
    if (tail == TailStrategy::PredicateLoads && is_part_of_split(*stage.schedule, var)) {
        refuse(stage, "tail-strategy-not-supported",
               "split of " + var +
                   ", a part of another split, with TailStrategy::PredicateLoads; its stores beyond the " +
                   "end have no values and could fall on points of other pieces; use TailStrategy::Predicate",
               location);
    }
}

/// The loops left of the dimension that split `blend` cuts, without the inner part that it makes: they enclose its
/// pieces.
std::set<std::string> loops_around(const std::vector<Split> &splits, size_t blend) {
    // Where each loop comes from: names of original loops.
    std::map<std::string, std::set<std::string>> roots;
    auto roots_of = [&](const std::string &var) {
        const auto found = roots.find(var);
        return found == roots.end() ? std::set<std::string>{var} : found->second;
    };
    std::set<std::string> around, cut;
    for (size_t i = 0; i < splits.size(); i++) {
        const Split &split = splits[i];
        if (i == blend) {
            cut = roots_of(split.old_var);
            for (const auto &[var, of] : roots) {
                if (std::any_of(of.begin(), of.end(), [&](const std::string &root) { return cut.count(root) > 0; })) {
                    around.insert(var);
                }
            }
            around.insert(cut.begin(), cut.end());
            around.insert(split.outer);
        }
        const bool is_fuse = split.kind == Split::Kind::Fuse;
        const std::vector<std::string> from =
            is_fuse ? std::vector{split.inner, split.outer} : std::vector{split.old_var};
        std::vector<std::string> to = {is_fuse ? split.old_var : split.outer};
        if (split.kind == Split::Kind::Split) {
            to.push_back(split.inner);
        }
        std::set<std::string> all;
        bool is_around = false;
        for (const std::string &var : from) {
            const std::set<std::string> of = roots_of(var);
            all.insert(of.begin(), of.end());
            is_around = around.erase(var) > 0 || is_around;
            roots.erase(var);
        }
        for (const std::string &var : to) {
            roots[var] = all;
            if (is_around) {
                around.insert(var);
            }
        }
        if (i == blend) {
            around.erase(split.inner);
        }
    }
    return around;
}

} // namespace

std::set<std::string> loops_around_blends(const StageSchedule &schedule) {
    std::set<std::string> all;
    for (size_t i = 0; i < schedule.splits.size(); i++) {
        if (schedule.splits[i].kind == Split::Kind::Split && is_blended(schedule.splits[i].tail)) {
            all.merge(loops_around(schedule.splits, i));
        }
    }
    return all;
}

void check_blends(const StageRef &stage, const char *directive, Location location) {
    const std::vector<Split> &splits = stage.schedule->splits;
    for (size_t i = 0; i < splits.size(); i++) {
        if (splits[i].kind != Split::Kind::Split || !is_blended(splits[i].tail)) {
            continue;
        }
        const std::set<std::string> around = loops_around(splits, i);
        for (const LoopDim &dim : stage.schedule->dims) {
            const bool together = dim.for_type == ForType::Parallel || dim.for_type == ForType::Vectorized;
            const bool is_race = around.count(dim.var) > 0 || (dim.is_rvar && dim.for_type == ForType::Parallel);
            if (together && is_race) {
                refuse(stage, "blend-of-concurrent-iterations",
                       std::string(directive) + " makes iterations of loop " + dim.var +
                           " run at once, and the split of " + splits[i].old_var +
                           " has TailStrategy::" + tail_word(splits[i].tail) +
                           "; a tail that is blended stores old values of points that other iterations compute; use "
                           "TailStrategy::GuardWithIf, or keep the loop serial",
                       location);
            }
        }
    }
}

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
               "split of " + old_var + ", which " + name_of(old.for_type) + "() has marked; " +
                   "a loop is split before it is marked, and " + name_of(old.for_type) + "() with a factor marks " +
                   "the loop that keeps the name; split it with names for both parts first, then mark them, as in " +
                   "split(" + old_var + ", outer, inner, 8)",
               location);
    }
    if (tail < TailStrategy::RoundUp || tail > TailStrategy::Auto) {
        refuse(stage, "tail-strategy-not-supported",
               concat("split of ", old_var, " with the tail strategy ", static_cast<int>(tail),
                      ", which is none; use one of TailStrategy's names"),
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
    check_blends(stage, "split", location);
}

} // namespace fluorite::schedule
