// Bounds under a condition, by elimination of common terms.
//
// A comparison a < b implies s <= 0 with s = a - b + 1. For every k > 0, e <= e - k s. If k s cancels a term of e, then
// e - k s does not contain that term, and its bounds are often tighter than those of e:
//   e = 4 u + r,  4 u + r < n     s = 4 u + r - n + 1, k = 1:  e <= n - 1
//   e = r.x,      r.x <= r.y      s = r.x - r.y,       k = 1:  e <= the greatest r.y
// Lower bounds follow in the same way from e + k s. Operands of terms like (8 u + r) / 7 are bounded likewise, and then
// the term. Only conjunctions of comparisons are used; conditions of other kinds, and those that read memory, are
// ignored. Cost: a few linear forms and interval analyses for each comparison that shares a term.

#include "analysis/bounds_where.h"

#include "ir/let_symbol.h"
#include "rewrite/linear.h"
#include "rewrite/simplify.h"

#include <algorithm>

namespace fluorite::analysis {

using namespace ir;
using rewrite::Linear;

namespace {

/// Forms that are <= 0 where the condition holds.
void collect_nonpositive(const Expr &condition, std::vector<Linear> &forms) {
    const auto difference = [&](const Expr &a, const Expr &b, int64_t add) {
        if (a.type() != Int(32) || a->reads_memory() || b->reads_memory()) {
            return;
        }
        const std::optional<Linear> left = rewrite::linear_form(a), right = rewrite::linear_form(b);
        std::optional<Linear> form = left && right ? rewrite::subtract(*left, *right) : std::nullopt;
        if (form && !__builtin_add_overflow(form->constant, add, &form->constant)) {
            forms.push_back(*form);
        }
    };
    switch (condition->kind()) {
    case ExprKind::And:
        collect_nonpositive(condition->arg(0), forms);
        return collect_nonpositive(condition->arg(1), forms);
    case ExprKind::Likely:
    case ExprKind::LikelyIfInnermost:
        return collect_nonpositive(condition->arg(0), forms);
    case ExprKind::LT:
        return difference(condition->arg(0), condition->arg(1), 1);
    case ExprKind::LE:
        return difference(condition->arg(0), condition->arg(1), 0);
    case ExprKind::GT:
        return difference(condition->arg(1), condition->arg(0), 1);
    case ExprKind::GE:
        return difference(condition->arg(1), condition->arg(0), 0);
    case ExprKind::EQ:
        difference(condition->arg(0), condition->arg(1), 0);
        return difference(condition->arg(1), condition->arg(0), 0);
    default: // conditions that bound nothing
        return;
    }
}

Expr tighter(const Expr &old, const Expr &found, bool upper) {
    if (!found.defined()) {
        return old;
    }
    return old.defined() ? rewrite::simplify(upper ? min_of(old, found) : max_of(old, found)) : found;
}

/// Narrows by one form: tries e - k s for each k that cancels a term of e.
void narrow(Interval &interval, const Linear &value, const Linear &form, BoundsFinder &over) {
    std::vector<int64_t> tried;
    for (const rewrite::LinearTerm &term : value.terms) {
        for (const rewrite::LinearTerm &other : form.terms) {
            if (!equal(term.term, other.term) || term.coefficient % other.coefficient != 0) {
                continue;
            }
            const int64_t k = term.coefficient / other.coefficient;
            if (std::find(tried.begin(), tried.end(), k) != tried.end()) {
                continue;
            }
            tried.push_back(k);
            const std::optional<Linear> rest = rewrite::add_scaled(value, form, -k);
            const Expr expr = rest ? rewrite::to_expr(*rest, Int(32)) : Expr();
            if (!expr.defined()) {
                continue;
            }
            const Interval found = over.bounds_of(expr);
            (k > 0 ? interval.max : interval.min) =
                tighter(k > 0 ? interval.max : interval.min, k > 0 ? found.max : found.min, k > 0);
        }
    }
}

/// Narrows through the operands of terms like a / 7: bounds a under the condition, then the term.
void narrow_inside(Interval &interval, const Linear &value, const Expr &condition, BoundsFinder &over) {
    Linear outside = value;
    BoundsFinder all(over.scope());
    bool narrowed = false;
    for (size_t i = 0; i < outside.terms.size(); i++) {
        Expr &term = outside.terms[i].term;
        if (term->arg_count() == 0 || term->kind() == ExprKind::Let) {
            continue;
        }
        std::vector<Expr> operands;
        for (const Expr &operand : term->args()) {
            if (operand.type() != Int(32) || is_const(operand)) {
                operands.push_back(operand);
                continue;
            }
            const Symbol symbol = let_symbol("$operand" + std::to_string(all.scope().size()), operand);
            all.learn(symbol, bounds_where(operand, condition, over));
            operands.push_back(make_var(Int(32), symbol));
        }
        term = with_args(term, operands);
        narrowed = true;
    }
    const Expr expr = narrowed ? rewrite::to_expr(outside, Int(32)) : Expr();
    if (expr.defined()) {
        const Interval found = all.bounds_of(expr);
        interval = {tighter(interval.min, found.min, false), tighter(interval.max, found.max, true)};
    }
}

} // namespace

Interval bounds_where(const Expr &expr, const Expr &condition, BoundsFinder &over) {
    Interval interval = over.bounds_of(expr);
    if (!condition.defined() || expr.type() != Int(32) || expr->reads_memory()) {
        return interval;
    }
    const std::optional<Linear> value = rewrite::linear_form(expr);
    if (!value) {
        return interval;
    }
    std::vector<Linear> forms;
    collect_nonpositive(condition, forms);
    if (forms.empty()) {
        return interval;
    }
    for (const Linear &form : forms) {
        narrow(interval, *value, form, over);
    }
    narrow_inside(interval, *value, condition, over);
    return interval;
}

} // namespace fluorite::analysis
