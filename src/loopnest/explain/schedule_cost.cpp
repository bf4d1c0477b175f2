// The cost of a schedule.
//
// Makes the bounded loop nest (inlining, placement, regions). The points that a Func computes are summed over the
// iterations of the enclosing loops; a loop on which the size of the region does not depend is not enumerated but
// multiplied. The points that are needed are those that the Func would compute if every Func were computed at root.
// Storage is the maximum over the first and last iterations of the enclosing loops.
//
// Iterations that tails (RoundUp, ShiftInwards) add beyond the required region are not counted.
// Cost: twice that of making a loop nest, and at most `most_iterations` evaluations for each Func.

#include "loopnest/explain/schedule_cost.h"

#include "rewrite/simplify.h"

#include <algorithm>

namespace fluorite::loopnest {

using namespace ir;
using Number = std::optional<int64_t>;

namespace {

constexpr int most_iterations = 5'000;

} // namespace

schedule::ScheduledGraph all_at_root(schedule::ScheduledGraph pipeline) {
    for (schedule::FuncSchedule &func : pipeline.schedule.funcs) {
        if (!func.compute.is_inlined()) {
            func.compute = schedule::LoopLevel::root();
        }
        // Directives on storage refer to the original compute site.
        func.store = func.hoist = schedule::LoopLevel::inlined();
        func.storage.clear();
        func.marks = {};
        for (schedule::StageSchedule &stage : func.stages) {
            schedule::for_each_variant(stage, [](schedule::StageSchedule &variant) { variant.prefetches.clear(); });
        }
    }
    return pipeline;
}

namespace {

/// Enumerates the iterations of the loops; `visit` receives the number of equal iterations that the current one stands
/// for. Returns false if a range is unknown or the enumeration exceeds the budget.
template <typename Visit>
bool run_through(NestValues &values, const LoopsAround &around, const std::vector<Expr> &sizes, size_t at,
                 int64_t times, int &budget, const Visit &visit) {
    if (at == around.loops.size()) {
        return --budget >= 0 && visit(times);
    }
    const NestLoop &loop = *around.loops[at];
    const Number min = values(loop.min), extent = values(loop.extent);
    if (!min || !extent) {
        return false;
    }
    bool matters = false;
    for (const Expr &size : sizes) {
        matters = matters || values.depends(size, loop.var);
    }
    const int64_t iterations = matters ? *extent : std::min<int64_t>(*extent, 1);
    for (int64_t i = 0; i < iterations; i++) {
        values.set_loop(loop.var, *min + i);
        if (!run_through(values, around, sizes, at + 1, matters ? times : times * *extent, budget, visit)) {
            return false;
        }
    }
    return true;
}

/// Visits all combinations of the first and last iteration of each loop.
template <typename Visit>
bool visit_corners(NestValues &values, const LoopsAround &around, size_t at, const Visit &visit) {
    if (at == around.loops.size()) {
        return visit();
    }
    const NestLoop &loop = *around.loops[at];
    const Number min = values(loop.min), extent = values(loop.extent);
    if (!min || !extent) {
        return false;
    }
    for (int64_t i : {int64_t(0), *extent - 1}) {
        values.set_loop(loop.var, *min + std::max<int64_t>(i, 0));
        if (!visit_corners(values, around, at + 1, visit)) {
            return false;
        }
        if (*extent <= 1) {
            break;
        }
    }
    return true;
}

} // namespace

LoopsAround loops_around_func(const BoundedLoopNest &loop_nest, FuncId func) {
    LoopsAround result = loops_around(loop_nest, loop_nest.placement.compute[func.index()]);
    for (const InvariantLoop &invariant : loop_nest.regions.func(func).invariant_loops) {
        result.first_iterations.push_back(invariant.is_first);
    }
    return result;
}

LoopsAround loops_around(const BoundedLoopNest &loop_nest, const Site &site) {
    LoopsAround result;
    if (site.is_root()) {
        return result;
    }
    const FuncId owner = site.func();
    result = loops_around_func(loop_nest, owner);
    const StageNest &nest = *loop_nest.regions.func(owner).nests[site.stage.index()];
    for (size_t i = nest.loops().size(); i-- > site.loop.index();) {
        result.loops.push_back(&nest.loops()[i]);
        result.stages.push_back(site.stage);
    }
    for (const NestGuard &guard : nest.guards()) {
        const bool is_around = guard.kind == NestGuard::Kind::Body || guard.kind == NestGuard::Kind::Accesses;
        if (is_around && guard.depth >= site.loop.value) {
            result.guards.push_back(&guard);
        }
    }
    return result;
}

Number FuncCost::storage_bytes() const {
    if (!storage) {
        return std::nullopt;
    }
    int64_t bytes = value_bytes;
    for (const int64_t extent : *storage) {
        bytes *= extent;
    }
    return bytes;
}

ScheduleCost::ScheduleCost(const schedule::ScheduledGraph &pipeline, const std::vector<int32_t> &sizes,
                           const NestOptions &options)
    : nest_(make_loop_nest(pipeline, options)), values_(nest_, sizes), at_root_(make_loop_nest(all_at_root(pipeline))),
      values_at_root_(at_root_, sizes) {}

FuncCost ScheduleCost::of(FuncId func) {
    FuncCost cost;
    for (const Type &type : nest_.graph.func(func).types) {
        cost.value_bytes += type.bytes();
    }
    if (!nest_.graph.pipeline.graph.is_output(func)) {
        cost.storage_extents = storage_extents(func);
        cost.storage = largest_storage(func, cost.storage_extents);
    }
    if (values_.know_outputs()) {
        count_work(func, cost);
    }
    return cost;
}

std::vector<Expr> ScheduleCost::storage_extents(FuncId id) const {
    std::vector<Expr> extents;
    const std::vector<Range> &storage = nest_.regions.func(id).storage;
    for (size_t d = 0; d < storage.size(); d++) {
        const Expr &fold = nest_.regions.func(id).folds[d], &extent = nest_.regions.func(id).extents[d];
        extents.push_back(extent.defined() ? extent : fold.defined() ? fold : storage[d].extent);
    }
    if (const std::optional<Ring> &ring = nest_.regions.func(id).ring) {
        extents.push_back(ring->extent);
    }
    return extents;
}

std::optional<std::vector<int64_t>> ScheduleCost::largest_storage(FuncId id, const std::vector<Expr> &extents) {
    std::vector<int64_t> largest(extents.size(), 0);
    const LoopsAround place = loops_around(nest_, nest_.placement.hoist[id.index()]);
    const bool known = visit_corners(values_, place, 0, [&] {
        for (size_t d = 0; d < extents.size(); d++) {
            const Number extent = values_(extents[d]);
            if (!extent) {
                return false;
            }
            largest[d] = std::max(largest[d], *extent);
        }
        return true;
    });
    return known ? std::optional(largest) : std::nullopt;
}

void ScheduleCost::count_work(FuncId id, FuncCost &cost) {
    const Region &region = nest_.regions.func(id).regions[0];
    const LoopsAround place = loops_around_func(nest_, id);
    std::vector<Expr> extents, conditions;
    for (size_t d = 0; d < region.min.size(); d++) {
        const Expr extent = add(sub(region.exact_max[d], region.exact_min[d]), make_int(Int(32), 1));
        extents.push_back(rewrite::simplify(extent));
    }
    std::vector<Expr> sizes = extents;
    for (const NestGuard *guard : place.guards) {
        conditions.push_back(make_cast(Int(32), guard->condition));
        sizes.push_back(conditions.back());
    }
    for (const Expr &is_first : place.first_iterations) {
        conditions.push_back(make_cast(Int(32), is_first));
        sizes.push_back(conditions.back());
    }
    for (const NestLoop *loop : place.loops) {
        sizes.push_back(loop->extent);
    }
    int64_t computed = 0;
    int budget = most_iterations;
    const bool known = run_through(values_, place, sizes, 0, 1, budget, [&](int64_t times) {
        int64_t values = times;
        for (const std::vector<Expr> *list : {&extents, &conditions}) {
            for (const Expr &factor : *list) {
                const Number number = values_(factor);
                if (!number) {
                    return false;
                }
                values *= std::max<int64_t>(*number, 0);
            }
        }
        computed += values;
        return true;
    });
    cost.has_too_many_pieces = budget < 0;
    cost.values_computed = known ? Number(computed) : std::nullopt;
    cost.values_needed = values_needed(id);
}

Number ScheduleCost::values_needed(FuncId id) {
    // A Func inside a specialization or a further stage is a copy, which does not exist in the pipeline at root.
    const std::string &name = nest_.graph.func(id).user_name();
    for (const FuncId other : at_root_.graph.order) {
        if (at_root_.graph.func(other).name() == name) {
            id = other;
            break;
        }
    }
    if (id.index() >= at_root_.regions.funcs.size() || at_root_.regions.func(id).regions.empty()) {
        return std::nullopt;
    }
    const Region &region = at_root_.regions.func(id).regions[0];
    int64_t values = 1;
    for (size_t d = 0; d < region.min.size(); d++) {
        const Number min = values_at_root_(region.exact_min[d]), max = values_at_root_(region.exact_max[d]);
        if (!min || !max) {
            return std::nullopt;
        }
        values *= std::max<int64_t>(*max - *min + 1, 0);
    }
    return values;
}

} // namespace fluorite::loopnest
