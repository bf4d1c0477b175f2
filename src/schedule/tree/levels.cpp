// Sites of a schedule as a tree shows them. The resolver decides where a level is legal; these are texts about trees.

#include "schedule/tree/levels.h"

#include "schedule/directives/common.h"
#include "schedule/directives/table.h"
#include "schedule/text/schedule_text.h"

#include <algorithm>

namespace fluorite::schedule {

LoopLevel level_of(const ir::Graph &graph, const Schedule &schedule, const Site &site) {
    if (site.is_root()) {
        return LoopLevel::root();
    }
    const std::vector<StageSchedule> &stages = schedule.func(site.func()).stages;
    const std::vector<LoopDim> &dims = stages[site.stage.index()].dims;
    return LoopLevel::at(graph.func(site.func()).symbol, stages.size() == 1 ? -1 : site.stage.stage,
                         site.loop.index() == dims.size() ? outermost_loop : dims[site.loop.index()].var);
}

std::string describe(const ir::Graph &graph, const Schedule &schedule, const Site &site) {
    return site_text(schedule, site,
                     [&](StageId stage) { return stage_text(graph.func(stage.func).name(), stage.stage); });
}

namespace {

class LevelProblem {
  public:
    LevelProblem(const ir::Graph &graph, const Schedule &schedule, const PlacementResolver &resolver,
                 const BrokenPlacement &broken)
        : graph_(graph), schedule_(schedule), resolver_(resolver), broken_(broken) {}

    std::string run() const {
        using Rule = BrokenPlacement::Rule;
        const std::string &name = graph_.func(broken_.func).name();
        if (broken_.rule == Rule::OutputPlaced) {
            return name + " is an output, which is computed and stored at root";
        }
        if (broken_.rule == Rule::AtOnce) {
            return "the memory of " + name + " is taken outside of the " +
                   type_word(resolver_.rules().loop_at(broken_.loop)->for_type) + " " +
                   describe(graph_, schedule_, broken_.loop) + ", whose iterations each need their own";
        }
        const std::string level = name + " is " + verb() + " at ";
        const LoopLevel &asked = this->level();
        if (is_of_all_uses()) {
            return level + "loop " + asked.var + " of several stages of " + asked.func.name() +
                   ", and a node of a tree has one place";
        }
        std::vector<std::string> legal;
        for (const Site &site : resolver_.legal(broken_.func, broken_.level)) {
            legal.push_back(describe(graph_, schedule_, site));
        }
        return level + asked.var + " of " + asked.func.name() +
               ", which does not hold all its uses; these places do: " + join(legal);
    }

  private:
    using Level = BrokenPlacement::Level;
    const ir::Graph &graph_;
    const Schedule &schedule_;
    const PlacementResolver &resolver_;
    const BrokenPlacement &broken_;

    const char *verb() const {
        return broken_.level == Level::Compute ? "computed" : broken_.level == Level::Store ? "stored" : "hoisted";
    }
    const LoopLevel &level() const {
        const FuncSchedule &own = schedule_.func(broken_.func);
        return broken_.level == Level::Compute ? own.compute : broken_.level == Level::Store ? own.store : own.hoist;
    }

    /// Whether each use is in a loop of that name, each in that of another stage.
    bool is_of_all_uses() const {
        const FuncId target = level().func.owner().func;
        const std::vector<StageId> &uses = resolver_.rules().nests().uses[broken_.func.index()];
        return level().stage < 0 &&
               std::all_of(
                   uses.begin(), uses.end(),
                   [&](const StageId &use) {
                       const std::vector<Site> path = resolver_.placement().path_of(schedule_, use);
                       return std::any_of(path.begin(), path.end(), [&](const Site &site) {
                           return site.func() == target && find_loop(schedule_.stage(site.stage), level().var);
                       });
                   });
    }
};

} // namespace

std::optional<std::string> problem_of_levels(const ir::Graph &graph, const Schedule &schedule,
                                             const PlacementResolver &resolver) {
    for (const BrokenPlacement &broken : resolver.broken()) {
        if (broken.is_of_levels()) {
            return LevelProblem(graph, schedule, resolver, broken).run();
        }
    }
    return std::nullopt;
}

} // namespace fluorite::schedule
