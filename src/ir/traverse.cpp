// Generic traversal of expressions.
//
// Expressions are graphs: a node may be an operand of many. Every walk keeps a table of visited nodes, by identity, so
// its cost is linear in distinct nodes. All walks except map_operands use an explicit stack, so depth costs no C++
// stack. Substitution starts a new table where a Let hides one of the symbols, because the same node then has another
// meaning; a Let that would capture a variable of a substituted value is renamed.

#include "ir/expr_node.h"

#include <unordered_set>

namespace fluorite::ir {

Expr with_args(const Expr &expr, std::span<const Expr> args, Type type) {
    return ExprNode::create(expr->kind(), type.is_void() ? expr.type() : type, args, expr->payload());
}

Expr map_operands(const Expr &expr, const std::function<Expr(const Expr &)> &change) {
    std::vector<Expr> args;
    const size_t count = expr->arg_count();
    for (size_t i = 0; i < count; i++) {
        Expr changed = change(expr->arg(i));
        if (args.empty() && changed.same_as(expr->arg(i))) {
            continue;
        }
        if (args.empty()) {
            args.reserve(count);
            args.assign(expr->args().begin(), expr->args().begin() + static_cast<std::ptrdiff_t>(i));
        }
        args.push_back(std::move(changed));
    }
    return args.empty() ? expr : with_args(expr, args);
}

namespace {

/// The nodes that a walk has visited; only nodes that it can reach again are stored.
class NodeSet {
  public:
    /// Whether this is the first visit.
    bool insert(const ExprNode *node) { return !node->is_shared() || nodes_.insert(node).second; }

  private:
    std::unordered_set<const ExprNode *> nodes_;
};

/// Calls `visit` in post-order, once for each distinct node for which `enter` holds at the first visit.
template <typename Enter, typename Visit> void post_order(const Expr &root, const Enter &enter, const Visit &visit) {
    struct Step {
        const Expr *expr;
        size_t next;
    };
    if (root->arg_count() == 0) {
        if (enter(root)) {
            visit(root);
        }
        return;
    }
    std::vector<Step> stack;
    auto push = [&](const Expr &expr) {
        if (enter(expr)) {
            stack.push_back({&expr, 0});
        }
    };
    push(root);
    while (!stack.empty()) {
        Step &step = stack.back();
        if (step.next < (*step.expr)->arg_count()) {
            const Expr &arg = (*step.expr)->arg(step.next++);
            push(arg);
        } else {
            const Expr &done = *step.expr;
            stack.pop_back();
            visit(done);
        }
    }
}

using NodeMap = std::unordered_map<const ExprNode *, Expr>;

/// The node with its operands replaced by their entries in the table.
Expr rebuilt(const Expr &expr, const NodeMap &results) {
    bool changed = false;
    for (const Expr &arg : expr->args()) {
        changed = changed || !results.at(arg.get()).same_as(arg);
    }
    if (!changed) {
        return expr;
    }
    std::vector<Expr> args;
    args.reserve(expr->arg_count());
    for (const Expr &arg : expr->args()) {
        args.push_back(results.at(arg.get()));
    }
    return with_args(expr, args);
}

} // namespace

void for_each_node(const Expr &expr, const std::function<void(const Expr &)> &visit) {
    if (!expr.defined()) {
        return;
    }
    NodeSet seen;
    post_order(expr, [&](const Expr &node) { return seen.insert(node.get()); }, visit);
}

size_t node_count(const Expr &expr) {
    size_t count = 0;
    for_each_node(expr, [&](const Expr &) { count++; });
    return count;
}

static bool has_more_nodes(const Expr &expr, size_t most, std::unordered_set<const ExprNode *> &seen) {
    if (!seen.insert(expr.get()).second) {
        return false;
    }
    return seen.size() > most || std::any_of(expr->args().begin(), expr->args().end(),
                                             [&](const Expr &arg) { return has_more_nodes(arg, most, seen); });
}

bool has_more_nodes(const Expr &expr, size_t most) {
    std::unordered_set<const ExprNode *> seen;
    return has_more_nodes(expr, most, seen);
}

Expr transform(const Expr &expr, const std::function<Expr(const Expr &)> &post) {
    if (!expr.defined()) {
        return expr;
    }
    NodeMap results;
    for_each_node(expr, [&](const Expr &node) { results.emplace(node.get(), post(rebuilt(node, results))); });
    return results.at(expr.get());
}

void for_each_free_symbol(const Expr &expr, const std::function<void(const Symbol &)> &visit) {
    // `bound` holds the symbols of the enclosing Lets; each Let's body is a walk with its own set of visited nodes.
    struct Walker {
        const std::function<void(const Symbol &)> &visit;
        std::vector<Symbol> bound;

        void walk(const Expr &root) {
            NodeSet seen;
            std::vector<Expr> pending{root};
            while (!pending.empty()) {
                const Expr node = std::move(pending.back());
                pending.pop_back();
                if (!seen.insert(node.get())) {
                    continue;
                }
                if (node->kind() == ExprKind::Let) {
                    pending.push_back(node->arg(0));
                    bound.push_back(node->symbol());
                    walk(node->arg(1));
                    bound.pop_back();
                    continue;
                }
                const Payload &payload = node->payload();
                if (std::holds_alternative<Symbol>(payload) || std::holds_alternative<Member>(payload)) {
                    report(node->symbol());
                }
                pending.insert(pending.end(), node->args().begin(), node->args().end());
            }
        }
        void report(const Symbol &symbol) {
            for (const Symbol &hidden : bound) {
                if (hidden == symbol) {
                    return;
                }
            }
            visit(symbol);
        }
    };
    if (expr.defined()) {
        Walker{visit, {}}.walk(expr);
    }
}

bool uses_symbol(const Expr &expr, const Symbol &symbol) {
    if (!expr.defined()) {
        return false;
    }
    NodeSet seen;
    std::vector<const ExprNode *> pending{expr.get()};
    while (!pending.empty()) {
        const ExprNode *node = pending.back();
        pending.pop_back();
        if (!seen.insert(node)) {
            continue;
        }
        const Payload &payload = node->payload();
        const bool names = std::holds_alternative<Symbol>(payload) || std::holds_alternative<Member>(payload);
        if (names && node->symbol() == symbol) {
            if (node->kind() != ExprKind::Let) {
                return true;
            }
            pending.push_back(node->arg(0).get());
            continue;
        }
        // Visit the first operand next: in the value of a Let, the symbol of the Let directly around it is mostly used.
        for (size_t i = node->arg_count(); i-- > 0;) {
            pending.push_back(node->arg(i).get());
        }
    }
    return false;
}

// ---- Substitution.

namespace {

class Substitution {
  public:
    explicit Substitution(const SymbolMap<Expr> &values) : values_(values) {}

    Expr apply(const Expr &root) {
        // Lets are entered explicitly, because other substitutions hold in their bodies.
        post_order(
            root,
            [&](const Expr &node) {
                if (results_.count(node.get())) {
                    return false;
                }
                if (node->kind() == ExprKind::Let) {
                    results_.emplace(node.get(), apply_let(node));
                    return false;
                }
                results_.emplace(node.get(), Expr());
                return true;
            },
            [&](const Expr &node) { results_[node.get()] = replace(node); });
        return results_.at(root.get());
    }

  private:
    Expr replace(const Expr &node) {
        if (node->kind() == ExprKind::Variable) {
            auto found = values_.find(node->symbol());
            return found == values_.end() ? node : found->second;
        }
        return rebuilt(node, results_);
    }

    Expr apply_let(const Expr &let) {
        const Expr value = apply(let->arg(0));
        Symbol symbol = let->symbol();
        Expr body = let->arg(1);
        if (!values_.count(symbol) && !is_captured(symbol, values_)) {
            body = apply(body);
        } else {
            SymbolMap<Expr> inner = values_;
            symbol = enter_binder(symbol, let->arg(0).type(), inner);
            body = inner.empty() ? body : Substitution(inner).apply(body);
        }
        if (value.same_as(let->arg(0)) && body.same_as(let->arg(1))) {
            return let;
        }
        return make_let(symbol, value, body);
    }

    const SymbolMap<Expr> &values_;
    NodeMap results_;
};

/// Substitutes values of Lets in one walk, values before bodies. The body of a Let that rebinds a symbol gets its own
/// walk.
class LetExpansion {
  public:
    explicit LetExpansion(SymbolMap<Expr> values = {}) : values_(std::move(values)) {}

    Expr apply(const Expr &root) {
        struct Step {
            const Expr *expr;
            size_t next;
        };
        std::vector<Step> stack{{&root, 0}};
        while (!stack.empty()) {
            Step &step = stack.back();
            const Expr &expr = *step.expr;
            if (step.next == 1 && expr->kind() == ExprKind::Let) {
                const Expr &value = results_.at(expr->arg(0).get());
                if (const auto [at, is_new] = values_.emplace(expr->symbol(), value);
                    !is_new && !at->second.same_as(value)) {
                    SymbolMap<Expr> values = values_;
                    values[expr->symbol()] = value;
                    results_.insert_or_assign(expr.get(), LetExpansion(std::move(values)).apply(expr->arg(1)));
                    stack.pop_back();
                    continue;
                }
            }
            if (step.next < expr->arg_count()) {
                const Expr &arg = expr->arg(step.next++);
                if (!results_.contains(arg.get())) {
                    stack.push_back({&arg, 0});
                }
                continue;
            }
            results_.insert_or_assign(expr.get(), result(expr));
            stack.pop_back();
        }
        return results_.at(root.get());
    }

  private:
    SymbolMap<Expr> values_;
    NodeMap results_;

    Expr result(const Expr &expr) const {
        if (expr->kind() == ExprKind::Variable) {
            const auto found = values_.find(expr->symbol());
            return found == values_.end() ? expr : found->second;
        }
        return expr->kind() == ExprKind::Let ? results_.at(expr->arg(1).get()) : rebuilt(expr, results_);
    }
};

} // namespace

Expr expand_lets(const Expr &expr) { return expr.defined() ? LetExpansion().apply(expr) : expr; }

bool is_captured(const Symbol &binder, const SymbolMap<Expr> &values) {
    for (const auto &[symbol, value] : values) {
        if (uses_symbol(value, binder)) {
            return true;
        }
    }
    return false;
}

Symbol enter_binder(const Symbol &binder, Type type, SymbolMap<Expr> &values) {
    values.erase(binder);
    if (!is_captured(binder, values)) {
        return binder;
    }
    for (int i = 1;; i++) {
        const Symbol fresh(binder.kind(), binder.name() + "." + std::to_string(i), binder.owner(), binder.object());
        if (!values.count(fresh) && !is_captured(fresh, values)) {
            values[binder] = make_var(type, fresh);
            return fresh;
        }
    }
}

Expr substitute(const Expr &expr, const SymbolMap<Expr> &values) {
    if (!expr.defined() || values.empty()) {
        return expr;
    }
    return Substitution(values).apply(expr);
}

Expr substitute(const Expr &expr, const Symbol &symbol, const Expr &value) {
    return substitute(expr, SymbolMap<Expr>{{symbol, value}});
}

} // namespace fluorite::ir
