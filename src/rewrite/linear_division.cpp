// Division and modulo of linear forms of index expressions by constants.
//
// Multiples of the divisor are split off:
//   (c*q + r) / c = q + r/c,   (c*q + r) % c = r % c,   (g*r + k) / (g*c) = (r + k/g) / c       for c, g > 0
// Over the integers these hold for Euclidean division whatever the signs of q and r; rows named lemma_* of the rule
// book (compare.def) state them and are proved like all others.
//
// Relies on linear.h for the soundness of rebuilding. Cost: linear in the terms of one sum (at most max_linear_terms).

#include "rewrite/fold.h"
#include "rewrite/simplifier.h"

#include <limits>
#include <numeric>

namespace fluorite::rewrite {

using ir::ExprKind;

/// The linear form with variables replaced by the values of their lets, where the divisor divides all coefficients of
/// such a value.
std::optional<Linear> Simplifier::form_to_divide(const Expr &expr, int64_t divisor) const {
    std::optional<Linear> form = linear_form(expr);
    if (!form || forms_.empty() || divisor == 0) {
        return form;
    }
    for (size_t i = 0; i < form->terms.size();) {
        const LinearTerm term = form->terms[i++];
        const auto known = term.term->kind() == ExprKind::Variable ? forms_.find(term.term->symbol()) : forms_.end();
        int64_t factor = 0;
        if (known == forms_.end() || term.coefficient % divisor == 0 ||
            __builtin_mul_overflow(coefficient_gcd(known->second), term.coefficient, &factor) ||
            factor % divisor != 0) {
            continue;
        }
        Linear rest = *form;
        rest.terms.erase(rest.terms.begin() + static_cast<std::ptrdiff_t>(i - 1));
        if (std::optional<Linear> sum = add_scaled(rest, known->second, term.coefficient)) {
            form = std::move(sum);
            i = 0; // each replacement removes one variable that the divisor does not divide
        }
    }
    return form;
}

/// ramp(c*q + r, s) / c is broadcast(q) and % c is ramp(r, s), where r, r + s, ... all stay in 0..c-1.
Expr Simplifier::divide_ramp(const Expr &node, int64_t divisor) {
    const Expr &ramp = node->arg(0);
    int64_t stride = 0, last = 0;
    if (ramp->kind() != ExprKind::Ramp || ramp->arg(0).type().is_vector() || divisor <= 0 ||
        !ir::is_const_int(ramp->arg(1), &stride) || stride < 0 ||
        __builtin_mul_overflow(stride, int64_t{ramp.type().lanes() - 1}, &last)) {
        return {};
    }
    const std::optional<Linear> base = form_to_divide(ramp->arg(0), divisor);
    if (!base) {
        return {};
    }
    Linear whole, rest;
    for (const LinearTerm &term : base->terms) {
        const bool divides = term.coefficient % divisor == 0;
        (divides ? whole : rest).terms.push_back({term.term, divides ? term.coefficient / divisor : term.coefficient});
    }
    whole.constant = euclidean_div(base->constant, divisor);
    rest.constant = euclidean_mod(base->constant, divisor);
    const Interval first = term_bounds(rest);
    if (first.lo < 0 || !(first + Interval::point(last)).has_hi() || first.hi + last >= divisor) {
        return {};
    }
    const bool divides = node->kind() == ExprKind::Div;
    const Expr part = build(divides ? whole : rest, ramp->arg(0).type());
    if (!part.defined()) {
        return {};
    }
    const Expr parts[] = {finish(part), ramp->arg(1)};
    return make(divides ? ExprKind::Broadcast : ExprKind::Ramp, node.type(),
                std::span<const Expr>(parts, divides ? 1 : 2));
}

Expr Simplifier::linear_division(const Expr &node) {
    int64_t divisor = 0;
    if (!ir::is_const_int(node->arg(1), &divisor) || divisor == 0 || divisor == std::numeric_limits<int64_t>::min()) {
        return {};
    }
    const std::optional<Linear> form = form_to_divide(node->arg(0), divisor);
    if (!form) {
        return {};
    }
    if (Expr divided = divide_ramp(node, divisor); divided.defined()) {
        return divided;
    }
    return node->kind() == ExprKind::Div ? linear_div(node, *form, divisor) : linear_mod(node, *form, divisor);
}

Expr Simplifier::linear_div(const Expr &node, const Linear &form, int64_t divisor) {
    const Type type = node.type();
    if (divisor < 0) { // x / -c = -(x / c)
        const Expr positive[] = {node->arg(0), ir::make_int(type, -divisor)};
        const Expr quotient[] = {ir::make_zero(type), make(ExprKind::Div, type, positive)};
        return make(ExprKind::Sub, type, quotient);
    }
    Linear whole, rest;
    for (const LinearTerm &term : form.terms) {
        (term.coefficient % divisor == 0 ? whole : rest).terms.push_back(term);
    }
    for (LinearTerm &term : whole.terms) {
        term.coefficient /= divisor;
    }
    whole.constant = euclidean_div(form.constant, divisor);
    rest.constant = euclidean_mod(form.constant, divisor);
    const int64_t shared = std::gcd(coefficient_gcd(rest), divisor);
    if (rest.is_constant()) {
        return build(whole, type);
    }
    if (shared > 1) {
        for (LinearTerm &term : rest.terms) {
            term.coefficient /= shared;
        }
        rest.constant /= shared;
        divisor /= shared;
    }
    const Expr numerator = build(rest, type);
    if (!numerator.defined() || (whole.is_constant() && whole.constant == 0 && numerator.same_as(node->arg(0)))) {
        return {};
    }
    const Expr quotient_args[] = {finish(numerator), intern(ir::make_int(type, divisor))};
    const Expr outside = build(whole, type);
    if (!outside.defined()) {
        return {};
    }
    const Expr sum[] = {make(ExprKind::Div, type, quotient_args), outside};
    return make(ExprKind::Add, type, sum);
}

Expr Simplifier::linear_mod(const Expr &node, const Linear &form, int64_t divisor) {
    const Type type = node.type();
    const bool negative = divisor < 0; // x % -c = x % c
    divisor = std::abs(divisor);
    Linear rest;
    for (const LinearTerm &term : form.terms) {
        if (const int64_t coefficient = term.coefficient % divisor; coefficient != 0) {
            rest.terms.push_back({term.term, coefficient});
        }
    }
    rest.constant = euclidean_mod(form.constant, divisor);
    if (rest.is_constant()) {
        return ir::make_int(type, rest.constant);
    }
    const int64_t shared = std::gcd(coefficient_gcd(rest), divisor);
    Linear outside; // (g*r + k) % (g*c) = g*((r + k/g) % c) + k%g
    for (LinearTerm &term : rest.terms) {
        term.coefficient /= shared;
    }
    outside.constant = rest.constant % shared;
    rest.constant /= shared;
    const Expr dividend = build(rest, type);
    if (!dividend.defined() || (shared == 1 && !negative && dividend.same_as(node->arg(0)))) {
        return {};
    }
    const Expr mod_args[] = {finish(dividend), intern(ir::make_int(type, divisor / shared))};
    outside.terms.clear();
    const Expr mod = make(ExprKind::Mod, type, mod_args);
    const std::optional<Linear> inner = linear_form(mod);
    const std::optional<Linear> sum = inner ? add_scaled(outside, *inner, shared) : std::nullopt;
    return sum ? build(*sum, type) : Expr();
}

} // namespace fluorite::rewrite
