#pragma once
// Counting what inlining makes of a pipeline, and refusing more than its budget.

#include "loopnest/lowering_graph.h"

#include <map>
#include <string>

namespace fluorite::loopnest {

/// Distinct nodes of an expression, and how deep it is.
struct ExprSize {
    size_t nodes = 0;
    size_t levels = 0;
};
ExprSize size_of(const Expr &expr);

/// Counts what inlining makes of each stage, and refuses what grows too large.
class InlineBudget {
  public:
    explicit InlineBudget(const LoweringGraph &graph) : graph_(graph) {}

    /// The expressions of a stage, as the program wrote them, before anything walks them by recursion.
    void check_written(FuncId func, size_t stage) const;

    /// What has been walked in all.
    size_t walked() const { return walked_; }
    /// Adds what was walked at an earlier time; refuses by false, and then adds nothing.
    bool try_add(size_t walked);

    void begin_stage(FuncId func, size_t stage);
    /// A call of `callee` is replaced by its definition.
    void note_expanded(FuncId callee, const Expr &definition);
    void end_stage();

    /// A level of the recursion, while it lives.
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
    FuncId func_; // that is being expanded
    size_t stage_ = 0;
    size_t level_ = 0;
    size_t walked_ = 0;
    std::map<int32_t, int64_t> copies_; // in the stage, by Func

    [[noreturn]] void refuse_depth() const;
    [[noreturn]] void refuse(const std::string &seen) const;
};

/// Refuses more Funcs than are compiled; `copied` is the one that was copied last.
void check_funcs(const LoweringGraph &graph, FuncId copied);

} // namespace fluorite::loopnest
