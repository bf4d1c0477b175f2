#pragma once
// What inlining remembers between schedules of one pipeline.

#include "loopnest/lowering_graph.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace fluorite::loopnest {

/// Results of functions of expressions, and the stages of Funcs after inlining.
class InlineMemo {
  public:
    /// The stages of a Func with what is inlined in them.
    struct Expansion {
        std::vector<std::pair<FuncId, bool>> callees; // that were met, and whether their definition took their place
        std::vector<ir::Stage> stages;
        size_t walked = 0; // what it cost (InlineBudget)
    };
    /// Null where none is known for these Funcs that are inlined.
    const Expansion *find_expansion(FuncId func, const std::function<bool(FuncId)> &is_substituted) const;
    void keep_expansion(FuncId func, Expansion expansion);

    /// The Funcs that an expression calls.
    const std::vector<int32_t> &callees(const Expr &expr);
    /// The result of a function for the expression; each function has a name.
    Expr applied(const std::string &function, const Expr &expr, const std::function<Expr(const Expr &)> &apply);

    bool is_checked = false; // the definitions as the program wrote them are not too large

  private:
    std::map<FuncId, std::vector<Expansion>> expansions_;
    ir::ExprMap<std::vector<int32_t>> callees_;
    std::map<std::string, ir::ExprMap<Expr>> applied_; // by function
    size_t applied_count_ = 0;
};

/// The Funcs that a stage calls, itself excepted.
std::vector<int32_t> find_callees(const ir::FuncDef &func, const ir::Stage &stage, InlineMemo &memo);
/// For each Func of the graph, the stages of other Funcs that call it, in order.
std::vector<std::vector<Consumer>> find_consumers(const LoweringGraph &graph, InlineMemo &memo);

} // namespace fluorite::loopnest
