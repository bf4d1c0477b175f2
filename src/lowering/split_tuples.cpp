// Tuples: each value of a Func gets memory of its own.
//
// What: after this pass no statement or expression speaks of Funcs' values any more, but of Buffers (PassContext::buffers):
//   realize f {float32, int32} over B { S }   -->   realize f.0 {float32} over B { realize f.1 {int32} over B { S } }
//   f(x) = {a, b}                             -->   let t = a, u = b { f.0(x) = t; f.1(x) = u }
//   call f[1](x)                              -->   image f.1(x)
// All values of a tuple are computed before the first is stored, as they may read the place that is written. A predicate
// becomes an if, as it guards what the values read too.
//
// Undef: a value that is undefined is not stored. select(c, v, undef) stores v where c holds: the condition joins the
// predicate of the store. Undef anywhere else taints the whole value, which then is not stored either.
//
// Relies on: Provide having one value for each element of the Func. Output Funcs have no Realize; their buffers are arguments.
// ProducerConsumer and Atomic name the buffer of value 0 from here on.
// Cost: linear.

#include "lowering/late_passes.h"

#include <unordered_map>

namespace fluorite::lowering {

using namespace ir;

namespace {

/// A value, and where it is stored (undefined: always; value undefined: never).
struct PartialValue {
    Expr value, condition;
};

bool contains_undef(const Expr &expr) {
    bool found = false;
    for_each_node(expr, [&](const Expr &node) { found = found || node->kind() == ExprKind::Undef; });
    return found;
}

Expr both(const Expr &a, const Expr &b) { return a.defined() && b.defined() ? logical_and(a, b) : a.defined() ? a : b; }

Expr not_of(const Expr &condition) { return make_unary(ExprKind::Not, condition); }

/// Splits a value that may be undefined in places into a value and a condition.
PartialValue strip_undef(const Expr &expr) {
    if (!contains_undef(expr)) {
        return {expr, Expr()};
    }
    if (expr->kind() == ExprKind::Let) {
        const PartialValue body = strip_undef(expr->arg(1));
        if (!body.value.defined() || contains_undef(expr->arg(0))) {
            return {};
        }
        auto under_let = [&](const Expr &inner) {
            return inner.defined() ? make_let(expr->symbol(), expr->arg(0), inner) : inner;
        };
        return {under_let(body.value), under_let(body.condition)};
    }
    if (expr->kind() != ExprKind::Select || contains_undef(expr->arg(0))) {
        return {};
    }
    const Expr &condition = expr->arg(0);
    const PartialValue yes = strip_undef(expr->arg(1));
    const PartialValue no = strip_undef(expr->arg(2));
    if (!yes.value.defined() && !no.value.defined()) {
        return {};
    }
    if (!no.value.defined()) {
        return {yes.value, both(condition, yes.condition)};
    }
    if (!yes.value.defined()) {
        return {no.value, both(not_of(condition), no.condition)};
    }
    const Expr always = make_bool(true);
    const Expr where_yes = yes.condition.defined() ? yes.condition : always;
    const Expr where_no = no.condition.defined() ? no.condition : always;
    return {make_select(condition, yes.value, no.value), make_select(condition, where_yes, where_no)};
}

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
            result = make_image(result.type(), context_.buffers.of(member.symbol, member.index), result->args());
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
    // The key's expression is kept, so that its address is not used again.
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
            body = Realize::make(context_.buffers.of(realize.func, static_cast<int>(element)), {realize.types[element]},
                                 realize.memory, bounds, body);
        }
        return body;
    }

    Stmt split(const Prefetch &prefetch) {
        Stmt body = mutate(prefetch.body);
        const FuncDef *func = context_.func_of(prefetch.func);
        for (size_t element = func->types.size(); body.defined() && element-- > 0;) {
            body = Prefetch::make(context_.buffers.of(prefetch.func, static_cast<int>(element)), prefetch.bounds, body);
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
            PartialValue part = strip_undef(mutate(provide.values[element]));
            if (!part.value.defined()) {
                continue;
            }
            const Symbol &buffer = context_.buffers.of(provide.func, static_cast<int>(element));
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

    /// A variable bound to the value, unless that is a variable or constant itself.
    Expr bind(Lets &lets, const std::string &hint, const Expr &value) {
        if (is_const(value)) {
            return value;
        }
        const Symbol symbol = context_.symbols.fresh(SymbolKind::Let, hint);
        lets.emplace_back(symbol, value);
        return make_var(value.type(), symbol);
    }

    /// Binds what reads memory, which the first of several stores may change.
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
