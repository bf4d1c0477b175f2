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
// updates have none. Coordinates that are not bounded more closely by this are left alone.
//
// Relies on bounds_of, in which arithmetic on values from memory ranges over its type, as it may wrap. Does not do:
// floats, whose NaN lies in no range. Cost: nothing where no coordinate depends on a Func; else bounds_of once for each
// definition that such coordinates depend on.

#include "analysis/func_ranges.h"

#include <algorithm>

namespace fluorite::analysis {

using namespace ir;

namespace {

/// Values of these types are unbounded if nothing else is known; the others range over their type.
bool is_wide_integer(Type type) { return type.is_scalar() && !type.is_float() && !type.is_bool() && type.bits() >= 32; }

bool calls_another(const Expr &node, FuncId func) {
    const int32_t owner = node->kind() == ExprKind::Call ? node->symbol().owner().func : -1;
    return owner >= 0 && owner != func.value && is_wide_integer(node.type());
}

/// Whether the value of a side is the same at all coordinates.
bool is_uniform(const Expr &side) {
    bool uniform = true;
    for_each_node(side, [&](const Expr &node) {
        switch (node->kind()) {
        case ExprKind::Variable:
            uniform = uniform && node->symbol().kind() == SymbolKind::Param;
            break;
        case ExprKind::Call:
        case ExprKind::Image:
        case ExprKind::Load:
        case ExprKind::Extern:
        case ExprKind::Random:
        case ExprKind::Undef:
            uniform = false;
            break;
        default:
            break;
        }
    });
    return uniform;
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
        const Interval own = bounds_of(clamped(func.stages[k].values[value], func.id()), scope);
        const Interval uniform{if_uniform(own.min), if_uniform(own.max)};
        all = k == 0 ? uniform : union_of(all, uniform);
    }
    return all;
}

/// The expression with calls of other Funcs clamped to their ranges. The coordinates of calls stay as they are.
Expr FuncRanges::clamped(const Expr &expr, FuncId func) {
    ExprMap<Expr> done;
    const std::function<Expr(const Expr &)> visit = [&](const Expr &node) -> Expr {
        const auto known = done.find(node);
        if (known != done.end()) {
            return known->second;
        }
        Expr result = node;
        if (calls_another(node, func)) {
            const Interval range = of(FuncId(node->symbol().owner().func), static_cast<size_t>(node->member().index));
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
    const Expr narrow = clamped(coordinate, func);
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
