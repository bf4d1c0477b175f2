// Rules of placement.
//
// Method: consumers first. The path of a stage is the list of sites around its body: the path of the site where its
// Func is computed, then its own loops from the outermost in. A Func may be computed at any site on the common prefix
// of the paths of all stages that read it. It may be stored at any site from there outward, unless a parallel loop is
// between (two tasks would share storage that both write). A vectorized loop between is legal for a pure Func, whose
// lanes compute the same values, but not for one with updates, which would run once per lane. Its memory may be
// allocated at any site from the store site outward, unless iterations of a loop between run concurrently.
//
// The legal sites of each Func are cached until a Func that is computed around one of its uses moves; the next query
// recomputes them in the same memory. Moving a Func invalidates the sites of all Funcs before it in the order.
//
// Cost: a query searches the sites of one path; finding the sites of a Func takes uses x depth.

#include "schedule/placement_rules.h"

#include <algorithm>

namespace fluorite::schedule {

using PlacementRule = PlacementVerdict::Rule;

PlacementRules::PlacementRules(const Schedule &schedule, Nests nests, const FusedStages *fused)
    : schedule_(schedule), nests_(std::move(nests)), fused_(fused), computed_(nests_.uses.size()),
      position_(nests_.uses.size()), legal_(nests_.uses.size()) {
    for (size_t i = 0; i < nests_.order.size(); i++) {
        position_[nests_.order[i].index()] = i;
    }
}

namespace {

const Fusion *fusion_of_child(const FusedStages *fused, const Site &site) {
    if (!fused || fused->empty()) {
        return nullptr;
    }
    const auto found = fused->find(site.stage);
    return found == fused->end() || found->second.parent.func() == site.func() ? nullptr : &found->second;
}

const StageSchedule &stage_at(const Schedule &schedule, const Site &site) { return schedule.stage(site.stage); }

} // namespace

Site around(const Site &site, std::span<const Site> computed, const FusedStages *fused) {
    const Fusion *fusion = fusion_of_child(fused, site);
    return fusion ? fusion->parent : computed[site.func().index()];
}

void find_path(StageId stage, const Schedule &schedule, std::span<const Site> computed, const FusedStages *fused,
               std::vector<Site> &path) {
    path.clear();
    for (Site site{stage, LoopId(0)}; !site.is_root(); site = around(site, computed, fused)) {
        const Fusion *fusion = fusion_of_child(fused, site);
        const LoopId outside(stage_at(schedule, site).dims.size());
        for (LoopId k = site.loop; k < (fusion ? fusion->loop : outward(outside)); k = outward(k)) {
            path.push_back({site.stage, k});
        }
    }
    path.push_back(Site::root());
    std::reverse(path.begin(), path.end());
}

void PlacementRules::path_of(StageId stage, std::vector<Site> &path) const {
    find_path(stage, schedule_, computed_, fused_, path);
}

const LoopDim *PlacementRules::loop_at(const Site &site) const noexcept {
    if (site.is_root()) {
        return nullptr;
    }
    const std::vector<LoopDim> &dims = stage_at(schedule_, site).dims;
    return site.loop.index() < dims.size() ? &dims[site.loop.index()] : nullptr;
}

void PlacementRules::find_legal(FuncId func) const {
    std::vector<Site> &common = legal_[func.index()].sites;
    common.clear();
    bool is_first = true;
    for (const StageId &use : nests_.uses[func.index()]) {
        path_of(use, path_);
        if (is_first) {
            common.assign(path_.begin(), path_.end());
            is_first = false;
            continue;
        }
        const auto [end, ignored] = std::mismatch(common.begin(), common.end(), path_.begin(), path_.end());
        common.erase(end, common.end());
    }
    if (common.empty()) {
        common.push_back(Site::root());
    }
    legal_[func.index()].is_current = true;
}

std::span<const Site> PlacementRules::legal(FuncId func) const noexcept {
    if (!legal_[func.index()].is_current) {
        find_legal(func);
    }
    return legal_[func.index()].sites;
}

void PlacementRules::move(FuncId func, const Site &compute) noexcept {
    computed_[func.index()] = compute;
    for (size_t i = 0; i < position_[func.index()]; i++) {
        legal_[nests_.order[i].index()].is_current = false;
    }
}

PlacementVerdict PlacementRules::compute_at(FuncId func, const Site &compute) const noexcept {
    const std::span<const Site> sites = legal(func);
    const bool is_legal = std::find(sites.begin(), sites.end(), compute) != sites.end();
    return {is_legal ? PlacementRule::None : PlacementRule::OutOfScope, {}};
}

namespace {

/// The first site strictly inside `outer`, up to and including `inner`, for which `test` holds; null if there is none.
template <typename Test>
const Site *find_between(std::span<const Site> sites, const Site &outer, const Site &inner, const Test &test) {
    const auto first = std::find(sites.begin(), sites.end(), outer);
    const auto last = std::find(sites.begin(), sites.end(), inner);
    for (auto site = first; site < last;) {
        ++site;
        if (test(*site)) {
            return &*site;
        }
    }
    return nullptr;
}

/// Whether `outer` is one of the sites from root to `inner`.
bool encloses(std::span<const Site> sites, const Site &outer, const Site &inner) {
    const auto end = std::find(sites.begin(), sites.end(), inner);
    return end != sites.end() && std::find(sites.begin(), end + 1, outer) != end + 1;
}

} // namespace

PlacementVerdict PlacementRules::store_at(FuncId func, const Site &compute, const Site &store) const noexcept {
    const std::span<const Site> sites = legal(func);
    if (!encloses(sites, store, compute)) {
        return {PlacementRule::OutOfScope, {}};
    }
    const bool has_updates = nests_.has_updates[func.index()];
    const Site *found = find_between(sites, store, compute, [&](const Site &site) {
        const LoopDim *loop = loop_at(site);
        return loop && (runs_on_threads(loop->for_type) || (loop->for_type == ForType::Vectorized && has_updates));
    });
    return found ? PlacementVerdict{PlacementRule::AtOnce, *found} : PlacementVerdict();
}

PlacementVerdict PlacementRules::hoist_at(FuncId func, const Site &store, const Site &hoist) const noexcept {
    const std::span<const Site> sites = legal(func);
    if (!encloses(sites, hoist, store)) {
        return {PlacementRule::OutOfScope, {}};
    }
    const Site *found = find_between(sites, hoist, store, [&](const Site &site) {
        const LoopDim *loop = loop_at(site);
        return loop && (runs_on_threads(loop->for_type) || loop->for_type == ForType::Vectorized);
    });
    return found ? PlacementVerdict{PlacementRule::AtOnce, *found} : PlacementVerdict();
}

} // namespace fluorite::schedule
