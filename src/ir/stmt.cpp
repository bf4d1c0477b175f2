// Construction of statements and rebuilding them.
//
// make checks what every phase requires of the node alone: operands are defined, loop bounds are scalar Int32, masks
// are Bool. The verifier checks rules that depend on the context (scopes, phases).
//
// The Mutator returns the same node where nothing changed. If a pass drops a body, the enclosing statement is dropped
// too; an if keeps its other case.

#include "ir/stmt.h"

#include <algorithm>

namespace fluorite::ir {

// ---- Making.

namespace {

void check_int32(const Expr &expr, const char *what) {
    if (expr.type() != Int(32)) {
        internal_error(concat(what, " must be int32, not ", expr.type()), Location::current());
    }
}

void check_ranges(const std::vector<Range> &bounds, const char *what) {
    for (const Range &range : bounds) {
        check_int32(range.min, what);
        check_int32(range.extent, what);
    }
}

Expr mask_of(const Expr &predicate, int lanes) {
    const Expr mask = predicate.defined() ? predicate : make_bool(true);
    check(mask.type().is_bool(), "a predicate must be bool");
    return mask.type().is_scalar() ? make_broadcast(mask, lanes) : mask;
}

} // namespace

Stmt LetStmt::make(const Symbol &symbol, const Expr &value, const Stmt &body) {
    check(symbol.defined() && value.defined() && body.defined(), "a let statement has a symbol, a value and a body");
    auto *node = new LetStmt;
    node->symbol = symbol;
    node->value = value;
    node->body = body;
    return node;
}

Stmt Assert::make(const Expr &condition, const Expr &error) {
    check(condition.type() == Bool(), "the condition of an assert must be bool");
    check_int32(error, "the error of an assert");
    auto *node = new Assert;
    node->condition = condition;
    node->error = error;
    return node;
}

Stmt ProducerConsumer::make(const Symbol &func, bool is_producer, const Stmt &body) {
    check(func.defined() && body.defined(), "a produce or consume mark has a func and a body");
    auto *node = new ProducerConsumer;
    node->func = func;
    node->is_producer = is_producer;
    node->body = body;
    return node;
}

Stmt For::make(const Symbol &var, const Expr &min, const Expr &extent, ForKind for_kind, const Stmt &body,
               Partition partition) {
    check(var.defined() && body.defined(), "a loop has a variable and a body");
    check_int32(min, "the min of a loop");
    check_int32(extent, "the extent of a loop");
    auto *node = new For;
    node->var = var;
    node->min = min;
    node->extent = extent;
    node->for_kind = for_kind;
    node->partition = partition;
    node->body = body;
    return node;
}

Stmt Provide::make(const Symbol &func, int stage, std::vector<Expr> values, std::vector<Expr> args,
                   const Expr &predicate) {
    check(func.defined() && !values.empty(), "a provide has a func and values");
    for (const Expr &value : values) {
        check(value.defined(), "a provided value must be defined");
    }
    int lanes = 1;
    for (const Expr &arg : args) {
        check(arg.defined(), "a coordinate must be defined");
        lanes = std::max(lanes, arg.type().lanes());
    }
    for (const Expr &value : values) {
        lanes = std::max(lanes, value.type().lanes());
    }
    Expr mask = mask_of(predicate, lanes);
    auto *node = new Provide;
    node->func = func;
    node->stage = stage;
    node->predicate = std::move(mask);
    node->values = std::move(values);
    node->args = std::move(args);
    return node;
}

Stmt Realize::make(const Symbol &func, std::vector<Type> types, MemoryType memory, std::vector<Range> bounds,
                   const Stmt &body) {
    check(func.defined() && !types.empty() && body.defined(), "a realize has a func, types and a body");
    check_ranges(bounds, "a bound of a realize");
    auto *node = new Realize;
    node->func = func;
    node->types = std::move(types);
    node->memory = memory;
    node->bounds = std::move(bounds);
    node->body = body;
    return node;
}

Stmt Allocate::make(const Symbol &buffer, Type type, MemoryType memory, std::vector<Expr> extents, const Stmt &body,
                    int slot) {
    check(buffer.defined() && body.defined() && type.is_scalar(), "an allocation has a buffer, scalar type and body");
    for (const Expr &extent : extents) {
        check_int32(extent, "an extent of an allocation");
    }
    auto *node = new Allocate;
    node->slot = slot;
    node->buffer = buffer;
    node->type = type;
    node->memory = memory;
    node->extents = std::move(extents);
    node->body = body;
    return node;
}

Stmt Store::make(const Symbol &buffer, const Expr &value, const Expr &index, const Expr &predicate) {
    check(buffer.defined() && value.defined() && index.defined(), "a store has a buffer, a value and an index");
    check(value.type().lanes() == index.type().lanes(), "value and index of a store must agree in lanes");
    Expr mask = mask_of(predicate, value.type().lanes());
    auto *node = new Store;
    node->buffer = buffer;
    node->value = value;
    node->index = index;
    node->predicate = std::move(mask);
    return node;
}

Stmt Block::make(std::vector<Stmt> stmts) {
    std::vector<Stmt> flat;
    for (Stmt &stmt : stmts) {
        if (const Block *inner = stmt.as<Block>()) {
            flat.insert(flat.end(), inner->stmts.begin(), inner->stmts.end());
        } else if (stmt.defined()) {
            flat.push_back(std::move(stmt));
        }
    }
    if (flat.size() <= 1) {
        return flat.empty() ? Stmt() : flat[0];
    }
    auto *node = new Block;
    node->stmts = std::move(flat);
    return node;
}

Stmt IfThenElse::make(const Expr &condition, const Stmt &then_case, const Stmt &else_case) {
    check(condition.type() == Bool() && then_case.defined(), "an if has a bool condition and a statement");
    auto *node = new IfThenElse;
    node->condition = condition;
    node->then_case = then_case;
    node->else_case = else_case;
    return node;
}

Stmt Free::make(const Symbol &buffer) {
    check(buffer.defined(), "a free has a buffer");
    auto *node = new Free;
    node->buffer = buffer;
    return node;
}

Stmt Evaluate::make(const Expr &value) {
    check(value.defined(), "evaluate takes an expression");
    auto *node = new Evaluate;
    node->value = value;
    return node;
}

Stmt Prefetch::make(const Symbol &func, std::vector<Range> bounds, const Stmt &body) {
    check(func.defined() && body.defined(), "a prefetch has a func and a body");
    check_ranges(bounds, "a bound of a prefetch");
    auto *node = new Prefetch;
    node->func = func;
    node->bounds = std::move(bounds);
    node->body = body;
    return node;
}

Stmt Atomic::make(const Symbol &func, const Stmt &body) {
    check(func.defined() && body.defined(), "an atomic has a func and a body");
    auto *node = new Atomic;
    node->func = func;
    node->body = body;
    return node;
}

Stmt Launch::make(std::string task, std::vector<Expr> args, std::vector<Expr> threads) {
    check(!task.empty(), "a launch names a task");
    for (const Expr &arg : args) {
        check(arg.defined(), "what a launch hands over must be defined");
    }
    for (const Expr &count : threads) {
        check_int32(count, "the threads of a launch");
    }
    auto *node = new Launch;
    node->task = std::move(task);
    node->args = std::move(args);
    node->threads = std::move(threads);
    return node;
}

Stmt Barrier::make() { return new Barrier; }

// ---- Equality.

namespace {

bool all_equal(const std::vector<Expr> &a, const std::vector<Expr> &b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Expr &x, const Expr &y) { return equal(x, y); });
}

bool all_equal(const std::vector<Range> &a, const std::vector<Range> &b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const Range &x, const Range &y) { return equal(x.min, y.min) && equal(x.extent, y.extent); });
}

bool same(const LetStmt &a, const LetStmt &b) {
    return a.symbol == b.symbol && equal(a.value, b.value) && equal(a.body, b.body);
}
bool same(const Assert &a, const Assert &b) { return equal(a.condition, b.condition) && equal(a.error, b.error); }
bool same(const ProducerConsumer &a, const ProducerConsumer &b) {
    return a.func == b.func && a.is_producer == b.is_producer && equal(a.body, b.body);
}
bool same(const For &a, const For &b) {
    return a.var == b.var && a.for_kind == b.for_kind && a.partition == b.partition && equal(a.min, b.min) &&
           equal(a.extent, b.extent) && equal(a.body, b.body);
}
bool same(const Provide &a, const Provide &b) {
    return a.func == b.func && a.stage == b.stage && all_equal(a.values, b.values) && all_equal(a.args, b.args) &&
           equal(a.predicate, b.predicate);
}
bool same(const Realize &a, const Realize &b) {
    return a.func == b.func && a.types == b.types && a.memory == b.memory && all_equal(a.bounds, b.bounds) &&
           equal(a.body, b.body);
}
bool same(const Allocate &a, const Allocate &b) {
    return a.buffer == b.buffer && a.type == b.type && a.memory == b.memory && a.slot == b.slot &&
           all_equal(a.extents, b.extents) && equal(a.body, b.body);
}
bool same(const Free &a, const Free &b) { return a.buffer == b.buffer; }
bool same(const Store &a, const Store &b) {
    return a.buffer == b.buffer && equal(a.value, b.value) && equal(a.index, b.index) &&
           equal(a.predicate, b.predicate);
}
bool same(const Block &a, const Block &b) {
    return std::equal(a.stmts.begin(), a.stmts.end(), b.stmts.begin(), b.stmts.end(),
                      [](const Stmt &x, const Stmt &y) { return equal(x, y); });
}
bool same(const IfThenElse &a, const IfThenElse &b) {
    return equal(a.condition, b.condition) && equal(a.then_case, b.then_case) && equal(a.else_case, b.else_case);
}
bool same(const Evaluate &a, const Evaluate &b) { return equal(a.value, b.value); }
bool same(const Prefetch &a, const Prefetch &b) {
    return a.func == b.func && all_equal(a.bounds, b.bounds) && equal(a.body, b.body);
}
bool same(const Atomic &a, const Atomic &b) { return a.func == b.func && equal(a.body, b.body); }
bool same(const Launch &a, const Launch &b) {
    return a.task == b.task && all_equal(a.args, b.args) && all_equal(a.threads, b.threads);
}
bool same(const Barrier &, const Barrier &) { return true; }

} // namespace

bool equal(const Stmt &a, const Stmt &b) {
    if (a.same_as(b)) {
        return true;
    }
    if (!a.defined() || !b.defined() || a.kind() != b.kind()) {
        return false;
    }
    return visit_stmt(a, [&](const auto &node) { return same(node, *b.as<std::decay_t<decltype(node)>>()); });
}

// ---- Rebuilding.

Expr Mutator::recurse(const Expr &expr) {
    const size_t count = expr->arg_count();
    for (size_t i = 0; i < count; i++) {
        Expr changed = mutate(expr->arg(i));
        if (changed.same_as(expr->arg(i))) {
            continue;
        }
        std::vector<Expr> args;
        args.reserve(count);
        args.assign(expr->args().begin(), expr->args().begin() + static_cast<std::ptrdiff_t>(i));
        args.push_back(std::move(changed));
        for (i++; i < count; i++) {
            args.push_back(mutate(expr->arg(i)));
        }
        return with_args(expr, args);
    }
    return expr;
}

std::vector<Expr> Mutator::mutate_all(const std::vector<Expr> &exprs) {
    std::vector<Expr> result;
    result.reserve(exprs.size());
    for (const Expr &expr : exprs) {
        result.push_back(mutate(expr));
    }
    return result;
}

namespace {

bool all_same(const std::vector<Expr> &a, const std::vector<Expr> &b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const Expr &x, const Expr &y) { return x.same_as(y); });
}

/// What rebuilding needs of a Mutator.
struct Changes {
    std::function<Expr(const Expr &)> expr;
    std::function<Stmt(const Stmt &)> stmt;

    std::vector<Expr> all(const std::vector<Expr> &exprs) const {
        std::vector<Expr> result;
        result.reserve(exprs.size());
        for (const Expr &each : exprs) {
            result.push_back(expr(each));
        }
        return result;
    }
    std::vector<Range> all(const std::vector<Range> &ranges, bool &changed) const {
        std::vector<Range> result;
        for (const Range &range : ranges) {
            result.push_back({expr(range.min), expr(range.extent)});
            changed = changed || !result.back().min.same_as(range.min) || !result.back().extent.same_as(range.extent);
        }
        return result;
    }
};

Stmt rebuild(const LetStmt &node, const Changes &change) {
    const Expr value = change.expr(node.value);
    const Stmt body = change.stmt(node.body);
    if (value.same_as(node.value) && body.same_as(node.body)) {
        return &node;
    }
    return body.defined() ? LetStmt::make(node.symbol, value, body) : Stmt();
}

Stmt rebuild(const Assert &node, const Changes &change) {
    const Expr condition = change.expr(node.condition);
    const Expr error = change.expr(node.error);
    const bool unchanged = condition.same_as(node.condition) && error.same_as(node.error);
    return unchanged ? Stmt(&node) : Assert::make(condition, error);
}

Stmt rebuild(const ProducerConsumer &node, const Changes &change) {
    const Stmt body = change.stmt(node.body);
    if (body.same_as(node.body)) {
        return &node;
    }
    return body.defined() ? ProducerConsumer::make(node.func, node.is_producer, body) : Stmt();
}

Stmt rebuild(const For &node, const Changes &change) {
    const Expr min = change.expr(node.min);
    const Expr extent = change.expr(node.extent);
    const Stmt body = change.stmt(node.body);
    if (min.same_as(node.min) && extent.same_as(node.extent) && body.same_as(node.body)) {
        return &node;
    }
    return body.defined() ? For::make(node.var, min, extent, node.for_kind, body, node.partition) : Stmt();
}

Stmt rebuild(const Provide &node, const Changes &change) {
    std::vector<Expr> values = change.all(node.values);
    std::vector<Expr> args = change.all(node.args);
    const Expr predicate = change.expr(node.predicate);
    if (all_same(values, node.values) && all_same(args, node.args) && predicate.same_as(node.predicate)) {
        return &node;
    }
    return Provide::make(node.func, node.stage, std::move(values), std::move(args), predicate);
}

Stmt rebuild(const Realize &node, const Changes &change) {
    bool changed = false;
    std::vector<Range> bounds = change.all(node.bounds, changed);
    const Stmt body = change.stmt(node.body);
    if (!changed && body.same_as(node.body)) {
        return &node;
    }
    return body.defined() ? Realize::make(node.func, node.types, node.memory, std::move(bounds), body) : Stmt();
}

Stmt rebuild(const Allocate &node, const Changes &change) {
    std::vector<Expr> extents = change.all(node.extents);
    const Stmt body = change.stmt(node.body);
    if (all_same(extents, node.extents) && body.same_as(node.body)) {
        return &node;
    }
    return body.defined() ? Allocate::make(node.buffer, node.type, node.memory, std::move(extents), body, node.slot)
                          : Stmt();
}

Stmt rebuild(const Store &node, const Changes &change) {
    const Expr value = change.expr(node.value);
    const Expr index = change.expr(node.index);
    const Expr predicate = change.expr(node.predicate);
    if (value.same_as(node.value) && index.same_as(node.index) && predicate.same_as(node.predicate)) {
        return &node;
    }
    return Store::make(node.buffer, value, index, predicate);
}

Stmt rebuild(const Block &node, const Changes &change) {
    std::vector<Stmt> stmts;
    bool changed = false;
    for (const Stmt &stmt : node.stmts) {
        stmts.push_back(change.stmt(stmt));
        changed = changed || !stmts.back().same_as(stmt);
    }
    return changed ? Block::make(std::move(stmts)) : Stmt(&node);
}

Stmt rebuild(const IfThenElse &node, const Changes &change) {
    const Expr condition = change.expr(node.condition);
    const Stmt then_case = change.stmt(node.then_case);
    const Stmt else_case = node.else_case.defined() ? change.stmt(node.else_case) : Stmt();
    if (condition.same_as(node.condition) && then_case.same_as(node.then_case) && else_case.same_as(node.else_case)) {
        return &node;
    }
    if (then_case.defined()) {
        return IfThenElse::make(condition, then_case, else_case);
    }
    return else_case.defined() ? IfThenElse::make(make_unary(ExprKind::Not, condition), else_case) : Stmt();
}

Stmt rebuild(const Free &node, const Changes &) { return &node; }

Stmt rebuild(const Evaluate &node, const Changes &change) {
    const Expr value = change.expr(node.value);
    return value.same_as(node.value) ? Stmt(&node) : Evaluate::make(value);
}

Stmt rebuild(const Prefetch &node, const Changes &change) {
    bool changed = false;
    std::vector<Range> bounds = change.all(node.bounds, changed);
    const Stmt body = change.stmt(node.body);
    if (!changed && body.same_as(node.body)) {
        return &node;
    }
    return body.defined() ? Prefetch::make(node.func, std::move(bounds), body) : Stmt();
}

Stmt rebuild(const Atomic &node, const Changes &change) {
    const Stmt body = change.stmt(node.body);
    if (body.same_as(node.body)) {
        return &node;
    }
    return body.defined() ? Atomic::make(node.func, body) : Stmt();
}

Stmt rebuild(const Launch &node, const Changes &change) {
    std::vector<Expr> args = change.all(node.args), threads = change.all(node.threads);
    return all_same(args, node.args) && all_same(threads, node.threads)
               ? Stmt(&node)
               : Launch::make(node.task, std::move(args), std::move(threads));
}

Stmt rebuild(const Barrier &node, const Changes &) { return &node; }

} // namespace

Stmt Mutator::recurse(const Stmt &stmt) {
    const Changes change{[this](const Expr &expr) { return mutate(expr); },
                         [this](const Stmt &inner) { return mutate(inner); }};
    return visit_stmt(stmt, [&](const auto &node) { return rebuild(node, change); });
}

} // namespace fluorite::ir
