// Placement: from the LoopLevels of a schedule to sites in the loop nest.
//
// Method: consumers are placed first; placement_rules.h defines which sites are legal. A level names a loop of some
// stages of its Func: the first stage for which the site is legal is chosen. Loops that stages share belong to the
// stage that owns them.
//
// Checks what only sites show: levels that do not enclose every use, storage inside of the computation, memory that is
// shared by iterations that run at once, directives on outputs, stream_stores, memoize, ring_buffer, async, and the
// sites of stages that share loops. Does not do: texts (placement_texts.cpp). Cost: Funcs x uses x depth.

#include "schedule/placement/resolver.h"

#include "schedule/directives/common.h"
#include "schedule/placement/uses.h"

#include <algorithm>

namespace fluorite::schedule {

bool BrokenPlacement::is_of_levels() const {
    return rule == Rule::NoSuchStage || rule == Rule::NoSuchLoop || rule == Rule::OutOfScope ||
           rule == Rule::OutputPlaced || (rule == Rule::AtOnce && level == Level::Hoist);
}

PlacementResolver::PlacementResolver(const ir::Graph &graph, const Schedule &schedule, PlacementRules::Nests nests,
                                     FusedStages fused)
    : graph_(graph), schedule_(schedule), placement_{{}, {}, {}, std::move(fused)},
      rules_(schedule, std::move(nests), &placement_.fused) {
    for (std::vector<Site> *sites : {&placement_.compute, &placement_.store, &placement_.hoist}) {
        sites->resize(graph.funcs.size());
    }
    const std::vector<FuncId> &order = rules_.nests().order;
    for (size_t i = order.size(); i-- > 0;) {
        if (!is_inlined(graph_, schedule_, order[i])) {
            place(order[i]);
        }
    }
    check_shared_loops();
}

void PlacementResolver::place(FuncId id) {
    const FuncSchedule &schedule = schedule_.func(id);
    check_streams(id);
    if (graph_.is_output(id)) {
        check_output(id);
        return;
    }
    place_levels(id);
    if (schedule.marks.has(DirectiveName::memoize)) {
        check_memoize(id);
    }
    if (schedule.marks.has(DirectiveName::ring_buffer)) {
        check_ring(id);
    }
    if (schedule.marks.has(DirectiveName::async)) {
        check_lanes(id, Rule::AsyncInLanes, schedule.marks.location(DirectiveName::async));
    }
    rules_.move(id, compute(id));
}

// ---- Levels.

const LoopLevel &PlacementResolver::level_of(FuncId func, Level level) const {
    const FuncSchedule &schedule = schedule_.func(func);
    return level == Level::Compute ? schedule.compute : level == Level::Store ? schedule.store : schedule.hoist;
}

void PlacementResolver::place_levels(FuncId id) {
    const FuncSchedule &schedule = schedule_.func(id);
    Site &compute = placement_.compute[id.index()], &store = placement_.store[id.index()],
         &hoist = placement_.hoist[id.index()];
    compute = store = hoist = choose(id, Level::Compute);
    if (!schedule.store.is_inlined()) {
        store = hoist = choose(id, Level::Store);
        if (const PlacementVerdict verdict = rules_.store_at(id, compute, store); !verdict) {
            broken_.push_back({Rule::AtOnce, id, schedule.store.location, Level::Store, store, verdict.loop});
        }
    }
    if (!schedule.hoist.is_inlined()) {
        hoist = choose(id, Level::Hoist);
        if (const PlacementVerdict verdict = rules_.hoist_at(id, store, hoist); !verdict) {
            broken_.push_back({Rule::AtOnce, id, schedule.hoist.location, Level::Hoist, hoist, verdict.loop});
        }
    }
}

std::span<const Site> PlacementResolver::legal(FuncId func, Level level) const {
    const std::span<const Site> sites = rules_.legal(func);
    if (level == Level::Compute) {
        return sites;
    }
    const auto end = std::find(sites.begin(), sites.end(), level == Level::Store ? compute(func) : store(func));
    return sites.first(position_in(sites, end) + (end == sites.end() ? 0 : 1));
}

/// The sites of a level: one for each stage of its Func (or the stage that it names) that has the loop.
std::vector<Site> PlacementResolver::candidates(const LoopLevel &level) const {
    if (level.is_root()) {
        return {Site::root()};
    }
    const FuncId target = level.func.owner().func;
    std::vector<Site> sites;
    const std::vector<StageSchedule> &stages = schedule_.func(target).stages;
    for (size_t k = 0; k < stages.size(); k++) {
        if (level.stage >= 0 && static_cast<size_t>(level.stage) != k) {
            continue;
        }
        const auto at = [&](size_t loop) { return Site{{target, k}, LoopId(loop)}; };
        if (level.var == "__innermost") {
            sites.push_back(at(0));
        } else if (level.var == outermost_loop || level.var.empty()) {
            sites.push_back(at(stages[k].dims.size()));
        } else if (const std::optional<size_t> found = find_loop(stages[k], level.var)) {
            sites.push_back(at(*found));
        }
    }
    for (Site &site : sites) { // shared loops belong to the parent
        const Fusion *fusion = placement_.fusion(site.stage);
        site = fusion && site.loop >= fusion->loop ? fusion->shared(site.loop) : site;
    }
    return sites;
}

/// The site of a level; root, and a broken rule, if none is legal.
Site PlacementResolver::choose(FuncId id, Level which) {
    const LoopLevel &level = level_of(id, which);
    const std::vector<Site> sites = candidates(level);
    const std::span<const Site> legal = this->legal(id, which);
    for (const Site &site : sites) {
        if (std::find(legal.begin(), legal.end(), site) != legal.end()) {
            return site;
        }
    }
    const bool has_stage = level.stage < static_cast<int>(schedule_.func(level.func.owner().func).stages.size());
    const Rule rule = !has_stage ? Rule::NoSuchStage : sites.empty() ? Rule::NoSuchLoop : Rule::OutOfScope;
    broken_.push_back({rule, id, level.location, which, sites.empty() ? Site::root() : sites.front()});
    return Site::root();
}

// ---- Directives that depend on sites.

void PlacementResolver::check_output(FuncId id) {
    const FuncSchedule &schedule = schedule_.func(id);
    const auto refuse = [&](Rule rule, const Location &location) { broken_.push_back({rule, id, location}); };
    if (schedule.marks.has(DirectiveName::ring_buffer) || !schedule.hoist.is_inlined() ||
        schedule.memory != MemoryType::Auto || !schedule.storage.empty()) {
        refuse(Rule::OutputStorage, schedule.on_storage.location);
    }
    if (schedule.compute.is_at() || schedule.store.is_at()) {
        refuse(Rule::OutputPlaced, (schedule.compute.is_at() ? schedule.compute : schedule.store).location);
    }
    if (schedule.marks.has(DirectiveName::memoize)) {
        refuse(Rule::OutputMemoized, schedule.marks.location(DirectiveName::memoize));
    }
    if (schedule.marks.has(DirectiveName::async)) {
        refuse(Rule::OutputAsync, schedule.marks.location(DirectiveName::async));
    }
}

void PlacementResolver::check_streams(FuncId id) {
    const FuncSchedule &schedule = schedule_.func(id);
    bool has_vectors = !schedule.marks.has(DirectiveName::stream_stores);
    for (const StageSchedule &stage : schedule.stages) {
        for_each_variant(stage, [&](const StageSchedule &variant) {
            has_vectors = has_vectors || std::any_of(variant.dims.begin(), variant.dims.end(), [](const LoopDim &dim) {
                              return dim.for_type == ForType::Vectorized;
                          });
        });
    }
    if (!has_vectors) {
        broken_.push_back({Rule::StreamOfScalars, id, schedule.on_storage.location});
    }
}

void PlacementResolver::check_memoize(FuncId id) {
    const FuncSchedule &schedule = schedule_.func(id);
    const Location &location = schedule.marks.location(DirectiveName::memoize);
    if (store(id) != compute(id)) {
        broken_.push_back({Rule::MemoizedApart, id, location});
    }
    if (!schedule.storage.empty() || !schedule.hoist.is_inlined()) {
        broken_.push_back({Rule::MemoizedReshaped, id, location});
    }
    check_lanes(id, Rule::MemoizedInLanes, location);
}

void PlacementResolver::check_lanes(FuncId id, Rule rule, const Location &location) {
    for (const Site &site : legal(id)) {
        const LoopDim *loop = rules_.loop_at(site);
        if (loop && loop->for_type == ForType::Vectorized) {
            broken_.push_back({rule, id, location, Level::Compute, site, site});
            return;
        }
        if (site == compute(id)) {
            return;
        }
    }
}

// Iterations take turns with the ring's memory, so it must be allocated outside of a loop.
void PlacementResolver::check_ring(FuncId id) {
    const std::span<const Site> sites = legal(id);
    const auto hoist = std::find(sites.begin(), sites.end(), placement_.hoist[id.index()]);
    const auto store = std::find(sites.begin(), sites.end(), placement_.store[id.index()]);
    const bool has_loop =
        hoist < store && std::any_of(hoist + 1, store + 1, [&](const Site &site) { return rules_.loop_at(site); });
    if (!has_loop) {
        broken_.push_back({Rule::RingNotHoisted, id, schedule_.func(id).marks.location(DirectiveName::ring_buffer)});
    }
}

void PlacementResolver::check_shared_loops() {
    for (const auto &[stage, fusion] : placement_.fused) {
        const FuncId parent = fusion.parent.func();
        check_alone(stage.func, parent);
        check_alone(parent, stage.func);
        if (compute(stage.func) != compute(parent)) {
            broken_.push_back({Rule::ApartFromOther, stage.func, fusion.location, Level::Compute, {}, {}, parent});
        }
    }
}

// A Func that shares its loops with another one is not produced separately.
void PlacementResolver::check_alone(FuncId id, FuncId other) {
    const FuncSchedule &schedule = schedule_.func(id);
    if (id != other && schedule.marks.has(DirectiveName::memoize)) {
        broken_.push_back({Rule::MemoizedWithOther,
                           id,
                           schedule.marks.location(DirectiveName::memoize),
                           Level::Compute,
                           {},
                           {},
                           other});
    }
    if (id != other && schedule.marks.has(DirectiveName::async)) {
        broken_.push_back(
            {Rule::AsyncWithOther, id, schedule.marks.location(DirectiveName::async), Level::Compute, {}, {}, other});
    }
}

} // namespace fluorite::schedule
