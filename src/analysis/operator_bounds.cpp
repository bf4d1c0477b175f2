// The bounds of an operator's result from those of its operands: one rule for each operator, of some 20 lines.
//
// Each rule gets the sides of the operands, and gives sides that are simplified as they are formed. Arithmetic of 32
// and 64 bits is index arithmetic: x in [a, b] and y in [c, d] give x + y in [a + c, b + d], and the sign of a factor
// decides which side of the other operand bounds a product (product_bounds.cpp). Narrower and unsigned arithmetic may
// wrap, so that it is recomputed in 64 bits where all sides are constants (narrow_arithmetic), and otherwise has the
// range of its type. Operators on floats that are monotone under rounding are applied to the sides.
//
// Relies on: interval.cpp, which treats operations whose operands are all points. Cost: a few simplifications.

#include "analysis/bounder.h"

#include "ir/expr_traits.h"
#include "rewrite/interval.h"
#include "rewrite/simplify.h"

#include <algorithm>

namespace fluorite::analysis {

using namespace ir;

Interval type_range(Type type) {
    if (type.is_bool()) {
        return {make_bool(false), make_bool(true)};
    }
    bool wide = type.bits() >= 32 || type.is_handle() || type.is_float();
    if (wide && !(type.is_uint() && type.bits() == 32)) {
        return Interval::everything();
    }
    return {type_min(type), type_max(type)};
}

Interval BoundsFinder::Bounder::narrow_arithmetic(ExprKind kind, const Interval &a, const Interval &b, Type type) {
    Interval full = type_range(type);
    int64_t v[4];
    if (!a.is_bounded() || !b.is_bounded() || type.bits() > 32 || !is_const_int(a.min, &v[0]) ||
        !is_const_int(a.max, &v[1]) || !is_const_int(b.min, &v[2]) || !is_const_int(b.max, &v[3])) {
        return full;
    }
    int64_t low = 0, high = 0;
    if (kind == ExprKind::Add) {
        low = v[0] + v[2], high = v[1] + v[3];
    } else if (kind == ExprKind::Sub) {
        low = v[0] - v[3], high = v[1] - v[2];
    } else {
        int64_t p[4];
        for (int i = 0; i < 4; i++) {
            if (__builtin_mul_overflow(v[i / 2], v[2 + i % 2], &p[i])) {
                return full;
            }
        }
        low = std::min(std::min(p[0], p[1]), std::min(p[2], p[3]));
        high = std::max(std::max(p[0], p[1]), std::max(p[2], p[3]));
    }
    if (!type.can_represent(low) || !type.can_represent(high)) {
        return full;
    }
    return {make_int(type, low), make_int(type, high)};
}

bool BoundsFinder::Bounder::is_bounded_by_coordinates(const Expr &expr, const Interval &a, const Interval &b) {
    if (!is_index_type(expr.type()) || !a.is_bounded() || !b.is_bounded()) {
        return false;
    }
    bool symbolic = false;
    for (const Expr &side : {a.min, a.max, b.min, b.max}) {
        int64_t value = 0;
        bool constant = is_const_int(side, &value);
        if (side->reads_memory() || (constant && (value > 1 << 30 || value < -(1 << 30)))) {
            return false;
        }
        symbolic = symbolic || !constant;
    }
    return symbolic;
}

Interval BoundsFinder::Bounder::add_sub(const Expr &expr, const Interval &a, const Interval &b) {
    Type type = expr.type();
    bool is_add = expr->kind() == ExprKind::Add;
    if (!is_index_arithmetic(expr) && !type.is_float() && !is_bounded_by_coordinates(expr, a, b)) {
        return narrow_arithmetic(expr->kind(), a, b, type);
    }
    Interval result;
    const Expr &low = is_add ? b.min : b.max;
    const Expr &high = is_add ? b.max : b.min;
    if (a.min.defined() && low.defined()) {
        result.min = fold(make_binary(expr->kind(), a.min, low));
    }
    if (a.max.defined() && high.defined()) {
        result.max = fold(make_binary(expr->kind(), a.max, high));
    }
    return result;
}

Interval BoundsFinder::Bounder::modulo(const Expr &expr, const Interval &a, const Interval &b) {
    Type type = expr.type();
    if (type.is_float()) {
        return Interval::everything();
    }
    Expr zero = make_zero(type), one = make_one(type);
    int64_t divisor = 0;
    if (b.is_point() && is_const_int(b.min, &divisor) && divisor != 0 && a.is_bounded()) {
        // Where a stays within one period, the remainder is a plus a constant.
        if (divisor < 0) {
            divisor = -divisor;
        }
        Expr period = make_int(type, divisor);
        Expr same = fold(equals(div(a.min, period), div(a.max, period)));
        if (is_true(same)) {
            return {fold(mod(a.min, period)), fold(mod(a.max, period))};
        }
        return {zero, make_int(type, divisor - 1)};
    }
    if (!b.is_bounded()) {
        return type.is_uint() ? type_range(type) : Interval{zero, Expr()};
    }
    Expr high = fold(sub(max_of(b.max, type.is_uint() ? b.max : sub(zero, b.min)), one));
    return {zero, fold(max_of(high, zero))};
}

bool BoundsFinder::Bounder::is_const_int_of(const Expr &expr, Type type) {
    int64_t value = 0;
    return is_const_int(expr, &value) && type.can_represent(value);
}

Interval BoundsFinder::Bounder::with_zero_of_nan(const Expr &value, Type to, const Interval &range) {
    if (!nans_.may_be(value)) {
        return range;
    }
    return {range.min.defined() ? fold(min_of(range.min, make_zero(to))) : Expr(),
            range.max.defined() ? fold(max_of(range.max, make_zero(to))) : Expr()};
}

Interval BoundsFinder::Bounder::cast(const Expr &expr, const Interval &a) {
    Type to = expr.type(), from = expr->arg(0).type();
    auto convert = [&](const Expr &side) { return side.defined() ? fold(make_cast(to, side)) : Expr(); };
    bool safe = to.can_represent(from) || (is_index_arithmetic(expr) && is_index_type(from)) || to.is_float();
    if (from.is_float() && is_index_type(to)) {
        return with_zero_of_nan(expr->arg(0), to, {convert(a.min), convert(a.max)}); // saturating and monotone
    }
    if (from.is_float()) {
        return type_range(to);
    }
    if (safe) {
        Interval source = a;
        if (!source.is_bounded() && !is_index_type(from)) {
            Interval full = type_range(from);
            source.min = source.min.defined() ? source.min : full.min;
            source.max = source.max.defined() ? source.max : full.max;
        }
        return {convert(source.min), convert(source.max)};
    }
    int64_t low = 0, high = 0;
    if (a.is_bounded() && is_const_int(a.min, &low) && is_const_int(a.max, &high) && to.can_represent(low) &&
        to.can_represent(high)) {
        return {convert(a.min), convert(a.max)};
    }
    auto wraps = [&](const Expr &side) { return side.defined() && is_const(side) && !is_const_int_of(side, to); };
    if (is_index_arithmetic(expr) && !wraps(a.min) && !wraps(a.max)) {
        return {convert(a.min), convert(a.max)}; // from uint32/uint64: values beyond int32 would not be coordinates
    }
    return type_range(to);
}

Interval BoundsFinder::Bounder::absolute(const Expr &expr, const Interval &a) {
    Type type = expr.type();
    if (type.is_float()) {
        if (!a.is_bounded()) {
            return {make_zero(type), Expr()};
        }
        return {make_zero(type), fold(max_of(make_unary(ExprKind::Abs, a.min), make_unary(ExprKind::Abs, a.max)))};
    }
    if (!a.is_bounded()) {
        Interval full = type_range(type);
        return {make_zero(type), full.max};
    }
    const Expr greatest = fold(max_of(make_unary(ExprKind::Abs, a.min), make_unary(ExprKind::Abs, a.max)));
    if (!is_index_type(a.min.type())) {
        return {make_zero(type), greatest};
    }
    // Above zero if both sides are on one side of it. Coordinates are negated without overflow.
    const Expr zero = make_zero(a.min.type());
    const Expr least = max_of(max_of(a.min, sub(zero, a.max)), zero);
    return {fold(make_cast(type, least)), greatest};
}

Interval BoundsFinder::Bounder::min_max(const Expr &expr, const Interval &a, const Interval &b) {
    bool is_min = expr->kind() == ExprKind::Min;
    auto both = [&](const Expr &x, const Expr &y) { return fold(make_binary(expr->kind(), x, y)); };
    Interval result;
    // For min, one defined upper side suffices; the lower side needs both.
    if (is_min) {
        result.max = a.max.defined() && b.max.defined() ? both(a.max, b.max) : a.max.defined() ? a.max : b.max;
        result.min = a.min.defined() && b.min.defined() ? both(a.min, b.min) : Expr();
    } else {
        result.min = a.min.defined() && b.min.defined() ? both(a.min, b.min) : a.min.defined() ? a.min : b.min;
        result.max = a.max.defined() && b.max.defined() ? both(a.max, b.max) : Expr();
    }
    return result;
}

bool BoundsFinder::Bounder::is_nonnegative(const Interval &side) {
    return side.min.defined() && rewrite::can_prove(less_equal(make_zero(side.min.type()), side.min));
}

Interval BoundsFinder::Bounder::bit_and(const Expr &expr, const Interval &a, const Interval &b) {
    const Expr most_of_a = is_nonnegative(a) ? a.max : Expr(), most_of_b = is_nonnegative(b) ? b.max : Expr();
    if (!is_nonnegative(a) && !is_nonnegative(b)) {
        return type_range(expr.type());
    }
    const bool are_both = most_of_a.defined() && most_of_b.defined();
    return {make_zero(expr.type()), are_both              ? fold(min_of(most_of_a, most_of_b))
                                    : most_of_a.defined() ? most_of_a
                                                          : most_of_b};
}

Interval BoundsFinder::Bounder::bit_union(const Expr &expr, const Interval &a, const Interval &b) {
    const Type type = expr.type();
    if (!is_nonnegative(a) || !is_nonnegative(b)) {
        return type_range(type);
    }
    int64_t first = 0, second = 0;
    const bool are_known =
        a.max.defined() && b.max.defined() && is_const_int(a.max, &first) && is_const_int(b.max, &second);
    return {make_zero(type),
            are_known ? make_int(type, rewrite::mask_up_to(std::max(first, second))) : type_range(type).max};
}

Interval BoundsFinder::Bounder::math(const Expr &expr, const Interval &a) {
    switch (expr->math_op()) {
    case MathOp::Floor:
    case MathOp::Ceil:
    case MathOp::Round:
    case MathOp::Trunc:
    case MathOp::Sqrt: {
        auto apply = [&](const Expr &side) {
            return side.defined() ? fold(make_math(expr->math_op(), std::vector<Expr>{side})) : Expr();
        };
        if (expr->math_op() == MathOp::Sqrt) {
            return {make_zero(expr.type()), apply(a.max)};
        }
        return {apply(a.min), apply(a.max)};
    }
    case MathOp::Sin:
    case MathOp::Cos:
    case MathOp::Tanh:
    case MathOp::Erf:
        return {make_float(expr.type(), -1.0), make_float(expr.type(), 1.0)};
    default: // the range of the type is correct for any function
        return type_range(expr.type());
    }
}

Interval BoundsFinder::Bounder::comparison(const Expr &expr, const Interval &a, const Interval &b) {
    int64_t a_min = 0, a_max = 0, b_min = 0, b_max = 0;
    if (!expr->arg(0).type().is_int_or_uint() || !a.is_bounded() || !b.is_bounded() || !is_const_int(a.min, &a_min) ||
        !is_const_int(a.max, &a_max) || !is_const_int(b.min, &b_min) || !is_const_int(b.max, &b_max)) {
        return truth(false, false);
    }
    const bool are_apart = a_max < b_min || b_max < a_min;
    const bool are_equal = a_min == a_max && b_min == b_max && a_min == b_min;
    switch (expr->kind()) {
    case ExprKind::LT:
        return truth(a_max < b_min, a_min >= b_max);
    case ExprKind::LE:
        return truth(a_max <= b_min, a_min > b_max);
    case ExprKind::GT:
        return truth(a_min > b_max, a_max <= b_min);
    case ExprKind::GE:
        return truth(a_min >= b_max, a_max < b_min);
    case ExprKind::EQ:
        return truth(are_equal, are_apart);
    default: // only comparisons are asked, of which NE is left
        return truth(are_apart, are_equal);
    }
}

Interval BoundsFinder::Bounder::select(const Interval &condition, const Interval &yes, const Interval &no) {
    if (is_true(condition.min)) {
        return yes;
    }
    if (is_false(condition.max)) {
        return no;
    }
    if (!condition.is_point() || !condition.min.type().is_scalar() || !is_uniform(condition.min)) {
        return hull(yes, no);
    }
    const auto chosen = [&](const Expr &a, const Expr &b) {
        return !a.defined() || !b.defined() ? Expr() : equal(a, b) ? a : fold(make_select(condition.min, a, b));
    };
    return {chosen(yes.min, no.min), chosen(yes.max, no.max)};
}

bool BoundsFinder::Bounder::is_uniform(const Expr &condition) {
    bool is_uniform = !condition->reads_memory();
    for_each_node(condition, [&](const Expr &node) {
        is_uniform = is_uniform && (node->kind() != ExprKind::Variable || node->symbol().kind() == SymbolKind::Param);
    });
    return is_uniform;
}

} // namespace fluorite::analysis
