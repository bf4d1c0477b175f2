#pragma once
// Expressions of a frozen graph.

#include "fluorite/target.h"
#include "language/freeze/symbols.h"

#include <unordered_map>

namespace fluorite::language {

/// What the expressions of one graph have in common.
struct ExprScope {
    const GraphSymbols &symbols;
    const Objects &objects;
    bool contracts_fma;
    const Target &target;
};

/// Rewrites the expressions of one stage; nodes that they share stay shared.
class ExprFreezer {
  public:
    /// `function`: whose definition this is, with its Vars; or null for what calls no Funcs.
    explicit ExprFreezer(const ExprScope &scope, const Function *function = nullptr,
                         const ir::SymbolMap<Expr> &variables = {})
        : scope_(scope), function_(function), variables_(variables) {}

    /// Gives a Var or RVar its value.
    void define(const ir::Symbol &variable, const Expr &value) { variables_[variable] = value; }
    Expr rewrite(const Expr &root);

  private:
    const ExprScope &scope_;
    const Function *function_;
    ir::SymbolMap<Expr> variables_;
    std::unordered_map<const ir::ExprNode *, Expr> done_;

    Expr make(const Expr &node);
    Expr variable(const Expr &node) const;
};

} // namespace fluorite::language
