#pragma once
// Loops that must have a constant number of iterations: the constant, and the error if there is none.

#include "lowering/pass_context.h"

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

/// A constant number of iterations. If `end` is defined, it is only an upper bound: the body runs under `var < end`.
struct ConstantExtent {
    int extent = 0;
    Expr end;
};

/// The constant number of iterations of a loop inside `scope`, or a constant that it does not exceed.
/// Throws CompileError [slug] if no constant bounds the extent; `what` is "unrolled" or "vectorized".
ConstantExtent constant_extent_of(const ir::For &loop, const LetScope &scope, const PassContext &context,
                                  const char *what, const char *slug);

/// The body, under the condition that `var` is before the end of the loop if the constant is only an upper bound.
ir::Stmt guarded_body(const ir::For &loop, const ConstantExtent &extent);

} // namespace fluorite::lowering
