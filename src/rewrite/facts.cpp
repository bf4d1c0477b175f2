// Facts: constant bounds of expressions, ranges and values of variables.
//
// Bounds are computed bottom up over the integers and memoized. In wrapping arithmetic, a result that may leave its
// type's range gets the whole range; Index arithmetic of 32 and more bits does not overflow, so the integer bounds
// stand. The range of a variable comes from the facts, intersected with the range of its type.
//
// Sums are bounded through their linear form, term by term. Where that does not decide, the analysis splits a term that
// is a minimum, maximum or select into its operands: min(a, b) equals one of them and exceeds neither, so the union of
// the bounds of both cases bounds the whole, and whatever an operand shares with the rest of the sum cancels. A
// quotient t = p/c satisfies c*t = p - p%c with p%c in 0..c-1, which makes round-up and round-down expressions linear.
//
// Cost: a few splits per comparison, bounded by a budget.

#include "ir/expr_cases.h"
#include "ir/expr_traits.h"
#include "rewrite/fold.h"
#include "rewrite/simplifier.h"

namespace fluorite::rewrite {

using ir::ExprKind;

namespace {

constexpr int max_bounds_depth = 48;
/// Longer sums are bounded term by term only, without splits.
constexpr size_t max_split_terms = 12;

Interval constant_bounds(const Scalar &value) {
    if (value.type.is_float()) {
        return {};
    }
    if (value.type.is_uint() && value.as_int() < 0) {
        return {Interval::plus_infinity - 1, Interval::plus_infinity}; // at least 2^63
    }
    return Interval::point(value.as_int());
}

/// Whether the result of an operation may leave the range of its operands' type.
bool may_overflow(ExprKind kind) {
    switch (kind) {
    case ExprKind::Add:
    case ExprKind::Sub:
    case ExprKind::Mul:
    case ExprKind::Div:
    case ExprKind::Ramp:
    case ExprKind::ShiftLeft:
        return true;
    default: // kinds of which operation_bounds keeps the result within the type, or knows nothing
        return false;
    }
}

} // namespace

// ---- Facts.

void Simplifier::forget_to(const Mark &mark) {
    while (range_log_.size() > mark.ranges) {
        const auto &[symbol, old] = range_log_.back();
        if (old) {
            ranges_.insert_or_assign(symbol, *old);
        } else {
            ranges_.erase(symbol);
        }
        range_log_.pop_back();
    }
    while (replacement_log_.size() > mark.replacements) {
        const auto &[symbol, old] = replacement_log_.back();
        if (old.defined()) {
            replacements_.insert_or_assign(symbol, old);
        } else {
            replacements_.erase(symbol);
        }
        replacement_log_.pop_back();
    }
    while (form_log_.size() > mark.forms) {
        const auto &[symbol, old] = form_log_.back();
        if (old) {
            forms_.insert_or_assign(symbol, *old);
        } else {
            forms_.erase(symbol);
        }
        form_log_.pop_back();
    }
    while (truths_.size() > mark.truths) {
        remove_last_truth();
    }
    results_.clear();
    bounds_.clear();
}

void Simplifier::learn_range(const ir::Symbol &symbol, const Interval &range) {
    const auto found = ranges_.find(symbol);
    range_log_.emplace_back(symbol, found == ranges_.end() ? std::nullopt : std::optional(found->second));
    ranges_.insert_or_assign(symbol, range);
    results_.clear();
    bounds_.clear();
}

void Simplifier::replace(const ir::Symbol &symbol, const Expr &value) {
    const auto found = replacements_.find(symbol);
    replacement_log_.emplace_back(symbol, found == replacements_.end() ? Expr() : found->second);
    replacements_.insert_or_assign(symbol, value);
    results_.clear();
}

void Simplifier::learn_form(const ir::Symbol &symbol, const Expr &value) {
    const bool is_sum = ir::is_index_arithmetic(value) && value.type().is_scalar();
    std::optional<Linear> form = is_sum ? linear_form(value) : std::nullopt;
    for (size_t i = 0; form && i < form->terms.size(); i++) { // expands other lets, whose own forms contain none
        const LinearTerm term = form->terms[i];
        const auto outer = term.term->kind() == ExprKind::Variable ? forms_.find(term.term->symbol()) : forms_.end();
        if (outer != forms_.end()) {
            form->terms.erase(form->terms.begin() + static_cast<std::ptrdiff_t>(i));
            form = add_scaled(*form, outer->second, term.coefficient);
            i = static_cast<size_t>(-1);
        }
    }
    const bool is_known = forms_.contains(symbol);
    const bool has_factor = form && !form->is_constant() && coefficient_gcd(*form) > 1;
    if (!is_known && !has_factor) {
        return;
    }
    form_log_.emplace_back(symbol, is_known ? std::optional(forms_.at(symbol)) : std::nullopt);
    if (has_factor) {
        forms_.insert_or_assign(symbol, *form);
    } else {
        forms_.erase(symbol);
    }
    results_.clear();
}

// ---- Bounds of expressions.

Interval Simplifier::bounds(const Expr &expr, Arithmetic arithmetic) {
    return compute_bounds(expr, arithmetic_for(expr, arithmetic), 0);
}

Interval Simplifier::compute_bounds(const Expr &expr, Arithmetic arithmetic, int depth) {
    if (const std::optional<Scalar> constant = scalar_of(expr)) {
        return constant_bounds(*constant);
    }
    const Type type = expr.type().element_of();
    if (!type.is_int_or_uint()) {
        return {};
    }
    const bool unlimited = arithmetic == Arithmetic::Index && ir::is_index_type(type);
    const Interval whole = unlimited ? Interval() : range_of(type);
    if (depth > max_bounds_depth) {
        return whole;
    }
    const Key key{expr.get(), arithmetic};
    if (const auto found = bounds_.find(key); found != bounds_.end()) {
        return found->second;
    }
    Interval result = operation_bounds(expr, arithmetic, depth);
    // An infinite end of a 64-bit operation may come from results that wrapped around.
    const bool may_wrap = !unlimited && type.bits() == 64 && may_overflow(expr->kind()) && !result.is_finite();
    if (may_wrap || !whole.contains(result)) {
        result = whole;
    }
    if (const auto known = places_of_ranged_.find(expr.get()); known != places_of_ranged_.end()) {
        for (const size_t place : known->second) {
            result = intersect(result, truths_[place].range);
        }
    }
    // The table keeps the expression alive, because its address is the key.
    nodes_.insert(expr);
    bounds_.insert_or_assign(key, result);
    return result;
}

Interval Simplifier::operand_bounds(const Expr &expr, Arithmetic arithmetic, int depth) {
    return compute_bounds(expr, arithmetic_for(expr, arithmetic), depth + 1);
}

Interval Simplifier::operation_bounds(const Expr &expr, Arithmetic arithmetic, int depth) {
    const Type type = expr.type().element_of();
    const Interval everything =
        arithmetic == Arithmetic::Index && ir::is_index_type(type) ? Interval() : range_of(type);
    auto of = [&](size_t i) { return operand_bounds(expr->arg(i), arithmetic, depth); };
    switch (expr->kind()) {
    case ExprKind::Variable: {
        const auto found = ranges_.find(expr->symbol());
        return found == ranges_.end() ? everything : intersect(everything, found->second);
    }
    case ExprKind::Add:
        return of(0) + of(1);
    case ExprKind::Sub:
        return of(0) - of(1);
    case ExprKind::Mul:
        return of(0) * of(1);
    case ExprKind::Div:
        return divide(of(0), of(1));
    case ExprKind::Mod:
        return modulo(of(0), of(1));
    case ExprKind::Min:
        return min(of(0), of(1));
    case ExprKind::Max:
        return max(of(0), of(1));
    case ExprKind::Select:
        return hull(of(1), of(2));
    case ExprKind::Broadcast:
    case FLUORITE_HINTS:
        return of(0);
    case ExprKind::VectorReduce:
        return expr->reduce_op() == ir::ReduceOp::Min || expr->reduce_op() == ir::ReduceOp::Max ? of(0) : everything;
    case ExprKind::Ramp: {
        const int steps = expr.type().lanes() / expr->arg(0).type().lanes() - 1;
        return of(0) + of(1) * Interval{0, steps};
    }
    case ExprKind::Let:
        return of(1);
    case ExprKind::Cast: {
        if (!expr->arg(0).type().is_int_or_uint() || type.is_bool()) {
            return everything;
        }
        const Interval value = of(0);
        const bool above_int64 = expr->arg(0).type().is_uint() && !value.has_hi();
        return !above_int64 && range_of(type).contains(value) ? value : everything;
    }
    case ExprKind::SaturatingCast: {
        if (!expr->arg(0).type().is_int_or_uint()) {
            return everything;
        }
        const Interval value = of(0), range = range_of(type);
        return {std::clamp(value.lo, range.lo, range.hi), std::clamp(value.hi, range.lo, range.hi)};
    }
    case ExprKind::Abs:
    case ExprKind::AbsDiff: {
        if (!expr->arg(0).type().is_int_or_uint()) {
            return everything;
        }
        const Interval value = expr->kind() == ExprKind::Abs ? of(0) : of(0) - of(1);
        const Interval flipped = max(value, -value);
        return {value.lo > 0 || value.hi < 0 ? flipped.lo : 0, flipped.hi};
    }
    case ExprKind::BitAnd: {
        const Interval a = of(0), b = of(1);
        if (a.lo < 0 && b.lo < 0) {
            return everything;
        }
        return {0, a.lo < 0 ? b.hi : b.lo < 0 ? a.hi : std::min(a.hi, b.hi)};
    }
    case ExprKind::BitOr:
    case ExprKind::BitXor: {
        const Interval a = of(0), b = of(1);
        const bool known = a.lo >= 0 && b.lo >= 0 && a.has_hi() && b.has_hi();
        return known ? Interval{0, mask_up_to(std::max(a.hi, b.hi))} : everything;
    }
    case ExprKind::ShiftLeft: {
        const Interval amount = of(1);
        return amount.lo >= 0 && amount.hi < 62 ? of(0) * Interval{int64_t{1} << amount.lo, int64_t{1} << amount.hi}
                                                : everything;
    }
    case ExprKind::ShiftRight: {
        const Interval amount = of(1);
        return amount.lo >= 0 && amount.hi < 62 ? divide(of(0), {int64_t{1} << amount.lo, int64_t{1} << amount.hi})
                                                : everything;
    }
    case ExprKind::CountOnes:
    case ExprKind::CountLeadingZeros:
    case ExprKind::CountTrailingZeros:
        return {0, type.bits()};
    case FLUORITE_CONSTANTS: // those that are integers have bounds before
    case ExprKind::BufferField:
    case ExprKind::Reinterpret:
    case ExprKind::Quotient:
    case ExprKind::Remainder:
    case ExprKind::Fma:
    case FLUORITE_COMPARISONS:
    case FLUORITE_LOGIC:
    case ExprKind::BitNot:
    case FLUORITE_FUNCTIONS:
    case ExprKind::Shuffle:
    case FLUORITE_ACCESSES:
    case ExprKind::Undef:
    case FLUORITE_EFFECTS:
    case ExprKind::MemoizeTag:
        return everything;
    }
    unreachable("a node of no kind");
}

// ---- Bounds of linear forms.

Interval Simplifier::term_bounds(const Linear &form) {
    Interval sum = Interval::point(form.constant);
    for (const LinearTerm &term : form.terms) {
        sum = sum + bounds(term.term, Arithmetic::Index) * Interval::point(term.coefficient);
    }
    return sum;
}

Interval Simplifier::bounds_of(const Linear &form, int splits) {
    Interval result = term_bounds(form);
    if (splits == 0 || form.terms.size() < 2 || form.terms.size() > max_split_terms) {
        return result;
    }
    for (size_t i = 0; i < form.terms.size() && split_budget_ > 0; i++) {
        switch (form.terms[i].term->kind()) {
        case ExprKind::Min:
        case ExprKind::Max:
        case ExprKind::Select:
        case FLUORITE_HINTS:
        case ExprKind::Div:
            result = intersect(result, split_bounds(form, i, splits - 1));
            break;
        default: // kinds that split_bounds does not split
            break;
        }
    }
    return result;
}

/// Bounds a form by splitting one of its terms into cases.
Interval Simplifier::split_bounds(const Linear &form, size_t at, int splits) {
    split_budget_--;
    const Expr term = form.terms[at].term;
    const int64_t coefficient = form.terms[at].coefficient;
    Linear rest = form;
    rest.terms.erase(rest.terms.begin() + static_cast<std::ptrdiff_t>(at));
    auto with = [&](const Expr &value, int64_t factor) -> Interval {
        const std::optional<Linear> inner = is_exact(value) ? linear_form(value) : std::nullopt;
        const std::optional<Linear> sum = inner ? add_scaled(rest, *inner, factor) : std::nullopt;
        return sum ? bounds_of(*sum, splits) : Interval();
    };
    if (term->kind() == ExprKind::Likely || term->kind() == ExprKind::LikelyIfInnermost) {
        return with(term->arg(0), coefficient);
    }
    if (term->kind() == ExprKind::Div) {
        int64_t divisor = 0;
        if (!ir::is_const_int(term->arg(1), &divisor) || divisor <= 0) {
            return {};
        }
        const Interval rest_of_division = {0, divisor - 1};
        if (coefficient % divisor != 0) {
            return {};
        }
        // coefficient * (p / d) = (coefficient / d) * (p - p % d)
        const int64_t factor = coefficient / divisor;
        return with(term->arg(0), factor) - rest_of_division * Interval::point(factor);
    }
    const bool is_select = term->kind() == ExprKind::Select;
    const Interval a = with(term->arg(is_select ? 1 : 0), coefficient);
    const Interval b = with(term->arg(is_select ? 2 : 1), coefficient);
    if (is_select) {
        return hull(a, b);
    }
    return (term->kind() == ExprKind::Min) == (coefficient > 0) ? min(a, b) : max(a, b);
}

} // namespace fluorite::rewrite
