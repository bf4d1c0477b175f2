// The bounds of products, quotients and shifts from those of their operands.
//
// Each is monotone in an operand where the other keeps its sign: x in [a, b] gives x * c in [a * c, b * c] where c >=
// 0. An operand that is fixed but unknown (a Param, a field of a buffer) may have either sign; the sides then say what
// holds for each. Integers: x / 0 is 0. Floats: of a / 0 and b / 0 one may be a NaN, so that the sign chooses the side.
//
// Relies on: interval.cpp, operator_bounds.cpp (narrow_arithmetic). Cost: a few simplifications.

#include "analysis/bounder.h"

#include "ir/expr_traits.h"
#include "rewrite/interval.h"
#include "rewrite/simplify.h"

#include <utility>
#include <vector>

namespace fluorite::analysis {

using namespace ir;

Interval BoundsFinder::Bounder::scaled(ExprKind kind, const Interval &a, const Expr &b) {
    auto apply = [&](const Expr &side) { return side.defined() ? fold(make_binary(kind, side, b)) : Expr(); };
    int64_t value = 0;
    double real = 0;
    bool known = is_const_int(b, &value) || is_const_float(b, &real);
    if (known) {
        bool negative = value < 0 || real < 0;
        if (value == 0 && real == 0 && !b.type().is_float()) {
            return Interval::point(make_zero(b.type()));
        }
        return negative ? Interval{apply(a.max), apply(a.min)} : Interval{apply(a.min), apply(a.max)};
    }
    if (rewrite::can_prove(make_binary(ExprKind::GE, b, make_zero(b.type())))) {
        return {apply(a.min), apply(a.max)};
    }
    if (!a.is_bounded()) {
        return Interval::everything();
    }
    if (nans_.may_be(b) || (b.type().is_float() && kind == ExprKind::Div)) {
        return scaled_by_sign(kind, a, b);
    }
    Expr low = apply(a.min), high = apply(a.max);
    return {fold(min_of(low, high)), fold(max_of(low, high))};
}

Interval BoundsFinder::Bounder::scaled_by_sign(ExprKind kind, const Interval &a, const Expr &b) {
    const Interval ends = by_sign(kind, a, b);
    return {fold(make_binary(kind, ends.min, b)), fold(make_binary(kind, ends.max, b))};
}

Interval BoundsFinder::Bounder::by_sign(ExprKind kind, const Interval &a, const Expr &b) {
    const Type type = b.type();
    const bool is_whole = b->kind() == ExprKind::Cast && b->arg(0).type().is_int_or_uint();
    const Expr signed_value = is_whole ? Expr(b->arg(0)) : kind == ExprKind::Div ? div(make_one(type), b) : b;
    const Expr sign = fold(make_binary(ExprKind::GE, signed_value, make_zero(signed_value.type())));
    return {fold(make_select(sign, a.min, a.max)), fold(make_select(sign, a.max, a.min))};
}

Interval BoundsFinder::Bounder::multiply(const Expr &expr, const Interval &a, const Interval &b) {
    Type type = expr.type();
    if (!is_index_arithmetic(expr) && !type.is_float() && !is_bounded_by_coordinates(expr, a, b)) {
        return narrow_arithmetic(ExprKind::Mul, a, b, type);
    }
    if (b.is_point()) {
        return scaled(ExprKind::Mul, a, b.min);
    }
    if (a.is_point()) {
        return scaled(ExprKind::Mul, b, a.min);
    }
    if (!a.is_bounded() || !b.is_bounded() || has_nan_end(a) || has_nan_end(b)) {
        return Interval::everything();
    }
    Interval low = scaled(ExprKind::Mul, a, b.min), high = scaled(ExprKind::Mul, a, b.max);
    return hull(low, high);
}

bool BoundsFinder::Bounder::has_nan_end(const Interval &side) {
    return nans_.may_be(side.min) || nans_.may_be(side.max);
}

Interval BoundsFinder::Bounder::fused(const Interval &a, const Interval &b, const Interval &c) {
    if (a.is_point() && !b.is_point()) {
        return fused(b, a, c);
    }
    if (!a.is_bounded() || !b.is_bounded() || (!b.is_point() && (has_nan_end(a) || has_nan_end(b)))) {
        return Interval::everything();
    }
    if (b.is_point() && nans_.may_be(b.min)) {
        const Interval ends = by_sign(ExprKind::Mul, a, b.min);
        return {c.min.defined() ? fold(make_fma(ends.min, b.min, c.min)) : Expr(),
                c.max.defined() ? fold(make_fma(ends.max, b.min, c.max)) : Expr()};
    }
    std::vector<std::pair<Expr, Expr>> corners;
    double factor = 0;
    if (b.is_point() && is_const_float(b.min, &factor)) {
        corners = {{factor < 0 ? a.max : a.min, b.min}, {factor < 0 ? a.min : a.max, b.min}};
    } else {
        corners = {{a.min, b.min}, {a.max, b.min}};
        if (!b.is_point()) {
            corners.insert(corners.end(), {{a.min, b.max}, {a.max, b.max}});
        }
    }
    const bool ordered = corners.size() == 2 && factor != 0; // the first corner is the lower one
    Interval result;
    for (size_t i = 0; i < corners.size(); i++) {
        const auto &[x, y] = corners[i];
        if (c.min.defined() && (!ordered || i == 0)) {
            const Expr low = fold(make_fma(x, y, c.min));
            result.min = result.min.defined() ? fold(min_of(result.min, low)) : low;
        }
        if (c.max.defined() && (!ordered || i == 1)) {
            const Expr high = fold(make_fma(x, y, c.max));
            result.max = result.max.defined() ? fold(max_of(result.max, high)) : high;
        }
    }
    return result;
}

Interval BoundsFinder::Bounder::divide(const Expr &expr, const Interval &a, const Interval &b) {
    const Type type = expr.type();
    if (type.is_int() && !is_index_type(type) && may_be_least(a) && may_be_minus_one(b)) {
        return type_range(type); // the least value of a narrow type divided by -1 wraps
    }
    int64_t value = 0;
    if (b.is_point() && is_const_int(b.min, &value) && value == 0) {
        return Interval::point(make_zero(type)); // x/0 = 0
    }
    double real = 0;
    if (b.is_point() && !(is_const_float(b.min, &real) && real == 0)) {
        return scaled(ExprKind::Div, a, b.min);
    }
    if (a.is_bounded() && b.is_bounded() && is_positive(b.min) && !has_nan_end(a)) {
        return hull(scaled(ExprKind::Div, a, b.min), scaled(ExprKind::Div, a, b.max));
    }
    return type.is_float() ? Interval::everything() : divided_by_any(type, a);
}

Interval BoundsFinder::Bounder::divided_by_any(Type type, const Interval &a) {
    if (!a.is_bounded()) {
        return type_range(type);
    }
    if (type.is_uint()) {
        return {make_zero(type), a.max};
    }
    Expr magnitude = fold(max_of(a.max, sub(make_zero(type), a.min)));
    return {fold(min_of(a.min, sub(make_zero(type), a.max))), magnitude};
}

bool BoundsFinder::Bounder::is_positive(const Expr &value) {
    double real = 0;
    if (value.type().is_float()) {
        return (is_const_float(value, &real) && real > 0) ||
               (value->kind() == ExprKind::Cast && value->arg(0).type().is_int_or_uint() && is_positive(value->arg(0)));
    }
    return rewrite::can_prove(less(make_zero(value.type()), value));
}

bool BoundsFinder::Bounder::may_be_minus_one(const Interval &b) {
    int64_t value = 0;
    const bool is_above = b.min.defined() && is_const_int(b.min, &value) && value > -1;
    const bool is_below = b.max.defined() && is_const_int(b.max, &value) && value < -1;
    return !is_above && !is_below && !is_nonnegative(b);
}

bool BoundsFinder::Bounder::may_be_least(const Interval &a) {
    int64_t least = 0, lowest = 0;
    return !a.min.defined() || !is_const_int(a.min, &least) || !is_const_int(type_min(a.min.type()), &lowest) ||
           least == lowest;
}

Interval BoundsFinder::Bounder::shifted(ExprKind kind, const Interval &a, const Interval &b) {
    const auto by = [&](const Expr &amount) {
        const Expr low = fold(make_binary(kind, a.min, amount)), high = fold(make_binary(kind, a.max, amount));
        return a.is_point() ? Interval::point(low) : Interval{low, high};
    };
    return b.is_point() ? by(b.min) : hull(by(b.min), by(b.max));
}

Interval BoundsFinder::Bounder::shift_right(const Expr &expr, const Interval &a, const Interval &b) {
    const Type type = expr.type();
    const bool is_right = is_nonnegative(b); // otherwise it may be a shift to the left, which may lose bits
    if (a.is_bounded() && b.is_bounded() && (is_right || is_index_arithmetic(expr))) {
        return shifted(ExprKind::ShiftRight, a, b);
    }
    // Shifting by any nonnegative amount moves a value towards 0 (or -1).
    if (a.is_bounded() && is_right) {
        Expr zero = make_zero(type);
        Expr lowest = type.is_int() ? make_int(type, -1) : zero;
        return {fold(min_of(a.min, lowest)), fold(max_of(a.max, zero))};
    }
    return type_range(type);
}

Interval BoundsFinder::Bounder::shift_left(const Expr &expr, const Interval &a, const Interval &b) {
    int64_t least = 0, most = 0;
    const bool is_known =
        b.is_bounded() && is_const_int(b.min, &least) && is_const_int(b.max, &most) && least >= 0 && most < 31;
    if (is_known && !is_index_arithmetic(expr)) {
        const Interval factor{make_int(Int(64), int64_t(1) << least), make_int(Int(64), int64_t(1) << most)};
        return narrow_arithmetic(ExprKind::Mul, a, factor, expr.type());
    }
    if (is_known && b.is_point()) {
        return scaled(ExprKind::Mul, a, make_int(expr.type(), int64_t(1) << least));
    }
    if (is_index_arithmetic(expr) && a.is_bounded() && b.is_bounded()) {
        return shifted(ExprKind::ShiftLeft, a, b);
    }
    return type_range(expr.type());
}

} // namespace fluorite::analysis
