// Whether two schedules ask for the same.
//
// Each structure is taken apart into all of its fields, so that a new field does not compile before it is compared here
// or left out for a reason: places of calls stand in messages only.
// Cost: linear in the schedules; nothing is allocated.

#include "schedule/same_schedule.h"

#include <algorithm>

namespace fluorite::schedule {

using ir::equal;

namespace {

bool same(const Split &a, const Split &b) {
    const auto &[kind, old_var, outer, inner, factor, tail, exact, location] = a;
    return kind == b.kind && old_var == b.old_var && outer == b.outer && inner == b.inner && equal(factor, b.factor) &&
           tail == b.tail && exact == b.exact;
}

bool same(const DistributedLoop &a, const DistributedLoop &b) {
    const auto &[position, parts, location] = a;
    return position == b.position && equal(parts, b.parts);
}

bool same(const LoopDim &a, const LoopDim &b) {
    const auto &[var, for_type, is_rvar, reorderable, partition, distributed, location, partitioned] = a;
    return var == b.var && for_type == b.for_type && is_rvar == b.is_rvar && reorderable == b.reorderable &&
           partition == b.partition && same(distributed, b.distributed);
}

bool same(const Mark &a, const Mark &b) {
    const auto &[name, value, location] = a;
    return name == b.name && equal(value, b.value);
}

bool same(const AppliedDirective &a, const AppliedDirective &b) {
    const auto &[name, location] = a;
    return name == b.name;
}

bool same(const Prefetch &a, const Prefetch &b) {
    const auto &[source, at, from, offset, strategy, location] = a;
    return source == b.source && at == b.at && from == b.from && equal(offset, b.offset) && strategy == b.strategy;
}

bool same(const std::optional<ComputeWith> &a, const std::optional<ComputeWith> &b) {
    if (!a || !b) {
        return a.has_value() == b.has_value();
    }
    const auto &[level, align] = *a;
    return level == b->level && align == b->align;
}

bool same(const Specialization &a, const Specialization &b) {
    const auto &[condition, failure, schedule, location] = a;
    return equal(condition, b.condition) && failure == b.failure && same_schedule(schedule, b.schedule);
}

bool same(const Bound &a, const Bound &b) {
    const auto &[var, min, extent, modulus, remainder, location] = a;
    return var == b.var && equal(min, b.min) && equal(extent, b.extent) && equal(modulus, b.modulus) &&
           equal(remainder, b.remainder);
}

bool same(const StorageDim &a, const StorageDim &b) {
    const auto &[var, fold, fold_forward, alignment, bound, location] = a;
    return var == b.var && equal(fold, b.fold) && fold_forward == b.fold_forward && equal(alignment, b.alignment) &&
           equal(bound, b.bound);
}

template <typename T> bool same(const std::vector<T> &a, const std::vector<T> &b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const T &x, const T &y) { return same(x, y); });
}

} // namespace

bool same_schedule(const StageSchedule &a, const StageSchedule &b) {
    const auto &[splits, dims, atomic, order_is_free, allow_race_conditions, marks, touched, on_loops, with,
                 specializations, prefetches] = a;
    return same(splits, b.splits) && same(dims, b.dims) && atomic == b.atomic && order_is_free == b.order_is_free &&
           allow_race_conditions == b.allow_race_conditions && same(marks.all(), b.marks.all()) &&
           same(touched, b.touched) && same(on_loops, b.on_loops) && same(with, b.with) &&
           same(specializations, b.specializations) && same(prefetches, b.prefetches);
}

bool same_loops(const StageSchedule &a, const StageSchedule &b) {
    return same(a.splits, b.splits) && same(a.dims, b.dims);
}

bool same_schedule(const FuncSchedule &a, const FuncSchedule &b) {
    const auto &[compute, store, bounds, estimates, memory, stages, storage_order, hoist, storage, marks, on_region,
                 on_storage, location, is_copy] = a;
    return compute == b.compute && store == b.store && same(bounds, b.bounds) && same(estimates, b.estimates) &&
           memory == b.memory &&
           std::equal(stages.begin(), stages.end(), b.stages.begin(), b.stages.end(),
                      [](const StageSchedule &x, const StageSchedule &y) { return same_schedule(x, y); }) &&
           storage_order == b.storage_order && hoist == b.hoist && same(storage, b.storage) &&
           same(marks.all(), b.marks.all()) && same(on_region, b.on_region) && same(on_storage, b.on_storage);
}

} // namespace fluorite::schedule
