// Recognizing the operator of an update, by structure.
//
// A value that reads only itself is matched alone (reduction_chain.cpp). Groups of values that read each other are
//   arg-extremes    all values are select(better, e_i, old_i), better compares one value, or several in order of rank
//   products of complex numbers (a c - b d, a d + b c) and of dual numbers (a c, a d + b c)
//
// The laws refer to bits. Where neither NaN nor -0 can occur (all values of the Func are made from integers), min and
// max of floats are exact. Arg-extremes with a strict comparison keep the first of equal keys. They split exactly, NaN
// keys included, because a piece that starts with the worst key never stores a NaN. They commute only where the
// comparison covers all values.
//
// For an update that it does not recognize, the analysis gives a reason. Cost: linear in the update.

#include "analysis/reduction_chain.h"

#include <algorithm>
#include <cmath>

namespace fluorite::analysis {

using namespace ir;

namespace {

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

/// Whether a value can be neither NaN nor -0. Self-calls of the same value are assumed to satisfy this (induction).
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
    default: // false only means that the reduction is not reordered
        return false;
    }
}

using Exprs = std::vector<Expr>;

/// The operator of a group of values that read each other.
struct OperatorGroup {
    std::string name;
    Law split = Law::No, commute = Law::No;
    Exprs identity;                                                      // of the group's values
    std::function<Exprs(const Exprs &left, const Exprs &right)> combine; // takes all values; gives those of the group
};

class Prover {
  public:
    Prover(const FuncDef &func, const Stage &update) : func_(func), update_(update) {}

    ReductionMatch prove() {
        if (std::string reason = obstacle(); !reason.empty()) {
            return {std::nullopt, reason};
        }
        ReductionOperator op;
        op.split = op.commute = Law::Exact;
        op.identity.resize(update_.values.size());
        std::vector<std::pair<std::vector<size_t>, OperatorGroup>> groups;
        for (const std::vector<size_t> &members : connected()) {
            std::optional<OperatorGroup> group = members.size() == 1 ? single(members[0]) : coupled(members);
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

    /// The reason why no operator can apply, or an empty text.
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
                read.push_back(node->member().position());
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

    std::optional<OperatorGroup> single(size_t index) const {
        const Expr &value = update_.values[index];
        const std::optional<Chain> chain = match_chain(
            value, [&](const Expr &e) { return is_old(e, index); }, [&](const Expr &e) { return reads_self(e); });
        if (!chain) {
            return std::nullopt;
        }
        OperatorGroup group;
        group.split = chain->split, group.commute = chain->commute;
        if (!chain->op) { // the value does not change
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

    std::optional<OperatorGroup> coupled(const std::vector<size_t> &members) const {
        std::optional<OperatorGroup> group = arg_extreme(members);
        return group ? group : product_of_pairs(members);
    }

    /// A comparison of a new value with the old one.
    struct Comparison {
        size_t index = 0;
        bool less = true, strict = true;
    };

    static bool is_order(ExprKind kind) { return kind >= ExprKind::LT && kind <= ExprKind::GE; }

    std::optional<Comparison> comparison(const Expr &condition) const {
        if (!is_order(condition->kind())) {
            return std::nullopt;
        }
        const ExprKind kind = condition->kind();
        Comparison found;
        found.strict = kind == ExprKind::LT || kind == ExprKind::GT;
        const bool less = kind == ExprKind::LT || kind == ExprKind::LE;
        for (size_t side : {0, 1}) {
            const Expr &old = condition->arg(side), &brought = condition->arg(1 - side);
            if (is_self_call(old) && !reads_self(brought)) {
                found.index = old->member().position();
                found.less = less == (side == 1);
                return equal(brought, brought_by(found.index)) ? std::optional(found) : std::nullopt;
            }
        }
        return std::nullopt;
    }

    /// c of select(c, e, old), or of select(!c, old, e) where !c is a comparison; undefined for other values.
    Expr taken_where(size_t index) const {
        const Expr &value = update_.values[index];
        if (value->kind() != ExprKind::Select) {
            return Expr();
        }
        const Expr &condition = value->arg(0);
        if (is_old(value->arg(2), index)) {
            return condition;
        }
        return is_old(value->arg(1), index) && is_order(condition->kind())
                   ? make_binary(opposite(condition->kind()), condition->arg(0), condition->arg(1))
                   : Expr();
    }

    static ExprKind opposite(ExprKind order) {
        return order == ExprKind::LT   ? ExprKind::GE
               : order == ExprKind::GE ? ExprKind::LT
               : order == ExprKind::GT ? ExprKind::LE
                                       : ExprKind::GT;
    }

    /// The contribution: e of select(c, e, old), select(!c, old, e) or min(old, e).
    Expr brought_by(size_t index) const {
        const Expr &value = update_.values[index];
        if (taken_where(index).defined()) {
            return value->arg(is_old(value->arg(2), index) ? 1 : 2);
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

    /// The comparisons in order of rank: first, or first || (tie && rest).
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

    /// The condition under which the group takes its new values, taken from any value that has one.
    Expr common_condition(const std::vector<size_t> &members) const {
        for (size_t index : members) {
            if (const Expr condition = taken_where(index); condition.defined()) {
                return condition;
            }
        }
        return Expr();
    }

    std::optional<OperatorGroup> arg_extreme(const std::vector<size_t> &members) const {
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

    /// Whether a value changes exactly when the condition holds.
    bool follows(size_t index, const Expr &condition, const std::vector<Comparison> &order) const {
        const Expr &value = update_.values[index];
        if (const Expr own = taken_where(index); own.defined()) {
            return equal(own, condition);
        }
        // min(old, e) also changes exactly where e is less. This does not hold for floats, where the order of operands
        // matters.
        const bool least = value->kind() == ExprKind::Min;
        return order[0].index == index && order[0].less == least && !value.type().is_float();
    }

    std::optional<OperatorGroup> ranked(const std::vector<size_t> &members,
                                        const std::vector<Comparison> &order) const {
        OperatorGroup group;
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
        // Where NaN is compared, !(old <= e) is not old > e.
        const bool keeps_old = std::any_of(members.begin(), members.end(), [&](size_t index) {
            const Expr &value = update_.values[index];
            return value->kind() == ExprKind::Select && !is_old(value->arg(2), index);
        });
        group.split = floats && (!strict || order.size() > 1 || keeps_old) ? Law::Rounded : Law::Exact;
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

    /// A product of an old value and a factor, which is added or subtracted.
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
                terms.push_back({old->member().position(), factor, negative});
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

    std::optional<OperatorGroup> product_of_pairs(const std::vector<size_t> &members) const {
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
            const bool shape =
                aa && ba && bb && equal(aa->factor, bb->factor) && !aa->negative && !ba->negative && !bb->negative;
            const bool dual = shape && first.size() == 1;
            const bool complex = shape && first.size() == 2 && ab && ab->negative && equal(ab->factor, ba->factor);
            if (dual || complex) {
                return pair_product(real, imaginary, complex, members);
            }
        }
        return std::nullopt;
    }

    std::optional<OperatorGroup> pair_product(size_t real, size_t imaginary, bool complex,
                                              const std::vector<size_t> &members) const {
        const Type type = update_.values[real].type();
        if (type != update_.values[imaginary].type() || type.is_bool()) {
            return std::nullopt;
        }
        OperatorGroup group;
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

ReductionMatch prove_reduction(const FuncDef &func, const Stage &update) { return Prover(func, update).prove(); }

} // namespace fluorite::analysis
