// Order and independence of update iterations, by the shape of the definition.
//
// Method: syntactic, on the definition as the user wrote it: positions of RVars in the left-hand side and in self-calls;
// and the pattern `f(a) op e`. What it cannot see it answers with "not known", which refuses a schedule, never accepts one.

#include "schedule/dependence.h"

namespace fluorite::schedule {

using namespace ir;

namespace {

bool is_self_call(const Expr &expr, const Symbol &func) {
    if (!is_kind(expr, ExprKind::Call)) {
        return false;
    }
    const Symbol &callee = expr->symbol();
    return callee == func || (callee.object() && callee.object() == func.object());
}

bool is_variable(const Expr &expr, const Symbol &symbol) {
    return is_kind(expr, ExprKind::Variable) && expr->symbol() == symbol;
}

template <typename Visit> void for_each_expr(const Stage &stage, const Visit &visit) {
    for (const Expr &arg : stage.args) {
        for_each_node(arg, visit);
    }
    for (const Expr &value : stage.values) {
        for_each_node(value, visit);
    }
    if (stage.predicate.defined()) {
        for_each_node(stage.predicate, visit);
    }
}

bool calls_func(const Expr &expr, const Symbol &func) {
    bool found = false;
    for_each_node(expr, [&](const Expr &node) { found = found || is_self_call(node, func); });
    return found;
}

bool is_commutative(ExprKind kind) {
    switch (kind) {
    case ExprKind::Add:
    case ExprKind::Mul:
    case ExprKind::Min:
    case ExprKind::Max:
    case ExprKind::And:
    case ExprKind::Or:
    case ExprKind::BitAnd:
    case ExprKind::BitOr:
    case ExprKind::BitXor:
        return true;
    default:
        return false;
    }
}

bool same_place(const Expr &call, const Stage &update) {
    if (call->arg_count() != update.args.size()) {
        return false;
    }
    for (size_t d = 0; d < update.args.size(); d++) {
        if (!equal(call->arg(d), update.args[d])) {
            return false;
        }
    }
    return true;
}

} // namespace

bool rvar_is_independent(const Stage &update, const Symbol &func, const Symbol &rvar) {
    for (size_t d = 0; d < update.args.size(); d++) {
        if (!is_variable(update.args[d], rvar)) {
            continue;
        }
        bool independent = true;
        for_each_expr(update, [&](const Expr &node) {
            if (is_self_call(node, func)) {
                independent = independent && d < node->arg_count() && is_variable(node->arg(d), rvar);
            }
        });
        if (independent) {
            return true;
        }
    }
    return false;
}

bool update_commutes(const Stage &update, const Symbol &func) {
    if (update.values.size() != 1 || !update.values[0].defined()) {
        return false;
    }
    const Expr &value = update.values[0];
    if (!value.type().is_int_or_uint() || !is_commutative(value->kind())) {
        return false;
    }
    for (const Expr &arg : update.args) {
        if (calls_func(arg, func)) {
            return false;
        }
    }
    if (update.predicate.defined() && calls_func(update.predicate, func)) {
        return false;
    }
    for (int side : {0, 1}) {
        const Expr &self = value->arg(static_cast<size_t>(side)), &other = value->arg(static_cast<size_t>(1 - side));
        if (is_self_call(self, func) && same_place(self, update) && !calls_func(other, func)) {
            return true;
        }
    }
    return false;
}

} // namespace fluorite::schedule
