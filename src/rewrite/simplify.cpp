// The simplifier of expressions.
//
// Before: any expression. After: an expression of the same type and value, to which no rule applies any more.
//
// Method. An explicit stack visits each node once, operands first. A node is rebuilt over its simplified operands and
// then rewritten: constants fold, operands of commutative operators take canonical order (constants on the right), >
// and >= become < and <=, index arithmetic goes through its linear form (linear_rewrites.cpp), and the proved rows of
// the rule book apply. The result of a rule is itself simplified as it is built, so the final expression is a fixpoint.
//
// All nodes are interned: equal expressions are one node, so matching x - x compares addresses and the memo is exact.
// The memo has one entry per node and arithmetic: operands of a call, image or load are coordinates and treated as
// Index even inside a wrapping value.
//
// Termination: rows strictly decrease the measure of order.h, which the tests check row by row; canonical order and
// linear forms are projections, so repeating them changes nothing. Relies on symbols being bound once per call (a Let
// that rebinds a name resets the memo). Cost: linear in distinct nodes, times the few rows that share root and first
// operand.

#include "rewrite/simplify.h"

#include "ir/access.h"
#include "ir/expr_traits.h"
#include "rewrite/fold.h"
#include "rewrite/simplifier.h"

#include <bit>
#include <cmath>

namespace fluorite::rewrite {

using ir::ExprKind;

namespace {

/// Rules build terms that are simplified recursively. Beyond this depth nothing is rewritten, which is always correct.
constexpr int max_depth = 400;

} // namespace

Simplifier::Simplifier(const Facts &facts) {
    for (const auto &[symbol, range] : facts.ranges) {
        learn_range(symbol, Interval::of(range));
    }
    for (const Expr &truth : facts.truths) {
        learn_truth(truth);
    }
}

// ---- Tables.

bool Simplifier::SameNode::operator()(const Expr &a, const Expr &b) const {
    if (a.same_as(b)) {
        return true;
    }
    if (a->hash() != b->hash() || a->kind() != b->kind() || a.type() != b.type() || a->arg_count() != b->arg_count()) {
        return false;
    }
    for (size_t i = 0; i < a->arg_count(); i++) {
        if (!a->arg(i).same_as(b->arg(i))) {
            return false;
        }
    }
    if (const double *x = std::get_if<double>(&a->payload())) {
        const double *y = std::get_if<double>(&b->payload());
        return y && std::bit_cast<uint64_t>(*x) == std::bit_cast<uint64_t>(*y);
    }
    return a->payload() == b->payload();
}

/// The unique node for an expression whose operands are interned. Constants among the operands need not be: many
/// callers make them, and they are interned here.
const Expr &Simplifier::intern(const Expr &expr) {
    std::vector<Expr> args; // empty as long as every operand is interned
    for (size_t i = 0; i < expr->arg_count(); i++) {
        const Expr &arg = expr->arg(i);
        if (!ir::is_const(arg)) {
            continue;
        }
        const Expr &constant = intern(arg);
        if (constant.same_as(arg)) {
            continue;
        }
        if (args.empty()) {
            args.assign(expr->args().begin(), expr->args().end());
        }
        args[i] = constant;
    }
    return *nodes_.insert(args.empty() ? expr : ir::with_args(expr, args)).first;
}

const Expr *Simplifier::find_result(const Expr &expr, Arithmetic arithmetic) const {
    const auto found = results_.find({expr.get(), arithmetic});
    return found == results_.end() ? nullptr : &found->second.result;
}

void Simplifier::remember(const Expr &input, Arithmetic arithmetic, const Expr &result) {
    results_.insert_or_assign(Key{input.get(), arithmetic}, Entry{input, result});
}

// ---- Walking.

/// Values from memory wrap, in coordinates too: a clamp around them must not be removed on the assumption that their
/// arithmetic does not overflow.
Arithmetic Simplifier::arithmetic_for(const Expr &expr, Arithmetic asked) {
    return expr->reads_memory() ? Arithmetic::Wrapping : asked;
}

Expr Simplifier::simplify(const Expr &expr, Arithmetic asked) {
    if (!expr.defined()) {
        return expr;
    }
    const Arithmetic arithmetic = arithmetic_for(expr, asked);
    if (!find_result(expr, arithmetic)) {
        walk(expr, arithmetic);
    }
    const Expr result = *find_result(expr, arithmetic);
    const bool has_lost_its_reads = arithmetic != asked && !result->reads_memory();
    return has_lost_its_reads ? simplify(result, asked) : result;
}

/// The arithmetic of an operand: Index for coordinates, unless they depend on memory; otherwise that of the node.
Arithmetic Simplifier::arithmetic_below(const ir::ExprNode &node, const Expr &arg, Arithmetic arithmetic) {
    return arithmetic_for(arg, is_access(node.kind()) ? Arithmetic::Index : arithmetic);
}

void Simplifier::walk(const Expr &root, Arithmetic arithmetic) {
    struct Step {
        const Expr *expr; // an operand of the step before it, or the root
        Arithmetic arithmetic;
        size_t next = 0;
    };
    const Expr held = root; // whatever happens to what `root` refers to
    std::vector<Step> stack{{&held, arithmetic}};
    while (!stack.empty()) {
        Step &step = stack.back();
        const Expr &expr = *step.expr;
        if (step.next < expr->arg_count()) {
            if (expr->kind() == ExprKind::Let && step.next == 1) {
                enter_let(expr, step.arithmetic);
            }
            const Expr &arg = expr->arg(step.next++);
            const Arithmetic below = arithmetic_below(*expr, arg, step.arithmetic);
            if (!find_result(arg, below)) {
                stack.push_back({&arg, below});
            }
            continue;
        }
        const Arithmetic done = step.arithmetic;
        stack.pop_back();
        remember(expr, done, leave(expr, done));
    }
}

/// Before the body of a Let: records what is known of its variable.
void Simplifier::enter_let(const Expr &let, Arithmetic arithmetic) {
    const ir::Symbol &symbol = let->symbol();
    const Arithmetic of_value = arithmetic_below(*let, let->arg(0), arithmetic);
    const Expr value = *find_result(let->arg(0), of_value);
    const auto [at, is_new] = let_values_.emplace(symbol, value);
    if (!is_new && !at->second.same_as(value)) {
        at->second = value;
        results_.clear();
        bounds_.clear();
        remember(let->arg(0), of_value, value);
    }
    if (ir::is_const(value) || value->kind() == ExprKind::Variable) {
        replacements_.insert_or_assign(symbol, value);
    } else {
        replacements_.erase(symbol);
        ranges_.insert_or_assign(symbol, bounds(value, arithmetic));
    }
}

Expr Simplifier::leave_let(const Expr &expr, Arithmetic arithmetic) {
    const Expr value = simplify(expr->arg(0), arithmetic);
    const Expr body = simplify(expr->arg(1), arithmetic);
    const ir::Symbol &symbol = expr->symbol();
    if (body->kind() != ExprKind::Let) {
        return ir::uses_symbol(body, symbol) ? intern(ir::make_let(symbol, value, body)) : body;
    }
    const auto add = [&](const ir::Symbol &used) { free_of_let_.symbols.insert(used); };
    if (!free_of_let_.let.same_as(body)) {
        free_of_let_ = {body, {}};
        ir::for_each_free_symbol(body, add);
    }
    if (free_of_let_.symbols.erase(symbol) == 0) {
        return body;
    }
    ir::for_each_free_symbol(value, add);
    free_of_let_.let = intern(ir::make_let(symbol, value, body));
    return free_of_let_.let;
}

Expr Simplifier::leave_variable(const Expr &expr) {
    const auto found = replacements_.find(expr->symbol());
    return found != replacements_.end() && found->second.type() == expr.type() ? found->second : intern(expr);
}

/// The result for a node whose operands are simplified.
Expr Simplifier::leave(const Expr &expr, Arithmetic arithmetic) {
    if (expr->kind() == ExprKind::Variable) {
        return leave_variable(expr);
    }
    if (expr->kind() == ExprKind::Let) {
        return leave_let(expr, arithmetic);
    }
    std::vector<Expr> args;
    args.reserve(expr->arg_count());
    bool changed = false;
    for (const Expr &arg : expr->args()) {
        const Arithmetic below = arithmetic_below(*expr, arg, arithmetic);
        const Expr *result = find_result(arg, below);
        // A coordinate that reads memory no more may be simplified further.
        const bool is_done = result && (!is_access(expr->kind()) || !arg->reads_memory() || (*result)->reads_memory());
        args.push_back(is_done ? *result : simplify(arg, is_access(expr->kind()) ? Arithmetic::Index : below));
        changed = changed || !args.back().same_as(arg);
    }
    const Arithmetic outer = std::exchange(arithmetic_, arithmetic);
    const Expr result = finish(intern(changed ? ir::with_args(expr, args) : expr));
    arithmetic_ = outer;
    return result;
}

// ---- Rewriting. Precondition: nodes are interned and their operands simplified.

Expr Simplifier::make(ExprKind kind, Type type, std::span<const Expr> args) {
    return finish(intern(ir::ExprNode::create(kind, type, args)));
}

/// Whether the node contains something undefined or an effect, which a rule could drop. Only a Select with a constant
/// condition may drop the operand that it does not choose.
bool Simplifier::note_fragile(const Expr &node) {
    const ExprKind kind = node->kind();
    bool fragile = ir::class_of(kind) == ir::ExprClass::Effect;
    for (const Expr &arg : node->args()) {
        fragile = fragile || arg->kind() == ExprKind::Undef || (!fragile_.empty() && fragile_.contains(arg.get()));
    }
    if (fragile) {
        fragile_.insert(node.get());
    }
    return fragile && !(kind == ExprKind::Select && ir::is_const(node->arg(0)));
}

/// Rewrites to a fixpoint and memoizes the result.
Expr Simplifier::finish(const Expr &node) {
    if (node->arg_count() == 0) {
        return node;
    }
    if (const Expr *known = find_result(node, arithmetic_)) {
        return *known;
    }
    if (depth_ >= max_depth || note_fragile(node)) {
        return node;
    }
    depth_++;
    const Expr next = rewrite_once(node);
    const Expr result = next.defined() ? finish(intern(next)) : node;
    depth_--;
    remember(node, arithmetic_, result);
    if (!result.same_as(node)) {
        remember(result, arithmetic_, result);
    }
    return result;
}

/// Whether a sum, difference or product of constants overflows its type. As coordinates must not overflow, it has no
/// value: it stays, and the pipeline's region checks report it.
static bool constants_overflow(const Expr &node) {
    int64_t a = 0, b = 0, result = 0;
    const ExprKind kind = node->kind();
    if ((kind != ExprKind::Add && kind != ExprKind::Sub && kind != ExprKind::Mul) || !node.type().is_int() ||
        !ir::is_const_int(node->arg(0), &a) || !ir::is_const_int(node->arg(1), &b)) {
        return false;
    }
    const bool overflows = kind == ExprKind::Add   ? __builtin_add_overflow(a, b, &result)
                           : kind == ExprKind::Sub ? __builtin_sub_overflow(a, b, &result)
                                                   : __builtin_mul_overflow(a, b, &result);
    return overflows || !node.type().element_of().can_represent(result);
}

/// One step; undefined where nothing changes.
Expr Simplifier::rewrite_once(const Expr &node) {
    const bool has_no_value = is_index(node.type()) && constants_overflow(node);
    if (Expr folded = has_no_value ? Expr() : fold(node); folded.defined()) {
        return folded;
    }
    if (Expr ordered = canonical_order(node); ordered.defined()) {
        return ordered;
    }
    if (Expr lifted = lift_broadcast(node); lifted.defined()) {
        return lifted;
    }
    if (Expr known = apply_truths(node); known.defined()) {
        return known;
    }
    if (Expr result = index_step(node); result.defined()) {
        return result;
    }
    // index_step handles sums in index arithmetic, where rules see pairs of their terms.
    const bool is_sum = node->kind() == ExprKind::Add || node->kind() == ExprKind::Sub;
    return is_sum && is_index(node.type()) ? Expr() : rule_book().apply(node, arithmetic_, *this);
}

/// Replaces a condition that is known to hold, or known not to hold.
Expr Simplifier::apply_truths(const Expr &node) {
    if (!node.type().is_bool()) {
        return {};
    }
    const auto known = places_of_conditions_.find(node.get());
    return known == places_of_conditions_.end()
               ? Expr()
               : ir::make_bool(truths_[known->second.front()].value, node.type().lanes());
}

/// Where both operands are NaNs the first one's payload results, and min and max of floats depend on operand order.
/// Hence only an ordinary constant may swap.
static bool may_swap_floats(const Expr &node) {
    double value = 0;
    return node->kind() != ExprKind::Min && node->kind() != ExprKind::Max && ir::is_const_float(node->arg(0), &value) &&
           !std::isnan(value);
}

Expr Simplifier::canonical_order(const Expr &node) {
    if (node->kind() == ExprKind::GT || node->kind() == ExprKind::GE) {
        const ExprKind kind = node->kind() == ExprKind::GT ? ExprKind::LT : ExprKind::LE;
        return ir::ExprNode::create(kind, node.type(), {node->arg(1), node->arg(0)});
    }
    const ExprKind kind = node->kind();
    const bool is_linear = kind == ExprKind::Add || kind == ExprKind::EQ || kind == ExprKind::NE;
    if (is_linear && is_index(node->arg(0).type())) {
        return {}; // linear forms have their own order
    }
    if (!is_commutative(kind) || !canonical_less(node->arg(1), node->arg(0))) {
        return {};
    }
    if (node->arg(0).type().is_float() && !may_swap_floats(node)) {
        return {};
    }
    return ir::ExprNode::create(node->kind(), node.type(), {node->arg(1), node->arg(0)});
}

/// ramp(a, b) * broadcast(c) is ramp(a*c, b*c), as each lane is (a + lane*b) * c.
Expr Simplifier::scale_ramp(const Expr &node) {
    for (int side = 0; side < 2; side++) {
        const Expr &ramp = node->arg(side), &factor = node->arg(1 - side);
        if (ramp->kind() != ExprKind::Ramp || factor->kind() != ExprKind::Broadcast || !node.type().is_int_or_uint() ||
            ramp->arg(0).type() != factor->arg(0).type()) {
            continue;
        }
        Expr parts[2];
        for (int i = 0; i < 2; i++) {
            const Expr product[] = {ramp->arg(i), factor->arg(0)};
            parts[i] = make(ExprKind::Mul, ramp->arg(i).type(), product);
        }
        return ir::ExprNode::create(ExprKind::Ramp, node.type(), parts);
    }
    return {};
}

/// f(broadcast(a), broadcast(b)) is broadcast(f(a, b)), as all lanes are equal.
Expr Simplifier::lift_broadcast(const Expr &node) {
    if (!ir::is_elementwise(node->kind()) || node->kind() == ExprKind::Reinterpret || node.type().is_scalar()) {
        return {};
    }
    if (node->kind() == ExprKind::Mul) {
        if (Expr scaled = scale_ramp(node); scaled.defined()) {
            return scaled;
        }
    }
    int lanes = 0;
    std::vector<Expr> inner;
    for (const Expr &arg : node->args()) {
        if (arg->kind() != ExprKind::Broadcast) {
            return {};
        }
        const int times = arg.type().lanes() / arg->arg(0).type().lanes();
        if (lanes != 0 && times != lanes) {
            return {};
        }
        lanes = times;
        inner.push_back(arg->arg(0));
    }
    const Type type = node.type().with_lanes(node.type().lanes() / lanes);
    const Expr scalar = finish(intern(ir::ExprNode::create(node->kind(), type, inner, node->payload())));
    return ir::make_broadcast(scalar, lanes);
}

bool Simplifier::is_index(Type type) const { return arithmetic_ == Arithmetic::Index && ir::is_index_type(type); }

// ---- The public functions.

Expr simplify(const Expr &expr, Arithmetic arithmetic, const Facts &facts) {
    if (expr.defined() && expr->arg_count() == 0 && facts.ranges.empty() && facts.truths.empty()) {
        return expr; // rules take nodes with operands
    }
    return Simplifier(facts).simplify(expr, arithmetic);
}

bool can_prove(const Expr &condition, const Facts &facts) { return Simplifier(facts).prove(condition); }

std::optional<int64_t> constant_value(const Expr &expr, const Facts &facts) {
    int64_t value = 0;
    const Expr result = simplify(expr, Arithmetic::Index, facts);
    return result.defined() && ir::is_const_int(result, &value) ? std::optional(value) : std::nullopt;
}

} // namespace fluorite::rewrite
