// Sums of products, and facts about the lanes of an index.
//
// A product that would expand to more than 12 terms, or to more than two factors in a term, remains a single term. An
// index that is not a ramp may still change by only a few elements from lane to lane, as a clamped one does;
// lane_steps() recognizes this.
//
// Relies on index arithmetic not overflowing, except on values from memory that are not small (index_may_wrap).

#include "backends/llvm/emit/linear_index.h"

#include "ir/expr_traits.h"
#include "lowering/access/access_shape.h"
#include "rewrite/simplifier.h"

#include <algorithm>
#include <cstddef>
#include <functional>

namespace fluorite::backends {

using ir::ExprKind;

namespace {

constexpr size_t most_terms = 12;

bool is_same_product(const LinearTerm &a, const LinearTerm &b) {
    return a.factors.size() == b.factors.size() &&
           std::is_permutation(a.factors.begin(), a.factors.end(), b.factors.begin());
}

void add_term(LinearIndex &sum, LinearTerm term) {
    for (size_t i = 0; i < sum.terms.size(); i++) {
        if (is_same_product(sum.terms[i], term)) {
            sum.terms[i].coefficient += term.coefficient;
            if (sum.terms[i].coefficient == 0) {
                sum.terms.erase(sum.terms.begin() + static_cast<ptrdiff_t>(i));
            }
            return;
        }
    }
    sum.terms.push_back(std::move(term));
}

LinearTerm multiply(const LinearTerm &a, const LinearTerm &b) {
    LinearTerm product = a;
    product.coefficient *= b.coefficient;
    product.depth = std::max(a.depth, b.depth);
    product.factors.append(b.factors.begin(), b.factors.end());
    return product;
}

bool may_wrap(const Expr &expr, int depth) {
    constexpr int64_t small = 1 << 20;
    if (!expr->reads_memory() || expr.type().bits() >= 64) {
        return false;
    }
    const bool is_sum = expr->kind() == ExprKind::Add || expr->kind() == ExprKind::Sub;
    if (is_sum && expr.type().is_int() && expr.type().bits() == 32) {
        return depth == 0 || may_wrap(expr->arg(0), depth - 1) || may_wrap(expr->arg(1), depth - 1);
    }
    const rewrite::Interval range = rewrite::Simplifier().bounds(expr, rewrite::Arithmetic::Wrapping);
    return range.lo < -small || range.hi > small;
}

} // namespace

bool index_may_wrap(const Expr &expr) { return may_wrap(expr, /*depth=*/6); }

bool can_multiply(const LinearIndex &a, const LinearIndex &b) {
    const auto degree = [](const LinearIndex &x) {
        size_t most = 0;
        for (const LinearTerm &term : x.terms) {
            most = std::max<size_t>(most, term.factors.size());
        }
        return most;
    };
    return a.terms.size() * std::max<size_t>(b.terms.size(), 1) + b.terms.size() <= most_terms &&
           degree(a) + degree(b) <= 2;
}

LinearIndex multiply(const LinearIndex &a, const LinearIndex &b) {
    LinearIndex product;
    product.constant = a.constant * b.constant;
    for (const LinearTerm &x : a.terms) {
        for (const LinearTerm &y : b.terms) {
            add_term(product, multiply(x, y));
        }
    }
    for (const auto &[part, factor] : {std::pair(&a, b.constant), std::pair(&b, a.constant)}) {
        for (LinearTerm term : part->terms) {
            term.coefficient *= factor;
            if (factor != 0) {
                add_term(product, std::move(term));
            }
        }
    }
    return product;
}

LinearIndex add(LinearIndex a, const LinearIndex &b, int64_t scale) {
    a.is_int32 = false;
    a.constant += b.constant * scale;
    for (LinearTerm term : b.terms) {
        term.coefficient *= scale;
        add_term(a, std::move(term));
    }
    return a;
}

std::optional<LaneSteps> lane_steps(const Expr &index) {
    if (!ir::is_index_arithmetic(index) || index.type().is_scalar()) {
        return std::nullopt;
    }
    int64_t number = 0;
    const lowering::AccessShape shape = lowering::access_shape(index);
    if (const auto stride = shape.is_uniform() ? 0 : shape.constant_stride()) {
        return std::abs(*stride) <= 1024 ? std::optional(LaneSteps{*stride, *stride}) : std::nullopt;
    }
    switch (index->kind()) {
    case ExprKind::Cast:
    case ExprKind::Likely:
    case ExprKind::LikelyIfInnermost:
        return lane_steps(index->arg(0));
    case ExprKind::Add:
    case ExprKind::Sub:
    case ExprKind::Min:
    case ExprKind::Max: {
        const auto a = lane_steps(index->arg(0));
        const auto b = a ? lane_steps(index->arg(1)) : std::nullopt;
        if (!b) {
            return std::nullopt;
        }
        if (index->kind() == ExprKind::Add) {
            return LaneSteps{a->least + b->least, a->most + b->most};
        }
        return index->kind() == ExprKind::Sub ? LaneSteps{a->least - b->most, a->most - b->least}
                                              : LaneSteps{std::min(a->least, b->least), std::max(a->most, b->most)};
    }
    case ExprKind::Mul: {
        const bool is_first = ir::is_const_int(index->arg(0), &number);
        const auto a = lane_steps(index->arg(is_first ? 1 : 0));
        const bool is_scaled = a && (is_first || ir::is_const_int(index->arg(1), &number));
        if (!is_scaled || std::abs(number) > 1024 || std::max(std::abs(a->least), std::abs(a->most)) > 1024) {
            return std::nullopt;
        }
        return LaneSteps{std::min(a->least * number, a->most * number), std::max(a->least * number, a->most * number)};
    }
    case ExprKind::Select: { // with one condition for all lanes
        const bool is_uniform = lowering::uniform_value(index->arg(0)).defined();
        const auto a = is_uniform ? lane_steps(index->arg(1)) : std::nullopt;
        const auto b = a ? lane_steps(index->arg(2)) : std::nullopt;
        return b ? std::optional(LaneSteps{std::min(a->least, b->least), std::max(a->most, b->most)}) : std::nullopt;
    }
    case ExprKind::
        Div: { // floors; n steps of one numerator unit cross at most ceil(n / divisor) multiples of the divisor
        const auto a = lane_steps(index->arg(0));
        if (!a || !ir::is_const_int(index->arg(1), &number) || number <= 0) {
            return std::nullopt;
        }
        const auto rounded_away = [&](int64_t n) {
            return n < 0 ? -((-n + number - 1) / number) : (n + number - 1) / number;
        };
        return LaneSteps{std::min<int64_t>(rounded_away(std::min<int64_t>(a->least, 0)), 0),
                         std::max<int64_t>(rounded_away(std::max<int64_t>(a->most, 0)), 0)};
    }
    default: // nothing is known, which is correct for any kind
        return std::nullopt;
    }
}

int64_t folded_step(const Expr &index) {
    constexpr int64_t most = 8;
    int nodes = 100; // counting shared ones each time
    const std::function<int64_t(const Expr &)> step_of = [&](const Expr &part) -> int64_t { // -1: unknown
        int64_t number = 0;
        if (part.type().is_scalar() || --nodes < 0 || part->reads_memory()) {
            return part.type().is_scalar() ? 0 : -1;
        }
        const lowering::AccessShape shape = lowering::access_shape(part);
        if (const auto stride = shape.is_uniform() ? 0 : shape.constant_stride()) {
            return std::abs(*stride) <= most ? std::abs(*stride) : -1;
        }
        switch (part->kind()) {
        case ExprKind::Cast:
            return part.type().is_int() && part->arg(0).type().is_int() ? step_of(part->arg(0)) : -1;
        case ExprKind::Likely:
        case ExprKind::LikelyIfInnermost:
            return step_of(part->arg(0));
        case ExprKind::Add:
        case ExprKind::Sub:
        case ExprKind::Min:
        case ExprKind::Max:
        case ExprKind::Mod:
        case ExprKind::Div: {
            const int64_t a = step_of(part->arg(0)), b = a < 0 ? -1 : step_of(part->arg(1));
            return b < 0 ? -1 : std::max(a, b);
        }
        case ExprKind::Mul: {
            const bool is_first = ir::is_const_int(part->arg(0), &number);
            const int64_t a = step_of(part->arg(is_first ? 1 : 0));
            const bool is_scaled = is_first || ir::is_const_int(part->arg(1), &number);
            return a >= 0 && is_scaled && std::abs(number) <= most && a * std::abs(number) <= most
                       ? a * std::abs(number)
                       : -1;
        }
        case ExprKind::Select: {
            const int64_t a = step_of(part->arg(1)), b = a < 0 ? -1 : step_of(part->arg(2));
            return b < 0 ? -1 : std::max(a, b);
        }
        default: // unknown, which is correct for any kind
            return -1;
        }
    };
    const int64_t step = index.type().is_vector() ? step_of(index) : 0;
    return std::max<int64_t>(step, 0);
}

} // namespace fluorite::backends
