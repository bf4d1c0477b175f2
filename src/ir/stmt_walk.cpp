// Reading statements: the children of a node, the Visitor, and functions built on them (uses of a symbol,
// substitution).
//
// Only for_each_child_expr and for_each_child_stmt define which fields of a statement are expressions and which are
// statements, in execution order as far as there is one.

#include "ir/stmt.h"

namespace fluorite::ir {

namespace {

void ranges(const std::vector<Range> &bounds, const std::function<void(const Expr &)> &visit) {
    for (const Range &range : bounds) {
        visit(range.min);
        visit(range.extent);
    }
}

/// The symbol that a statement binds in its body, or null.
const Symbol *bound_symbol(const Stmt &stmt) {
    switch (stmt.kind()) {
    case StmtKind::LetStmt:
        return &stmt.as<LetStmt>()->symbol;
    case StmtKind::For:
        return &stmt.as<For>()->var;
    case StmtKind::Realize:
        return &stmt.as<Realize>()->func;
    case StmtKind::Allocate:
        return &stmt.as<Allocate>()->buffer;
    case StmtKind::Assert:
    case StmtKind::ProducerConsumer:
    case StmtKind::Provide:
    case StmtKind::Free:
    case StmtKind::Store:
    case StmtKind::Block:
    case StmtKind::IfThenElse:
    case StmtKind::Evaluate:
    case StmtKind::Prefetch:
    case StmtKind::Atomic:
    case StmtKind::Launch:
    case StmtKind::Barrier:
        return nullptr;
    }
    unreachable("a statement of no kind");
}

/// The symbol that a statement itself reads or writes. Marks (produce, consume, atomic) and frees are not accesses.
const Symbol *accessed_symbol(const Stmt &stmt) {
    switch (stmt.kind()) {
    case StmtKind::Provide:
        return &stmt.as<Provide>()->func;
    case StmtKind::Store:
        return &stmt.as<Store>()->buffer;
    case StmtKind::Prefetch:
        return &stmt.as<Prefetch>()->func;
    case StmtKind::LetStmt:
    case StmtKind::Assert:
    case StmtKind::ProducerConsumer:
    case StmtKind::For:
    case StmtKind::Realize:
    case StmtKind::Allocate:
    case StmtKind::Free:
    case StmtKind::Block:
    case StmtKind::IfThenElse:
    case StmtKind::Evaluate:
    case StmtKind::Atomic:
    case StmtKind::Launch:
    case StmtKind::Barrier:
        return nullptr;
    }
    unreachable("a statement of no kind");
}

} // namespace

void for_each_child_expr(const Stmt &stmt, const std::function<void(const Expr &)> &visit) {
    auto all = [&](const std::vector<Expr> &exprs) {
        for (const Expr &expr : exprs) {
            visit(expr);
        }
    };
    switch (stmt.kind()) {
    case StmtKind::LetStmt:
        visit(stmt.as<LetStmt>()->value);
        break;
    case StmtKind::Assert:
        visit(stmt.as<Assert>()->condition);
        visit(stmt.as<Assert>()->error);
        break;
    case StmtKind::For:
        visit(stmt.as<For>()->min);
        visit(stmt.as<For>()->extent);
        break;
    case StmtKind::Provide:
        all(stmt.as<Provide>()->values);
        all(stmt.as<Provide>()->args);
        visit(stmt.as<Provide>()->predicate);
        break;
    case StmtKind::Realize:
        ranges(stmt.as<Realize>()->bounds, visit);
        break;
    case StmtKind::Allocate:
        all(stmt.as<Allocate>()->extents);
        break;
    case StmtKind::Store:
        visit(stmt.as<Store>()->value);
        visit(stmt.as<Store>()->index);
        visit(stmt.as<Store>()->predicate);
        break;
    case StmtKind::IfThenElse:
        visit(stmt.as<IfThenElse>()->condition);
        break;
    case StmtKind::Evaluate:
        visit(stmt.as<Evaluate>()->value);
        break;
    case StmtKind::Prefetch:
        ranges(stmt.as<Prefetch>()->bounds, visit);
        break;
    case StmtKind::Launch:
        all(stmt.as<Launch>()->args);
        all(stmt.as<Launch>()->threads);
        break;
    case StmtKind::ProducerConsumer:
    case StmtKind::Free:
    case StmtKind::Block:
    case StmtKind::Atomic:
    case StmtKind::Barrier:
        break;
    }
}

void for_each_child_stmt(const Stmt &stmt, const std::function<void(const Stmt &)> &visit) {
    visit_stmt(stmt, [&](const auto &node) {
        using T = std::decay_t<decltype(node)>;
        if constexpr (std::is_same_v<T, Block>) {
            for (const Stmt &each : node.stmts) {
                visit(each);
            }
        } else if constexpr (std::is_same_v<T, IfThenElse>) {
            visit(node.then_case);
            if (node.else_case.defined()) {
                visit(node.else_case);
            }
        } else if constexpr (requires { node.body; }) {
            visit(node.body);
        }
    });
}

void Visitor::recurse(const Expr &expr) {
    for (const Expr &arg : expr->args()) {
        visit(arg);
    }
}

void Visitor::recurse(const Stmt &stmt) {
    for_each_child_expr(stmt, [this](const Expr &expr) { visit(expr); });
    for_each_child_stmt(stmt, [this](const Stmt &inner) { visit(inner); });
}

bool uses_symbol(const Stmt &stmt, const Symbol &symbol) {
    if (!stmt.defined()) {
        return false;
    }
    if (const Symbol *accessed = accessed_symbol(stmt); accessed && *accessed == symbol) {
        return true;
    }
    bool found = false;
    for_each_child_expr(stmt, [&](const Expr &expr) { found = found || uses_symbol(expr, symbol); });
    if (const Symbol *bound = bound_symbol(stmt); bound && *bound == symbol) {
        return found;
    }
    for_each_child_stmt(stmt, [&](const Stmt &inner) { found = found || uses_symbol(inner, symbol); });
    return found;
}

// ---- Substitution.

namespace {

class StmtSubstitution : public Mutator {
  public:
    explicit StmtSubstitution(const SymbolMap<Expr> &values) : values_(values) {}

    Expr mutate(const Expr &expr) override { return ir::substitute(expr, values_); }

    Stmt mutate(const Stmt &stmt) override {
        if (const LetStmt *let = stmt.as<LetStmt>()) {
            const Expr value = mutate(let->value);
            auto [symbol, body] = below(let->symbol, let->value.type(), let->body);
            const bool unchanged = value.same_as(let->value) && body.same_as(let->body);
            return unchanged ? stmt : LetStmt::make(symbol, value, body);
        }
        if (const For *loop = stmt.as<For>()) {
            const Expr min = mutate(loop->min), extent = mutate(loop->extent);
            auto [var, body] = below(loop->var, Int(32), loop->body);
            const bool unchanged = min.same_as(loop->min) && extent.same_as(loop->extent) && body.same_as(loop->body);
            return unchanged ? stmt : For::make(var, min, extent, loop->for_kind, body, loop->partition);
        }
        return recurse(stmt);
    }

  private:
    /// The binder and the body after substituting what is valid below the binder.
    std::pair<Symbol, Stmt> below(const Symbol &binder, Type type, const Stmt &body) {
        if (!values_.count(binder) && !is_captured(binder, values_)) {
            return {binder, mutate(body)};
        }
        SymbolMap<Expr> inner = values_;
        const Symbol renamed = enter_binder(binder, type, inner);
        return {renamed, inner.empty() ? body : StmtSubstitution(inner).mutate(body)};
    }

    const SymbolMap<Expr> &values_;
};

} // namespace

Stmt substitute(const Stmt &stmt, const SymbolMap<Expr> &values) {
    if (!stmt.defined() || values.empty()) {
        return stmt;
    }
    return StmtSubstitution(values).mutate(stmt);
}

Stmt substitute(const Stmt &stmt, const Symbol &symbol, const Expr &value) {
    return substitute(stmt, SymbolMap<Expr>{{symbol, value}});
}

} // namespace fluorite::ir
