// Addresses: linear forms of index expressions.
//
// What: an Int32 index becomes a 64-bit sum of products with its constant apart (LinearIndex), or two of them, the base
// and the stride of a ramp (RampIndex); then a pointer:
//   a[i * s + j + 3], s and i known outside the loop over j  -->  base + i * s, + j, + 3
//
// Method: index arithmetic does not overflow, except on values from memory that are not small (ir/symbol.h), so that an
// index may be rebuilt in 64 bits. Terms are added in the order of the loops they depend on, outermost first, which
// leaves loop-invariant parts whole for LICM and makes neighbouring accesses differ by a constant. Products that would
// become sums of more than 12 terms, or of more than two factors, stay one term; so does what lies more than 200 steps
// deep. What is no ramp may still move by a few elements at most from lane to lane, like a clamped one: lane_steps sees
// that.

#include "backends/llvm/emit/emitter.h"

#include "rewrite/simplifier.h"

#include <algorithm>
#include <cstddef>
#include <functional>

namespace fluorite::backends {

using ir::ExprKind;
using llvm::Value;

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

/// Whether the product is small enough to be written as a sum.
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

LinearIndex add(LinearIndex a, const LinearIndex &b, int64_t scale) {
    a.constant += b.constant * scale;
    for (LinearTerm term : b.terms) {
        term.coefficient *= scale;
        add_term(a, std::move(term));
    }
    return a;
}

std::optional<LaneSteps> lane_steps(const Expr &index) {
    const bool overflows = index->reads_memory() || !index.type().is_int() || index.type().bits() < 32;
    if (overflows || index.type().is_scalar()) {
        return std::nullopt;
    }
    int64_t number = 0;
    switch (index->kind()) {
    case ExprKind::Broadcast:
        return index->arg(0).type().is_scalar() ? std::optional(LaneSteps{}) : std::nullopt;
    case ExprKind::Ramp:
        return index->arg(0).type().is_scalar() && ir::is_const_int(index->arg(1), &number) && std::abs(number) <= 1024
                   ? std::optional(LaneSteps{number, number})
                   : std::nullopt;
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
    case ExprKind::Select: { // by one condition for all lanes
        const Expr &condition = index->arg(0);
        const bool is_uniform = condition.type().is_scalar() ||
                                (ir::is_kind(condition, ExprKind::Broadcast) && condition->arg(0).type().is_scalar());
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
    default:
        return std::nullopt;
    }
}

int64_t folded_step(const Expr &index) {
    constexpr int64_t most = 8;
    int nodes = 100; // shared ones counted each time
    const std::function<int64_t(const Expr &)> step_of = [&](const Expr &part) -> int64_t { // -1: not known
        int64_t number = 0;
        if (part.type().is_scalar() || --nodes < 0 || part->reads_memory()) {
            return part.type().is_scalar() ? 0 : -1;
        }
        switch (part->kind()) {
        case ExprKind::Broadcast:
            return part->arg(0).type().is_scalar() ? 0 : -1;
        case ExprKind::Ramp:
            return part->arg(0).type().is_scalar() && ir::is_const_int(part->arg(1), &number) &&
                           std::abs(number) <= most
                       ? std::abs(number)
                       : -1;
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
        default:
            return -1;
        }
    };
    const int64_t step = index.type().is_vector() ? step_of(index) : 0;
    return std::max<int64_t>(step, 0);
}

LinearIndex Emitter::linear_leaf(const Expr &expr) {
    LinearIndex index;
    Value *leaf = scalar_i64(expr);
    if (auto *constant = llvm::dyn_cast<llvm::ConstantInt>(leaf)) {
        index.constant = constant->getSExtValue();
        return index;
    }
    index.terms.push_back({{leaf}, 1, depth_of(expr)});
    return index;
}

LinearIndex Emitter::linear(const Expr &expr) {
    int steps = 200; // nodes to look at, shared ones counted each time
    return linear_within(expr, steps);
}

LinearIndex Emitter::linear_within(const Expr &expr, int &steps) {
    const auto part = [&](size_t i) { return linear_within(expr->arg(i), steps); };
    if (--steps < 0 || index_may_wrap(expr)) {
        return linear_leaf(expr);
    }
    switch (expr->kind()) {
    case ExprKind::IntImm:
        return {{}, expr->int_value()};
    case ExprKind::Add:
        return add(part(0), part(1), 1);
    case ExprKind::Sub:
        return add(part(0), part(1), -1);
    case ExprKind::Mul: {
        LinearIndex a = part(0), b = part(1);
        return can_multiply(a, b) && can_multiply(b, a) ? multiply(a, b) : linear_leaf(expr);
    }
    case ExprKind::Cast:
        return expr->arg(0).type().is_int() && expr->arg(0).type().bits() == 32 ? part(0) : linear_leaf(expr);
    case ExprKind::Likely:
    case ExprKind::LikelyIfInnermost:
        return part(0);
    case ExprKind::Variable: {
        const auto at = frame_.bindings.find(expr->symbol());
        if (at != frame_.bindings.end() && at->second.wide) {
            LinearIndex index;
            index.terms.push_back({{at->second.wide}, 1, at->second.depth});
            return index;
        }
        return at != frame_.bindings.end() && at->second.linear ? *at->second.linear : linear_leaf(expr);
    }
    default:
        return linear_leaf(expr);
    }
}

std::optional<RampIndex> Emitter::ramp(const Expr &expr) {
    if (expr->kind() != ExprKind::Broadcast && expr->kind() != ExprKind::Ramp && index_may_wrap(expr)) {
        return std::nullopt;
    }
    switch (expr->kind()) {
    case ExprKind::Broadcast:
        if (!expr->arg(0).type().is_scalar()) {
            return std::nullopt;
        }
        return RampIndex{linear(expr->arg(0)), {}, expr.type().lanes()};
    case ExprKind::Ramp:
        if (!expr->arg(0).type().is_scalar()) {
            return std::nullopt;
        }
        return RampIndex{linear(expr->arg(0)), linear(expr->arg(1)), expr.type().lanes()};
    case ExprKind::Cast:
        return expr->arg(0).type().bits() == 32 ? ramp(expr->arg(0)) : std::nullopt;
    case ExprKind::Add:
    case ExprKind::Sub: {
        const int64_t sign = expr->kind() == ExprKind::Add ? 1 : -1;
        auto a = ramp(expr->arg(0));
        auto b = a ? ramp(expr->arg(1)) : std::nullopt;
        if (!b) {
            return std::nullopt;
        }
        return RampIndex{add(a->base, b->base, sign), add(a->stride, b->stride, sign), a->lanes};
    }
    case ExprKind::Mul: {
        auto a = ramp(expr->arg(0));
        auto b = a ? ramp(expr->arg(1)) : std::nullopt;
        if (!b) {
            return std::nullopt;
        }
        if (!a->stride.is_constant() || a->stride.constant != 0) {
            std::swap(a, b);
        }
        const bool is_uniform = a->stride.is_constant() && a->stride.constant == 0;
        if (!is_uniform || !can_multiply(a->base, b->base) || !can_multiply(a->base, b->stride)) {
            return std::nullopt;
        }
        return RampIndex{multiply(a->base, b->base), multiply(a->base, b->stride), a->lanes};
    }
    default:
        return std::nullopt;
    }
}

/// Puts terms of outer loops first, else those with factors that were met first, so that equal sums are written in one
/// way and neighbouring accesses share their pointers.
void Emitter::put_in_order(LinearIndex &index) {
    const auto rank = [&](Value *factor) {
        return frame_.ranks.try_emplace(factor, static_cast<int>(frame_.ranks.size())).first->second;
    };
    const auto by_rank = [&](Value *a, Value *b) { return rank(a) < rank(b); };
    for (LinearTerm &term : index.terms) {
        for (Value *factor : term.factors) {
            rank(factor);
        }
        llvm::sort(term.factors, by_rank);
    }
    llvm::stable_sort(index.terms, [&](const LinearTerm &a, const LinearTerm &b) {
        return a.depth != b.depth ? a.depth < b.depth
                                  : std::lexicographical_compare(a.factors.begin(), a.factors.end(), b.factors.begin(),
                                                                 b.factors.end(), by_rank);
    });
}

Value *Emitter::linear_value(const LinearIndex &index) {
    LinearIndex sorted = index;
    put_in_order(sorted);
    Value *sum = nullptr;
    for (const LinearTerm &term : sorted.terms) {
        Value *product = term.factors[0];
        for (size_t i = 1; i < term.factors.size(); i++) {
            product = b_.CreateNSWMul(product, term.factors[i]);
        }
        if (term.coefficient != 1) {
            product = b_.CreateNSWMul(product, b_.getInt64(static_cast<uint64_t>(term.coefficient)));
        }
        sum = sum ? b_.CreateNSWAdd(sum, product) : product;
    }
    Value *constant = b_.getInt64(static_cast<uint64_t>(index.constant));
    return !sum ? constant : index.constant == 0 ? sum : b_.CreateNSWAdd(sum, constant);
}

Value *Emitter::address(const ir::Symbol &symbol, llvm::Type *element, const LinearIndex &index) {
    LinearIndex moving = index;
    moving.constant = 0;
    Value *pointer = host(symbol);
    // One step for each loop level keeps what is invariant in it together.
    put_in_order(moving);
    for (size_t i = 0; i < moving.terms.size();) {
        LinearIndex level;
        const int depth = moving.terms[i].depth;
        if (i > 0 && depth == frame_.depth) {
            // What the innermost loop adds to is one value for it; strength reduction would try all its sums.
            pointer = lsr_barrier(pointer);
        }
        for (; i < moving.terms.size() && moving.terms[i].depth == depth; i++) {
            level.terms.push_back(moving.terms[i]);
        }
        pointer = b_.CreateGEP(element, pointer, linear_value(level));
    }
    return index.constant == 0 ? pointer
                               : b_.CreateGEP(element, pointer, b_.getInt64(static_cast<uint64_t>(index.constant)));
}

} // namespace fluorite::backends
