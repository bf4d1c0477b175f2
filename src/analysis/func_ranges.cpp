// What values Funcs can have, wherever they are computed.
//
// Before: at(x) = max(min(in(x), 99), 0), which is computed at root; f(x) = table(at(x))
// After:  at(x) as before;                                            f(x) = table(max(min(at(x), 99), 0))
//
// Why: the region of table is found from its coordinates. If `at` were inlined, the clamp would bound it; computed
// elsewhere, `at` is a value from memory, which could be any number. The clamp at the read says again what is true of
// the value, in the language that all of the analyses understand.
//
// Method: the range of a value is the union of the ranges of all its definitions over all coordinates, where variables
// and RVars have no bounds, and calls of other Funcs are clamped to their ranges in turn. A Func's own values in its
// updates have none. Coordinates that are not bounded more closely by this are left alone. If a coordinate still has no
// bounds, values of Funcs without updates are also clamped to their ranges at the point that is read, in terms of its
// coordinates: lut(y) = y * clamp(p, 1, 1000) has no bounds over all y, but where y has, lut(y) + 1 does.
//
// Relies on bounds_of, in which arithmetic on values from memory ranges over its type, as it may wrap. Does not do:
// floats, whose NaN lies in no range. Cost: nothing where no coordinate depends on a Func; else bounds_of once for each
// definition that such coordinates depend on.

#include "analysis/func_ranges.h"

#include "ir/expr_traits.h"

#include <algorithm>

namespace fluorite::analysis {

using namespace ir;

namespace {

/// Values of these types are unbounded if nothing else is known; the others range over their type.
bool is_wide_integer(Type type) { return type.is_scalar() && !type.is_float() && !type.is_bool() && type.bits() >= 32; }

bool calls_another(const Expr &node, FuncId func) {
    const FuncId owner = node->kind() == ExprKind::Call ? node->symbol().owner().func : FuncId();
    return owner.valid() && owner != func && is_wide_integer(node.type());
}

/// Whether the value of a side is the same at all coordinates.
bool is_uniform(const Expr &side) {
    bool uniform = true;
    for_each_node(side, [&](const Expr &node) {
        const ExprKind kind = node->kind();
        uniform = uniform && !is_data(kind) && kind != ExprKind::Undef &&
                  (kind != ExprKind::Variable || node->symbol().kind() == SymbolKind::Param);
    });
    return uniform;
}

/// Whether an interval bounds a region: a part of what the type can hold, as that of lut(y) / 3, is no bound.
bool is_useful(const Interval &interval) {
    constexpr int64_t largest = int64_t(1) << 28;
    const auto is_small = [](const Expr &side) {
        int64_t value = 0;
        return side.defined() && (!is_const_int(side, &value) || (value < largest && value > -largest));
    };
    return is_small(interval.min) && is_small(interval.max);
}

Expr if_uniform(const Expr &side) { return side.defined() && is_uniform(side) ? side : Expr(); }

} // namespace

const Interval &FuncRanges::of(FuncId func, size_t value) {
    const auto known = ranges_.find({func, value});
    if (known != ranges_.end()) {
        return known->second;
    }
    return ranges_.emplace(std::pair(func, value), find(graph_.func(func), value)).first->second;
}

Interval FuncRanges::find(const FuncDef &func, size_t value) {
    if (!is_wide_integer(func.types[value])) {
        return Interval::everything();
    }
    Scope scope;
    for (const Symbol &arg : func.args) {
        scope[arg] = Interval::everything();
    }
    for (const Stage &stage : func.stages) {
        for (const ReductionVar &rvar : stage.rvars) {
            scope[rvar.var] = Interval::everything();
        }
    }
    Interval all;
    for (size_t k = 0; k < func.stages.size(); k++) {
        const Interval own = bounds_of(clamped(func.stages[k].values[value], func.id(), Known::Everywhere), scope);
        const Interval uniform{if_uniform(own.min), if_uniform(own.max)};
        all = k == 0 ? uniform : union_of(all, uniform);
    }
    return all;
}

const Interval &FuncRanges::at_point(FuncId func, size_t value) {
    const auto known = at_points_.find({func, value});
    if (known != at_points_.end()) {
        return known->second;
    }
    return at_points_.emplace(std::pair(func, value), find_at_point(graph_.func(func), value)).first->second;
}

Interval FuncRanges::find_at_point(const FuncDef &func, size_t value) {
    constexpr size_t largest = 60; // nodes: the side is computed at each read
    if (!is_wide_integer(func.types[value]) || func.stages.size() != 1) {
        return Interval::everything();
    }
    Interval own = bounds_of(clamped(func.stages[0].values[value], func.id(), Known::AtPoint), {});
    for (Expr *side : {&own.min, &own.max}) {
        if (side->defined() && ((*side)->reads_memory() || node_count(*side) > largest)) {
            *side = {};
        }
    }
    return own;
}

Interval FuncRanges::of_call(const Expr &call, Known known) {
    const FuncId callee = call->symbol().owner().func;
    const auto value = call->member().position();
    Interval range = of(callee, value);
    if (known == Known::Everywhere || range.is_bounded()) {
        return range;
    }
    const Interval &here = at_point(callee, value);
    SymbolMap<Expr> coordinates;
    for (size_t d = 0; d < call->arg_count(); d++) {
        coordinates[graph_.func(callee).args[d]] = call->arg(d);
    }
    const auto side = [&](const Expr &everywhere, const Expr &at_point) {
        return everywhere.defined() || !at_point.defined() ? everywhere : substitute(at_point, coordinates);
    };
    return {side(range.min, here.min), side(range.max, here.max)};
}

/// The expression with calls of other Funcs clamped to their ranges. The coordinates of calls stay as they are.
Expr FuncRanges::clamped(const Expr &expr, FuncId func, Known known) {
    ExprMap<Expr> done;
    const std::function<Expr(const Expr &)> visit = [&](const Expr &node) -> Expr {
        const auto found = done.find(node);
        if (found != done.end()) {
            return found->second;
        }
        Expr result = node;
        if (calls_another(node, func)) {
            const Interval range = of_call(node, known);
            result = range.max.defined() ? min_of(result, range.max) : result;
            result = range.min.defined() ? max_of(result, range.min) : result;
        } else if (node->kind() != ExprKind::Call && node->kind() != ExprKind::Image) {
            result = map_operands(node, visit);
        }
        return done.emplace(node, result).first->second;
    };
    return visit(expr);
}

Expr FuncRanges::bounded(const Expr &coordinate, FuncId func) {
    if (!coordinate->reads_memory()) {
        return coordinate;
    }
    Expr narrow = clamped(coordinate, func, Known::Everywhere);
    if (!is_useful(bounds_of(narrow, {}))) {
        narrow = clamped(coordinate, func, Known::AtPoint);
    }
    if (equal(narrow, coordinate)) {
        return coordinate;
    }
    const auto is_same = [](const Expr &a, const Expr &b) {
        return a.defined() == b.defined() && (!a.defined() || equal(a, b));
    };
    const Interval before = bounds_of(coordinate, {}), after = bounds_of(narrow, {});
    return is_same(before.min, after.min) && is_same(before.max, after.max) ? coordinate : narrow;
}

Expr FuncRanges::with_bounded_coordinates(const Expr &expr, FuncId func) {
    return transform(expr, [&](const Expr &node) {
        if (node->kind() != ExprKind::Call && node->kind() != ExprKind::Image) {
            return node;
        }
        return map_operands(node, [&](const Expr &coordinate) { return bounded(coordinate, func); });
    });
}

} // namespace fluorite::analysis
