// The simplifier of statements.
//
// Before: any statement of the loop IR. After: a statement with the same effects. Loop bounds, indices, coordinates and
// conditions are simplified as Index, stored values as Wrapping. Branches, loops and assertions with known outcome are
// gone, as are unused lets and lets that only rename; a loop of extent 1 is replaced by its body at the loop's minimum.
//
// Method. One traversal with one Simplifier whose facts follow the scopes: inside a loop its variable lies between the
// bounds; after an assertion and inside a branch the condition holds. A preceding traversal finds the lets that feed
// stored values: those wrap around, all others are index arithmetic. A change of facts invalidates memoized results, so
// every expression is simplified under the facts at its position. Uses of lets are counted once at the end, so dropping
// them is linear in the statement.
//
// A condition that reads memory is no fact, because a store may change it.
//
// Relies on symbols being bound once in a statement. Does not move, merge or reorder statements, and keeps everything
// that calls external functions, prints or can raise an error. Returns an undefined Stmt where nothing remains. Cost:
// linear in the statement, plus one invalidation per scope.

#include "ir/expr_traits.h"
#include "ir/operations.h"
#include "rewrite/fold.h"
#include "rewrite/simplifier.h"

#include <unordered_set>

namespace fluorite::rewrite {

using namespace fluorite::ir;

namespace {

using SymbolSet = std::unordered_set<Symbol, SymbolHash>;

/// The symbols of lets that feed values, which wrap around.
class ValueSymbols : public Visitor {
  public:
    explicit ValueSymbols(const Stmt &stmt) {
        Visitor::visit(stmt);
        // Lets were recorded outermost first. Traversing them innermost first marks the lets that a value uses as
        // values too.
        for (auto let = lets_.rbegin(); let != lets_.rend(); ++let) {
            if (symbols_.contains(let->first)) {
                mark(let->second);
            }
        }
    }
    bool contains(const Symbol &symbol) const { return symbols_.contains(symbol); }

    void visit(const Stmt &stmt) override {
        if (const auto *store = stmt.as<Store>()) {
            mark(store->value);
        } else if (const auto *provide = stmt.as<Provide>()) {
            for (const Expr &value : provide->values) {
                mark(value);
            }
        } else if (const auto *evaluate = stmt.as<Evaluate>()) {
            mark(evaluate->value);
        } else if (const auto *launch = stmt.as<Launch>()) {
            for (const Expr &arg : launch->args) {
                mark(arg); // a value or an index, as the function uses it
            }
        } else if (const auto *let = stmt.as<LetStmt>()) {
            lets_.emplace_back(let->symbol, let->value);
        }
        recurse(stmt);
    }
    void visit(const Expr &) override {}

  private:
    /// The variables of a value, except those in coordinates of accesses.
    void mark(const Expr &value) {
        if (!value.defined() || !seen_.insert(value.get()).second) {
            return;
        }
        const ExprKind kind = value->kind();
        if (kind == ExprKind::Variable) {
            symbols_.insert(value->symbol());
        } else if (kind == ExprKind::Extern && value->text() == "memory.prefetch") {
            return; // coordinates included
        } else if (ir::class_of(kind) != ir::ExprClass::Access) {
            for (const Expr &arg : value->args()) {
                mark(arg);
            }
        }
    }

    SymbolSet symbols_;
    std::unordered_set<const ExprNode *> seen_;
    std::vector<std::pair<Symbol, Expr>> lets_;
};

/// Drops unused lets, innermost first, so that a let goes too if only dropped lets use it.
class DeadLets : public Mutator {
  public:
    explicit DeadLets(const Stmt &stmt) {
        struct Counter : Visitor {
            DeadLets &owner;
            explicit Counter(DeadLets &owner) : owner(owner) {}
            void visit(const Expr &expr) override { owner.count(expr, 1); }
        };
        Counter(*this).Visitor::visit(stmt);
    }
    using Mutator::mutate;
    Expr mutate(const Expr &expr) override { return expr; }
    Stmt mutate(const Stmt &stmt) override {
        Stmt result = recurse(stmt);
        const auto *let = result.as<LetStmt>();
        if (let && uses_[let->symbol] == 0 && !has_effect(let->value)) {
            count(let->value, -1);
            return let->body;
        }
        return result;
    }

  private:
    void count(const Expr &expr, int change) {
        if (!expr.defined()) {
            return;
        }
        for_each_node(expr, [&](const Expr &node) {
            if (ir::has_symbol(node->kind()) && node->kind() != ExprKind::Let) {
                uses_[node->symbol()] += change;
            }
        });
    }

    SymbolMap<int> uses_;
};

class StmtSimplifier {
  public:
    StmtSimplifier(const Stmt &stmt, const Facts &facts) : simplifier_(facts), value_symbols_(stmt) {}

    Stmt mutate(const Stmt &stmt) {
        if (!stmt.defined()) {
            return stmt;
        }
        switch (stmt.kind()) {
        case StmtKind::LetStmt:
            return let(*stmt.as<LetStmt>(), stmt);
        case StmtKind::Assert:
            return assertion(*stmt.as<Assert>(), stmt);
        case StmtKind::ProducerConsumer:
            return producer_consumer(*stmt.as<ProducerConsumer>(), stmt);
        case StmtKind::For:
            return loop(*stmt.as<For>(), stmt);
        case StmtKind::Provide:
            return provide(*stmt.as<Provide>());
        case StmtKind::Realize:
            return realize(*stmt.as<Realize>());
        case StmtKind::Allocate:
            return allocate(*stmt.as<Allocate>());
        case StmtKind::Store:
            return store(*stmt.as<Store>(), stmt);
        case StmtKind::Block:
            return block(*stmt.as<Block>());
        case StmtKind::IfThenElse:
            return branch(*stmt.as<IfThenElse>(), stmt);
        case StmtKind::Free:
            return stmt;
        case StmtKind::Evaluate:
            return evaluate(*stmt.as<Evaluate>(), stmt);
        case StmtKind::Prefetch:
            return prefetch(*stmt.as<Prefetch>());
        case StmtKind::Atomic:
            return atomic(*stmt.as<Atomic>());
        case StmtKind::Launch:
            return launch(*stmt.as<Launch>());
        case StmtKind::Barrier:
            return stmt;
        }
        return stmt;
    }

  private:
    Expr index(const Expr &expr) { return simplifier_.simplify(expr, Arithmetic::Index); }
    Expr value(const Expr &expr) { return simplifier_.simplify(expr, Arithmetic::Wrapping); }

    std::vector<Expr> all_index(const std::vector<Expr> &exprs) {
        std::vector<Expr> results;
        for (const Expr &expr : exprs) {
            results.push_back(index(expr));
        }
        return results;
    }
    std::vector<Range> ranges(const std::vector<Range> &bounds) {
        std::vector<Range> results;
        for (const Range &range : bounds) {
            results.push_back({index(range.min), index(range.extent)});
        }
        return results;
    }

    Stmt let(const LetStmt &let, const Stmt &stmt) {
        const bool wraps = value_symbols_.contains(let.symbol) && let.symbol.kind() == SymbolKind::Let;
        const Arithmetic arithmetic = wraps ? Arithmetic::Wrapping : Arithmetic::Index;
        const Expr result = simplifier_.simplify(let.value, arithmetic);
        const Simplifier::Mark mark = simplifier_.mark();
        const bool renames = is_const(result) || result->kind() == ExprKind::Variable;
        if (renames) {
            simplifier_.replace(let.symbol, result);
        } else if (const Interval range = simplifier_.bounds(result, arithmetic); !range.is_everything()) {
            simplifier_.learn_range(let.symbol, range);
        }
        if (!renames && !wraps) {
            simplifier_.learn_form(let.symbol, result);
        }
        const Stmt body = mutate(let.body);
        simplifier_.forget_to(mark);
        if (renames || (!body.defined() && !has_effect(result))) {
            return body;
        }
        if (!body.defined()) {
            return Evaluate::make(result);
        }
        const bool same = result.same_as(let.value) && body.same_as(let.body);
        return same ? stmt : LetStmt::make(let.symbol, result, body);
    }

    Stmt assertion(const Assert &assertion, const Stmt &stmt) {
        const Expr condition = index(assertion.condition);
        if (is_true(condition)) {
            return {};
        }
        const Expr error = value(assertion.error);
        const bool same = condition.same_as(assertion.condition) && error.same_as(assertion.error);
        return same ? stmt : Assert::make(condition, error);
    }

    Stmt producer_consumer(const ProducerConsumer &node, const Stmt &stmt) {
        const Stmt body = mutate(node.body);
        if (!body.defined() || body.same_as(node.body)) {
            return body.defined() ? stmt : body;
        }
        return ProducerConsumer::make(node.func, node.is_producer, body);
    }

    Stmt loop(const For &loop, const Stmt &stmt) {
        const Expr min = index(loop.min), extent = index(loop.extent);
        const Interval first = simplifier_.bounds(min, Arithmetic::Index);
        const Interval count = simplifier_.bounds(extent, Arithmetic::Index);
        if (count.hi <= 0) {
            return {};
        }
        const Simplifier::Mark mark = simplifier_.mark();
        const bool once = is_one(extent) && !is_of_device(loop.for_kind); // whose loops are the dimensions of a kernel
        if (once) {
            simplifier_.replace(loop.var, min);
        } else {
            learn_loop(loop.var, min, extent, {first.lo, (first + count - Interval::point(1)).hi});
        }
        const Stmt body = mutate(loop.body);
        simplifier_.forget_to(mark);
        if (once || !body.defined()) {
            return body;
        }
        const bool same = min.same_as(loop.min) && extent.same_as(loop.extent) && body.same_as(loop.body);
        return same ? stmt : For::make(loop.var, min, extent, loop.for_kind, body, loop.partition);
    }

    void learn_loop(const Symbol &var, const Expr &min, const Expr &extent, const Interval &range) {
        simplifier_.learn_range(var, range);
        const Expr variable = make_var(Int(32), var);
        if (!is_const(min)) {
            simplifier_.learn_truth(less_equal(min, variable));
        }
        if (!is_const(min) || !is_const(extent)) {
            simplifier_.learn_truth(less(variable, add(min, extent)));
            simplifier_.learn_truth(less_equal(make_int(Int(32), 1), extent));
        }
    }

    Stmt launch(const Launch &node) {
        std::vector<Expr> args;
        for (const Expr &arg : node.args) {
            args.push_back(value(arg));
        }
        return Launch::make(node.task, std::move(args), all_index(node.threads));
    }

    Stmt provide(const Provide &node) {
        const Expr predicate = node.predicate.defined() ? index(node.predicate) : node.predicate;
        if (predicate.defined() && is_false(predicate)) {
            return {};
        }
        std::vector<Expr> values;
        for (const Expr &element : node.values) {
            values.push_back(value(element));
        }
        return Provide::make(node.func, node.stage, std::move(values), all_index(node.args), predicate);
    }

    Stmt realize(const Realize &node) {
        const Stmt body = mutate(node.body);
        return body.defined() ? Realize::make(node.func, node.types, node.memory, ranges(node.bounds), body) : body;
    }

    Stmt allocate(const Allocate &node) {
        const std::vector<Expr> extents = all_index(node.extents);
        const Stmt body = mutate(node.body);
        return body.defined() ? Allocate::make(node.buffer, node.type, node.memory, extents, body, node.slot) : body;
    }

    Stmt store(const Store &node, const Stmt &stmt) {
        const Expr predicate = index(node.predicate), stored = value(node.value), at = index(node.index);
        if (is_false(predicate)) {
            return {};
        }
        const bool same = predicate.same_as(node.predicate) && stored.same_as(node.value) && at.same_as(node.index);
        return same ? stmt : Store::make(node.buffer, stored, at, predicate);
    }

    /// After an assertion its condition holds; after one that always fails, no statement executes.
    Stmt block(const Block &node) {
        const Simplifier::Mark mark = simplifier_.mark();
        std::vector<Stmt> results;
        for (const Stmt &child : node.stmts) {
            results.push_back(mutate(child));
            const auto *asserted = results.back().as<Assert>();
            if (asserted && is_false(asserted->condition)) {
                break;
            }
            if (asserted) {
                learn(asserted->condition);
            }
        }
        simplifier_.forget_to(mark);
        return Block::make(std::move(results));
    }

    Stmt branch(const IfThenElse &node, const Stmt &stmt) {
        const Expr condition = index(node.condition);
        if (is_true(condition) || is_false(condition)) {
            return mutate(is_true(condition) ? node.then_case : node.else_case);
        }
        const Stmt then_case = assuming(condition, node.then_case);
        const Stmt else_case = assuming(make_unary(ExprKind::Not, condition), node.else_case);
        if (!then_case.defined() && !else_case.defined()) {
            return has_effect(condition) ? Evaluate::make(condition) : Stmt();
        }
        if (!then_case.defined()) {
            return IfThenElse::make(index(make_unary(ExprKind::Not, condition)), else_case);
        }
        const bool same =
            condition.same_as(node.condition) && then_case.same_as(node.then_case) && else_case.same_as(node.else_case);
        return same ? stmt : IfThenElse::make(condition, then_case, else_case);
    }

    /// Learns a condition that stores cannot change.
    void learn(const Expr &condition) {
        if (!condition->reads_memory()) {
            simplifier_.learn_truth(condition);
        } else if (condition->kind() == ExprKind::And) {
            learn(condition->arg(0));
            learn(condition->arg(1));
        }
    }

    Stmt assuming(const Expr &condition, const Stmt &stmt) {
        if (!stmt.defined()) {
            return stmt;
        }
        const Simplifier::Mark mark = simplifier_.mark();
        learn(condition);
        const Stmt result = mutate(stmt);
        simplifier_.forget_to(mark);
        return result;
    }

    Stmt evaluate(const Evaluate &node, const Stmt &stmt) {
        const Expr result = value(node.value);
        if (!has_effect(result)) {
            return {};
        }
        return result.same_as(node.value) ? stmt : Evaluate::make(result);
    }

    Stmt prefetch(const Prefetch &node) {
        const Stmt body = mutate(node.body);
        return body.defined() ? Prefetch::make(node.func, ranges(node.bounds), body) : body;
    }

    Stmt atomic(const Atomic &node) {
        const Stmt body = mutate(node.body);
        return body.defined() ? Atomic::make(node.func, body) : body;
    }

    Simplifier simplifier_;
    ValueSymbols value_symbols_;
};

} // namespace

Stmt simplify(const Stmt &stmt, const Facts &facts) {
    if (!stmt.defined()) {
        return stmt;
    }
    const Stmt result = StmtSimplifier(stmt, facts).mutate(stmt);
    return result.defined() ? DeadLets(result).mutate(result) : result;
}

} // namespace fluorite::rewrite
