// One value of an update as old op e, by structure.
//
// With old = f(p) and e that does not read f:
//   old op e, e op old   + * min max & | ^ && ||, also chains (old + a) + b, and old - e, which adds -e
//   cast<T>(cast<W>(old) op e)           op one of + - * & | ^, W at least as wide as T: the low bits are op of T
//   fma(a, b, old)                       the contraction of a * b + old
//   saturating_cast<T>(cast<W>(old) + cast<W>(e)), T unsigned
//   select(c, old op e, old)             contributes the identity where c is false
//   select(e < old, e, old)              min, and likewise max
//
// The laws refer to bits. Integers wrap: + and * are those of a ring, and all integer operators are exact. For floats,
// + and * round.
//   min(old, e) is old < e ? old : e, which forgets old where e is NaN, so pieces differ from the whole: Rounded;
//   min(e, old) skips NaNs and keeps the first of equals, -0 and 0 too: splits exactly, does not commute exactly.
// Cost: linear in the value, for each level of chains and guards.

#include "analysis/reduction_chain.h"

#include <algorithm>

namespace fluorite::analysis {

using namespace ir;

namespace {

bool is_ring_op(ReduceOp op) {
    return op == ReduceOp::Add || op == ReduceOp::Mul || op == ReduceOp::BitAnd || op == ReduceOp::BitOr ||
           op == ReduceOp::BitXor;
}

/// The reduction that a binary operator on the type performs. Bool counts as an integer of one bit.
std::optional<ReduceOp> op_of(ExprKind kind, Type type) {
    const bool is_bool = type.is_bool();
    switch (kind) {
    case ExprKind::Add:
    case ExprKind::Sub:
        return is_bool ? ReduceOp::BitXor : ReduceOp::Add;
    case ExprKind::Mul:
        return is_bool ? ReduceOp::And : ReduceOp::Mul;
    case ExprKind::Min:
        return is_bool ? ReduceOp::And : ReduceOp::Min;
    case ExprKind::Max:
        return is_bool ? ReduceOp::Or : ReduceOp::Max;
    case ExprKind::And:
        return ReduceOp::And;
    case ExprKind::Or:
        return ReduceOp::Or;
    case ExprKind::BitAnd:
        return is_bool ? ReduceOp::And : ReduceOp::BitAnd;
    case ExprKind::BitOr:
        return is_bool ? ReduceOp::Or : ReduceOp::BitOr;
    case ExprKind::BitXor:
        return ReduceOp::BitXor;
    default: // kinds that are no associative operators, or none of two operands
        return std::nullopt;
    }
}

class Matcher {
  public:
    Matcher(Test is_old, Test reads) : is_old_(std::move(is_old)), reads_(std::move(reads)) {}

    std::optional<Chain> match(const Expr &value) const {
        if (is_old_(value)) {
            return Chain{};
        }
        if (!reads_(value)) {
            return std::nullopt;
        }
        switch (value->kind()) {
        case ExprKind::Select:
            return match_select(value);
        case ExprKind::Cast:
            return match_cast(value);
        case ExprKind::Fma:
            return match_fma(value);
        case ExprKind::SaturatingCast:
            return match_saturating(value);
        default: // other kinds are reductions if op_of knows an operator
            return op_of(value->kind(), value.type()) ? match_binary(value) : std::nullopt;
        }
    }

  private:
    Test is_old_, reads_;

    std::optional<Chain> match_binary(const Expr &value) const {
        const ReduceOp op = *op_of(value->kind(), value.type());
        const size_t sides = value->kind() == ExprKind::Sub ? 1 : 2;
        for (size_t side = 0; side < sides; side++) {
            const Expr &other = value->arg(1 - side);
            if (reads_(other)) {
                continue;
            }
            std::optional<Chain> chain = match(value->arg(side));
            if (!chain || (chain->op && chain->op != op)) {
                return std::nullopt;
            }
            return extend(*chain, op, value, other, side == 0);
        }
        return std::nullopt;
    }

    static Chain extend(Chain chain, ReduceOp op, const Expr &value, const Expr &other, bool old_first) {
        const Type type = value.type();
        const bool first = !chain.op;
        Expr brought = value->kind() == ExprKind::Sub && !type.is_bool()
                           ? sub(type.is_float() ? make_float(type, -0.0) : make_zero(type), other)
                           : other;
        chain.value = first ? brought : apply_reduction(op, chain.value, brought);
        chain.op = op;
        if (type.is_float()) {
            const bool keeps_old = (op == ReduceOp::Min || op == ReduceOp::Max) && !old_first && first;
            chain.split = weaker(chain.split, keeps_old ? Law::Exact : Law::Rounded);
            chain.commute = Law::Rounded;
        }
        return chain;
    }

    std::optional<Chain> match_select(const Expr &value) const {
        const Expr &condition = value->arg(0);
        if (reads_(condition)) {
            std::optional<Chain> extreme = match_extreme(value);
            return extreme ? extreme : match_overflow(value);
        }
        std::optional<Chain> yes = match(value->arg(1)), no = match(value->arg(2));
        if (!yes || !no || (yes->op && no->op && yes->op != no->op)) {
            return std::nullopt;
        }
        Chain both;
        both.op = yes->op ? yes->op : no->op;
        both.split = weaker(yes->split, no->split);
        both.commute = weaker(yes->commute, no->commute);
        if (both.op) {
            const Expr nothing = reduction_identity(*both.op, value.type());
            both.value = make_select(condition, yes->op ? yes->value : nothing, no->op ? no->value : nothing);
        }
        return both;
    }

    /// select(e < old, e, old) and its mirrored forms.
    std::optional<Chain> match_extreme(const Expr &value) const {
        const Expr &condition = value->arg(0), &yes = value->arg(1), &no = value->arg(2);
        const bool takes_new = is_old_(no) && !reads_(yes);
        if (!takes_new && !(is_old_(yes) && !reads_(no))) {
            return std::nullopt;
        }
        const Expr &brought = takes_new ? yes : no;
        const bool less = condition->kind() == ExprKind::LT || condition->kind() == ExprKind::LE;
        const bool greater = condition->kind() == ExprKind::GT || condition->kind() == ExprKind::GE;
        if (!less && !greater) {
            return std::nullopt;
        }
        const bool new_first = equal(condition->arg(0), brought) && is_old_(condition->arg(1));
        if (!new_first && !(equal(condition->arg(1), brought) && is_old_(condition->arg(0)))) {
            return std::nullopt;
        }
        // With the new value as first operand, taking it where it is less gives the minimum.
        const bool takes_least = (less == new_first) == takes_new;
        const bool strict = condition->kind() == ExprKind::LT || condition->kind() == ExprKind::GT;
        Chain chain;
        chain.op = op_of(takes_least ? ExprKind::Min : ExprKind::Max, value.type());
        chain.value = brought;
        if (value.type().is_float()) {
            chain.split = takes_new && strict ? Law::Exact : Law::Rounded;
            chain.commute = Law::Rounded;
        }
        return chain;
    }

    /// select(old + e < old, most, old + e) on unsigned integers: a saturating sum.
    std::optional<Chain> match_overflow(const Expr &value) const {
        const Expr &condition = value->arg(0), &sum = value->arg(2);
        if (!value.type().is_uint() || value.type().is_bool() || condition->kind() != ExprKind::LT ||
            sum->kind() != ExprKind::Add || !equal(condition->arg(0), sum) ||
            !equal(value->arg(1), type_max(value.type()))) {
            return std::nullopt;
        }
        const bool old_first = is_old_(sum->arg(0));
        const Expr &other = sum->arg(old_first ? 1 : 0);
        const bool is_sum = (old_first || is_old_(sum->arg(1))) && !reads_(other);
        // Comparing the sum with either operand detects overflow.
        if (!is_sum || !(is_old_(condition->arg(1)) || equal(condition->arg(1), other))) {
            return std::nullopt;
        }
        return Chain{ReduceOp::SaturatingAdd, other};
    }

    /// a * b + old, rounded once; split into product and sum only where the program allows different rounding.
    std::optional<Chain> match_fma(const Expr &value) const {
        if (reads_(value->arg(0)) || reads_(value->arg(1))) {
            return std::nullopt;
        }
        std::optional<Chain> chain = match(value->arg(2));
        if (!chain || (chain->op && chain->op != ReduceOp::Add)) {
            return std::nullopt;
        }
        const Expr product = mul(value->arg(0), value->arg(1));
        return Chain{ReduceOp::Add, chain->op ? add(chain->value, product) : product, Law::Rounded, Law::Rounded};
    }

    std::optional<Chain> match_cast(const Expr &value) const {
        const Expr &wide = value->arg(0);
        const Type type = value.type(), from = wide.type();
        if (!type.is_int_or_uint() || type.is_bool() || !from.is_int_or_uint() || from.bits() < type.bits()) {
            return std::nullopt;
        }
        const Matcher inner([this](const Expr &e) { return e->kind() == ExprKind::Cast && is_old_(e->arg(0)); },
                            reads_);
        std::optional<Chain> chain = inner.match(wide);
        if (!chain || (chain->op && !is_ring_op(*chain->op))) {
            return std::nullopt;
        }
        if (chain->op) {
            chain->value = make_cast(type, chain->value);
        }
        return chain;
    }

    std::optional<Chain> match_saturating(const Expr &value) const {
        const Expr &sum = value->arg(0);
        const Type type = value.type(), wide = sum.type();
        if (!type.is_uint() || type.is_bool() || sum->kind() != ExprKind::Add || !wide.is_int_or_uint() ||
            wide.bits() <= type.bits()) {
            return std::nullopt;
        }
        for (size_t side : {0, 1}) {
            const Expr &old = sum->arg(side), &other = sum->arg(1 - side);
            if (old->kind() != ExprKind::Cast || !is_old_(old->arg(0)) || reads_(other)) {
                continue;
            }
            int64_t constant = 0;
            if (is_const_int(other, &constant) && type.can_represent(constant)) {
                return Chain{ReduceOp::SaturatingAdd, make_int(type, constant)};
            }
            if (other->kind() == ExprKind::Cast && other->arg(0).type() == type) {
                return Chain{ReduceOp::SaturatingAdd, other->arg(0)};
            }
        }
        return std::nullopt;
    }
};

} // namespace

std::optional<Chain> match_chain(const Expr &value, const Test &is_old, const Test &reads) {
    return Matcher(is_old, reads).match(value);
}

Expr reduction_identity(ReduceOp op, Type type) {
    switch (op) {
    case ReduceOp::Add:
        return type.is_float() ? make_float(type, -0.0) : make_zero(type);
    case ReduceOp::Mul:
        return make_one(type);
    case ReduceOp::Min:
        return type_max(type);
    case ReduceOp::Max:
        return type_min(type);
    case ReduceOp::And:
        return make_bool(true, type.lanes());
    case ReduceOp::Or:
        return make_bool(false, type.lanes());
    case ReduceOp::BitAnd:
        return type.is_int() ? make_int(type, -1) : type_max(type);
    case ReduceOp::SaturatingAdd:
    case ReduceOp::BitOr:
    case ReduceOp::BitXor:
        return make_zero(type);
    }
    unreachable("an operator of no kind");
}

Expr apply_reduction(ReduceOp op, const Expr &left, const Expr &right) {
    const Type type = left.type();
    switch (op) {
    case ReduceOp::Add:
        return add(left, right);
    case ReduceOp::Mul:
        return mul(left, right);
    case ReduceOp::Min: // the left operand is kept if both are equal or the right one is NaN
        return type.is_float() ? min_of(right, left) : min_of(left, right);
    case ReduceOp::Max:
        return type.is_float() ? max_of(right, left) : max_of(left, right);
    case ReduceOp::And:
        return logical_and(left, right);
    case ReduceOp::Or:
        return make_binary(ExprKind::Or, left, right);
    case ReduceOp::BitAnd:
        return make_binary(ExprKind::BitAnd, left, right);
    case ReduceOp::BitOr:
        return make_binary(ExprKind::BitOr, left, right);
    case ReduceOp::BitXor:
        return make_binary(ExprKind::BitXor, left, right);
    case ReduceOp::SaturatingAdd: {
        if (type.bits() == 64) {
            const Expr sum = add(left, right);
            return make_select(less(sum, left), type_max(type), sum);
        }
        const Type wide = UInt(type.bits() * 2).with_lanes(type.lanes());
        return make_saturating_cast(type, add(make_cast(wide, left), make_cast(wide, right)));
    }
    }
    unreachable("an operator of no kind");
}

std::optional<Contribution> find_contribution(const Expr &value, const std::function<bool(const Expr &)> &is_old,
                                              const std::function<bool(const Expr &)> &reads) {
    const std::optional<Chain> chain = match_chain(value, is_old, reads);
    if (!chain || !chain->op) {
        return std::nullopt;
    }
    return Contribution{*chain->op, chain->value, chain->split, chain->commute};
}

} // namespace fluorite::analysis
