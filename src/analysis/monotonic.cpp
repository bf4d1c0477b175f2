// Monotonicity by structure.
//
// What: whether an integer expression is constant, nondecreasing or nonincreasing in one variable. Sliding windows
// depend on it. Method: sums, scalings by constants, min, max, division by positive constants, casts that preserve
// order, and selects that switch once, as the variable grows, to a branch that is higher (or lower) throughout. Relies
// on: no overflow in index arithmetic. Cost: linear in the tree.

#include "analysis/monotonic.h"

#include "rewrite/simplify.h"

namespace fluorite::analysis {

using namespace ir;

namespace {

Monotonic flip(Monotonic m) {
    return m == Monotonic::Increasing ? Monotonic::Decreasing : m == Monotonic::Decreasing ? Monotonic::Increasing : m;
}

Monotonic both(Monotonic a, Monotonic b) {
    if (a == Monotonic::Constant) {
        return b;
    }
    return b == Monotonic::Constant || a == b ? a : Monotonic::Unknown;
}

// select(variable > c, a, b) switches from b to a once.
Monotonic switching(const Expr &select, const Symbol &variable, Monotonic a, Monotonic b) {
    Expr condition = select->arg(0);
    if (is_kind(condition, ExprKind::Likely)) {
        condition = condition->arg(0);
    }
    if (!is_kind(condition, ExprKind::LT) && !is_kind(condition, ExprKind::LE) && !is_kind(condition, ExprKind::GT) &&
        !is_kind(condition, ExprKind::GE)) {
        return Monotonic::Unknown;
    }
    Monotonic left = monotonic_in(condition->arg(0), variable), right = monotonic_in(condition->arg(1), variable);
    bool less = condition->kind() == ExprKind::LT || condition->kind() == ExprKind::LE;
    Monotonic towards = less ? both(flip(left), right) : both(left, flip(right)); // Increasing: becomes true
    const Monotonic branches = both(a, b);
    if (towards != Monotonic::Increasing || branches == Monotonic::Unknown) {
        return Monotonic::Unknown;
    }
    const Expr &after = select->arg(1), &before = select->arg(2);
    if (branches != Monotonic::Decreasing && rewrite::can_prove(make_binary(ExprKind::GE, after, before))) {
        return Monotonic::Increasing;
    }
    const bool falls =
        branches != Monotonic::Increasing && rewrite::can_prove(make_binary(ExprKind::LE, after, before));
    return falls ? Monotonic::Decreasing : Monotonic::Unknown;
}

Monotonic scaled(const Expr &expr, Monotonic value, const Expr &by) {
    int64_t factor = 0;
    if (!is_const_int(by, &factor)) {
        return Monotonic::Unknown;
    }
    if (factor == 0) {
        return expr->kind() == ExprKind::Mul ? Monotonic::Constant : Monotonic::Unknown;
    }
    return factor > 0 ? value : flip(value);
}

} // namespace

Monotonic monotonic_in(const Expr &expr, const Symbol &variable) {
    if (!uses_symbol(expr, variable)) {
        return Monotonic::Constant;
    }
    if (!expr.type().is_int() || expr.type().bits() < 32) {
        return Monotonic::Unknown;
    }
    auto of = [&](size_t i) { return monotonic_in(expr->arg(i), variable); };
    switch (expr->kind()) {
    case ExprKind::Variable:
        return Monotonic::Increasing;
    case ExprKind::Add:
    case ExprKind::Min:
    case ExprKind::Max:
        return both(of(0), of(1));
    case ExprKind::Sub:
        return both(of(0), flip(of(1)));
    case ExprKind::Mul:
        if (is_const(expr->arg(0))) {
            return scaled(expr, of(1), expr->arg(0));
        }
        return scaled(expr, of(0), expr->arg(1));
    case ExprKind::Div:
        return scaled(expr, of(0), expr->arg(1));
    case ExprKind::Cast:
        return expr->arg(0).type().is_int() && expr->arg(0).type().bits() >= 32 ? of(0) : Monotonic::Unknown;
    case ExprKind::Select:
        if (uses_symbol(expr->arg(0), variable)) {
            return switching(expr, variable, of(1), of(2));
        }
        return both(of(1), of(2));
    default:
        return Monotonic::Unknown;
    }
}

} // namespace fluorite::analysis
