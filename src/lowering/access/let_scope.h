#pragma once
// The lets and loops around a statement.

#include "ir/stmt.h"

#include <optional>

namespace fluorite::lowering {

/// The lets and loops around a statement; each value has the lets outside of it substituted.
class LetScope {
  public:
    /// The first and the last value of a loop's variable, if the loop runs at all.
    struct Range {
        Expr first, last;
    };

    void push(const ir::Symbol &symbol, const Expr &value) { values_[symbol] = expand(value); }
    void pop(const ir::Symbol &symbol) { values_.erase(symbol); }
    void enter(const ir::For &loop) { loops_.insert_or_assign(loop.var, Entered{loop.min, loop.extent, {}}); }
    void leave(const ir::For &loop) { loops_.erase(loop.var); }
    /// The expression with every let in scope replaced by its value.
    Expr expand(const Expr &expr) const { return values_.empty() ? expr : ir::substitute(expr, values_); }
    /// Null if the symbol is not the variable of a loop in scope.
    const Range *range(const ir::Symbol &symbol) const;

  private:
    struct Entered {
        Expr min, extent;
        std::optional<Range> range; // once it has been asked for
    };
    ir::SymbolMap<Expr> values_;
    mutable ir::SymbolMap<Entered> loops_;
};

/// A Mutator of statements that knows the lets and loops around the statement which it mutates, from the one where it
/// began.
class ScopedMutator : public ir::Mutator {
  public:
    Expr mutate(const Expr &expr) override { return expr; }
    ir::Stmt mutate(const ir::Stmt &stmt) final;

  protected:
    const LetScope &scope() const { return scope_; }
    /// Mutates a statement; what it binds itself is in scope, too.
    virtual ir::Stmt mutate_in_scope(const ir::Stmt &stmt) = 0;

  private:
    LetScope scope_;
};

} // namespace fluorite::lowering
