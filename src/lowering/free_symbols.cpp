// The surroundings of a statement that comes without its pipeline: a text, for example.
//
// Each symbol that the statement uses and does not bind becomes an argument, or an open Func. Types and numbers of
// dimensions are those of its accesses; scalars and buffers are told apart by the kind of the symbol, and a buffer may
// be written. Bound symbols are collected for the whole statement, without scopes: in one pipeline, each symbol has its
// own name.
//
// Does not infer what no access shows: which of the buffers are inputs, and dimensions that flat loop IR has no trace
// of. Cost: linear in the statement.

#include "lowering/free_symbols.h"

#include "ir/stmt.h"

#include <algorithm>
#include <map>
#include <set>

namespace fluorite::lowering {

using namespace ir;

namespace {

class FreeSymbols : public Visitor {
  public:
    FreeSymbols(const Stmt &stmt, const Surroundings &known) {
        for (const LoweredArg &arg : known.args) {
            bound_.insert(arg.symbol);
        }
        for (const Surroundings::OpenFunc &func : known.funcs) {
            bound_.insert(func.func);
        }
        visit(stmt);
    }

    void add_to(Surroundings &result) const {
        for (const auto &[symbol, use] : uses_) {
            if (bound_.contains(symbol)) {
                continue;
            }
            if (symbol.kind() == SymbolKind::Func) {
                result.funcs.push_back({symbol, use.types, use.dimensions});
            } else {
                const bool is_scalar = symbol.kind() != SymbolKind::Buffer;
                result.args.push_back({is_scalar ? LoweredArg::Kind::Scalar : LoweredArg::Kind::OutputBuffer, symbol,
                                       use.types[0], static_cast<int>(use.dimensions)});
            }
        }
    }

    using Visitor::visit;
    void visit(const Expr &expr) override {
        for_each_node(expr, [&](const Expr &node) {
            switch (node->kind()) {
            case ExprKind::Variable:
                return add(node->symbol(), 0, node.type(), 0);
            case ExprKind::BufferField:
                return add(node->symbol(), 0, Type(), node->member().position() + 1);
            case ExprKind::Call:
                return add(node->symbol(), node->member().position(), node.type(), node->arg_count());
            case ExprKind::Image:
                return add(node->symbol(), 0, node.type(), node->arg_count());
            case ExprKind::Load:
                return add(node->symbol(), 0, node.type(), 0);
            case ExprKind::Let:
                bound_.insert(node->symbol());
                return;
            default: // kinds that name no symbol that is free in a statement, and bind none
                return;
            }
        });
    }
    void visit(const Stmt &stmt) override {
        if (const auto *store = stmt.as<Store>()) {
            add(store->buffer, 0, store->value.type(), 0);
        } else if (const auto *provide = stmt.as<Provide>()) {
            for (size_t k = 0; k < provide->values.size(); k++) {
                add(provide->func, k, provide->values[k].type(), provide->args.size());
            }
        } else if (const auto *mark = stmt.as<ProducerConsumer>()) {
            add(mark->func, 0, Type(), 0);
        } else if (const auto *let = stmt.as<LetStmt>()) {
            bound_.insert(let->symbol);
        } else if (const auto *loop = stmt.as<For>()) {
            bound_.insert(loop->var);
        } else if (const auto *realize = stmt.as<Realize>()) {
            bound_.insert(realize->func);
        } else if (const auto *allocate = stmt.as<Allocate>()) {
            bound_.insert(allocate->buffer);
        }
        recurse(stmt);
    }

    std::unordered_set<std::string> names() const {
        std::unordered_set<std::string> names;
        for (const Symbol &symbol : bound_) {
            names.insert(symbol.name());
        }
        for (const auto &[symbol, use] : uses_) {
            names.insert(symbol.name());
        }
        return names;
    }

  private:
    struct Use {
        std::vector<Type> types;
        size_t dimensions = 0;
    };
    std::map<Symbol, Use> uses_;
    std::set<Symbol> bound_;

    /// A handle is the address of a buffer, and does not tell the type of its elements.
    void add(const Symbol &symbol, size_t element, Type type, size_t dimensions) {
        Use &use = uses_[symbol];
        use.types.resize(std::max(use.types.size(), element + 1));
        const bool says_type = !type.is_void() && !(symbol.kind() == SymbolKind::Buffer && type.is_handle());
        use.types[element] = says_type ? type.element_of() : use.types[element];
        use.dimensions = std::max(use.dimensions, dimensions);
    }
};

} // namespace

Surroundings with_free_symbols(const Stmt &stmt, Surroundings known) {
    if (stmt.defined()) {
        FreeSymbols(stmt, known).add_to(known);
    }
    return known;
}

std::unordered_set<std::string> names_in(const Stmt &stmt) {
    return stmt.defined() ? FreeSymbols(stmt, {}).names() : std::unordered_set<std::string>();
}

} // namespace fluorite::lowering
