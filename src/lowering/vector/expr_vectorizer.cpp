// Widening of expressions for vectorize_loops.
//
// Method: bottom up over the shared graph of an expression. The loop variable widens to a ramp, and a symbol bound to a
// vector to this vector; other leaves are uniform. An operation whose operands are all uniform is uniform itself and
// stays as it is; otherwise its uniform operands are broadcast, and it is rebuilt with the lanes of all iterations. A
// value that is a vector already (from an inner loop that was vectorized before) keeps its lanes adjacent: the result
// holds the lanes of one iteration after those of the previous one.
//
//   Load, Select, arithmetic, comparisons, math, casts, random     elementwise
//   Ramp, Broadcast                 ramps of ramps where the base widens to a ramp, else shuffles
//   Shuffle, VectorReduce           once for each iteration, in one node
//   Extern, Require, Print          scalars only: one node for each lane, their values concatenated by a shuffle
//   trace                           takes vectors; stays one event
//
// Masks: a varying load carries the mask as predicate. A load from a uniform address is executed only if any lane is
// active: its predicate is the disjunction of the mask, as the address may otherwise not exist.
//
// Relies on: symbols are bound once (results are memoized by node until a binding or the mask changes). Cost: linear in
// distinct nodes, times the lanes for operations on scalars only.

#include "lowering/vector/expr_vectorizer.h"

#include "ir/expr_cases.h"
#include "ir/expr_traits.h"
#include "ir/operations.h"

namespace fluorite::lowering {

using namespace ir;

namespace {

const size_t traced_value = 6; // among the operands of `trace` (lowering/from_nest/inject_tracing.cpp)
bool is_trace(const Expr &expr) { return expr->kind() == ExprKind::Extern && expr->text() == "trace"; }

} // namespace

bool is_scalar_only(const Expr &expr) { return may_have_effect(expr->kind()) && !is_trace(expr); }

bool must_run_in_order(const Expr &expr) { return effect_of(expr) == Effect::Always; }

ExprVectorizer::ExprVectorizer(const Symbol &loop_var, const Expr &min, int lanes) : lanes_(lanes) {
    bindings_[loop_var] = vector_ramp(min, make_one(min.type()), lanes);
}

void ExprVectorizer::forget() {
    done_[0].clear();
    done_[1].clear();
}

void ExprVectorizer::bind(const Symbol &symbol, const Expr &vector) {
    bindings_[symbol] = vector;
    forget();
}

void ExprVectorizer::unbind(const Symbol &symbol) {
    bindings_.erase(symbol);
    forget();
}

void ExprVectorizer::set_mask(const Expr &mask) {
    if (!mask_.same_as(mask)) {
        mask_ = mask;
        forget();
    }
}

Expr ExprVectorizer::masked(const Expr &full_predicate, int element_lanes) const {
    if (!mask_.defined()) {
        return is_true(full_predicate) ? make_bool(true, full_predicate.type().lanes()) : full_predicate;
    }
    const Expr mask = repeat_groups(mask_, lanes_, element_lanes);
    return is_true(full_predicate) ? mask : logical_and(mask, full_predicate);
}

Expr ExprVectorizer::any_active() const {
    return mask_.defined() ? make_vector_reduce(ReduceOp::Or, mask_, 1) : make_bool(true);
}

Expr ExprVectorizer::to_full(const Expr &widened, int original_lanes) const {
    return widened.type().lanes() == original_lanes ? make_broadcast(widened, lanes_) : widened;
}

Expr ExprVectorizer::widen_fully(const Expr &expr, Use use) { return to_full(widen(expr, use), expr.type().lanes()); }

Expr ExprVectorizer::widen(const Expr &expr, Use use) {
    auto &done = done_[use == Use::Index ? 1 : 0];
    auto known = done.find(expr.get());
    if (known != done.end()) {
        return known->second.second;
    }
    Expr result = widen_node(expr, use);
    // A result that consists of copies of one value (such as a difference of coordinates) is uniform.
    const bool copies =
        is_kind(result, ExprKind::Broadcast) && is_varying(expr, result) && result->arg(0).type() == expr.type();
    if (copies) {
        result = result->arg(0);
    }
    done.emplace(expr.get(), std::pair(expr, result));
    return result;
}

Expr ExprVectorizer::widen_node(const Expr &expr, Use use) {
    switch (expr->kind()) {
    case ExprKind::Variable: {
        auto bound = bindings_.find(expr->symbol());
        return bound == bindings_.end() ? expr : bound->second;
    }
    case ExprKind::Load:
        return widen_load(expr);
    case ExprKind::Let:
        return widen_let(expr, use);
    case ExprKind::Ramp:
    case ExprKind::Broadcast:
        return widen_ramp(expr, use);
    case ExprKind::Shuffle:
        return widen_shuffle(expr, use);
    case ExprKind::VectorReduce:
        return widen_reduce(expr, use);
    case FLUORITE_CONSTANTS:
    case ExprKind::BufferField:
    case FLUORITE_CONVERSIONS:
    case FLUORITE_ARITHMETIC:
    case FLUORITE_COMPARISONS:
    case FLUORITE_LOGIC:
    case FLUORITE_BITS:
    case ExprKind::Select:
    case FLUORITE_HINTS:
    case FLUORITE_FUNCTIONS:
    case ExprKind::Call:
    case ExprKind::Image:
    case ExprKind::Undef:
    case FLUORITE_EFFECTS:
    case ExprKind::MemoizeTag:
        return is_scalar_only(expr) ? widen_lane_by_lane(expr) : widen_elementwise(expr, use);
    }
    unreachable("a node of no kind");
}

Expr ExprVectorizer::index_in_widened(const Expr &full_index, int element_lanes) const {
    const Type type = full_index.type();
    const Expr lane = vector_ramp(make_zero(type.element_of()), make_one(type.element_of()), lanes_);
    const Expr scaled = vector_binary(ExprKind::Mul, full_index, make_int(type, lanes_), Use::Index);
    return vector_binary(ExprKind::Add, scaled, repeat_groups(lane, lanes_, element_lanes), Use::Index);
}

Expr ExprVectorizer::widen_load(const Expr &load) {
    const int element_lanes = load.type().lanes();
    const bool is_copied = is_widened(load->symbol());
    const Expr index = widen(load->arg(0), Use::Index);
    const Expr predicate = widen(load->arg(1), Use::Value);
    const bool uniform = !is_copied && !is_varying(load->arg(0), index) && !is_varying(load->arg(1), predicate);
    if (uniform) {
        const Expr any = any_active();
        const Expr where = is_true(any)         ? predicate
                           : is_true(predicate) ? make_broadcast(any, element_lanes)
                                                : logical_and(make_broadcast(any, element_lanes), predicate);
        return make_load(load.type(), load->symbol(), index, where);
    }
    Expr full_index = to_full(index, element_lanes);
    if (is_copied) {
        full_index = index_in_widened(full_index, element_lanes);
    }
    const Type type = load.type().with_lanes(lanes_ * element_lanes);
    return make_load(type, load->symbol(), full_index, masked(to_full(predicate, element_lanes), element_lanes));
}

Expr ExprVectorizer::widen_let(const Expr &let, Use use) {
    const Expr value = widen(let->arg(0), use);
    if (!is_varying(let->arg(0), value)) {
        const Expr body = widen(let->arg(1), use);
        return make_let(let->symbol(), value, body);
    }
    // The symbol now stands for a vector; no scalar use of it remains.
    bindings_[let->symbol()] = make_var(value.type(), let->symbol());
    const Expr body = widen(let->arg(1), use);
    bindings_.erase(let->symbol());
    return make_let(let->symbol(), value, body);
}

Expr ExprVectorizer::widen_elementwise(const Expr &expr, Use use) {
    std::vector<Expr> args;
    bool varying = false;
    for (const Expr &arg : expr->args()) {
        args.push_back(widen(arg, use));
        varying = varying || is_varying(arg, args.back());
    }
    if (!varying) {
        return with_args(expr, args);
    }
    const bool is_trace_event = is_trace(expr);
    for (size_t i = 0; i < args.size(); i++) {
        // An event has as many lanes as its value; coordinates of fewer are the same in all.
        const bool stays = (is_trace_event && i != traced_value) || expr->arg(i).type().is_handle();
        args[i] = stays ? args[i] : to_full(args[i], expr->arg(i).type().lanes());
    }
    if (is_trace_event) {
        return ExprNode::create(expr->kind(), expr.type(), args, expr->payload());
    }
    const Type type = expr.type().with_lanes(expr.type().lanes() * lanes_);
    switch (expr->kind()) {
    case ExprKind::Add:
    case ExprKind::Sub:
    case ExprKind::Mul:
    case ExprKind::Div:
    case ExprKind::Mod:
    case ExprKind::Min:
    case ExprKind::Max:
        return vector_binary(expr->kind(), args[0], args[1], use);
    case ExprKind::Cast:
        return vector_cast(type, args[0], use);
    default: // kinds that are made again with wider operands
        return ExprNode::create(expr->kind(), type, args, expr->payload());
    }
}

Expr ExprVectorizer::widen_ramp(const Expr &expr, Use use) {
    const Expr &base = expr->arg(0);
    const Expr wide_base = widen(base, use);
    const int base_lanes = base.type().lanes();
    const int times = expr.type().lanes() / base_lanes;
    if (expr->kind() == ExprKind::Broadcast) {
        return is_varying(base, wide_base) ? repeat_groups(wide_base, lanes_, times) : with_args(expr, {&wide_base, 1});
    }
    const Expr &stride = expr->arg(1);
    const Expr wide_stride = widen(stride, use);
    if (!is_varying(base, wide_base) && !is_varying(stride, wide_stride)) {
        const Expr args[] = {wide_base, wide_stride};
        return with_args(expr, args);
    }
    // base + i * stride, where i counts within each iteration.
    const Type counter = expr.type().element_of().with_lanes(base_lanes);
    const Expr count = make_ramp(make_zero(counter), make_one(counter), times);
    const Expr steps = vector_binary(ExprKind::Mul, repeat_groups(to_full(wide_stride, base_lanes), lanes_, times),
                                     make_broadcast(count, lanes_), use);
    return vector_binary(ExprKind::Add, repeat_groups(to_full(wide_base, base_lanes), lanes_, times), steps, use);
}

Expr ExprVectorizer::widen_shuffle(const Expr &shuffle, Use use) {
    std::vector<Expr> args;
    bool varying = false;
    for (const Expr &arg : shuffle->args()) {
        args.push_back(widen(arg, use));
        varying = varying || is_varying(arg, args.back());
    }
    if (!varying) {
        return with_args(shuffle, args);
    }
    Indices indices;
    for (int lane = 0; lane < lanes_; lane++) {
        for (int32_t index : shuffle->indices()) {
            int begin = 0; // of the operand's lanes in the widened operands
            size_t operand = 0;
            while (index >= shuffle->arg(operand).type().lanes()) {
                index -= shuffle->arg(operand).type().lanes();
                begin += args[operand].type().lanes();
                operand++;
            }
            const bool moves = is_varying(shuffle->arg(operand), args[operand]);
            indices.push_back(begin + (moves ? lane * shuffle->arg(operand).type().lanes() : 0) + index);
        }
    }
    return make_shuffle(args, std::move(indices));
}

Expr ExprVectorizer::widen_reduce(const Expr &reduce, Use use) {
    const Expr value = widen(reduce->arg(0), use);
    const bool varying = is_varying(reduce->arg(0), value);
    return make_vector_reduce(reduce->reduce_op(), value, reduce.type().lanes() * (varying ? lanes_ : 1));
}

/// Records calls that the program wrote.
void ExprVectorizer::note_laid_out(const Expr &expr) {
    if (expr->kind() != ExprKind::Extern) {
        laid_out_.insert(expr->kind() == ExprKind::Print ? "print() happens" : "require() happens");
    } else if (!find_operation(expr->text())) {
        laid_out_.insert("calls of " + expr->text() + "() happen");
    }
}

Expr ExprVectorizer::widen_lane_by_lane(const Expr &expr) {
    check(expr.type().is_scalar(), "operations on scalars are not vectors already");
    std::vector<Expr> wide;
    bool varying = mask_.defined() && expr->kind() != ExprKind::Extern;
    for (const Expr &arg : expr->args()) {
        wide.push_back(widen(arg, Use::Value));
        varying = varying || is_varying(arg, wide.back());
    }
    if (!varying) {
        return with_args(expr, wide);
    }
    note_laid_out(expr);
    std::vector<Expr> values;
    Indices indices;
    for (int lane = 0; lane < lanes_; lane++) {
        std::vector<Expr> args;
        for (const Expr &arg : wide) {
            args.push_back(extract_lane(arg, lane));
        }
        // An inactive lane prints nothing and requires nothing.
        if (mask_.defined() && expr->kind() == ExprKind::Print) {
            args[0] = logical_and(extract_lane(mask_, lane), args[0]);
        }
        if (mask_.defined() && expr->kind() == ExprKind::Require) {
            args[0] = make_binary(ExprKind::Or, make_unary(ExprKind::Not, extract_lane(mask_, lane)), args[0]);
        }
        values.push_back(with_args(expr, args));
        indices.push_back(lane);
    }
    return make_shuffle(values, std::move(indices));
}

} // namespace fluorite::lowering
