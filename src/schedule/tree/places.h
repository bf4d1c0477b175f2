#pragma once
// Where each Func of a schedule can be and is placed: the paths of its uses, and what its levels mean on them.

#include "schedule/schedule.h"

#include <compare>
#include <string>
#include <utility>
#include <vector>

namespace fluorite::schedule {

/// Inside loop `loop` (0 is innermost) of a stage; loop == number of loops: inside the stage, outside its loops; func < 0: root.
struct Place {
    int32_t func = -1, stage = -1, loop = -1;
    bool is_root() const { return func < 0; }
    auto operator<=>(const Place &) const = default;
};

/// A stage that is computed in loops of its own.
using StageOf = std::pair<FuncId, int>;

/// Funcs that a stage calls, itself excepted, each once, in the order of the graph.
std::vector<FuncId> callees(const ir::FuncDef &func, const ir::Stage &stage);

class Places {
  public:
    Places(const ir::Graph &graph, const Schedule &schedule);

    bool is_inlined(FuncId func) const;
    /// The stages that read the Func, directly or through inlined ones.
    const std::vector<StageOf> &uses(FuncId func) const { return uses_[func.index()]; }
    /// From root inward, the places that hold all uses; for an inlined Func, those that it could have.
    const std::vector<Place> &legal(FuncId func) const { return legal_[func.index()]; }
    const Place &compute(FuncId func) const { return compute_[func.index()]; }
    const Place &store(FuncId func) const { return store_[func.index()]; }
    /// From root inward, the places around the body of a stage.
    std::vector<Place> path_of(FuncId func, int stage) const;
    /// Why levels have no place; empty where all have.
    const std::vector<std::string> &problems() const { return problems_; }

    LoopLevel level_of(const Place &place) const;
    /// `root`, `loop yo of blur_y`, `the outermost level of blur_y.update(0)`.
    std::string describe(const Place &place) const;

  private:
    const ir::Graph &graph_;
    const Schedule &schedule_;
    std::vector<std::vector<StageOf>> uses_;
    std::vector<std::vector<Place>> legal_;
    std::vector<Place> compute_, store_;
    std::vector<std::string> problems_;

    const StageSchedule &stage(FuncId func, int stage) const {
        return schedule_.func(func).stages[static_cast<size_t>(stage)];
    }
    void find_uses(FuncId func);
    void find_legal(FuncId func);
    void resolve(FuncId func);
    void resolve_hoist(FuncId func);
    Place choose(FuncId func, const LoopLevel &level, size_t end, const char *what);
};

} // namespace fluorite::schedule
