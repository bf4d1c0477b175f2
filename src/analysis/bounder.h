#pragma once
// The one traversal behind BoundsFinder. interval.cpp has the traversal, the memo and the choice of an operator's rule,
// operator_bounds.cpp and product_bounds.cpp the rules.

#include "analysis/interval.h"
#include "analysis/possible_nans.h"
#include "rewrite/simplifier.h"

#include <unordered_map>
#include <utility>
#include <vector>

namespace fluorite::analysis {

/// The range of a type; without ends for 32 and 64 bits, whose values are coordinates (interval.h).
Interval type_range(Type type);

/// The lower of the lower sides and the higher of the upper sides, each simplified by `fold`.
template <typename Fold> Interval hull_of(const Interval &a, const Interval &b, Fold &&fold) {
    const auto extreme_of = [&](ir::ExprKind kind, const Expr &x, const Expr &y) {
        return !x.defined() || !y.defined() ? Expr() : ir::equal(x, y) ? x : fold(ir::make_binary(kind, x, y));
    };
    Interval result = {extreme_of(ir::ExprKind::Min, a.min, b.min), extreme_of(ir::ExprKind::Max, a.max, b.max)};
    if (a.is_point() && b.is_point() && ir::equal(a.min, b.min)) {
        result.max = result.min;
    }
    return result;
}

class BoundsFinder::Bounder {
  public:
    explicit Bounder(Scope scope) : scope_(std::move(scope)) {}
    Interval bounds_of(const Expr &expr) { return visit(fold(expr)); }
    void learn(const ir::Symbol &symbol, const Interval &interval) { scope_[symbol] = interval; }
    const Scope &scope() const { return scope_; }

  private:
    Scope scope_, lets_;
    rewrite::Simplifier simplifier_; // one for all queries, because it has seen the sides
    std::unordered_map<const ir::ExprNode *, Interval> memo_;
    std::vector<Expr> keep_; // keeps the nodes in memo_ alive
    PossibleNans nans_;

    Expr fold(const Expr &expr) { return simplifier_.simplify(expr, rewrite::Arithmetic::Index); }
    Interval hull(const Interval &a, const Interval &b);
    Interval visit(const Expr &expr);
    // Applies the simplifier's bounds of a value, because the simplifier may have used them to drop a clamp.
    void narrow_by_simplifier(const Expr &expr, Interval &result);
    Interval variable(const Expr &expr);
    // Recomputes narrow arithmetic in 64 bits on constant sides.
    Interval narrow_arithmetic(ir::ExprKind kind, const Interval &a, const Interval &b, Type type);
    // A value between coordinates is itself a coordinate, even if it was read from memory: arithmetic on the sides does
    // not overflow, hence neither does arithmetic on values between them. Constant sides are computed exactly
    // (narrow_arithmetic), as they may be the ends of a type. A huge constant beside a symbol proves nothing.
    static bool is_bounded_by_coordinates(const Expr &expr, const Interval &a, const Interval &b);
    Interval add_sub(const Expr &expr, const Interval &a, const Interval &b);
    // product_bounds.cpp
    // a * b where b is a point: the sign of b decides which side of a gives which side of the result.
    Interval scaled(ir::ExprKind kind, const Interval &a, const Expr &b);
    // Of floats, where b may be zero or infinite: of a.min / 0 and a.max / 0, one may be a NaN, and the minimum of both
    // would be no bound. Therefore the sign, that of zero included, chooses the side.
    Interval scaled_by_sign(ir::ExprKind kind, const Interval &a, const Expr &b);
    // The ends of a that give the lower and the upper end of its product with b, or of its quotient.
    Interval by_sign(ir::ExprKind kind, const Interval &a, const Expr &b);
    Interval multiply(const Expr &expr, const Interval &a, const Interval &b);
    bool has_nan_end(const Interval &side);
    // a * b + c, rounded once. It is monotone in each operand, so its extremes are at the corners.
    Interval fused(const Interval &a, const Interval &b, const Interval &c);
    Interval divide(const Expr &expr, const Interval &a, const Interval &b);
    /// |a / b| <= |a| for integers, also for b = 0.
    Interval divided_by_any(Type type, const Interval &a);
    static bool is_positive(const Expr &value);
    static bool may_be_minus_one(const Interval &b);
    /// Whether a signed integer may be the least value of its type.
    static bool may_be_least(const Interval &a);
    /// The extremes of a shift, which is monotone in each operand as long as no bit is lost, at the corners.
    Interval shifted(ir::ExprKind kind, const Interval &a, const Interval &b);
    Interval shift_right(const Expr &expr, const Interval &a, const Interval &b);
    Interval shift_left(const Expr &expr, const Interval &a, const Interval &b);
    // operator_bounds.cpp again
    Interval modulo(const Expr &expr, const Interval &a, const Interval &b);
    /// Whether the expression is a constant that is a value of the type.
    static bool is_const_int_of(const Expr &expr, Type type);
    /// The range of a value that is converted to an integer: a NaN gives 0.
    Interval with_zero_of_nan(const Expr &value, Type to, const Interval &range);
    Interval cast(const Expr &expr, const Interval &a);
    Interval absolute(const Expr &expr, const Interval &a);
    Interval min_max(const Expr &expr, const Interval &a, const Interval &b);
    static bool is_nonnegative(const Interval &side);
    // A clamp may be gone because the simplifier knows bounds of what is inside (rewrite/facts.cpp): what it knows of
    // bits has to be known here, too.
    /// No bit is set that is not set in a side that is not negative.
    Interval bit_and(const Expr &expr, const Interval &a, const Interval &b);
    /// Of BitOr and BitXor: no bit is set above those of both sides.
    Interval bit_union(const Expr &expr, const Interval &a, const Interval &b);
    Interval math(const Expr &expr, const Interval &a);
    // A condition that always or never holds.
    static Interval truth(bool always, bool never) { return {ir::make_bool(always), ir::make_bool(!never)}; }
    // Decided where constant bounds suffice.
    static Interval comparison(const Expr &expr, const Interval &a, const Interval &b);
    // One branch where the condition is decided, or is the same at all points: a window that a condition over loops
    // chooses would move back and forth, so it contains both branches.
    Interval select(const Interval &condition, const Interval &yes, const Interval &no);
    // Whether it depends on nothing but Params and fields of buffers.
    static bool is_uniform(const Expr &condition);
    Interval let(const Expr &expr);
    Interval compute(const Expr &expr);
    Interval operation(const Expr &expr, const std::vector<Interval> &sides);
};

} // namespace fluorite::analysis
