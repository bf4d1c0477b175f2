// Hints for plain clamps.
//
// A program may write clamp(x - 1, 0, w - 1) in a coordinate, where BoundaryConditions would mark the clamped value as
// likely. This function adds the mark:
//   f(max(min(x - 1, w - 1), 0))  -->  f(max(min(likely_if_innermost(x - 1), w - 1), 0))
// so that the interior of the innermost loop needs no clamp (partition_loops.cpp). Outer loops pay for one scalar clamp
// in each iteration, which does not justify copies of their bodies; sliding windows add hints of their own
// (sliding.cpp).
//
// If exactly one operand of a minimum or maximum depends on variables of the definition, that operand is marked; nested
// minima and maxima are one clamp.
// Coordinates that contain hints already, or depend on memory, are left unchanged.
// Cost: linear in the distinct nodes of coordinates.

#include "loopnest/inline/hint_clamps.h"

#include "analysis/hints.h"

#include <unordered_map>

namespace fluorite::loopnest {

using namespace ir;
using analysis::strip_hints;

namespace {

bool is_extreme(const Expr &expr) { return expr->kind() == ExprKind::Min || expr->kind() == ExprKind::Max; }

bool has_variables(const Expr &expr) {
    bool found = false;
    for_each_node(expr, [&](const Expr &node) {
        const bool is_variable = node->kind() == ExprKind::Variable;
        found = found || (is_variable &&
                          (node->symbol().kind() == SymbolKind::Var || node->symbol().kind() == SymbolKind::RVar));
    });
    return found;
}

bool is_hinted(const Expr &expr) { return !strip_hints(expr).same_as(expr); }

/// Marks the varying operand of a clamp, possibly through sums. Undefined if both operands of a node vary, or if
/// nothing is clamped.
Expr marked(const Expr &expr, bool is_clamped) {
    const bool is_sum = expr->kind() == ExprKind::Add || expr->kind() == ExprKind::Sub;
    if (is_extreme(expr) || is_sum) {
        const bool first = has_variables(expr->arg(0)), second = has_variables(expr->arg(1));
        const Expr moving = first == second ? Expr() : marked(expr->arg(first ? 0 : 1), is_extreme(expr));
        if (moving.defined()) {
            return make_binary(expr->kind(), first ? moving : expr->arg(0), first ? expr->arg(1) : moving);
        }
    }
    return is_clamped && !is_extreme(expr) ? make_unary(ExprKind::LikelyIfInnermost, expr) : Expr();
}

Expr hint_coordinate(const Expr &coordinate) {
    if (coordinate->reads_memory() || is_hinted(coordinate)) {
        return coordinate;
    }
    const Expr result = marked(coordinate, false);
    return result.defined() ? result : coordinate;
}

} // namespace

Expr hint_clamps(const Expr &expr) {
    return transform(expr, [](const Expr &node) {
        if (node->kind() != ExprKind::Call && node->kind() != ExprKind::Image) {
            return node;
        }
        return map_operands(node, hint_coordinate);
    });
}

} // namespace fluorite::loopnest
