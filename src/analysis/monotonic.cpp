// Monotonicity by structure.
//
// What: whether an integer expression is constant, nondecreasing or nonincreasing in one variable. Sliding windows
// depend on it. Method: sums, scalings by constants, min, max, division by positive constants, casts that preserve
// order, and selects that switch once, as the variable grows, to a branch that is higher (or lower) throughout. Relies
// on: no overflow in index arithmetic. Cost: a visit of each node, and a proof for each select.

#include "analysis/monotonic.h"

#include "ir/expr_traits.h"
#include "rewrite/simplify.h"

#include <unordered_map>

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

/// Answers for all nodes of one expression, each once: ends of windows are chains of selects whose branches share what
/// the stage before computes, so that their trees grow exponentially with the number of stages.
class Search {
  public:
    explicit Search(const Symbol &variable) : variable_(variable) {}

    Monotonic of(const Expr &expr) {
        if (const auto known = known_.find(expr.get()); known != known_.end()) {
            return known->second;
        }
        const Monotonic found = find(expr);
        known_.emplace(expr.get(), found);
        return found;
    }

  private:
    const Symbol variable_;
    std::unordered_map<const ExprNode *, Monotonic> known_;

    Monotonic find(const Expr &expr) {
        if (!uses_symbol(expr, variable_)) {
            return Monotonic::Constant;
        }
        if (!is_index_type(expr.type())) {
            return Monotonic::Unknown;
        }
        const auto arg = [&](size_t i) { return of(expr->arg(i)); };
        switch (expr->kind()) {
        case ExprKind::Variable:
            return Monotonic::Increasing;
        case ExprKind::Add:
        case ExprKind::Min:
        case ExprKind::Max:
            return both(arg(0), arg(1));
        case ExprKind::Sub:
            return both(arg(0), flip(arg(1)));
        case ExprKind::Mul:
            if (is_const(expr->arg(0))) {
                return scaled(expr, arg(1), expr->arg(0));
            }
            return scaled(expr, arg(0), expr->arg(1));
        case ExprKind::Div:
            return scaled(expr, arg(0), expr->arg(1));
        case ExprKind::Cast:
            return is_index_type(expr->arg(0).type()) ? arg(0) : Monotonic::Unknown;
        case ExprKind::Select:
            if (uses_symbol(expr->arg(0), variable_)) {
                return switching(expr, arg(1), arg(2));
            }
            return both(arg(1), arg(2));
        default: // Unknown is correct for any kind
            return Monotonic::Unknown;
        }
    }

    // select(variable > c, a, b) switches from b to a once.
    Monotonic switching(const Expr &select, Monotonic a, Monotonic b) {
        Expr condition = select->arg(0);
        if (is_kind(condition, ExprKind::Likely)) {
            condition = condition->arg(0);
        }
        if (!is_kind(condition, ExprKind::LT) && !is_kind(condition, ExprKind::LE) &&
            !is_kind(condition, ExprKind::GT) && !is_kind(condition, ExprKind::GE)) {
            return Monotonic::Unknown;
        }
        Monotonic left = of(condition->arg(0)), right = of(condition->arg(1));
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
};

} // namespace

Monotonic monotonic_in(const Expr &expr, const Symbol &variable) { return Search(variable).of(expr); }

} // namespace fluorite::analysis
