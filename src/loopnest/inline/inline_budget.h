#pragma once
// Counts the size of the code that inlining produces, and refuses to exceed the budget.

#include "loopnest/lowering_graph.h"
#include "support/refusal.h"

#include <map>
#include <string>

namespace fluorite::loopnest {

/// The number of distinct nodes of an expression, and its depth.
struct ExprSize {
    size_t nodes = 0;
    size_t levels = 0;
};
ExprSize size_of(const Expr &expr);

/// Counts the code that inlining produces for each stage, and refuses to exceed the budget. Once it is exceeded,
/// nothing more is expanded, and `verdict` says why.
class InlineBudget {
  public:
    explicit InlineBudget(const LoweringGraph &graph) : graph_(graph) {}

    /// Checks the expressions of a stage as the program wrote them, before anything traverses them recursively.
    Verdict check_written(FuncId func, size_t stage) const;

    /// The number of nodes visited so far.
    size_t walked() const { return walked_; }
    /// Adds a number of nodes that were visited earlier, and returns true; if that exceeds the budget, returns false.
    bool try_add(size_t walked);

    void begin_stage(FuncId func, size_t stage);
    /// To be called when a call of `callee` is replaced by its definition.
    void note_expanded(FuncId callee, const Expr &definition);
    void end_stage();
    bool is_exceeded() const { return !verdict_; }
    const Verdict &verdict() const { return verdict_; }

    /// Counts one level of the recursion during its lifetime.
    class Level {
      public:
        explicit Level(InlineBudget &budget) : budget_(budget) {
            if (++budget_.level_ > budget_.graph_.budget.levels) {
                budget_.refuse_depth();
            }
        }
        ~Level() { budget_.level_--; }
        Level(const Level &) = delete;
        Level &operator=(const Level &) = delete;

      private:
        InlineBudget &budget_;
    };

  private:
    const LoweringGraph &graph_;
    FuncId func_; // the Func that is being expanded
    size_t stage_ = 0;
    size_t level_ = 0;
    size_t walked_ = 0;
    std::map<FuncId, int64_t> copies_; // expansions in the current stage, by Func

    Verdict verdict_;

    void refuse_depth();
    void refuse(const std::string &seen);
};

/// Refuses a copy of a Func where there are more Funcs than the budget allows.
Verdict check_funcs(const LoweringGraph &graph, FuncId copied);

} // namespace fluorite::loopnest
