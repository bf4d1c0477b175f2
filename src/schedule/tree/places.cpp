// Method: consumers first. An inlined Func passes its uses on to its callees; placement_rules.h then decides which
// sites are legal. Cost: Funcs x uses x depth.

#include "schedule/tree/places.h"

#include "schedule/directives/common.h"
#include "schedule/directives/table.h"
#include "schedule/text/schedule_text.h"

#include <algorithm>

namespace fluorite::schedule {

std::vector<FuncId> callees(const ir::FuncDef &func, const ir::Stage &stage) {
    std::vector<FuncId> ids;
    auto visit = [&](const Expr &expr) {
        ir::for_each_node(expr, [&](const Expr &node) {
            if (node->kind() == ir::ExprKind::Call && !(node->symbol() == func.symbol)) {
                ids.emplace_back(node->symbol().owner().func);
            }
        });
    };
    for (const std::vector<Expr> *list : {&stage.args, &stage.values}) {
        std::for_each(list->begin(), list->end(), visit);
    }
    if (stage.predicate.defined()) {
        visit(stage.predicate);
    }
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    return ids;
}

Places::Places(const ir::Graph &graph, const Schedule &schedule)
    : graph_(graph), schedule_(schedule), uses_(graph.funcs.size()), rules_(schedule, find_nests()),
      legal_(graph.funcs.size()), compute_(graph.funcs.size()), store_(graph.funcs.size()) {
    for (size_t i = graph.funcs.size(); i-- > 0;) {
        const std::span<const Site> legal = rules_.legal(FuncId(i));
        legal_[i].assign(legal.begin(), legal.end());
        resolve(FuncId(i));
        rules_.move(FuncId(i), compute_[i]);
    }
}

PlacementRules::Nests Places::find_nests() {
    PlacementRules::Nests nests;
    for (size_t i = graph_.funcs.size(); i-- > 0;) {
        find_uses(FuncId(i));
    }
    nests.uses = uses_;
    for (const ir::FuncDef &func : graph_.funcs) {
        nests.order.push_back(func.id());
        nests.has_updates.push_back(func.stages.size() > 1);
    }
    return nests;
}

bool Places::is_inlined(FuncId func) const {
    return !graph_.is_output(func) && schedule_.func(func).compute.is_inlined();
}

// Passes uses on to the callees. Precondition: all uses of `func` itself are known.
void Places::find_uses(FuncId id) {
    std::vector<StageId> &own = uses_[id.index()];
    std::sort(own.begin(), own.end());
    own.erase(std::unique(own.begin(), own.end()), own.end());
    const ir::FuncDef &func = graph_.func(id);
    for (size_t k = 0; k < func.stages.size(); k++) {
        for (FuncId callee : callees(func, func.stages[k])) {
            std::vector<StageId> &uses = uses_[callee.index()];
            if (is_inlined(id)) {
                uses.insert(uses.end(), own.begin(), own.end());
            } else {
                uses.push_back({id, static_cast<int32_t>(k)});
            }
        }
    }
}

void Places::resolve(FuncId id) {
    if (is_inlined(id)) {
        return;
    }
    const FuncSchedule &schedule = schedule_.func(id);
    if (graph_.is_output(id)) {
        if (schedule.compute.is_at() || schedule.store.is_at()) {
            problems_.push_back(graph_.func(id).name() + " is an output, which is computed and stored at root");
        }
        return;
    }
    const std::vector<Site> &legal = legal_[id.index()];
    compute_[id.index()] = store_[id.index()] = choose(id, schedule.compute, legal.size(), "computed");
    if (!schedule.store.is_inlined()) {
        const auto at = std::find(legal.begin(), legal.end(), compute_[id.index()]);
        store_[id.index()] =
            choose(id, schedule.store, std::min(legal.size(), static_cast<size_t>(at - legal.begin()) + 1), "stored");
    }
    resolve_hoist(id);
}

// A hoist level has no node in the tree, but it must be legal all the same.
void Places::resolve_hoist(FuncId id) {
    const FuncSchedule &schedule = schedule_.func(id);
    if (schedule.hoist.is_inlined()) {
        return;
    }
    const std::vector<Site> &legal = legal_[id.index()];
    const auto stored = std::find(legal.begin(), legal.end(), store_[id.index()]);
    const size_t end = std::min(legal.size(), static_cast<size_t>(stored - legal.begin()) + 1);
    const Site hoist = choose(id, schedule.hoist, end, "hoisted");
    if (const PlacementVerdict verdict = rules_.hoist_at(id, store_[id.index()], hoist);
        verdict.broken == PlacementVerdict::Rule::AtOnce) {
        problems_.push_back("the memory of " + graph_.func(id).name() + " is taken outside of the " +
                            type_word(rules_.loop_at(verdict.loop)->for_type) + " " + describe(verdict.loop) +
                            ", whose iterations each need their own");
    }
}

Site Places::choose(FuncId id, const LoopLevel &level, size_t end, const char *what) {
    if (level.is_root()) {
        return {};
    }
    const FuncId target(level.func.owner().func);
    const std::vector<Site> &legal = legal_[id.index()];
    for (size_t i = 0; i < end; i++) {
        const Site &place = legal[i];
        if (place.func != target || (level.stage >= 0 && level.stage != place.stage)) {
            continue;
        }
        const StageSchedule &loops = stage(target, place.stage);
        const bool outside = place.loop.index() == loops.dims.size();
        const bool wants_outside = level.var.empty() || level.var == "__outermost";
        if (outside ? wants_outside : loops.dims[place.loop.index()].var == level.var) {
            return place;
        }
    }
    const bool is_in_stages =
        level.stage < 0 && std::all_of(
                               uses_[id.index()].begin(), uses_[id.index()].end(),
                               [&](const StageId &use) {
                                   const std::vector<Site> path = path_of(use);
                                   return std::any_of(path.begin(), path.end(), [&](const Site &place) {
                                       return place.func == target && find_loop(stage(target, place.stage), level.var);
                                   });
                               });
    if (is_in_stages) {
        problems_.push_back(graph_.func(id).name() + " is " + what + " at loop " + level.var +
                            " of several stages of " + level.func.name() + ", and a node of a tree has one place");
        return {};
    }
    std::string places;
    for (size_t i = 0; i < end; i++) {
        places += (i == 0 ? "" : ", ") + describe(legal[i]);
    }
    problems_.push_back(graph_.func(id).name() + " is " + what + " at " + level.var + " of " + level.func.name() +
                        ", which does not hold all its uses; these places do: " + places);
    return {};
}

std::vector<Site> Places::path_of(StageId stage) const {
    std::vector<Site> path;
    rules_.path_of(stage, path);
    return path;
}

LoopLevel Places::level_of(const Site &place) const {
    if (place.is_root()) {
        return LoopLevel::root();
    }
    const FuncId func = place.func;
    const StageSchedule &loops = stage(func, place.stage);
    const bool outside = place.loop.index() == loops.dims.size();
    const bool only = schedule_.func(func).stages.size() == 1;
    return LoopLevel::at(graph_.func(func).symbol, only ? -1 : place.stage,
                         outside ? "__outermost" : loops.dims[place.loop.index()].var);
}

std::string Places::describe(const Site &place) const {
    if (place.is_root()) {
        return "root";
    }
    const LoopLevel level = level_of(place);
    const std::string where = stage_text(level.func.name(), place.stage);
    return level.var == "__outermost" ? "the outermost level of " + where : "loop " + level.var + " of " + where;
}

} // namespace fluorite::schedule
