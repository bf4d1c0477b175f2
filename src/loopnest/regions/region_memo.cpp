// Results of bounds inference that are shared by schedules of one pipeline.
//
// The results for a Func depend on its own definition, schedule and sites, and on the loops of other Funcs that
// inference used: its consumers, and the Funcs inside whose loops either is computed. They are stored with both, and
// are valid again if the former are equal and the latter are the same objects. To make equal loops the same objects,
// newly found loops are compared with stored ones; so the effect of a change ends where it changes nothing that
// producers depend on. The values of symbols that are bound at root are not compared: other Funcs do not depend on
// them.
//
// Relies on SiteViews recording which Funcs it is queried about. Errors are not stored; they are thrown again.
// Cost: a comparison of each Func with its last few results, mostly of addresses.

#include "loopnest/regions/region_memo.h"

#include "schedule/same_schedule.h"

#include <algorithm>

namespace fluorite::loopnest {

using namespace ir;

namespace {

bool same(const Fusion &a, const Fusion &b) {
    const auto &[parent, loop, align, location] = a;
    return parent == b.parent && loop == b.loop && align == b.align;
}

bool same(const Variant &a, const Variant &b) {
    const auto &[definition, condition, failure] = a;
    return definition == b.definition && equal(condition, b.condition) && failure == b.failure;
}

bool same(const std::vector<Expr> &a, const std::vector<Expr> &b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Expr &x, const Expr &y) { return equal(x, y); });
}

bool same(const Stage &a, const Stage &b) {
    const auto &[args, values, rvars, predicate, location] = a;
    return same(args, b.args) && same(values, b.values) && equal(predicate, b.predicate) &&
           std::equal(rvars.begin(), rvars.end(), b.rvars.begin(), b.rvars.end(),
                      [](const ReductionVar &x, const ReductionVar &y) {
                          return x.var == y.var && x.name == y.name && equal(x.min, y.min) && equal(x.extent, y.extent);
                      });
}

bool same(const Region &a, const Region &b) {
    const auto &[min, max, exact_min, exact_max] = a;
    return same(min, b.min) && same(max, b.max) && same(exact_min, b.exact_min) && same(exact_max, b.exact_max);
}

bool same(const InvariantLoop &a, const InvariantLoop &b) {
    const auto &[loop, is_first] = a;
    return loop == b.loop && equal(is_first, b.is_first);
}

template <typename T> bool same(const std::vector<T> &a, const std::vector<T> &b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const T &x, const T &y) { return same(x, y); });
}

/// Whether two results are equal for other Funcs.
bool same_values(const SymbolMap<RegionValue> &a, const SymbolMap<RegionValue> &b, bool is_at_root) {
    return a.size() == b.size() && std::all_of(a.begin(), a.end(), [&](const auto &one) {
               const auto other = b.find(one.first);
               return other != b.end() && one.second.site == other->second.site &&
                      one.second.side == other->second.side && equal(one.second.expanded, other->second.expanded) &&
                      equal(one.second.usual, other->second.usual) && equal(one.second.unslid, other->second.unslid) &&
                      (is_at_root || one.second.expanded.defined() || equal(one.second.value, other->second.value));
           });
}

/// Whether StageNest gives the same loops for both schedules.
bool same_nests(const schedule::FuncSchedule &a, const schedule::FuncSchedule &b) {
    return std::equal(
        a.stages.begin(), a.stages.end(), b.stages.begin(), b.stages.end(),
        [](const schedule::StageSchedule &x, const schedule::StageSchedule &y) { return same_loops(x, y); });
}

std::vector<Fusion> fusions_of(const SiteViews &views, FuncId func) {
    std::vector<Fusion> fusions;
    const FusedStages &fused = views.placement().fused;
    for (auto at = fused.lower_bound({func, 0}); at != fused.end() && at->first.func == func; at++) {
        fusions.push_back(at->second);
    }
    return fusions;
}

bool same_variants(const std::vector<Variant> &then, const LoweringGraph &graph, FuncId func) {
    for (size_t k = 0; k < then.size(); k++) {
        if (!same(then[k], graph.variant({func, k}))) {
            return false;
        }
    }
    return true;
}

} // namespace

RegionMemo::Circumstances RegionMemo::circumstances(const SiteViews &views, FuncId func) {
    const LoweringGraph &graph = views.graph();
    const Placement &placement = views.placement();
    Circumstances now{graph.func(func).symbol,       graph.func(func).stages,
                      graph.schedule(func),          {},
                      fusions_of(views, func),       placement.compute[func.index()],
                      placement.store[func.index()], placement.hoist[func.index()],
                      views.consumers(func),         !placement.fused.empty()};
    for (size_t k = 0; k < now.stages.size(); k++) {
        now.variants.push_back(graph.variant({func, k}));
    }
    return now;
}

bool RegionMemo::hold(const Circumstances &then, const SiteViews &views, FuncId func) {
    const LoweringGraph &graph = views.graph();
    const Placement &placement = views.placement();
    const FuncDef &def = graph.func(func);
    return then.symbol == def.symbol && then.compute == placement.compute[func.index()] &&
           then.store == placement.store[func.index()] && then.hoist == placement.hoist[func.index()] &&
           then.any_fused == !placement.fused.empty() && then.consumers == views.consumers(func) &&
           same(then.stages, def.stages) && same_variants(then.variants, graph, func) &&
           same(then.fusions, fusions_of(views, func)) && schedule::same_schedule(then.schedule, graph.schedule(func));
}

std::shared_ptr<const FuncRegions> RegionMemo::find(SiteViews &views, FuncId func) {
    const auto *found = funcs_[func].find(views, [&](const Circumstances &then) { return hold(then, views, func); });
    if (!found) {
        return nullptr;
    }
    views.set_loops(func, (*found)->loops);
    for (const auto &[site, let] : (*found)->lets) {
        if (let.end) {
            views.adopt(let.end);
        }
    }
    return *found;
}

bool RegionMemo::has_same_loops(const Circumstances &then, const FuncLoops &loops, const FuncInProgress &now) {
    if (!(then.symbol == now.func().symbol) || then.compute != now.compute() || !same(then.stages, now.func().stages) ||
        !same_variants(then.variants, now.graph(), now.id) || !same(then.fusions, fusions_of(now.views, now.id)) ||
        !same_nests(then.schedule, now.schedule()) || !same(loops.regions, now.loops->regions) ||
        !same(loops.invariant_loops, now.loops->invariant_loops) ||
        !same_values(loops.values, now.loops->values, then.compute.is_root())) {
        return false;
    }
    return std::equal(loops.nests.begin(), loops.nests.end(), now.loops->nests.begin(), now.loops->nests.end(),
                      [](const auto &a, const auto &b) { return a->has_equal_premises(*b); });
}

std::shared_ptr<const FuncRegions> RegionMemo::keep(SiteViews &views, FuncInProgress &func) {
    LoopMemo<Circumstances, std::shared_ptr<const FuncRegions>> &memo = funcs_[func.id];
    std::shared_ptr<const FuncLoops> known;
    memo.for_each([&](const Circumstances &then, const std::shared_ptr<const FuncRegions> &regions) {
        if (!known && has_same_loops(then, *regions->loops, func)) {
            known = regions->loops;
        }
    });
    if (known) {
        func.regions.loops = known;
        views.set_loops(func.id, known);
    }
    const auto regions = std::make_shared<const FuncRegions>(std::move(func.regions));
    Seen seen = views.seen(func.id);
    seen.ends.clear(); // they are among the lets of the Func
    memo.keep(circumstances(views, func.id), std::move(seen), regions);
    return regions;
}

const RegionMemo::Group *RegionMemo::find_shared(const Group &own, const FusedStages &fused) const {
    const auto found = std::find_if(shared_.begin(), shared_.end(), [&](const SharedLoopsOf &one) {
        return one.own == own &&
               std::equal(one.fused.begin(), one.fused.end(), fused.begin(), fused.end(),
                          [](const auto &a, const auto &b) { return a.first == b.first && same(a.second, b.second); });
    });
    return found == shared_.end() ? nullptr : &found->shared;
}

void RegionMemo::keep_shared(Group own, FusedStages fused, Group shared) {
    constexpr size_t most = 32;
    if (shared_.size() == most) {
        shared_.erase(shared_.begin());
    }
    shared_.push_back({std::move(own), std::move(fused), std::move(shared)});
}

} // namespace fluorite::loopnest
