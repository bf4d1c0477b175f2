// Which reads of inputs ask for no more of them where a stage computes more points than are needed.
//
// Method: the bounds of a coordinate over all values of the stage's loops are compared with the input's box, whose
// fields they contain if the program clamps to it. The box is what promises say, or that of a buffer that is part of
// the program, or unknown fields.
//
// Relies on the simplifier to prove that the bounds are inside; what is not proved is not held. Cost: two proofs for a
// coordinate.
#include "autoschedule/from_graph/held_inputs.h"

#include "analysis/interval.h"
#include "rewrite/simplify.h"

#include <algorithm>

namespace fluorite::autoschedule {

using namespace ir;

Expr without_lets(Expr coordinate, const loopnest::StageAccesses &accesses) {
    for (size_t i = accesses.lets.size(); i-- > 0;) {
        coordinate = substitute(coordinate, accesses.lets[i].first, accesses.lets[i].second);
    }
    return expand_lets(coordinate);
}

namespace {

/// Whether a value changes with a variable other than through values that are read or computed elsewhere, whose bounds
/// are the same at all points.
bool follows(const Expr &value, const Symbol &var) {
    if (value->kind() == ExprKind::Variable) {
        return value->symbol() == var;
    }
    return value->kind() != ExprKind::Call && value->kind() != ExprKind::Image &&
           std::any_of(value->args().begin(), value->args().end(), [&](const Expr &arg) { return follows(arg, var); });
}

} // namespace

bool is_held(const FuncDef &func, const InputDef &input, size_t dimension, const Expr &coordinate) {
    analysis::Scope scope;
    for (const Symbol &var : func.args) {
        scope[var] = analysis::Interval::everything();
    }
    const analysis::Interval reached = analysis::bounds_of(coordinate, scope);
    if (!reached.is_bounded()) {
        return false;
    }
    if (std::none_of(func.args.begin(), func.args.end(), [&](const Symbol &var) { return follows(coordinate, var); })) {
        return true;
    }
    const int dim = static_cast<int>(dimension);
    Expr min = make_field(input.symbol, Field::Min, dim), extent = make_field(input.symbol, Field::Extent, dim);
    if (dimension < input.constraints.size()) {
        const DimConstraint &promised = input.constraints[dimension];
        min = promised.min.defined() ? promised.min : min;
        extent = promised.extent.defined() ? promised.extent : extent;
    }
    if (input.parameter && input.parameter->is_bound_buffer && input.parameter->buffer) { // always the same one
        min = int32(input.parameter->buffer->dim[dim].min);
        extent = int32(input.parameter->buffer->dim[dim].extent);
    }
    const auto is_inside = [&](const Expr &least) {
        const auto at = [&](const Expr &bound) {
            return transform(bound, [&](const Expr &node) {
                const bool is_field = node->kind() == ExprKind::BufferField && node->symbol() == input.symbol &&
                                      node->member().index == dim;
                return is_field && node->member().field == Field::Min      ? least
                       : is_field && node->member().field == Field::Extent ? extent
                                                                           : node;
            });
        };
        rewrite::Facts facts;
        facts.truths.push_back(less_equal(int32(1), extent));
        return rewrite::can_prove(less_equal(least, at(reached.min)), facts) &&
               rewrite::can_prove(less_equal(at(reached.max), sub(add(least, extent), int32(1))), facts);
    };
    return is_inside(min) || is_inside(int32(0));
}

} // namespace fluorite::autoschedule
