// Carried dependences.
//
// A dependence is a distance: by how much two dependent iterations differ in each RVar, the later one minus the earlier
// one. The steps that made the loops turn it into a distance for each loop, or an interval of them:
//     split v by k    outer: [floor(d / k), ceil(d / k)]; inner: d where the outer parts are equal, else within (-k, k)
//     skew v by w, f  d_v + f * d_w
//     fuse            positive where the outer distance is, and the inner one's where that is 0
// The order is kept if, from the outermost loop inwards, the first distance other than 0 is positive (Wolf and Lam,
// 1991). The loop that has it carries the dependence, so loops further in may run in any order as far as this
// dependence is concerned. Where an interval begins at 0, both cases are followed: a positive distance, which needs no
// more, and 0.
//
// Example: a sum over a grid, f(x, y) = f(x - 1, y) + f(x, y - 1), has the distances (1, 0) and (0, 1). After
// skew(x, y, w) both are 1 in w: with w as the outer loop, y is independent.
//
// Loops of pure Vars have distance 0, because an update reads its own Func at the Var itself.
// Cost: linear in loops and steps, for each distance.

#include "schedule/carried_dependences.h"

#include "fluorite/runtime/division.h"
#include "rewrite/simplify.h"

#include <algorithm>
#include <numeric>

namespace fluorite::schedule {

namespace {

constexpr int64_t endless = int64_t{1} << 50; // beyond any distance, far from overflow

int64_t limited(int64_t distance) { return std::clamp(distance, -endless, endless); }
int64_t times(int64_t distance, int64_t factor) {
    int64_t product = 0;
    return __builtin_mul_overflow(distance, factor, &product) ? ((distance < 0) == (factor < 0) ? endless : -endless)
                                                              : limited(product);
}

} // namespace

const CarriedDependences::Loop *CarriedDependences::find(const std::string &name) const {
    const auto found = std::find_if(loops_.begin(), loops_.end(), [&](const Loop &loop) { return *loop.name == name; });
    return found == loops_.end() ? nullptr : &*found;
}

CarriedDependences::Step CarriedDependences::step_of(const std::string &name) const {
    const Loop *loop = find(name);
    return loop ? loop->step : Step(); // a pure Var
}

CarriedDependences::Step CarriedDependences::take(const std::string &name) const {
    const Step step = step_of(name);
    std::erase_if(loops_, [&](const Loop &loop) { return *loop.name == name; });
    return step;
}

CarriedDependences::Step CarriedDependences::fused(const Step &outer, const Step &inner) {
    if (outer.low == 0 && outer.high == 0) {
        return inner;
    }
    const int64_t low = outer.low > 0 ? 1 : outer.low == 0 && inner.low >= 0 ? 0 : -endless;
    const int64_t high = outer.high < 0 ? -1 : outer.high == 0 && inner.high <= 0 ? 0 : endless;
    return {low, high};
}

/// The loops of the schedule, with the steps that the distance takes in each.
void CarriedDependences::follow(const StageSchedule &schedule, const std::vector<int64_t> &distance) const {
    loops_.clear();
    int id = 0;
    for (size_t i = 0; i < distance.size(); i++) {
        loops_.push_back({&dependences_.rvars[i], id++, {distance[i], distance[i]}, -1, {}});
    }
    for (const Split &split : schedule.splits) {
        switch (split.kind) {
        case Split::Kind::Split: {
            const Step old = take(split.old_var);
            const std::optional<int64_t> factor = rewrite::constant_value(split.factor);
            const int64_t by = factor ? std::max<int64_t>(*factor, 1) : 1;
            const bool is_equal = old.low == 0 && old.high == 0;
            Step outer{floor_div(old.low, by), -floor_div(-old.high, by)};
            Step inner = is_equal ? Step() : Step{1 - by, by - 1};
            if (!factor) { // the outer part may be equal however far the iterations are from each other
                outer = {std::min<int64_t>(old.low, 0), std::max<int64_t>(old.high, 0)};
                inner = is_equal ? Step() : Step{-endless, endless};
            }
            const int outer_id = id++;
            loops_.push_back({&split.outer, outer_id, outer, -1, {}});
            loops_.push_back({&split.inner, id++, inner, outer_id, old});
            break;
        }
        case Split::Kind::Fuse: {
            const Step outer = take(split.outer), inner = take(split.inner);
            loops_.push_back({&split.old_var, id++, fused(outer, inner), -1, {}});
            break;
        }
        case Split::Kind::Rename:
            for (Loop &loop : loops_) {
                loop.name = *loop.name == split.old_var ? &split.outer : loop.name;
            }
            break;
        case Split::Kind::Skew: {
            const Step old = take(split.old_var), by = step_of(split.inner);
            const int64_t factor = rewrite::constant_value(split.factor).value_or(0);
            const int64_t low = times(factor > 0 ? by.low : by.high, factor);
            const int64_t high = times(factor > 0 ? by.high : by.low, factor);
            loops_.push_back({&split.outer, id++, {limited(old.low + low), limited(old.high + high)}, -1, {}});
            break;
        }
        }
    }
}

/// Where, among the loops around position `end`, the dependence is carried.
CarriedDependences::Carrier CarriedDependences::carrier_before(const StageSchedule &schedule,
                                                               std::span<const size_t> order, size_t end) const {
    equal_.clear();
    for (size_t i = order.size(); i-- > end;) {
        const Loop *loop = find(schedule.dims[order[i]].var);
        if (!loop) {
            continue; // of a pure Var
        }
        const bool is_within = std::count(equal_.begin(), equal_.end(), loop->outer) > 0;
        const Step &step = is_within ? loop->whole : loop->step;
        if (step.low != 0) {
            return step.low > 0 ? Carrier::Around : Carrier::Broken;
        }
        equal_.push_back(loop->id);
    }
    return Carrier::None;
}

bool CarriedDependences::keeps_order(const StageSchedule &schedule, std::span<const size_t> order) const {
    return std::all_of(dependences_.distances.begin(), dependences_.distances.end(), [&](const auto &distance) {
        follow(schedule, distance);
        return carrier_before(schedule, order, 0) != Carrier::Broken;
    });
}

bool CarriedDependences::is_independent(const StageSchedule &schedule, std::span<const size_t> order,
                                        size_t loop) const {
    const size_t at = position_in(order, std::find(order.begin(), order.end(), loop));
    return std::all_of(dependences_.distances.begin(), dependences_.distances.end(), [&](const auto &distance) {
        follow(schedule, distance);
        const Carrier carrier = carrier_before(schedule, order, at + 1);
        if (carrier != Carrier::None) {
            return carrier == Carrier::Around;
        }
        const Loop *its = find(schedule.dims[loop].var);
        if (!its) {
            return true;
        }
        const bool is_within = std::count(equal_.begin(), equal_.end(), its->outer) > 0;
        const Step &step = is_within ? its->whole : its->step;
        return step.low == 0 && step.high == 0;
    });
}

bool loop_is_independent(const ir::Stage &update, const ir::Symbol &func, const StageSchedule &schedule, size_t loop) {
    std::optional<DependenceDistances> found = dependence_distances(update, func);
    if (!found) {
        return false;
    }
    const CarriedDependences dependences(std::move(*found));
    std::vector<size_t> order(schedule.dims.size());
    std::iota(order.begin(), order.end(), size_t{0});
    return dependences.keeps_order(schedule, order) && dependences.is_independent(schedule, order, loop);
}

} // namespace fluorite::schedule
