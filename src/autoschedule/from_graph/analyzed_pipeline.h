#pragma once
// A pipeline with every Func that is not inlined at root, and the sizes of its regions.

#include "autoschedule/from_graph/from_graph.h"
#include "loopnest/explain/nest_values.h"

#include <algorithm>
#include <map>
#include <optional>

namespace fluorite::autoschedule {

/// Whether the stage has a loop over the pure Var.
bool is_loop(const ir::Stage &stage, size_t dimension, const ir::Symbol &var);
/// Whether an update has coordinates of its own, along which it runs as a whole.
bool writes_apart(const ir::FuncDef &func, const ir::Stage &update);

inline bool is_pure(const ir::FuncDef &func) { return func.stages.size() == 1; }
inline bool holds(const std::vector<FuncId> &funcs, FuncId id) {
    return std::find(funcs.begin(), funcs.end(), id) != funcs.end();
}
int64_t value_bytes(const ir::FuncDef &func);

class AnalyzedPipeline {
  public:
    /// All but the pipeline live longer than this.
    AnalyzedPipeline(schedule::ScheduledGraph pipeline, const std::vector<int32_t> &sizes, const LoadCosts &costs,
                     const PlanOptions &options, const GivenFuncs &given);

    std::vector<bool> is_inlined; // by FuncId: what measure() leaves out

    /// Makes the nest of all that is not inlined, at root.
    void measure();

    const ir::Graph &graph() const { return pipeline_.graph; }
    const LoadCosts &costs() const { return costs_; }
    const PlanOptions &options() const { return options_; }
    const GivenFuncs &given() const { return given_; }
    const loopnest::BoundedLoopNest &nest() const { return *nest_; }
    loopnest::NestValues &values() { return *values_; }
    const loopnest::NestValues &values() const { return *values_; }
    StageWork &work() { return *work_; }
    const ir::FuncDef &func_of(FuncId id) const { return nest_->graph.func(id); }

    /// Of Funcs, the dimension that is innermost in memory, if it is transposed.
    std::map<FuncId, size_t> innermost() const;
    /// Whether a vector has all iterations of the first loop, and its lanes run along another one.
    static bool has_short_rows(const std::vector<LoopExtent> &loops);
    /// Refuses outputs whose sizes are not known, or beyond what is promised.
    void check_outputs() const;
    std::vector<LoopExtent> loops_of(const ir::FuncDef &func);
    /// The extents of an update's RVars.
    std::vector<int64_t> reduction_of(const ir::FuncDef &func, const ir::Stage &stage);
    /// How many points an update runs over.
    double update_points(const ir::FuncDef &func, const ir::Stage &stage, const std::vector<LoopExtent> &loops);
    /// Outputs without updates that nobody reads and that have the loops of the first of them; none: there is one.
    std::vector<FuncId> fusable_outputs();
    /// One Func of the values of several that have the same loops.
    ir::FuncDef joint(const std::vector<FuncId> &funcs) const;

  private:
    schedule::ScheduledGraph pipeline_;
    const std::vector<int32_t> &sizes_;
    const LoadCosts &costs_;
    const PlanOptions &options_;
    const GivenFuncs &given_;
    std::optional<loopnest::BoundedLoopNest> nest_;
    std::optional<loopnest::NestValues> values_, elsewhere_; // at the sizes, and at others
    ir::ExprMap<std::optional<int64_t>> constants_;          // by region's end, as constant_of() found
    std::optional<StageWork> work_;

    [[noreturn]] void refuse(const std::string &func, const std::string &what, const Location &location) const;
    /// Of an expression without a value.
    std::string unknown_part(const Expr &expr);
    /// Refuses an extent beyond what bound() promises.
    void check_promise(const ir::FuncDef &func, const std::string &var, int64_t extent) const;
    /// Whether every update runs over the same constant interval of a dimension as the definition. Where one runs over
    /// less, because nobody reads the rest, a promised extent would make it larger, and its inputs with it.
    bool is_same_in_updates(const ir::FuncDef &func, size_t d, int64_t min, int64_t max);
    bool is_promised(const ir::FuncDef &func, size_t d) const;
    /// A value that no size changes.
    std::optional<int64_t> constant_of(const Expr &expr);
    bool has_loops_of(const ir::FuncDef &a, const ir::FuncDef &b);
};

} // namespace fluorite::autoschedule
