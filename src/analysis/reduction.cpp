// Recognizing the operator of an update, by structure.
//
// One value, with old = f(p) and e reading nothing of f:
//   old op e, e op old   + * min max & | ^ && ||, also chains (old + a) + b, and old - e, which adds -e
//   cast<T>(cast<W>(old) op e)           op one of + - * & | ^, W as wide as T or wider: the low bits are op of T
//   fma(a, b, old)                       contraction makes it of a * b + old
//   saturating_cast<T>(cast<W>(old) + cast<W>(e)), T unsigned
//   select(c, old op e, old)             the identity stands for the other case
//   select(e < old, e, old)              min, and likewise max
// Several values: those that read only themselves are on their own; groups that read each other are
//   arg-extremes    all values are select(better, e_i, old_i), better compares one value, or several in order of rank
//   products of complex numbers (a c - b d, a d + b c) and of dual numbers (a c, a d + b c)
//
// Laws, of bits. Integers wrap: their + and * are those of a ring, all their operators are exact. Floats: + and * round.
//   min(old, e) is old < e ? old : e, which forgets old where e is NaN, so pieces differ from the whole: Rounded;
//   min(e, old) skips NaNs and keeps the first of equals, -0 and 0 too: splits exactly, does not commute exactly;
//   where neither NaN nor -0 can occur (all values are made from integers), both are exact.
// Arg-extremes keep the first of equals (strict comparison): they split exactly, NaN keys included, as a piece that starts
// with the worst key never holds a NaN; they commute only where all values take part in the comparison.
//
// What it cannot see it answers with a reason. Cost: linear in the update, for each level of chains and guards.

#include "analysis/reduction.h"

#include <algorithm>
#include <cmath>

namespace fluorite::analysis {

using namespace ir;

namespace {

using Test = std::function<bool(const Expr &)>;

/// A value as old op e; no op where it is the old value itself.
struct Chain {
    std::optional<ReduceOp> op;
    Expr value;
    Law split = Law::Exact, commute = Law::Exact;
};

Law weaker(Law a, Law b) { return std::min(a, b); }

bool is_ring_op(ReduceOp op) {
    return op == ReduceOp::Add || op == ReduceOp::Mul || op == ReduceOp::BitAnd || op == ReduceOp::BitOr ||
           op == ReduceOp::BitXor;
}

/// The reduction that a binary node does on the type. Bool is the integers of one bit.
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
    default:
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
        default:
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

    /// select(e < old, e, old) and its mirror images.
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
        // With the new value first, taking it where it is less makes the least.
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

    /// select(old + e < old, most, old + e) on unsigned integers.
    std::optional<Chain> match_overflow(const Expr &value) const {
        const Expr &condition = value->arg(0), &sum = value->arg(2);
        if (!value.type().is_uint() || value.type().is_bool() || condition->kind() != ExprKind::LT ||
            sum->kind() != ExprKind::Add || !equal(condition->arg(0), sum) || !equal(value->arg(1), type_max(value.type()))) {
            return std::nullopt;
        }
        const bool old_first = is_old_(sum->arg(0));
        const Expr &other = sum->arg(old_first ? 1 : 0);
        const bool is_sum = (old_first || is_old_(sum->arg(1))) && !reads_(other);
        // Either operand tells of overflow.
        if (!is_sum || !(is_old_(condition->arg(1)) || equal(condition->arg(1), other))) {
            return std::nullopt;
        }
        return Chain{ReduceOp::SaturatingAdd, other};
    }

    /// a * b + old, rounded once; only where the program allows another rounding is it taken apart.
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
        const Matcher inner([this](const Expr &e) { return e->kind() == ExprKind::Cast && is_old_(e->arg(0)); }, reads_);
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

const char *op_name(ReduceOp op) {
    switch (op) {
    case ReduceOp::Add:
        return "+";
    case ReduceOp::Mul:
        return "*";
    case ReduceOp::Min:
        return "min";
    case ReduceOp::Max:
        return "max";
    case ReduceOp::And:
        return "&&";
    case ReduceOp::Or:
        return "||";
    case ReduceOp::SaturatingAdd:
        return "saturating_add";
    case ReduceOp::BitAnd:
        return "&";
    case ReduceOp::BitOr:
        return "|";
    case ReduceOp::BitXor:
        return "^";
    }
    unreachable("an operator of no kind");
}

/// Whether a value is made so that it is neither NaN nor -0. Self-calls of the same value are taken to be.
bool is_plain(const Expr &value, const Test &is_self) {
    if (is_self(value)) {
        return true;
    }
    double constant = 0;
    if (is_const_float(value, &constant)) {
        return constant == constant && !(constant == 0 && std::signbit(constant));
    }
    switch (value->kind()) {
    case ExprKind::Cast:
        return value->arg(0).type().is_int_or_uint();
    case ExprKind::Select:
        return is_plain(value->arg(1), is_self) && is_plain(value->arg(2), is_self);
    case ExprKind::Min:
    case ExprKind::Max:
        return is_plain(value->arg(0), is_self) && is_plain(value->arg(1), is_self);
    default:
        return false;
    }
}

using Exprs = std::vector<Expr>;

/// How a group of values that read each other is combined.
struct Group {
    std::string name;
    Law split = Law::No, commute = Law::No;
    Exprs identity;                                             // of the group's values
    std::function<Exprs(const Exprs &left, const Exprs &right)> combine; // of all values: gives the group's
};

class Prover {
  public:
    Prover(const FuncDef &func, const Stage &update) : func_(func), update_(update) {}

    ReductionProof prove() {
        if (std::string reason = obstacle(); !reason.empty()) {
            return {std::nullopt, reason};
        }
        ReductionOperator op;
        op.split = op.commute = Law::Exact;
        op.identity.resize(update_.values.size());
        std::vector<std::pair<std::vector<size_t>, Group>> groups;
        for (const std::vector<size_t> &members : connected()) {
            std::optional<Group> group = members.size() == 1 ? single(members[0]) : coupled(members);
            if (!group) {
                return {std::nullopt, unknown(members)};
            }
            op.split = weaker(op.split, group->split);
            op.commute = weaker(op.commute, group->commute);
            for (size_t i = 0; i < members.size(); i++) {
                op.identity[members[i]] = group->identity[i];
            }
            op.name += (op.name.empty() ? "" : ", ") + group->name;
            groups.emplace_back(members, std::move(*group));
        }
        if (groups.size() > 1) {
            op.name = "(" + op.name + ")";
        }
        const size_t count = update_.values.size();
        op.combine = [groups = std::move(groups), count](const Exprs &left, const Exprs &right) {
            Exprs result(count);
            for (const auto &[members, group] : groups) {
                const Exprs values = group.combine(left, right);
                for (size_t i = 0; i < members.size(); i++) {
                    result[members[i]] = values[i];
                }
            }
            return result;
        };
        return {std::move(op), ""};
    }

  private:
    const FuncDef &func_;
    const Stage &update_;

    bool is_self_call(const Expr &expr) const {
        if (!is_kind(expr, ExprKind::Call)) {
            return false;
        }
        const Symbol &callee = expr->symbol();
        return callee == func_.symbol || (callee.object() && callee.object() == func_.symbol.object());
    }

    bool reads_self(const Expr &expr) const {
        bool found = false;
        for_each_node(expr, [&](const Expr &node) { found = found || is_self_call(node); });
        return found;
    }

    bool is_old(const Expr &expr, size_t index) const {
        return is_self_call(expr) && expr->member().index == static_cast<int>(index);
    }

    bool is_at_own_place(const Expr &call) const {
        for (size_t d = 0; d < update_.args.size(); d++) {
            if (!equal(call->arg(d), update_.args[d])) {
                return false;
            }
        }
        return true;
    }

    /// What no operator can be behind.
    std::string obstacle() const {
        for (const Expr &arg : update_.args) {
            if (reads_self(arg)) {
                return "it chooses the point that it updates by its own values";
            }
        }
        if (update_.predicate.defined() && reads_self(update_.predicate)) {
            return "its predicate reads its own values";
        }
        std::string reason;
        for (const Expr &value : update_.values) {
            for_each_node(value, [&](const Expr &node) {
                if (node->kind() == ExprKind::Undef) {
                    reason = "it leaves a value undefined";
                } else if (is_self_call(node) && !is_at_own_place(node)) {
                    reason = "it reads its own values at other points than the one that it updates";
                }
            });
        }
        return reason;
    }

    std::vector<size_t> read_by(size_t index) const {
        std::vector<size_t> read;
        for_each_node(update_.values[index], [&](const Expr &node) {
            if (is_self_call(node)) {
                read.push_back(static_cast<size_t>(node->member().index));
            }
        });
        return read;
    }

    /// Groups of values that read each other.
    std::vector<std::vector<size_t>> connected() const {
        const size_t count = update_.values.size();
        std::vector<size_t> group(count);
        for (size_t i = 0; i < count; i++) {
            group[i] = i;
        }
        for (size_t i = 0; i < count; i++) {
            for (size_t j : read_by(i)) {
                const size_t from = group[j], to = group[i];
                std::replace(group.begin(), group.end(), std::max(from, to), std::min(from, to));
            }
        }
        std::vector<std::vector<size_t>> result;
        for (size_t leader = 0; leader < count; leader++) {
            std::vector<size_t> members;
            for (size_t i = 0; i < count; i++) {
                if (group[i] == leader) {
                    members.push_back(i);
                }
            }
            if (!members.empty()) {
                result.push_back(members);
            }
        }
        return result;
    }

    std::string unknown(const std::vector<size_t> &members) const {
        const size_t first = members[0];
        const bool several = update_.values.size() > 1;
        const std::string which = several ? "value " + std::to_string(first) : "its value";
        if (members.size() == 1 && read_by(first).empty()) {
            return which + " does not depend on the old one, so the last iteration decides";
        }
        return which + " is not the old value combined by an operator that is known to be associative";
    }

    // ---- One value.

    std::optional<Group> single(size_t index) const {
        const Expr &value = update_.values[index];
        const Matcher matcher([&](const Expr &e) { return is_old(e, index); }, [&](const Expr &e) { return reads_self(e); });
        std::optional<Chain> chain = matcher.match(value);
        if (!chain) {
            return std::nullopt;
        }
        Group group;
        group.split = chain->split, group.commute = chain->commute;
        if (!chain->op) { // the value stays
            group.name = "no change";
            group.identity = {make_zero(value.type())};
            group.combine = [index](const Exprs &left, const Exprs &) { return Exprs{left[index]}; };
            return group;
        }
        const ReduceOp op = *chain->op;
        if (value.type().is_float() && (op == ReduceOp::Min || op == ReduceOp::Max) && has_plain_values(index)) {
            group.split = group.commute = Law::Exact;
        }
        group.name = concat(op_name(op), " of ", value.type());
        group.identity = {reduction_identity(op, value.type())};
        group.combine = [index, op](const Exprs &left, const Exprs &right) {
            return Exprs{apply_reduction(op, left[index], right[index])};
        };
        return group;
    }

    bool has_plain_values(size_t index) const {
        const Test is_self = [&](const Expr &e) { return is_old(e, index); };
        return std::all_of(func_.stages.begin(), func_.stages.end(),
                           [&](const Stage &stage) { return is_plain(stage.values[index], is_self); });
    }

    // ---- Several values.

    std::optional<Group> coupled(const std::vector<size_t> &members) const {
        std::optional<Group> group = arg_extreme(members);
        return group ? group : product_of_pairs(members);
    }

    /// One comparison of a new value with the old one.
    struct Comparison {
        size_t index = 0;
        bool less = true, strict = true;
    };

    static bool is_comparison(ExprKind kind) { return kind >= ExprKind::LT && kind <= ExprKind::GE; }

    std::optional<Comparison> comparison(const Expr &condition) const {
        if (!is_comparison(condition->kind())) {
            return std::nullopt;
        }
        const ExprKind kind = condition->kind();
        Comparison found;
        found.strict = kind == ExprKind::LT || kind == ExprKind::GT;
        const bool less = kind == ExprKind::LT || kind == ExprKind::LE;
        for (size_t side : {0, 1}) {
            const Expr &old = condition->arg(side), &brought = condition->arg(1 - side);
            if (is_self_call(old) && !reads_self(brought)) {
                found.index = static_cast<size_t>(old->member().index);
                found.less = less == (side == 1);
                return equal(brought, brought_by(found.index)) ? std::optional(found) : std::nullopt;
            }
        }
        return std::nullopt;
    }

    /// e of select(c, e, old), or of min(old, e).
    Expr brought_by(size_t index) const {
        const Expr &value = update_.values[index];
        if (value->kind() == ExprKind::Select && is_old(value->arg(2), index)) {
            return value->arg(1);
        }
        for (size_t side : {0, 1}) {
            const bool extreme = value->kind() == ExprKind::Min || value->kind() == ExprKind::Max;
            if (extreme && is_old(value->arg(side), index)) {
                return value->arg(1 - side);
            }
        }
        return Expr();
    }

    bool is_tie(const Expr &condition, size_t index) const {
        if (condition->kind() != ExprKind::EQ) {
            return false;
        }
        const Expr brought = brought_by(index);
        return (is_old(condition->arg(0), index) && equal(condition->arg(1), brought)) ||
               (is_old(condition->arg(1), index) && equal(condition->arg(0), brought));
    }

    /// first, or first || (tie && rest): the comparisons in order of rank.
    std::optional<std::vector<Comparison>> ranking(const Expr &condition) const {
        if (std::optional<Comparison> one = comparison(condition)) {
            return std::vector<Comparison>{*one};
        }
        if (condition->kind() != ExprKind::Or) {
            return std::nullopt;
        }
        for (size_t side : {0, 1}) {
            std::optional<Comparison> first = comparison(condition->arg(side));
            const Expr &rest = condition->arg(1 - side);
            if (!first || !first->strict || rest->kind() != ExprKind::And) {
                continue;
            }
            for (size_t tie : {0, 1}) {
                if (!is_tie(rest->arg(tie), first->index)) {
                    continue;
                }
                if (auto others = ranking(rest->arg(1 - tie))) {
                    others->insert(others->begin(), *first);
                    return others;
                }
            }
        }
        return std::nullopt;
    }

    /// The condition under which the group takes what is new, from whichever value has one.
    Expr common_condition(const std::vector<size_t> &members) const {
        for (size_t index : members) {
            const Expr &value = update_.values[index];
            if (value->kind() == ExprKind::Select && is_old(value->arg(2), index)) {
                return value->arg(0);
            }
        }
        return Expr();
    }

    std::optional<Group> arg_extreme(const std::vector<size_t> &members) const {
        const Expr condition = common_condition(members);
        if (!condition.defined()) {
            return std::nullopt;
        }
        for (size_t index : members) {
            if (const Expr brought = brought_by(index); !brought.defined() || reads_self(brought)) {
                return std::nullopt;
            }
        }
        std::optional<std::vector<Comparison>> order = ranking(condition);
        if (!order) {
            return std::nullopt;
        }
        for (size_t index : members) {
            if (!follows(index, condition, *order)) {
                return std::nullopt;
            }
        }
        return ranked(members, *order);
    }

    /// Whether a value changes exactly where the condition holds.
    bool follows(size_t index, const Expr &condition, const std::vector<Comparison> &order) const {
        const Expr &value = update_.values[index];
        if (value->kind() == ExprKind::Select) {
            return equal(value->arg(0), condition);
        }
        // The least of both changes where the new one is less: the same, but for floats, whose order of operands counts.
        const bool least = value->kind() == ExprKind::Min;
        return order[0].index == index && order[0].less == least && !value.type().is_float();
    }

    std::optional<Group> ranked(const std::vector<size_t> &members, const std::vector<Comparison> &order) const {
        Group group;
        const bool strict = order.back().strict;
        bool floats = false;
        std::vector<size_t> compared;
        for (const Comparison &each : order) {
            floats = floats || update_.values[each.index].type().is_float();
            if (std::find(compared.begin(), compared.end(), each.index) == compared.end()) {
                compared.push_back(each.index);
            }
        }
        const bool total = compared.size() == members.size();
        group.name = order[0].less ? "argmin" : "argmax";
        group.split = floats && (!strict || order.size() > 1) ? Law::Rounded : Law::Exact;
        group.commute = !total ? Law::No : floats ? Law::Rounded : Law::Exact;
        for (size_t index : members) {
            const Type type = update_.values[index].type();
            Expr worst = make_zero(type);
            for (const Comparison &each : order) {
                if (each.index == index) {
                    worst = each.less ? type_max(type) : type_min(type);
                }
            }
            group.identity.push_back(strict ? worst : Expr());
        }
        group.combine = [members, order](const Exprs &left, const Exprs &right) {
            Expr better;
            for (size_t i = order.size(); i-- > 0;) {
                const Comparison &each = order[i];
                const ExprKind kind = each.less ? (each.strict ? ExprKind::LT : ExprKind::LE)
                                                : (each.strict ? ExprKind::GT : ExprKind::GE);
                const Expr wins = make_binary(kind, right[each.index], left[each.index]);
                better = better.defined()
                             ? make_binary(ExprKind::Or, wins,
                                           logical_and(equals(right[each.index], left[each.index]), better))
                             : wins;
            }
            Exprs result;
            for (size_t index : members) {
                result.push_back(make_select(better, right[index], left[index]));
            }
            return result;
        };
        return group;
    }

    // ---- Products of pairs.

    /// A product of an old value and a factor, added or subtracted.
    struct Term {
        size_t index = 0;
        Expr factor;
        bool negative = false;
    };

    bool collect_terms(const Expr &value, bool negative, std::vector<Term> &terms) const {
        if (value->kind() == ExprKind::Add || value->kind() == ExprKind::Sub) {
            return collect_terms(value->arg(0), negative, terms) &&
                   collect_terms(value->arg(1), negative != (value->kind() == ExprKind::Sub), terms);
        }
        if (value->kind() != ExprKind::Mul) {
            return false;
        }
        for (size_t side : {0, 1}) {
            const Expr &old = value->arg(side), &factor = value->arg(1 - side);
            if (is_self_call(old) && !reads_self(factor)) {
                terms.push_back({static_cast<size_t>(old->member().index), factor, negative});
                return true;
            }
        }
        return false;
    }

    static const Term *term_of(const std::vector<Term> &terms, size_t index) {
        const Term *found = nullptr;
        for (const Term &term : terms) {
            if (term.index == index) {
                if (found) {
                    return nullptr;
                }
                found = &term;
            }
        }
        return found;
    }

    std::optional<Group> product_of_pairs(const std::vector<size_t> &members) const {
        if (members.size() != 2) {
            return std::nullopt;
        }
        const size_t i = members[0], j = members[1];
        for (const auto &[real, imaginary] : {std::pair(i, j), std::pair(j, i)}) {
            std::vector<Term> first, second;
            if (!collect_terms(update_.values[real], false, first) ||
                !collect_terms(update_.values[imaginary], false, second) || second.size() != 2) {
                return std::nullopt;
            }
            const Term *aa = term_of(first, real), *ab = term_of(first, imaginary);
            const Term *ba = term_of(second, real), *bb = term_of(second, imaginary);
            const bool shape = aa && ba && bb && equal(aa->factor, bb->factor) && !aa->negative && !ba->negative &&
                               !bb->negative;
            const bool dual = shape && first.size() == 1;
            const bool complex = shape && first.size() == 2 && ab && ab->negative && equal(ab->factor, ba->factor);
            if (dual || complex) {
                return pair_product(real, imaginary, complex, members);
            }
        }
        return std::nullopt;
    }

    std::optional<Group> pair_product(size_t real, size_t imaginary, bool complex,
                                      const std::vector<size_t> &members) const {
        const Type type = update_.values[real].type();
        if (type != update_.values[imaginary].type() || type.is_bool()) {
            return std::nullopt;
        }
        Group group;
        group.name = concat(complex ? "complex * of " : "dual * of ", type);
        group.split = group.commute = type.is_float() ? Law::Rounded : Law::Exact;
        const bool in_order = members[0] == real;
        group.identity = in_order ? Exprs{make_one(type), make_zero(type)} : Exprs{make_zero(type), make_one(type)};
        group.combine = [=](const Exprs &l, const Exprs &r) {
            Expr product = mul(l[real], r[real]);
            product = complex ? sub(product, mul(l[imaginary], r[imaginary])) : product;
            const Expr cross = add(mul(l[real], r[imaginary]), mul(l[imaginary], r[real]));
            return in_order ? Exprs{product, cross} : Exprs{cross, product};
        };
        return group;
    }
};

} // namespace

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
    case ReduceOp::Min: // the left one stays where they are equal, or the right one is NaN
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
    const std::optional<Chain> chain = Matcher(is_old, reads).match(value);
    if (!chain || !chain->op) {
        return std::nullopt;
    }
    return Contribution{*chain->op, chain->value, chain->split, chain->commute};
}

ReductionProof prove_reduction(const FuncDef &func, const Stage &update) { return Prover(func, update).prove(); }

} // namespace fluorite::analysis
