// Symbolic interval arithmetic.
//
// What: bounds_of maps an expression to (min, max) expressions over the variables that do not range. Method: structural
// recursion over the simplified expression. Simplification brings sums into linear form, so that correlated terms (x -
// x, 2*x - x) cancel before intervals are formed. An expression without ranging variables is a point and stays as it
// is. Sides are simplified as they are formed, which keeps them small. Integers: 32- and 64-bit signed arithmetic is
// index arithmetic and does not overflow. Narrower or unsigned arithmetic may wrap: its result is used only where
// constant bounds prove that it does not; otherwise it is the range of the type. Floats: +, -, *, /, min, max,
// floor and casts are monotone under rounding, so applying the same operations to the sides bounds the value.
// operator_bounds.cpp and product_bounds.cpp have the rule of each operator, which one switch over all kinds selects.
//
// Relies on: rewrite::simplify, constant_value. Does not do: relational reasoning (x < y), conditions of selects that
// depend on coordinates. Cost: one visit per distinct node.

#include "analysis/bounder.h"

#include "ir/expr_cases.h"
#include "rewrite/interval.h"
#include "rewrite/simplify.h"

#include <vector>

namespace fluorite::analysis {

using namespace ir;
using rewrite::simplify;

Interval BoundsFinder::Bounder::hull(const Interval &a, const Interval &b) {
    return hull_of(a, b, [this](const Expr &side) { return fold(side); });
}

Interval BoundsFinder::Bounder::visit(const Expr &expr) {
    auto found = memo_.find(expr.get());
    if (found != memo_.end()) {
        return found->second;
    }
    Interval result = compute(expr);
    narrow_by_simplifier(expr, result);
    memo_.emplace(expr.get(), result);
    keep_.push_back(expr);
    return result;
}

void BoundsFinder::Bounder::narrow_by_simplifier(const Expr &expr, Interval &result) {
    if (!expr->reads_memory() || !expr.type().is_int_or_uint() || expr.type().is_bool()) {
        return;
    }
    const rewrite::Interval known = simplifier_.bounds(expr, rewrite::Arithmetic::Wrapping);
    const rewrite::Interval all = rewrite::range_of(expr.type());
    int64_t value = 0;
    bool is_loose = !result.min.defined() || (is_const_int(result.min, &value) && value < known.lo);
    if (known.lo > all.lo && is_loose) {
        result.min = make_int(expr.type(), known.lo);
    }
    is_loose = !result.max.defined() || (is_const_int(result.max, &value) && value > known.hi);
    if (known.hi < all.hi && is_loose) {
        result.max = make_int(expr.type(), known.hi);
    }
}

Interval BoundsFinder::Bounder::variable(const Expr &expr) {
    for (const Scope *scope : {&lets_, &scope_}) {
        auto found = scope->find(expr->symbol());
        if (found != scope->end()) {
            return found->second;
        }
    }
    return Interval::point(expr);
}

Interval BoundsFinder::Bounder::let(const Expr &expr) {
    // Symbols are distinct, so entries of different lets never collide.
    Interval value = visit(expr->arg(0));
    lets_[expr->symbol()] = value;
    return visit(expr->arg(1));
}

Interval BoundsFinder::Bounder::compute(const Expr &expr) {
    switch (expr->kind()) {
    case ExprKind::IntImm:
    case ExprKind::UIntImm:
    case ExprKind::FloatImm:
    case ExprKind::StringImm:
    case ExprKind::BufferField:
        return Interval::point(expr);
    case ExprKind::Variable:
        return variable(expr);
    case ExprKind::Let:
        return let(expr);
    case FLUORITE_ACCESSES:
    case ExprKind::Extern:
    case ExprKind::Random:
    case ExprKind::Undef:
        return type_range(expr.type());
    case FLUORITE_EFFECTS:
        return visit(expr->arg(1));
    default: // operations on operands
        break;
    }
    std::vector<Interval> sides;
    bool all_points = true; // whose values are the operands': a NaN is beyond both sides
    for (const Expr &arg : expr->args()) {
        sides.push_back(visit(arg));
        const Interval &side = sides.back();
        all_points = all_points && side.is_point() && (side.min.same_as(arg) || !nans_.may_be(arg));
    }
    if (all_points) {
        std::vector<Expr> values;
        bool changed = false;
        for (size_t i = 0; i < sides.size(); i++) {
            values.push_back(sides[i].min);
            changed = changed || !sides[i].min.same_as(expr->arg(i));
        }
        return Interval::point(changed ? fold(with_args(expr, values)) : expr);
    }
    return operation(expr, sides);
}

Interval BoundsFinder::Bounder::operation(const Expr &expr, const std::vector<Interval> &sides) {
    const Interval &a = sides[0];
    switch (expr->kind()) {
    case ExprKind::Add:
    case ExprKind::Sub:
        return add_sub(expr, a, sides[1]);
    case ExprKind::Mul:
        return multiply(expr, a, sides[1]);
    case ExprKind::Div:
        return divide(expr, a, sides[1]);
    case ExprKind::Fma:
        return fused(a, sides[1], sides[2]);
    case ExprKind::Mod:
        return modulo(expr, a, sides[1]);
    case ExprKind::Quotient: {
        // The result lies between the Euclidean quotient and that quotient plus one.
        Interval q = divide(expr, a, sides[1]);
        if (!is_index_type(expr.type()) || !q.is_bounded()) {
            return type_range(expr.type());
        }
        return {fold(sub(q.min, make_one(expr.type()))), fold(add(q.max, make_one(expr.type())))};
    }
    case ExprKind::Remainder: {
        Interval m = modulo(expr, a, sides[1]);
        if (!m.max.defined() || !is_index_type(expr.type())) {
            return type_range(expr.type());
        }
        return {fold(sub(make_zero(expr.type()), m.max)), m.max};
    }
    case ExprKind::Min:
    case ExprKind::Max:
        return min_max(expr, a, sides[1]);
    case ExprKind::Cast:
    case ExprKind::SaturatingCast:
        if (expr->kind() == ExprKind::SaturatingCast) {
            auto convert = [&](const Expr &side) {
                return side.defined() ? fold(make_saturating_cast(expr.type(), side)) : Expr();
            };
            Interval full = type_range(expr.type());
            const Interval range{a.min.defined() ? convert(a.min) : full.min,
                                 a.max.defined() ? convert(a.max) : full.max};
            return expr.type().is_float() ? range : with_zero_of_nan(expr->arg(0), expr.type(), range);
        }
        return cast(expr, a);
    case ExprKind::Select:
        return select(a, sides[1], sides[2]);
    case ExprKind::Abs:
        return absolute(expr, a);
    case ExprKind::BitAnd:
        return bit_and(expr, a, sides[1]);
    case ExprKind::BitOr:
    case ExprKind::BitXor:
        return bit_union(expr, a, sides[1]);
    case ExprKind::ShiftRight:
        return shift_right(expr, a, sides[1]);
    case ExprKind::ShiftLeft:
        return shift_left(expr, a, sides[1]);
    case ExprKind::Math:
        return math(expr, a);
    case ExprKind::CountOnes:
    case ExprKind::CountLeadingZeros:
    case ExprKind::CountTrailingZeros:
        return {make_zero(expr.type()), make_int(expr.type(), expr->arg(0).type().bits())};
    case FLUORITE_HINTS:
        return a;
    case FLUORITE_COMPARISONS:
        return comparison(expr, a, sides[1]);
    case ExprKind::And:
        return truth(is_true(a.min) && is_true(sides[1].min), is_false(a.max) || is_false(sides[1].max));
    case ExprKind::Or:
        return truth(is_true(a.min) || is_true(sides[1].min), is_false(a.max) && is_false(sides[1].max));
    case ExprKind::Not:
        return truth(is_false(a.max), is_true(a.min));
    case ExprKind::AbsDiff: {
        Interval full = type_range(expr.type());
        return {make_zero(expr.type()), full.max};
    }
    case ExprKind::Reinterpret:
    case ExprKind::BitNot:
    case FLUORITE_VECTORS:
    case ExprKind::MemoizeTag:
    // compute treats these:
    case FLUORITE_CONSTANTS:
    case FLUORITE_NAMES:
    case ExprKind::Extern:
    case ExprKind::Random:
    case ExprKind::Let:
    case FLUORITE_ACCESSES:
    case ExprKind::Undef:
    case FLUORITE_EFFECTS:
        return type_range(expr.type());
    }
    unreachable("a node of no kind");
}

BoundsFinder::BoundsFinder(Scope scope) : bounder_(std::make_unique<Bounder>(std::move(scope))) {}
BoundsFinder::BoundsFinder(BoundsFinder &&) noexcept = default;
BoundsFinder &BoundsFinder::operator=(BoundsFinder &&) noexcept = default;
BoundsFinder::~BoundsFinder() = default;

Interval BoundsFinder::bounds_of(const Expr &expr) { return bounder_->bounds_of(expr); }
void BoundsFinder::learn(const Symbol &symbol, const Interval &interval) { bounder_->learn(symbol, interval); }
const Scope &BoundsFinder::scope() const { return bounder_->scope(); }

Interval bounds_of(const Expr &expr, const Scope &scope) { return BoundsFinder(scope).bounds_of(expr); }

Interval union_of(const Interval &a, const Interval &b) {
    // Large sides are simplified once, as part of the final result: a union of many intervals would otherwise simplify
    // them again at each step.
    return hull_of(a, b, [](const Expr &side) {
        constexpr size_t large = 100;
        return has_more_nodes(side->arg(0), large) || has_more_nodes(side->arg(1), large) ? side : simplify(side);
    });
}

void merge(Box &box, const Box &other) {
    if (box.empty()) {
        box = other;
        return;
    }
    check(box.size() == other.size(), "boxes of one Func have one rank");
    for (size_t d = 0; d < box.size(); d++) {
        box[d] = union_of(box[d], other[d]);
    }
}

Expr extent_of(const Interval &interval) {
    return simplify(add(sub(interval.max, interval.min), make_one(interval.min.type())));
}

} // namespace fluorite::analysis
