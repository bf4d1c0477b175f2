// Overflow of arithmetic on coordinates, in checked code.
//
// The simplifier and bounds inference assume that integer arithmetic of 32 bits and more that does not depend on memory
// does not overflow. In checked code, each expression under this assumption is computed twice, the second time with
// wider operands and before any pass has rewritten it: the coordinates that a stage reads and writes and its predicate,
// where the stage runs; the bounds of loops, and the bounds of regions inside of loops, where they are bound.
//
// Method: one condition per expression. Sums and products of int32 are recomputed in 64 bits, which hold the results;
// those of int64 in float64, which distinguishes overflow from results below 2^63 - 2^10. Operands are checked first,
// so a result from operands that overflowed does not count. Of a sum of several terms only the total is checked, as
// partial sums that wrap give the same bits. Of a select only the chosen branch is checked. The value of a load may
// wrap; its coordinates are checked as expressions of their own. Cost: a few instructions for each operation.

#include "lowering/from_nest/overflow_checks.h"

#include "ir/access.h"
#include "ir/expr_traits.h"

#include <cmath>
#include <limits>
#include <unordered_map>
#include <unordered_set>

namespace fluorite::lowering {

using namespace ir;

namespace {

Expr both_fit(const Expr &a, const Expr &b) { return is_true(a) ? b : is_true(b) ? a : logical_and(a, b); }

bool is_sum(const Expr &expr) {
    const bool is_scaled =
        expr->kind() == ExprKind::Mul && expr->arg_count() == 2 && (is_const(expr->arg(0)) || is_const(expr->arg(1)));
    return is_index_arithmetic(expr) && (expr->kind() == ExprKind::Add || expr->kind() == ExprKind::Sub || is_scaled);
}

/// Whether a value, given in a wider type, is representable in `type`.
Expr fits(Type type, const Expr &wide) {
    if (type.bits() == 32) {
        return logical_and(less_equal(make_int(Int(64), std::numeric_limits<int32_t>::min()), wide),
                           less_equal(wide, make_int(Int(64), std::numeric_limits<int32_t>::max())));
    }
    return less(make_unary(ExprKind::Abs, wide), make_float(Float(64), std::ldexp(1.0, 63)));
}

Expr widened(const Expr &expr) { return make_cast(expr.type().bits() == 32 ? Int(64) : Float(64), expr); }

class Conditions {
  public:
    Expr of(const Expr &expr) {
        const auto known = done_.find(expr);
        if (known != done_.end()) {
            return known->second;
        }
        const Expr result = made(expr);
        done_.emplace(expr, result);
        return result;
    }

  private:
    ExprMap<Expr> done_;

    Expr made(const Expr &expr) {
        Expr result = make_bool(true);
        if (is_access(expr)) {
            return result;
        }
        if (expr->kind() == ExprKind::Select) {
            const Expr a = of(expr->arg(1)), b = of(expr->arg(2));
            const bool is_free = is_true(a) && is_true(b);
            return both_fit(of(expr->arg(0)), is_free ? a : make_select(expr->arg(0), a, b));
        }
        if (expr->kind() == ExprKind::Let) {
            const Expr body = of(expr->arg(1));
            return both_fit(of(expr->arg(0)), is_true(body) ? body : make_let(expr->symbol(), expr->arg(0), body));
        }
        if (is_sum(expr)) { // partial sums may wrap: the total has the same bits
            const Expr wide = wide_sum(expr, result);
            return is_const(expr->arg(0)) && is_const(expr->arg(1)) ? result
                                                                    : both_fit(result, fits(expr.type(), wide));
        }
        for (const Expr &arg : expr->args()) {
            result = both_fit(result, of(arg));
        }
        return is_index_arithmetic(expr) ? both_fit(result, own(expr)) : result;
    }

    /// The sum in the wider type; the conditions of its terms are added to `terms`.
    Expr wide_sum(const Expr &expr, Expr &terms) {
        if (is_sum(expr)) {
            const Expr a = wide_sum(expr->arg(0), terms), b = wide_sum(expr->arg(1), terms);
            return make_binary(expr->kind(), a, b);
        }
        terms = both_fit(terms, of(expr));
        return widened(expr);
    }

    static Expr own(const Expr &expr) {
        int64_t shift = 0;
        switch (expr->kind()) {
        case ExprKind::Mul:
            return fits(expr.type(), make_binary(ExprKind::Mul, widened(expr->arg(0)), widened(expr->arg(1))));
        case ExprKind::ShiftLeft:
            return is_const_int(expr->arg(1), &shift) && shift >= 0 && shift < 31
                       ? fits(expr.type(), make_binary(ExprKind::Mul, widened(expr->arg(0)),
                                                       widened(make_int(expr.type(), int64_t{1} << shift))))
                       : make_bool(true);
        case ExprKind::Cast: {
            const Expr &from = expr->arg(0);
            if (!from.type().is_int_or_uint() || expr.type().can_represent(from.type())) {
                return make_bool(true);
            }
            const Expr most = type_max(expr.type()), least = type_min(expr.type());
            const Expr below = less_equal(from, make_cast(from.type(), most));
            return from.type().is_int() ? logical_and(less_equal(make_cast(from.type(), least), from), below) : below;
        }
        default: // operations on indices that do not leave the range of their operands, or are checked with them
            return make_bool(true);
        }
    }
};

/// Finds the coordinates of accesses, with the lets around them. Shared expressions are visited once.
class Finder {
  public:
    std::vector<IndexUse> uses;

    void index(const Expr &expr) {
        if (!seen_.emplace(expr, true).second) {
            return;
        }
        Expr condition = conditions_.of(expr);
        for (size_t i = lets_.size(); i-- > 0;) {
            if (uses_symbol(condition, lets_[i]->symbol())) {
                condition = make_let(lets_[i]->symbol(), lets_[i]->arg(0), condition);
            }
        }
        if (!is_true(condition)) {
            uses.push_back({expr, condition});
        }
    }

    void visit(const Expr &expr) {
        if (!visited_.insert(expr.get()).second) {
            return;
        }
        if (expr->kind() == ExprKind::Let) {
            visit(expr->arg(0));
            lets_.push_back(expr);
            visit(expr->arg(1));
            lets_.pop_back();
            return;
        }
        for (const Expr &arg : expr->args()) {
            visit(arg);
            if (is_access(expr)) {
                index(arg);
            }
        }
    }

  private:
    Conditions conditions_;
    std::vector<Expr> lets_;
    ExprMap<bool> seen_;
    std::unordered_set<const ExprNode *> visited_;
};

} // namespace

Expr does_not_overflow(const Expr &expr) { return Conditions().of(expr); }

std::vector<IndexUse> index_uses(const Stage &stage) {
    Finder finder;
    for (const Expr &arg : stage.args) {
        finder.visit(arg);
        finder.index(arg);
    }
    for (const Expr &value : stage.values) {
        finder.visit(value);
    }
    return std::move(finder.uses);
}

Stmt assert_no_overflow(const Expr &condition, const std::string &who, const std::string &what) {
    return Assert::make(condition, make_extern(Int(32), "fluorite_error_integer_overflow",
                                               std::vector<Expr>{make_string(who), make_string(what)}));
}

} // namespace fluorite::lowering
