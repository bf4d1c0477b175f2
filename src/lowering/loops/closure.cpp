// The arguments of a function that is outlined.
//
//   for x in [0, +n) { out[x] = t + in[x] }     has the closure     in, n, out, t
//
// The free symbols of a statement are those that it mentions and does not bind, as no symbol is bound in two nested
// scopes. They come in the order of their names, so that equal programs give equal code.
// Cost: linear in distinct nodes.

#include "lowering/loops/closure.h"

#include "ir/expr_traits.h"
#include "support/check.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_set>

namespace fluorite::lowering {

using namespace ir;

namespace {

/// The symbols that a statement mentions and binds.
class Mentions : public Visitor {
  public:
    std::map<Symbol, Type> symbols; // ordered, so that equal programs give equal code; the type of a value, else void
    std::set<Symbol> bound;

    explicit Mentions(const Stmt &stmt) { visit(stmt); }
    using Visitor::visit;
    void visit(const Expr &expr) override {
        if (!seen_.insert(expr.get()).second) {
            return;
        }
        if (expr->kind() == ExprKind::Variable) {
            symbols[expr->symbol()] = expr.type();
        } else if (expr->kind() == ExprKind::Let) {
            bound.insert(expr->symbol());
        } else if (has_symbol(expr->kind())) {
            symbols.try_emplace(expr->symbol());
        }
        recurse(expr);
    }
    void visit(const Stmt &stmt) override {
        if (const auto *store = stmt.as<Store>()) {
            symbols.try_emplace(store->buffer);
        } else if (const auto *let = stmt.as<LetStmt>()) {
            bound.insert(let->symbol);
        } else if (const auto *loop = stmt.as<For>()) {
            bound.insert(loop->var);
        } else if (const auto *allocate = stmt.as<Allocate>()) {
            bound.insert(allocate->buffer);
        }
        recurse(stmt);
    }

  private:
    std::unordered_set<const ExprNode *> seen_;
};

} // namespace

std::vector<LoweredArg> closure_of(const Stmt &body, const std::vector<Symbol> &indices,
                                   const SymbolMap<LoweredArg> &buffers) {
    std::vector<LoweredArg> closure;
    const Mentions mentions(body);
    for (const auto &[symbol, type] : mentions.symbols) {
        if (mentions.bound.contains(symbol) || std::find(indices.begin(), indices.end(), symbol) != indices.end()) {
            continue;
        }
        const auto buffer = buffers.find(symbol);
        const bool is_value = buffer == buffers.end() || buffer->second.kind == LoweredArg::Kind::Scalar;
        check(!is_value || !type.is_void(), concat("the buffer '", symbol.name(), "' is known"));
        closure.push_back(is_value ? LoweredArg{LoweredArg::Kind::Scalar, symbol, type, 0} : buffer->second);
    }
    return closure;
}

std::vector<Expr> values_of(const std::vector<LoweredArg> &args) {
    std::vector<Expr> values;
    for (const LoweredArg &arg : args) {
        values.push_back(make_var(arg.kind == LoweredArg::Kind::Scalar ? arg.type : Handle(), arg.symbol));
    }
    return values;
}

} // namespace fluorite::lowering
