// Truths: conditions known to hold at an expression's position, and proofs from them.
//
// Each truth is kept as itself and, for index comparisons, as a linear form that is <= 0: a form f is <= 0 where
// f - t <= 0 for a truth t <= 0. Only truths that share a term with f can help, and they are found by their terms: a
// statement may be inside of thousands of assertions about other buffers.
//
// Cost: that of the bounds of a few forms for each truth about the same terms. Proving may spend more splits than
// simplifying.

#include "ir/expr_traits.h"
#include "rewrite/fold.h"
#include "rewrite/simplifier.h"

#include <algorithm>

namespace fluorite::rewrite {

using ir::ExprKind;

namespace {

/// How many truths about one term are tried, the innermost ones first in scope: every check of a buffer is about the
/// same coordinates. Chosen, not measured.
constexpr size_t most_truths = 64;
constexpr int prove_splits = 5;
constexpr int prove_budget = 400;

} // namespace

/// Whether the linear form of an operand is its exact value. Arithmetic on values from memory wraps around, so there
/// only operands without arithmetic are exact.
bool Simplifier::is_exact(const Expr &operand) {
    return !operand->reads_memory() || (operand->kind() != ExprKind::Add && operand->kind() != ExprKind::Sub &&
                                        operand->kind() != ExprKind::Mul && operand->kind() != ExprKind::Ramp);
}

void Simplifier::learn_truth(const Expr &condition) {
    const Expr simple = simplify(condition, Arithmetic::Index);
    learn_one(simple, true);
    results_.clear();
    bounds_.clear();
}

/// Records the value of a simplified condition.
void Simplifier::learn_one(const Expr &condition, bool value) {
    switch (condition->kind()) {
    case ExprKind::UIntImm:
        return;
    case ExprKind::Likely:
    case ExprKind::LikelyIfInnermost:
    case ExprKind::Broadcast:
        learn_one(condition->arg(0), value);
        return;
    case ExprKind::Not:
        learn_one(condition->arg(0), !value);
        return;
    case ExprKind::And:
    case ExprKind::Or:
        if ((condition->kind() == ExprKind::And) == value) {
            learn_one(condition->arg(0), value);
            learn_one(condition->arg(1), value);
            return;
        }
        break;
    default: // a condition that is true or false as a whole
        break;
    }
    add_truth({condition, value, {}, {}, {}});
    if (!is_comparison(condition->kind()) || !ir::is_index_type(condition->arg(0).type())) {
        return;
    }
    const Expr &a = condition->arg(0), &b = condition->arg(1);
    if (!is_exact(a) || !is_exact(b)) {
        return;
    }
    switch (condition->kind()) {
    case ExprKind::LT:
        value ? learn_inequality(a, b, 1) : learn_inequality(b, a, 0);
        break;
    case ExprKind::LE:
        value ? learn_inequality(a, b, 0) : learn_inequality(b, a, 1);
        break;
    case ExprKind::EQ:
    case ExprKind::NE:
        if ((condition->kind() == ExprKind::EQ) == value) {
            learn_inequality(a, b, 0);
            learn_inequality(b, a, 0);
        }
        break;
    default: // simplified conditions have no GT and GE
        break;
    }
}

/// Learns left + slack <= right.
void Simplifier::learn_inequality(const Expr &left, const Expr &right, int64_t slack) {
    const std::optional<Linear> a = linear_form(left), b = linear_form(right);
    std::optional<Linear> form = a && b ? subtract(*a, *b) : std::nullopt;
    if (!form || __builtin_add_overflow(form->constant, slack, &form->constant) || form->is_constant()) {
        return;
    }
    Truth truth;
    if (form->terms.size() == 1 && form->constant != std::numeric_limits<int64_t>::min()) {
        const auto &[term, coefficient] = form->terms[0];
        truth.ranged = term; // coefficient * term <= -constant
        if (coefficient > 0) {
            truth.range.hi = euclidean_div(-form->constant, coefficient);
        } else {
            truth.range.lo = -euclidean_div(-form->constant, -coefficient);
        }
    }
    truth.not_positive = std::move(form);
    add_truth(std::move(truth));
}

void Simplifier::add_truth(Truth truth) {
    const size_t place = truths_.size();
    if (truth.condition.defined()) {
        places_of_conditions_[truth.condition.get()].push_back(place);
    }
    if (truth.ranged.defined()) {
        places_of_ranged_[truth.ranged.get()].push_back(place);
    }
    if (truth.not_positive) {
        for (const LinearTerm &term : truth.not_positive->terms) {
            places_of_terms_[term.term].push_back(place);
        }
    }
    truths_.push_back(std::move(truth));
}

void Simplifier::remove_last_truth() {
    const auto remove = [](auto &places, const auto &key) {
        const auto at = places.find(key);
        at->second.pop_back();
        if (at->second.empty()) {
            places.erase(at);
        }
    };
    const Truth truth = std::move(truths_.back());
    truths_.pop_back();
    if (truth.condition.defined()) {
        remove(places_of_conditions_, truth.condition.get());
    }
    if (truth.ranged.defined()) {
        remove(places_of_ranged_, truth.ranged.get());
    }
    if (truth.not_positive) {
        for (const LinearTerm &term : truth.not_positive->terms) {
            remove(places_of_terms_, term.term);
        }
    }
}

bool Simplifier::proves_not_positive(const Linear &form, int splits) {
    return term_bounds(form).hi <= 0 || bounds_of(form, splits).hi <= 0 || proves_by_truths(form, splits);
}

Simplifier::Places Simplifier::truths_about(const Linear &form) const {
    Places places;
    for (const LinearTerm &term : form.terms) {
        if (const auto known = places_of_terms_.find(term.term); known != places_of_terms_.end()) {
            const auto &all = known->second;
            places.insert(places.end(), all.end() - static_cast<std::ptrdiff_t>(std::min(all.size(), most_truths)),
                          all.end());
        }
    }
    std::sort(places.begin(), places.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());
    return places;
}

bool Simplifier::proves_by_truths(const Linear &form, int splits) {
    const Places places = truths_about(form);
    return std::any_of(places.begin(), places.end(),
                       [&](size_t place) { return proves_with(form, *truths_[place].not_positive, splits); });
}

/// Proves form <= 0 from truth <= 0: form - m * truth <= 0 for some m > 0 that cancels one of the terms.
bool Simplifier::proves_with(const Linear &form, const Linear &truth, int splits) {
    int64_t tried = 0;
    for (const LinearTerm &term : truth.terms) {
        const auto same = std::find_if(form.terms.begin(), form.terms.end(),
                                       [&](const LinearTerm &other) { return ir::equal(other.term, term.term); });
        const bool divides = same != form.terms.end() && same->coefficient % term.coefficient == 0;
        const int64_t factor = divides ? same->coefficient / term.coefficient : 0;
        if (factor <= 0 || factor == tried) {
            continue;
        }
        tried = factor;
        const std::optional<Linear> rest = add_scaled(form, truth, -factor);
        if (rest && (term_bounds(*rest).hi <= 0 || bounds_of(*rest, splits).hi <= 0)) {
            return true;
        }
    }
    return false;
}

bool Simplifier::prove(const Expr &condition) {
    const Expr simple = simplify(condition, Arithmetic::Index);
    if (!simple.defined() || ir::is_const(simple)) {
        return simple.defined() && ir::is_true(simple);
    }
    const ExprKind kind = simple->kind();
    switch (kind) {
    case ExprKind::And:
        return prove(simple->arg(0)) && prove(simple->arg(1));
    case ExprKind::Or:
        return prove(simple->arg(0)) || prove(simple->arg(1));
    case ExprKind::Likely:
    case ExprKind::LikelyIfInnermost:
    case ExprKind::Broadcast:
        return prove(simple->arg(0));
    default: // a condition that is proved as a whole
        break;
    }
    if (!is_comparison(kind) || !ir::is_index_type(simple->arg(0).type()) || !is_exact(simple->arg(0)) ||
        !is_exact(simple->arg(1))) {
        return false;
    }
    const std::optional<Linear> a = linear_form(simple->arg(0)), b = linear_form(simple->arg(1));
    std::optional<Linear> difference = a && b ? subtract(*a, *b) : std::nullopt;
    if (!difference) {
        return false;
    }
    const int64_t slack = kind == ExprKind::LT ? 1 : 0;
    if (kind == ExprKind::LT || kind == ExprKind::LE) {
        split_budget_ = prove_budget;
        return !__builtin_add_overflow(difference->constant, slack, &difference->constant) &&
               proves_not_positive(*difference, prove_splits);
    }
    if (kind == ExprKind::EQ || kind == ExprKind::NE) {
        split_budget_ = prove_budget;
        const std::optional<Linear> opposite = scale(*difference, -1);
        if (!opposite) {
            return false;
        }
        if (kind == ExprKind::EQ) {
            return proves_not_positive(*difference, prove_splits) && proves_not_positive(*opposite, prove_splits);
        }
        Linear above = *difference, below = *opposite; // one of them is below 0
        return !__builtin_add_overflow(above.constant, 1, &above.constant) &&
               !__builtin_add_overflow(below.constant, 1, &below.constant) &&
               (proves_not_positive(above, prove_splits) || proves_not_positive(below, prove_splits));
    }
    return false;
}

} // namespace fluorite::rewrite
