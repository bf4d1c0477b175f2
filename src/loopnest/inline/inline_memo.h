#pragma once
// Results of inlining that are shared by schedules of one pipeline.

#include "loopnest/lowering_graph.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace fluorite::loopnest {

/// Memoized functions of expressions, and the stages of Funcs after inlining.
class InlineMemo {
  public:
    /// The stages of a Func after its calls of inlined Funcs were expanded.
    struct Expansion {
        // those that were called, and whether their calls were substituted
        std::vector<std::pair<FuncId, bool>> callees;
        std::vector<ir::Stage> stages;
        size_t walked = 0; // the cost in visited nodes (InlineBudget)
    };
    /// Null if none is known for this choice of substituted Funcs.
    const Expansion *find_expansion(FuncId func, const std::function<bool(FuncId)> &is_substituted) const;
    void keep_expansion(FuncId func, Expansion expansion);

    /// The Funcs that an expression calls.
    const std::vector<FuncId> &callees(const Expr &expr);
    /// The memoized result of a function of an expression; functions are identified by name.
    Expr applied(const std::string &function, const Expr &expr, const std::function<Expr(const Expr &)> &apply);

    bool is_checked = false; // whether the definitions in the program have been checked against the budget

  private:
    std::map<FuncId, std::vector<Expansion>> expansions_;
    ir::ExprMap<std::vector<FuncId>> callees_;
    std::map<std::string, ir::ExprMap<Expr>> applied_; // by function
    size_t applied_count_ = 0;
};

/// The other Funcs that a stage calls.
std::vector<FuncId> find_callees(const ir::FuncDef &func, const ir::Stage &stage, InlineMemo &memo);
/// For each Func, the stages of other Funcs that call it, in order.
std::vector<std::vector<Consumer>> find_consumers(const LoweringGraph &graph, InlineMemo &memo);

} // namespace fluorite::loopnest
