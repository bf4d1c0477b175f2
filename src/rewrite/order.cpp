// The termination order: a linear polynomial interpretation.
//
// Each operator f is interpreted as scale(f) * (sum of its operands) + weight(f), a number as 1 and any other leaf as
// at least 1. All scales are at least 1, so a smaller operand makes the whole smaller. Hence a row decreases every
// expression that it rewrites if pattern - result, a linear polynomial in the wildcards, is positive for all values of
// 1 and more. Its coefficients decide that: none is negative, and the value at all ones is positive. Natural numbers do
// not decrease forever, so rewriting terminates in any order. The steps in code besides the rows (canonical order of
// operands, linear forms, moving broadcasts outward) are projections: each maps a class of equivalent expressions to
// one form and leaves that form unchanged. Scales are chosen such that products weigh more than the sums over which
// they distribute, and shifts more than products. Cost: linear in the tree of a row, or in the distinct nodes of an
// expression.

#include "rewrite/order.h"

#include <array>
#include <unordered_map>

namespace fluorite::rewrite {

using ir::ExprKind;

namespace {

struct Weight {
    int64_t scale, weight;
};

Weight weight_of(ExprKind kind) {
    switch (kind) {
    case ExprKind::Add:
        return {1, 3};
    case ExprKind::Sub:
        return {1, 4};
    case ExprKind::Mul:
        return {3, 6};
    case ExprKind::Div:
        return {2, 3};
    case ExprKind::Mod:
        return {2, 2};
    case ExprKind::Quotient:
    case ExprKind::Remainder:
        return {2, 4};
    case ExprKind::Min:
    case ExprKind::Max:
        return {1, 3};
    case ExprKind::LT:
    case ExprKind::LE:
        return {1, 7};
    case ExprKind::EQ:
    case ExprKind::NE:
        return {1, 8};
    case ExprKind::GT:
    case ExprKind::GE:
        return {1, 9};
    case ExprKind::And:
    case ExprKind::Or:
        return {1, 2};
    case ExprKind::Not:
        return {1, 4};
    case ExprKind::Select:
        return {1, 6};
    case ExprKind::ShiftLeft:
        return {4, 11};
    case ExprKind::ShiftRight:
        return {4, 10};
    case ExprKind::BitAnd:
    case ExprKind::BitOr:
    case ExprKind::BitXor:
        return {1, 4};
    case ExprKind::BitNot:
        return {1, 3};
    case ExprKind::Ramp:
        return {1, 7};
    case ExprKind::Broadcast:
        return {1, 6};
    case ExprKind::Cast:
        return {1, 2};
    case ExprKind::SaturatingCast:
    case ExprKind::Reinterpret:
        return {1, 3};
    default: // any weight of 1 or more makes an order; a row that it orders wrongly fails RuleOrder.EveryRowDecreases
        return {1, 1};
    }
}

/// constant + sum of coefficient * wildcard; wildcards come first, then flags.
struct Polynomial {
    int64_t constant = 0;
    std::array<int64_t, wild_count + flag_count> coefficients{};
};

Polynomial polynomial_of(const Row &row, int position) {
    const Term &term = row.terms[position];
    Polynomial result;
    if (term.is_constant) {
        result.constant = 1;
        return result;
    }
    if (term.kind == TermKind::Wild || term.kind == TermKind::Flag) {
        result.coefficients[term.index + (term.kind == TermKind::Flag ? wild_count : 0)] = 1;
        return result;
    }
    const Weight weight = weight_of(term.node);
    for (int i = 0; i < term.count; i++) {
        const Polynomial operand = polynomial_of(row, term.args[i]);
        result.constant += operand.constant * weight.scale;
        for (size_t k = 0; k < result.coefficients.size(); k++) {
            result.coefficients[k] += operand.coefficients[k] * weight.scale;
        }
    }
    result.constant += weight.weight;
    return result;
}

uint64_t saturating_add(uint64_t a, uint64_t b) { return a + b < a ? ~uint64_t{0} : a + b; }

} // namespace

uint64_t measure(const Expr &expr) {
    std::unordered_map<const ir::ExprNode *, uint64_t> known;
    ir::for_each_node(expr, [&](const Expr &node) {
        if (ir::is_const(node)) {
            known[node.get()] = 1;
            return;
        }
        const Weight weight = weight_of(node->kind());
        uint64_t sum = 0;
        for (const Expr &arg : node->args()) {
            for (int64_t i = 0; i < weight.scale; i++) {
                sum = saturating_add(sum, known.at(arg.get()));
            }
        }
        known[node.get()] = saturating_add(sum, static_cast<uint64_t>(weight.weight));
    });
    return known.at(expr.get());
}

bool decreases(const Row &row, std::string *reason) {
    const Polynomial before = polynomial_of(row, row.pattern), after = polynomial_of(row, row.result);
    int64_t least = before.constant - after.constant;
    for (size_t k = 0; k < before.coefficients.size(); k++) {
        const int64_t difference = before.coefficients[k] - after.coefficients[k];
        least += difference;
        if (difference < 0) {
            if (reason) {
                *reason = row.text() + ": a wildcard counts more in the result";
            }
            return false;
        }
    }
    if (least <= 0 && reason) {
        *reason = row.text() + ": pattern - result may be " + std::to_string(least);
    }
    return least > 0;
}

} // namespace fluorite::rewrite
