// Linear forms of index expressions.
//
// Before: a tree of Add, Sub and Mul by constants (and negations 0 - x) over arbitrary other expressions, the terms.
// After: one constant and one coefficient for each distinct term, and back to a tree; equal forms give equal trees.
//
// Why this is sound. Index arithmetic is int32 or int64 without signed overflow, so each Add, Sub and Mul of the tree
// has its value over the integers. Integers form a commutative ring: like terms may be collected and products by
// constants distributed. The rebuilt tree computes the same polynomial in the same machine width. Add, Sub and Mul are
// also exact modulo 2^width, so the rebuilt tree has the same bits even if one of its own partial sums wraps. Only
// comparison, division, minimum and maximum need the integer value of their operands, and the rebuilt operand has that
// value. Coefficients use checked 64-bit arithmetic; a form that does not fit is abandoned, never wrapped.
//
// Terms are compared structurally, so x - x cancels however both were built. The order of terms is canonical_less, the
// same in every run. Does not look into Min, Max, Div or Select: they are terms and simplified before. Cost: linear in
// the sum's tree, which is abandoned beyond max_linear_terms terms; merging is linear in the terms.

#include "rewrite/linear.h"

#include "rewrite/fold.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace fluorite::rewrite {

using ir::ExprKind;

namespace {

bool fits(Type type, int64_t value) {
    return type.can_represent(value) && value != std::numeric_limits<int64_t>::min();
}

/// Adds factor * (coefficient * term) to a form; false on overflow.
bool add_term(Linear &form, const Expr &term, int64_t coefficient) {
    auto at = std::lower_bound(form.terms.begin(), form.terms.end(), term,
                               [](const LinearTerm &a, const Expr &b) { return canonical_less(a.term, b); });
    if (at != form.terms.end() && ir::equal(at->term, term)) {
        if (__builtin_add_overflow(at->coefficient, coefficient, &at->coefficient)) {
            return false;
        }
        if (at->coefficient == 0) {
            form.terms.erase(at);
        }
        return true;
    }
    form.terms.insert(at, {term, coefficient});
    return form.terms.size() <= max_linear_terms;
}

bool add_constant(Linear &form, int64_t value, int64_t factor) {
    int64_t product = 0;
    return !__builtin_mul_overflow(value, factor, &product) &&
           !__builtin_add_overflow(form.constant, product, &form.constant);
}

/// Adds factor * expr; visits at most `budget` nodes.
bool collect(Linear &form, const Expr &expr, int64_t factor, int &budget) {
    if (--budget < 0) {
        return false;
    }
    int64_t value = 0;
    if (ir::is_const_int(expr, &value)) {
        return add_constant(form, value, factor);
    }
    switch (expr->kind()) {
    case ExprKind::Add:
        return collect(form, expr->arg(0), factor, budget) && collect(form, expr->arg(1), factor, budget);
    case ExprKind::Sub: {
        int64_t negated = 0;
        return !__builtin_sub_overflow(int64_t{0}, factor, &negated) && collect(form, expr->arg(0), factor, budget) &&
               collect(form, expr->arg(1), negated, budget);
    }
    case ExprKind::Mul:
        for (int side = 0; side < 2; side++) {
            if (ir::is_const_int(expr->arg(side), &value)) {
                return !__builtin_mul_overflow(factor, value, &value) &&
                       (value == 0 || collect(form, expr->arg(1 - side), value, budget));
            }
        }
        break;
    default: // a term
        break;
    }
    return add_term(form, expr, factor);
}

bool is_constant_like(const Expr &expr) { return ir::is_const(expr); }

/// factor| * term as an expression.
Expr scaled_term(const Expr &term, int64_t factor, Type type) {
    return factor == 1 ? term : ir::mul(term, ir::make_int(type, factor));
}

} // namespace

bool Linear::operator==(const Linear &other) const {
    return constant == other.constant && std::equal(terms.begin(), terms.end(), other.terms.begin(), other.terms.end(),
                                                    [](const LinearTerm &a, const LinearTerm &b) {
                                                        return a.coefficient == b.coefficient &&
                                                               ir::equal(a.term, b.term);
                                                    });
}

bool canonical_less(const Expr &a, const Expr &b) {
    if (a.same_as(b)) {
        return false;
    }
    auto rank = [](const Expr &expr) {
        return is_constant_like(expr) ? 3 : expr->kind() == ExprKind::Variable ? 0 : 1;
    };
    const int ranks[] = {rank(a), rank(b)};
    if (ranks[0] != ranks[1]) {
        return ranks[0] < ranks[1];
    }
    if (ranks[0] == 0) {
        if (const int order = a->symbol().name().compare(b->symbol().name())) {
            return order < 0;
        }
    }
    return ir::compare(a, b) < 0;
}

std::optional<Linear> linear_form(const Expr &expr) {
    Linear form;
    int budget = 8 * static_cast<int>(max_linear_terms);
    if (!collect(form, expr, 1, budget)) {
        return std::nullopt;
    }
    return form;
}

std::optional<Linear> add_scaled(const Linear &a, const Linear &b, int64_t factor) {
    Linear result = a;
    if (factor == 0) {
        return result;
    }
    if (!add_constant(result, b.constant, factor)) {
        return std::nullopt;
    }
    for (const LinearTerm &term : b.terms) {
        int64_t coefficient = 0;
        if (__builtin_mul_overflow(term.coefficient, factor, &coefficient) ||
            !add_term(result, term.term, coefficient)) {
            return std::nullopt;
        }
    }
    return result;
}

std::optional<Linear> scale(const Linear &a, int64_t factor) { return add_scaled(Linear(), a, factor); }

int64_t coefficient_gcd(const Linear &a) {
    int64_t divisor = 0;
    for (const LinearTerm &term : a.terms) {
        divisor = std::gcd(divisor, term.coefficient);
    }
    return divisor;
}

Expr to_expr(const Linear &form, Type type) {
    for (const LinearTerm &term : form.terms) {
        if (!fits(type, term.coefficient) || !fits(type, -term.coefficient)) {
            return {};
        }
    }
    if (!fits(type, form.constant)) {
        return {};
    }
    Expr sum;
    for (const LinearTerm &term : form.terms) {
        if (term.coefficient > 0) {
            const Expr product = scaled_term(term.term, term.coefficient, type);
            sum = sum.defined() ? ir::add(sum, product) : product;
        }
    }
    int64_t constant = form.constant;
    if (!sum.defined()) {
        if (form.terms.size() == 1 && constant == 0 && form.terms[0].coefficient != -1) {
            return scaled_term(form.terms[0].term, form.terms[0].coefficient, type);
        }
        sum = ir::make_int(type, std::exchange(constant, 0));
    }
    for (const LinearTerm &term : form.terms) {
        if (term.coefficient < 0) {
            sum = ir::sub(sum, scaled_term(term.term, -term.coefficient, type));
        }
    }
    return constant == 0 ? sum : ir::add(sum, ir::make_int(type, constant));
}

} // namespace fluorite::rewrite
