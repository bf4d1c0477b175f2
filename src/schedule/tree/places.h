#pragma once
// Where each Func of a schedule can be and is placed: the paths of its uses, and what its levels mean on them.

#include "schedule/placement_rules.h"

#include <string>
#include <vector>

namespace fluorite::schedule {

/// Funcs that a stage calls, itself excepted, each once, in the order of the graph.
std::vector<FuncId> callees(const ir::FuncDef &func, const ir::Stage &stage);

class Places {
  public:
    Places(const ir::Graph &graph, const Schedule &schedule);

    bool is_inlined(FuncId func) const;
    /// The stages that read the Func, directly or through inlined ones.
    const std::vector<StageId> &uses(FuncId func) const { return uses_[func.index()]; }
    /// From root inward, the places that hold all uses; for an inlined Func, those that it could have.
    const std::vector<Site> &legal(FuncId func) const { return legal_[func.index()]; }
    const Site &compute(FuncId func) const { return compute_[func.index()]; }
    const Site &store(FuncId func) const { return store_[func.index()]; }
    /// From root inward, the places around the body of a stage.
    std::vector<Site> path_of(StageId stage) const;
    /// What placement rules are asked about: the same Funcs, uses and updates.
    const PlacementRules::Nests &nests() const { return rules_.nests(); }
    /// Why levels have no place; empty where all have.
    const std::vector<std::string> &problems() const { return problems_; }

    LoopLevel level_of(const Site &place) const;
    /// `root`, `loop yo of blur_y`, `the outermost level of blur_y.update(0)`.
    std::string describe(const Site &place) const;

  private:
    const ir::Graph &graph_;
    const Schedule &schedule_;
    std::vector<std::vector<StageId>> uses_;
    PlacementRules rules_;
    std::vector<std::vector<Site>> legal_;
    std::vector<Site> compute_, store_;
    std::vector<std::string> problems_;

    const StageSchedule &stage(FuncId func, int stage) const {
        return schedule_.func(func).stages[static_cast<size_t>(stage)];
    }
    PlacementRules::Nests find_nests();
    void find_uses(FuncId func);
    void resolve(FuncId func);
    void resolve_hoist(FuncId func);
    Site choose(FuncId func, const LoopLevel &level, size_t end, const char *what);
};

} // namespace fluorite::schedule
