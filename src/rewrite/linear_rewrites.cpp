// The steps of the simplifier on linear forms of index expressions (Int of 32 bits and more, Index arithmetic).
//
// Sums, differences and products by constants take the canonical form of linear.h, where nearly all cancellation
// happens. In addition, the rule book is tried on pairs of terms as if they were adjacent (min(x, y) + max(x, y)); a
// minimum or maximum absorbs a term that cancels in one of its operands (min(x + 15, n) - x becomes min(15, n - x));
// and (x/c)*c + x%c becomes x.
//
// Comparisons become `terms < terms + constant`, with all common terms cancelled and coefficients divided by their
// greatest common divisor. They fold to a constant where bounds or truths decide the difference. Common terms of both
// operands move out of minima and maxima. Division and modulo by constants are in linear_division.cpp.
//
// Relies on linear.h for the soundness of rebuilding. Cost: linear in the terms of one sum (at most max_linear_terms),
// and quadratic in those terms that are minima, maxima, selects, quotients or remainders.

#include "ir/expr_traits.h"
#include "rewrite/fold.h"
#include "rewrite/simplifier.h"

#include <algorithm>

namespace fluorite::rewrite {

using ir::ExprKind;

namespace {

constexpr int simplify_splits = 2;
constexpr int simplify_budget = 10;
/// Longer sums are collected, but their terms are not paired.
constexpr size_t max_combined_terms = 10;

/// Terms that rules on sums may match.
bool is_pairable(const Expr &term) {
    switch (term->kind()) {
    case ExprKind::Min:
    case ExprKind::Max:
    case ExprKind::Select:
    case ExprKind::Div:
    case ExprKind::Mod:
    case ExprKind::Mul:
    case ExprKind::Ramp:
    case ExprKind::Broadcast:
        return true;
    default: // no rule on sums has another kind as a term
        return false;
    }
}

bool is_minmax(const Expr &term) { return term->kind() == ExprKind::Min || term->kind() == ExprKind::Max; }

void erase_term(Linear &form, size_t at) { form.terms.erase(form.terms.begin() + static_cast<std::ptrdiff_t>(at)); }

void erase_two(Linear &form, size_t i, size_t j) {
    erase_term(form, std::max(i, j));
    erase_term(form, std::min(i, j));
}

int64_t coefficient_of(const Linear &form, const Expr &term) {
    for (const LinearTerm &candidate : form.terms) {
        if (ir::equal(candidate.term, term)) {
            return candidate.coefficient;
        }
    }
    return 0;
}

bool assign(Linear &form, const std::optional<Linear> &value) {
    if (value) {
        form = *value;
    }
    return value.has_value();
}

} // namespace

/// One rewrite of a linear form; undefined where the node is canonical already.
Expr Simplifier::index_step(const Expr &node) {
    const bool compares = is_comparison(node->kind());
    if (!is_index(compares ? node->arg(0).type() : node.type())) {
        return {};
    }
    switch (node->kind()) {
    case ExprKind::Add:
    case ExprKind::Sub:
    case ExprKind::Mul:
        return linear_sum(node);
    case ExprKind::EQ:
    case ExprKind::NE:
    case ExprKind::LT:
    case ExprKind::LE:
        return linear_compare(node);
    case ExprKind::Min:
    case ExprKind::Max:
        return linear_minmax(node);
    case ExprKind::Div:
    case ExprKind::Mod:
        return linear_division(node);
    default: // kinds whose operands are no linear forms
        return {};
    }
}

/// The canonical, interned expression of a form whose terms are simplified.
Expr Simplifier::build(const Linear &form, Type type) {
    const Expr expr = to_expr(form, type);
    if (!expr.defined()) {
        return {};
    }
    // The partial sums are new nodes, interned from the leaves up. They are canonical by construction.
    struct Interner {
        Simplifier &owner;
        Expr visit(const Expr &expr, int depth) {
            if (expr->arg_count() == 0 || owner.nodes_.contains(expr)) {
                return owner.intern(expr);
            }
            Expr args[2];
            for (size_t i = 0; i < expr->arg_count(); i++) {
                args[i] = visit(expr->arg(i), depth + 1);
            }
            return owner.intern(ir::with_args(expr, std::span<const Expr>(args, expr->arg_count())));
        }
    };
    return Interner{*this}.visit(expr, 0);
}

// ---- Sums.

Expr Simplifier::linear_sum(const Expr &node) {
    std::optional<Linear> form = linear_form(node);
    if (!form) {
        return {};
    }
    for (int round = 0; round < 16 && combine_pair(*form, node.type()); round++) {
    }
    const Expr result = widen_vectorized_loops(*form, node.type()) ? build(*form, node.type()) : Expr();
    return result.defined() && !result.same_as(node) ? result : Expr();
}

/// Merges the ramps, broadcasts and constant of a vector sum into one ramp or broadcast; false where a number does not
/// fit.
bool Simplifier::widen_vectorized_loops(Linear &form, Type type) {
    Linear others, base, stride;
    Type inner;
    for (const LinearTerm &term : form.terms) {
        const ExprKind kind = term.term->kind();
        const bool is_ramp = kind == ExprKind::Ramp;
        const bool fits = is_ramp || kind == ExprKind::Broadcast;
        if (!fits || (!inner.is_void() && term.term->arg(0).type() != inner)) {
            others.terms.push_back(term);
            continue;
        }
        inner = term.term->arg(0).type();
        const std::optional<Linear> start = linear_form(term.term->arg(0));
        const std::optional<Linear> step = is_ramp ? linear_form(term.term->arg(1)) : Linear();
        if (!start || !step || !assign(base, add_scaled(base, *start, term.coefficient)) ||
            !assign(stride, add_scaled(stride, *step, term.coefficient))) {
            return false;
        }
    }
    if (inner.is_void()) {
        return true;
    }
    if (__builtin_add_overflow(base.constant, form.constant, &base.constant)) {
        return false;
    }
    const Expr parts[] = {build(base, inner), build(stride, inner)};
    if (!parts[0].defined() || !parts[1].defined()) {
        return false;
    }
    const Expr simple[] = {finish(parts[0]), finish(parts[1])};
    const bool steps = !ir::is_zero(simple[1]);
    const Expr merged =
        make(steps ? ExprKind::Ramp : ExprKind::Broadcast, type, std::span<const Expr>(simple, steps ? 2 : 1));
    const std::optional<Linear> value = linear_form(merged);
    return value && assign(form, add_scaled(others, *value, 1));
}

/// Replaces two terms by a simpler one; false where no pair combines.
bool Simplifier::combine_pair(Linear &form, Type type) {
    if (form.terms.size() > max_combined_terms) {
        return false;
    }
    for (size_t i = 0; i < form.terms.size(); i++) {
        if (!is_pairable(form.terms[i].term)) {
            continue;
        }
        if (try_scaled(form, i, type) || absorb_term(form, i, type)) {
            return true;
        }
        for (size_t j = i + 1; j < form.terms.size(); j++) {
            if (is_pairable(form.terms[j].term) && (try_pair(form, i, j, type) || cancel_minmax_pair(form, i, j) ||
                                                    cancel_div_mod(form, i, j) || cancel_div_mod(form, j, i))) {
                return true;
            }
        }
    }
    return false;
}

/// Tries the rule book on coefficient * select(...), which may move the product into the select.
bool Simplifier::try_scaled(Linear &form, size_t at, Type type) {
    const LinearTerm term = form.terms[at];
    if (term.term->kind() != ExprKind::Select || std::abs(term.coefficient) == 1 ||
        !type.can_represent(term.coefficient)) {
        return false;
    }
    const Expr args[] = {term.term, ir::make_int(type, term.coefficient)};
    const Expr product = intern(ir::ExprNode::create(ExprKind::Mul, type, args));
    const Expr result = rule_book().apply(product, arithmetic_, *this);
    const std::optional<Linear> value = result.defined() ? linear_form(result) : std::nullopt;
    if (!value) {
        return false;
    }
    erase_term(form, at);
    return assign(form, add_scaled(form, *value, 1));
}

/// Tries the rule book on k * (a + b) or k * (a - b).
bool Simplifier::try_pair(Linear &form, size_t i, size_t j, Type type) {
    const LinearTerm a = form.terms[i], b = form.terms[j];
    if (std::abs(a.coefficient) != std::abs(b.coefficient)) {
        return false;
    }
    const bool adds = a.coefficient == b.coefficient;
    const LinearTerm &first = adds || a.coefficient > 0 ? a : b;
    const LinearTerm &second = adds || a.coefficient > 0 ? b : a;
    const ExprKind kind = adds ? ExprKind::Add : ExprKind::Sub;
    const Expr pair = intern(ir::ExprNode::create(kind, type, {first.term, second.term}));
    const Expr result = rule_book().apply(pair, arithmetic_, *this);
    const std::optional<Linear> value = result.defined() ? linear_form(result) : std::nullopt;
    if (!value) {
        return false;
    }
    erase_two(form, i, j);
    return assign(form, add_scaled(form, *value, first.coefficient));
}

/// min(a, b) - min(c, d) equals a - c where a - c = b - d; likewise crosswise.
bool Simplifier::cancel_minmax_pair(Linear &form, size_t i, size_t j) {
    const LinearTerm x = form.terms[i], y = form.terms[j];
    if (!is_minmax(x.term) || x.term->kind() != y.term->kind() || x.coefficient != -y.coefficient) {
        return false;
    }
    std::optional<Linear> parts[4] = {linear_form(x.term->arg(0)), linear_form(x.term->arg(1)),
                                      linear_form(y.term->arg(0)), linear_form(y.term->arg(1))};
    if (!parts[0] || !parts[1] || !parts[2] || !parts[3]) {
        return false;
    }
    for (int cross = 0; cross < 2; cross++) {
        const std::optional<Linear> first = subtract(*parts[0], *parts[2 + cross]);
        const std::optional<Linear> second = subtract(*parts[1], *parts[3 - cross]);
        if (first && second && *first == *second) {
            erase_two(form, i, j);
            return assign(form, add_scaled(form, *first, x.coefficient));
        }
    }
    return false;
}

/// k*c*(x/c) + k*(x%c) is k*x, for any constant c other than 0.
bool Simplifier::cancel_div_mod(Linear &form, size_t i, size_t j) {
    const LinearTerm quotient = form.terms[i], rest = form.terms[j];
    int64_t divisor = 0, product = 0;
    if (quotient.term->kind() != ExprKind::Div || rest.term->kind() != ExprKind::Mod ||
        !ir::equal(quotient.term->arg(0), rest.term->arg(0)) || !ir::equal(quotient.term->arg(1), rest.term->arg(1)) ||
        !ir::is_const_int(rest.term->arg(1), &divisor) || divisor == 0 ||
        __builtin_mul_overflow(rest.coefficient, divisor, &product) || product != quotient.coefficient) {
        return false;
    }
    const std::optional<Linear> value = linear_form(quotient.term->arg(0));
    if (!value) {
        return false;
    }
    erase_two(form, i, j);
    return assign(form, add_scaled(form, *value, rest.coefficient));
}

/// k*min(a, b) + q*t, where t cancels in a or in b: k*min(a + (q/k)*t, b + (q/k)*t).
bool Simplifier::absorb_term(Linear &form, size_t at, Type type) {
    const LinearTerm outer = form.terms[at];
    const bool is_select = outer.term->kind() == ExprKind::Select;
    if (!is_minmax(outer.term) && !is_select) {
        return false;
    }
    std::optional<Linear> arms[2] = {linear_form(outer.term->arg(is_select ? 1 : 0)),
                                     linear_form(outer.term->arg(is_select ? 2 : 1))};
    auto cancels = [&](const LinearTerm &moved) {
        const int64_t factor = moved.coefficient / outer.coefficient;
        return moved.coefficient % outer.coefficient == 0 && !moved.term.same_as(outer.term) &&
               (coefficient_of(*arms[0], moved.term) == -factor || coefficient_of(*arms[1], moved.term) == -factor);
    };
    const auto found =
        arms[0] && arms[1] ? std::find_if(form.terms.begin(), form.terms.end(), cancels) : form.terms.end();
    if (found == form.terms.end()) {
        return false;
    }
    const LinearTerm moved = *found;
    const auto other = position_in(form.terms, found);
    const int64_t factor = moved.coefficient / outer.coefficient;
    Linear extra;
    extra.terms.push_back({moved.term, factor});
    Expr args[3];
    for (int i = 0; i < 2; i++) {
        arms[i] = add_scaled(*arms[i], extra, 1);
        args[i] = arms[i] ? build(*arms[i], type) : Expr();
        if (!args[i].defined()) {
            return false;
        }
        args[i] = finish(args[i]);
    }
    const Expr selected[] = {is_select ? outer.term->arg(0) : Expr(), args[0], args[1]};
    const Expr result = is_select ? make(ExprKind::Select, type, selected)
                                  : make(outer.term->kind(), type, std::span<const Expr>(args, 2));
    const std::optional<Linear> value = linear_form(result);
    if (!value) {
        return false;
    }
    erase_two(form, at, other);
    return assign(form, add_scaled(form, *value, outer.coefficient));
}

// ---- Comparisons.

Expr Simplifier::linear_compare(const Expr &node) {
    const Expr &a = node->arg(0), &b = node->arg(1);
    const std::optional<Linear> left = linear_form(a), right = linear_form(b);
    const std::optional<Linear> raw = left && right ? subtract(*left, *right) : std::nullopt;
    if (!raw) {
        return {};
    }
    Linear difference = *raw;
    for (int round = 0; round < 16 && combine_pair(difference, a.type()); round++) {
    }
    const int lanes = node.type().lanes();
    const ExprKind kind = node->kind();
    if (difference.is_constant()) {
        const std::optional<Scalar> value =
            fold_binary(kind, int_scalar(Int(64), difference.constant), int_scalar(Int(64), 0));
        return ir::make_bool(value->bits != 0, lanes);
    }
    split_budget_ = simplify_budget;
    Linear merged = difference;
    if (a.type().is_vector() && !widen_vectorized_loops(merged, a.type())) {
        merged = difference;
    }
    const Interval known = bounds_of(merged, simplify_splits);
    const std::optional<Linear> opposite = truths_.empty() ? std::nullopt : scale(merged, -1);
    auto follows = [&](const Linear &form, int64_t slack) { // form + slack <= 0 follows from the truths
        Linear shifted = form;
        return opposite && !__builtin_add_overflow(shifted.constant, slack, &shifted.constant) &&
               proves_by_truths(shifted, simplify_splits);
    };
    auto below = [&](int64_t slack) { return known.hi <= -slack || follows(merged, slack); }; // difference + slack <= 0
    auto above = [&](int64_t slack) {
        return known.lo >= slack || (opposite && follows(*opposite, slack));
    }; // difference >= slack
    const bool equality = kind == ExprKind::EQ || kind == ExprKind::NE;
    const int64_t strict = kind == ExprKind::LT ? 1 : 0;
    if (equality ? below(1) || above(1) : above(1 - strict)) {
        return ir::make_bool(kind == ExprKind::NE, lanes);
    }
    if (equality ? below(0) && above(0) : below(strict)) {
        return ir::make_bool(kind != ExprKind::NE, lanes);
    }
    const Expr result = rebuild_comparison(kind, difference, a.type());
    return result.defined() && !result.same_as(node) ? result : Expr();
}

/// `difference kind 0` in canonical form. With positive terms P, negative terms N and constant k: P < k (or P == k)
/// without N; k <= N without P; otherwise P < N, P <= N or P < N + k.
Expr Simplifier::rebuild_comparison(ExprKind kind, const Linear &difference, Type type) {
    Linear positive, negative;
    const int64_t divisor = coefficient_gcd(difference);
    const int lanes = type.lanes();
    for (const LinearTerm &term : difference.terms) {
        const int64_t coefficient = term.coefficient / divisor;
        (coefficient > 0 ? positive : negative).terms.push_back({term.term, std::abs(coefficient)});
    }
    if (difference.constant == std::numeric_limits<int64_t>::min()) {
        return {};
    }
    int64_t constant = 0; // P - N <= constant, or P - N == constant
    if (kind == ExprKind::EQ || kind == ExprKind::NE) {
        if (difference.constant % divisor != 0) {
            return ir::make_bool(kind == ExprKind::NE, lanes);
        }
        constant = -difference.constant / divisor;
        if (positive.is_constant() ||
            (!negative.is_constant() && canonical_less(negative.terms[0].term, positive.terms[0].term))) {
            std::swap(positive, negative);
            constant = -constant;
        }
        negative.constant = constant;
    } else {
        constant = euclidean_div(-difference.constant - (kind == ExprKind::LT ? 1 : 0), divisor);
        kind = ExprKind::LT;
        if (positive.is_constant()) {
            positive.constant = -constant;
            kind = ExprKind::LE;
        } else if (!negative.is_constant() && constant == 0) {
            kind = ExprKind::LE;
        } else {
            negative.constant = constant + 1;
        }
    }
    Expr left = build(positive, type), right = build(negative, type);
    if (!left.defined() || !right.defined()) {
        return {};
    }
    if (type.is_vector()) { // broadcasts on one side may still merge
        left = finish(left);
        right = finish(right);
    }
    return intern(ir::ExprNode::create(kind, Bool(lanes), {left, right}));
}

// ---- Minimum and maximum.

Expr Simplifier::linear_minmax(const Expr &node) {
    const std::optional<Linear> a = linear_form(node->arg(0)), b = linear_form(node->arg(1));
    std::optional<Linear> difference = a && b ? subtract(*a, *b) : std::nullopt;
    if (!difference) {
        return {};
    }
    if (Linear merged = *difference; node.type().is_vector() && widen_vectorized_loops(merged, node.type())) {
        difference = merged;
    }
    const bool is_min = node->kind() == ExprKind::Min;
    split_budget_ = simplify_budget;
    const Interval known = bounds_of(*difference, simplify_splits);
    if (known.hi <= 0 || (!truths_.empty() && proves_by_truths(*difference, simplify_splits))) {
        return node->arg(is_min ? 0 : 1);
    }
    const std::optional<Linear> opposite = truths_.empty() ? std::nullopt : scale(*difference, -1);
    if (known.lo >= 0 || (opposite && proves_by_truths(*opposite, simplify_splits))) {
        return node->arg(is_min ? 1 : 0);
    }
    // Common terms of both operands move out.
    Linear common;
    for (const LinearTerm &term : a->terms) {
        const int64_t other = coefficient_of(*b, term.term);
        if ((other > 0) == (term.coefficient > 0) && other != 0) {
            common.terms.push_back(
                {term.term, std::abs(other) < std::abs(term.coefficient) ? other : term.coefficient});
        }
    }
    const bool a_is_number = a->is_constant(), b_is_number = b->is_constant();
    if (a->constant != 0 && b_is_number) {
        common.constant = a->constant;
    } else if (b->constant != 0 && a_is_number) {
        common.constant = b->constant;
    } else if (a->constant != 0 && b->constant != 0) {
        common.constant = std::min(a->constant, b->constant);
    }
    if (common.is_constant() && common.constant == 0) {
        return {};
    }
    const std::optional<Linear> inner_a = subtract(*a, common), inner_b = subtract(*b, common);
    const Expr args[] = {inner_a ? build(*inner_a, node.type()) : Expr(),
                         inner_b ? build(*inner_b, node.type()) : Expr()};
    const Expr outside = build(common, node.type());
    if (!args[0].defined() || !args[1].defined() || !outside.defined()) {
        return {};
    }
    const Expr finished[] = {finish(args[0]), finish(args[1])};
    const Expr sum[] = {make(node->kind(), node.type(), finished), outside};
    return make(ExprKind::Add, node.type(), sum);
}

} // namespace fluorite::rewrite
