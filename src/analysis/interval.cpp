// Symbolic interval arithmetic.
//
// What: bounds_of maps an expression to (min, max) expressions over the variables that do not range. Method: structural
// recursion over the simplified expression. Simplification brings sums into linear form, so that correlated terms (x -
// x, 2*x - x) cancel before intervals are formed. An expression without ranging variables is a point and stays as it
// is. Sides are simplified as they are formed, which keeps them small. Integers: 32- and 64-bit signed arithmetic is
// index arithmetic and does not overflow. Narrower or unsigned arithmetic may wrap: its result is used only where
// constant bounds prove that it does not; otherwise it is the range of the type. Floats: +, -, *, / by constants, min,
// max, floor and casts are monotone under rounding, so applying the same operations to the sides bounds the value.
// One rule for each operator, of some 20 lines, selected by one switch over all kinds: the file is long because the
// language has many operators. The rules share the memo of the bounds found so far and the arithmetic on sides (scaled,
// hull, narrow_arithmetic), which keeps each of them short.
//
// Relies on: rewrite::simplify, constant_value. Does not do: relational reasoning (x < y), conditions of selects that
// depend on coordinates. Cost: one visit per distinct node.

#include "analysis/interval.h"

#include "ir/expr_cases.h"
#include "ir/expr_traits.h"
#include "rewrite/interval.h"
#include "rewrite/simplifier.h"
#include "rewrite/simplify.h"

#include <algorithm>
#include <limits>
#include <unordered_map>
#include <utility>
#include <vector>

namespace fluorite::analysis {

using namespace ir;
using rewrite::simplify;

namespace {

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

/// The lower of the lower sides and the higher of the upper sides, each simplified by `fold`.
template <typename Fold> Interval hull_of(const Interval &a, const Interval &b, Fold &&fold) {
    const auto extreme_of = [&](ExprKind kind, const Expr &x, const Expr &y) {
        return !x.defined() || !y.defined() ? Expr() : equal(x, y) ? x : fold(make_binary(kind, x, y));
    };
    Interval result = {extreme_of(ExprKind::Min, a.min, b.min), extreme_of(ExprKind::Max, a.max, b.max)};
    if (a.is_point() && b.is_point() && equal(a.min, b.min)) {
        result.max = result.min;
    }
    return result;
}

} // namespace

class BoundsFinder::Bounder {
  public:
    explicit Bounder(Scope scope) : scope_(std::move(scope)) {}

    Interval bounds_of(const Expr &expr) { return visit(fold(expr)); }
    void learn(const Symbol &symbol, const Interval &interval) { scope_[symbol] = interval; }
    const Scope &scope() const { return scope_; }

  private:
    Scope scope_, lets_;
    rewrite::Simplifier simplifier_; // one for all queries, because it has seen the sides
    std::unordered_map<const ExprNode *, Interval> memo_;
    std::vector<Expr> keep_; // keeps the nodes in memo_ alive
    std::unordered_map<const ExprNode *, bool> nans_;

    Expr fold(const Expr &expr) { return simplifier_.simplify(expr, rewrite::Arithmetic::Index); }
    Interval hull(const Interval &a, const Interval &b) {
        return hull_of(a, b, [this](const Expr &side) { return fold(side); });
    }

    Interval visit(const Expr &expr) {
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

    // Applies the simplifier's bounds of a value, because the simplifier may have used them to drop a clamp.
    void narrow_by_simplifier(const Expr &expr, Interval &result) {
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

    Interval variable(const Expr &expr) {
        for (const Scope *scope : {&lets_, &scope_}) {
            auto found = scope->find(expr->symbol());
            if (found != scope->end()) {
                return found->second;
            }
        }
        return Interval::point(expr);
    }

    // Results of narrow types are kept only where both sides are constants inside the type: then nothing wrapped.
    Interval checked(const Interval &result, Type type) {
        if (is_index_type(type) || type.is_float() || type.is_bool()) {
            return result;
        }
        return type_range(type);
    }

    // Recomputes narrow arithmetic in 64 bits on constant sides.
    Interval narrow_arithmetic(ExprKind kind, const Interval &a, const Interval &b, Type type) {
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

    // A value between coordinates is itself a coordinate, even if it was read from memory: arithmetic on the sides does
    // not overflow, hence neither does arithmetic on values between them. Constant sides are computed exactly
    // (narrow_arithmetic), as they may be the ends of a type. A huge constant beside a symbol proves nothing.
    static bool is_bounded_by_coordinates(const Expr &expr, const Interval &a, const Interval &b) {
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

    Interval add_sub(const Expr &expr, const Interval &a, const Interval &b) {
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

    // a * b where b is a point: the sign of b decides which side of a gives which side of the result.
    Interval scaled(ExprKind kind, const Interval &a, const Expr &b) {
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
        Expr low = apply(a.min), high = apply(a.max);
        return {fold(min_of(low, high)), fold(max_of(low, high))};
    }

    Interval multiply(const Expr &expr, const Interval &a, const Interval &b) {
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
        if (!a.is_bounded() || !b.is_bounded()) {
            return Interval::everything();
        }
        Interval low = scaled(ExprKind::Mul, a, b.min), high = scaled(ExprKind::Mul, a, b.max);
        return hull(low, high);
    }

    // a * b + c, rounded once. It is monotone in each operand, so its extremes are at the corners.
    Interval fused(const Interval &a, const Interval &b, const Interval &c) {
        if (!a.is_bounded() || !b.is_bounded()) {
            return Interval::everything();
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

    Interval divide(const Expr &expr, const Interval &a, const Interval &b) {
        Type type = expr.type();
        bool is_int = type.is_int_or_uint();
        if (b.is_point()) {
            int64_t value = 0;
            if (is_int && is_const_int(b.min, &value)) {
                return value == 0 ? Interval::point(make_zero(type)) : scaled(ExprKind::Div, a, b.min);
            }
            double real = 0;
            if (!is_int && is_const_float(b.min, &real) && real != 0) {
                return scaled(ExprKind::Div, a, b.min);
            }
            if (is_int && rewrite::can_prove(less(make_zero(type), b.min))) {
                return scaled(ExprKind::Div, a, b.min);
            }
        }
        if (!is_int) {
            return Interval::everything();
        }
        // a / b| <= |a| for integers, also for b = 0, as x/0 = 0.
        if (!a.is_bounded()) {
            return type_range(type);
        }
        if (type.is_uint()) {
            return {make_zero(type), a.max};
        }
        Expr magnitude = fold(max_of(a.max, sub(make_zero(type), a.min)));
        return {fold(min_of(a.min, sub(make_zero(type), a.max))), magnitude};
    }

    Interval modulo(const Expr &expr, const Interval &a, const Interval &b) {
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

    /// Whether the expression is a constant that is a value of the type.
    static bool is_const_int_of(const Expr &expr, Type type) {
        int64_t value = 0;
        return is_const_int(expr, &value) && type.can_represent(value);
    }

    // Memory may hold any value, NaN included, and some operations make one: 0 / 0, the square root of a negative
    // number. Min and Max give their second operand where one is NaN. Params are assumed not to be NaN, and sums and
    // products of finite values not to overflow.
    bool may_be_nan(const Expr &expr) {
        if (!expr.type().is_float()) {
            return false;
        }
        const auto known = nans_.find(expr.get());
        if (known != nans_.end()) {
            return known->second;
        }
        const auto any_operand = [&] {
            return std::any_of(expr->args().begin(), expr->args().end(),
                               [&](const Expr &arg) { return may_be_nan(arg); });
        };
        bool result = false;
        switch (expr->kind()) {
        case ExprKind::Min:
        case ExprKind::Max:
            result = may_be_nan(expr->arg(1));
            break;
        case ExprKind::Div:
        case ExprKind::Mod: {
            double divisor = 0;
            result = !is_const_float(expr->arg(1), &divisor) || divisor == 0 || any_operand();
            break;
        }
        case ExprKind::Math:
            result = traits_of(expr->math_op()).result == MathResult::MaybeNan || any_operand();
            break;
        case ExprKind::FloatImm:
            result = std::isnan(expr->float_value());
            break;
        case ExprKind::Variable:
            result = expr->reads_memory();
            break;
        case FLUORITE_ACCESSES:
        case ExprKind::Extern:
        case ExprKind::Reinterpret:
            result = true;
            break;
        case ExprKind::IntImm:
        case ExprKind::UIntImm:
        case ExprKind::StringImm:
        case ExprKind::BufferField:
        case ExprKind::Cast:
        case ExprKind::SaturatingCast:
        case ExprKind::Add:
        case ExprKind::Sub:
        case ExprKind::Mul:
        case ExprKind::Quotient:
        case ExprKind::Remainder:
        case ExprKind::AbsDiff:
        case ExprKind::Fma:
        case ExprKind::Abs:
        case FLUORITE_COMPARISONS:
        case FLUORITE_LOGIC:
        case FLUORITE_BITS:
        case ExprKind::Select:
        case FLUORITE_HINTS:
        case ExprKind::Random:
        case FLUORITE_VECTORS:
        case ExprKind::Let:
        case ExprKind::Undef:
        case FLUORITE_EFFECTS:
        case ExprKind::MemoizeTag:
            result = any_operand();
            break;
        }
        nans_.emplace(expr.get(), result);
        return result;
    }

    /// The range of a value that is converted to an integer: a NaN gives 0.
    Interval with_zero_of_nan(const Expr &value, Type to, const Interval &range) {
        if (!may_be_nan(value)) {
            return range;
        }
        return {range.min.defined() ? fold(min_of(range.min, make_zero(to))) : Expr(),
                range.max.defined() ? fold(max_of(range.max, make_zero(to))) : Expr()};
    }

    Interval cast(const Expr &expr, const Interval &a) {
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

    Interval absolute(const Expr &expr, const Interval &a) {
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
        return {make_zero(type), fold(max_of(make_unary(ExprKind::Abs, a.min), make_unary(ExprKind::Abs, a.max)))};
    }

    Interval min_max(const Expr &expr, const Interval &a, const Interval &b) {
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

    static bool is_nonnegative(const Interval &side) {
        return side.min.defined() && rewrite::can_prove(less_equal(make_zero(side.min.type()), side.min));
    }

    // A clamp may be gone because the simplifier knows bounds of what is inside (rewrite/facts.cpp): what it knows of
    // bits has to be known here, too.

    /// No bit is set that is not set in a side that is not negative.
    Interval bit_and(const Expr &expr, const Interval &a, const Interval &b) {
        const Expr most_of_a = is_nonnegative(a) ? a.max : Expr(), most_of_b = is_nonnegative(b) ? b.max : Expr();
        if (!is_nonnegative(a) && !is_nonnegative(b)) {
            return type_range(expr.type());
        }
        const bool are_both = most_of_a.defined() && most_of_b.defined();
        return {make_zero(expr.type()), are_both              ? fold(min_of(most_of_a, most_of_b))
                                        : most_of_a.defined() ? most_of_a
                                                              : most_of_b};
    }

    /// Of BitOr and BitXor: no bit is set above those of both sides.
    Interval bit_union(const Expr &expr, const Interval &a, const Interval &b) {
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

    Interval shift_right(const Expr &expr, const Interval &a, const Interval &b) {
        int64_t amount = 0;
        if (b.is_point() && is_const_int(b.min, &amount) && amount >= 0 && amount < expr.type().bits()) {
            auto shift = [&](const Expr &side) {
                return side.defined() ? fold(make_binary(ExprKind::ShiftRight, side, b.min)) : Expr();
            };
            return {shift(a.min), shift(a.max)};
        }
        // Shifting by any nonnegative amount moves a value towards 0 (or -1).
        if (a.is_bounded() && b.min.defined() && rewrite::can_prove(less_equal(make_zero(b.min.type()), b.min))) {
            Expr zero = make_zero(expr.type());
            Expr lowest = expr.type().is_int() ? make_int(expr.type(), -1) : zero;
            return {fold(min_of(a.min, lowest)), fold(max_of(a.max, zero))};
        }
        return type_range(expr.type());
    }

    Interval shift_left(const Expr &expr, const Interval &a, const Interval &b) {
        int64_t amount = 0;
        if (b.is_point() && is_const_int(b.min, &amount) && amount >= 0 && amount < 31) {
            Expr factor = make_int(expr.type(), int64_t(1) << amount);
            if (is_index_arithmetic(expr)) {
                return scaled(ExprKind::Mul, a, factor);
            }
            return narrow_arithmetic(ExprKind::Mul, a, Interval::point(factor), expr.type());
        }
        return type_range(expr.type());
    }

    Interval math(const Expr &expr, const Interval &a) {
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

    // A condition that always or never holds.
    static Interval truth(bool always, bool never) { return {make_bool(always), make_bool(!never)}; }

    // Decided where constant bounds suffice.
    static Interval comparison(const Expr &expr, const Interval &a, const Interval &b) {
        int64_t a_min = 0, a_max = 0, b_min = 0, b_max = 0;
        if (!expr->arg(0).type().is_int_or_uint() || !a.is_bounded() || !b.is_bounded() ||
            !is_const_int(a.min, &a_min) || !is_const_int(a.max, &a_max) || !is_const_int(b.min, &b_min) ||
            !is_const_int(b.max, &b_max)) {
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

    // One branch where the condition is decided, or is the same at all points: a window that a condition over loops
    // chooses would move back and forth, so it contains both branches.
    Interval select(const Interval &condition, const Interval &yes, const Interval &no) {
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

    // Whether it depends on nothing but Params and fields of buffers.
    static bool is_uniform(const Expr &condition) {
        bool is_uniform = !condition->reads_memory();
        for_each_node(condition, [&](const Expr &node) {
            is_uniform =
                is_uniform && (node->kind() != ExprKind::Variable || node->symbol().kind() == SymbolKind::Param);
        });
        return is_uniform;
    }

    Interval let(const Expr &expr) {
        // Symbols are distinct, so entries of different lets never collide.
        Interval value = visit(expr->arg(0));
        lets_[expr->symbol()] = value;
        return visit(expr->arg(1));
    }

    Interval compute(const Expr &expr) {
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
            all_points = all_points && side.is_point() && (side.min.same_as(arg) || !may_be_nan(arg));
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

    Interval operation(const Expr &expr, const std::vector<Interval> &sides) {
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
};

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
