// Tuples: each value of a Func gets a buffer of its own.
//
// After this pass, statements and expressions access Buffers (PassContext::buffers) instead of values of Funcs:
//   realize f {float32, int32} over B { S }   -->   realize f.0 {float32} over B { realize f.1 {int32} over B { S } }
//   f(x) = {a, b}                             -->   let t = a, u = b { f.0(x) = t; f.1(x) = u }
//   call f[1](x)                              -->   image f.1(x)
// All values of a tuple are computed before the first is stored, as they may read the point that is written. A
// predicate of the Provide becomes the predicate of each store.
//
// Undef: a value is not stored where it is undefined. An operation is undefined where one of its operands is, and a
// Select where the value that it chooses is. So select(c, v, undef) stores v where c holds: the condition is added to
// the predicate of the store. The language does not allow undef in coordinates and conditions.
//
// Relies on: a Provide has one value for each element of the Func. Outputs have no Realize; their buffers are
// arguments. After this pass, ProducerConsumer and Atomic name the buffer of value 0. Cost: linear.

#include "lowering/late_passes.h"

#include <unordered_map>

namespace fluorite::lowering {

using namespace ir;

namespace {

/// A value, and the condition under which it is defined; without a condition, it is always defined.
struct PartialValue {
    Expr value, condition;
    bool is_never() const { return condition.defined() && is_false(condition); }
};

Expr both_conditions(const Expr &a, const Expr &b) {
    return a.defined() && b.defined() ? logical_and(a, b) : a.defined() ? a : b;
}

Expr not_of(const Expr &condition) { return make_unary(ExprKind::Not, condition); }

/// Splits a value that may be undefined: into the value with 0 for undef, and the condition under which it is defined.
class UndefSplitter {
  public:
    PartialValue split(const Expr &expr) {
        const auto known = done_.find(expr.get());
        if (known != done_.end()) {
            return known->second;
        }
        const PartialValue result = split_node(expr);
        done_.emplace(expr.get(), result);
        return result;
    }

  private:
    std::unordered_map<const ExprNode *, PartialValue> done_;
    SymbolMap<Expr> conditions_; // of variables bound by Lets

    PartialValue split_node(const Expr &expr) {
        switch (expr->kind()) {
        case ExprKind::Undef:
            return {make_zero(expr.type()), make_bool(false)};
        case ExprKind::Variable: {
            const auto found = conditions_.find(expr->symbol());
            return {expr, found == conditions_.end() ? Expr() : found->second};
        }
        case ExprKind::Let:
            return split_let(expr);
        case ExprKind::Select:
            return split_select(expr);
        default: // kinds that are undefined where an operand is
            break;
        }
        PartialValue result;
        result.value = map_operands(expr, [&](const Expr &operand) {
            const PartialValue part = split(operand);
            if (!result.is_never()) {
                result.condition = part.is_never() ? part.condition : both_conditions(result.condition, part.condition);
            }
            return part.value;
        });
        return result;
    }

    PartialValue split_let(const Expr &expr) {
        const PartialValue bound = split(expr->arg(0));
        if (bound.condition.defined()) {
            const Symbol &symbol = expr->symbol();
            const Symbol where(symbol.kind(), symbol.name() + ".defined", symbol.owner());
            conditions_[symbol] = is_const(bound.condition) ? bound.condition : make_var(Bool(), where);
            PartialValue body = split(expr->arg(1));
            if (body.condition.defined() && !is_const(bound.condition)) {
                body.condition = make_let(where, bound.condition, body.condition);
            }
            return under_let(expr, bound.value, body);
        }
        return under_let(expr, bound.value, split(expr->arg(1)));
    }

    static PartialValue under_let(const Expr &let, const Expr &value, const PartialValue &body) {
        const bool keeps = body.condition.defined() && !is_const(body.condition);
        return {make_let(let->symbol(), value, body.value),
                keeps ? make_let(let->symbol(), value, body.condition) : body.condition};
    }

    PartialValue split_select(const Expr &expr) {
        const PartialValue test = split(expr->arg(0)), yes = split(expr->arg(1)), no = split(expr->arg(2));
        const Expr &condition = test.value;
        if (test.is_never() || (yes.is_never() && no.is_never())) {
            return {make_zero(expr.type()), make_bool(false)};
        }
        if (no.is_never()) {
            return {yes.value, both_conditions(both_conditions(condition, yes.condition), test.condition)};
        }
        if (yes.is_never()) {
            return {no.value, both_conditions(both_conditions(not_of(condition), no.condition), test.condition)};
        }
        PartialValue result{make_select(condition, yes.value, no.value), test.condition};
        if (yes.condition.defined() || no.condition.defined()) {
            const Expr always = make_bool(true);
            result.condition = both_conditions(make_select(condition, yes.condition.defined() ? yes.condition : always,
                                                           no.condition.defined() ? no.condition : always),
                                               test.condition);
        }
        return result;
    }
};

class TupleSplitter : public Mutator {
  public:
    explicit TupleSplitter(const PassContext &context) : context_(context) {}

    Expr mutate(const Expr &expr) override {
        auto known = done_.find(expr.get());
        if (known != done_.end()) {
            return known->second.second;
        }
        Expr result = recurse(expr);
        if (result->kind() == ExprKind::Call) {
            const Member &member = result->member();
            result = make_image(result.type(), context_.buffers.of(member.symbol, member.position()), result->args());
        }
        done_.emplace(expr.get(), std::pair(expr, result));
        return result;
    }

    Stmt mutate(const Stmt &stmt) override {
        if (const Realize *realize = stmt.as<Realize>()) {
            return split(*realize);
        }
        if (const Provide *provide = stmt.as<Provide>()) {
            return split(*provide);
        }
        if (const Prefetch *prefetch = stmt.as<Prefetch>(); prefetch && prefetch->func.kind() == SymbolKind::Func) {
            return split(*prefetch);
        }
        if (const ProducerConsumer *node = stmt.as<ProducerConsumer>()) {
            const Stmt body = mutate(node->body);
            const Symbol &buffer = context_.buffers.of(node->func, 0);
            return body.defined() ? ProducerConsumer::make(buffer, node->is_producer, body) : body;
        }
        if (const Atomic *node = stmt.as<Atomic>()) {
            const Stmt body = mutate(node->body);
            return body.defined() ? Atomic::make(context_.buffers.of(node->func, 0), body) : body;
        }
        return recurse(stmt);
    }

  private:
    using Lets = std::vector<std::pair<Symbol, Expr>>;

    const PassContext &context_;
    // The key's expression is kept alive, so that its address is not reused.
    std::unordered_map<const ExprNode *, std::pair<Expr, Expr>> done_;

    Stmt split(const Realize &realize) {
        Stmt body = mutate(realize.body);
        if (!body.defined()) {
            return body;
        }
        std::vector<Range> bounds;
        for (const Range &range : realize.bounds) {
            bounds.push_back({mutate(range.min), mutate(range.extent)});
        }
        for (size_t element = realize.types.size(); element-- > 0;) {
            body = Realize::make(context_.buffers.of(realize.func, element), {realize.types[element]}, realize.memory,
                                 bounds, body);
        }
        return body;
    }

    Stmt split(const Prefetch &prefetch) {
        Stmt body = mutate(prefetch.body);
        const FuncDef *func = context_.func_of(prefetch.func);
        for (size_t element = func->types.size(); body.defined() && element-- > 0;) {
            body = Prefetch::make(context_.buffers.of(prefetch.func, element), prefetch.bounds, body);
        }
        return body;
    }

    Stmt split(const Provide &provide) {
        const bool several = provide.values.size() > 1;
        Lets lets;
        std::vector<Expr> args = mutate_all(provide.args);
        const Expr predicate = mutate(provide.predicate);
        if (several) {
            for (Expr &arg : args) {
                arg = bind_reads(lets, provide.func.name() + ".at", arg);
            }
        }
        std::vector<Stmt> stores;
        for (size_t element = 0; element < provide.values.size(); element++) {
            PartialValue part = UndefSplitter().split(mutate(provide.values[element]));
            if (part.is_never()) {
                continue;
            }
            const Symbol &buffer = context_.buffers.of(provide.func, element);
            if (several) {
                part.value = bind(lets, buffer.name() + ".value", part.value);
            }
            if (several && part.condition.defined()) {
                part.condition = bind(lets, buffer.name() + ".stored", part.condition);
            }
            const Expr where = part.condition.defined() && is_true(predicate) ? part.condition
                               : part.condition.defined()                     ? logical_and(predicate, part.condition)
                                                                              : predicate;
            stores.push_back(Provide::make(buffer, provide.stage, {part.value}, args, where));
        }
        Stmt result = Block::make(std::move(stores));
        for (size_t i = result.defined() ? lets.size() : 0; i-- > 0;) {
            result = LetStmt::make(lets[i].first, lets[i].second, result);
        }
        return result;
    }

    /// A variable bound to the value, unless the value is a constant.
    Expr bind(Lets &lets, const std::string &hint, const Expr &value) {
        if (is_const(value)) {
            return value;
        }
        const Symbol symbol = context_.symbols.fresh_let(hint, value);
        lets.emplace_back(symbol, value);
        return make_var(value.type(), symbol);
    }

    /// Binds an argument that reads memory, which the first of several stores may change.
    Expr bind_reads(Lets &lets, const std::string &hint, const Expr &value) {
        bool reads = false;
        for_each_node(value, [&](const Expr &node) { reads = reads || node->kind() == ExprKind::Image; });
        return reads ? bind(lets, hint, value) : value;
    }
};

} // namespace

Stmt split_tuples(const Stmt &stmt, const PassContext &context) {
    return stmt.defined() ? TupleSplitter(context).mutate(stmt) : stmt;
}

} // namespace fluorite::lowering
