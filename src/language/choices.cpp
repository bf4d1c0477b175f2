// min, max, clamp, select, mux: functions that choose among values.

#include "fluorite/func_ref.h"
#include "fluorite/ops.h"
#include "fluorite/rdom.h"
#include "fluorite/var.h"

#include "language/operands.h"

namespace fluorite {

using namespace language;
using ir::ExprKind;

namespace {

Expr extreme(const char *op, ExprKind kind, const LocatedExpr &a, const LocatedExpr &b) {
    const Operands operands = match({op, place_of(a, b)}, a, b);
    return binary(kind, operands.a, operands.b);
}

/// A limit of clamp, converted without loss to the type of the clamped value.
Expr limit_as(const Site &site, Type type, const LocatedExpr &limit, const char *which) {
    const Expr value = checked(site, limit);
    if (limit.is_literal) {
        return literal_as(site, type, limit);
    }
    if (!is_value_of(type, value)) {
        fail_operand(site, "clamp-limit-type",
                     concat("the ", which, " limit has type ", value.type(), " and the clamped value ", type,
                            "; every value of a limit is one of the clamped type; cast the limit or the value"));
    }
    return convert(type.with_lanes(value.type().lanes()), value);
}

/// Whether both are constants with low > high.
bool is_reversed(const Expr &low, const Expr &high) {
    return ir::is_const(low) && ir::is_const(high) && ir::is_true(binary(ExprKind::LT, high, low));
}

/// Matches types as for literals: an integer constant takes the other operand's type.
Operands match_choices(const Site &site, const LocatedExpr &a, const LocatedExpr &b) {
    const auto constant = [](const LocatedExpr &value) {
        int64_t ignored = 0;
        return value.is_literal ||
               (value.expr.defined() && value.expr.type() == Int(32) && ir::is_const_int(value.expr, &ignored));
    };
    LocatedExpr left = a, right = b;
    if (constant(a) != constant(b)) {
        left.is_literal = constant(a);
        right.is_literal = constant(b);
    }
    return match(site, left, right);
}

} // namespace

Expr min(const LocatedExpr &a, const LocatedExpr &b) { return extreme("min", ExprKind::Min, a, b); }
Expr max(const LocatedExpr &a, const LocatedExpr &b) { return extreme("max", ExprKind::Max, a, b); }

Expr clamp(const LocatedExpr &a, const LocatedExpr &low, const LocatedExpr &high) {
    const Site site{"clamp", place_of(a, low)};
    const Expr value = checked(site, a);
    const Expr least = limit_as(site, value.type(), low, "lower"), most = limit_as(site, value.type(), high, "upper");
    if (is_reversed(least, most)) {
        fail_operand(site, "reversed-limits",
                     concat("the lower limit is ", least, " and the upper ", most,
                            "; no value lies between them; give the lower one first"));
    }
    return binary(ExprKind::Max, binary(ExprKind::Min, value, most), least);
}

#define FLUORITE_ORDER(T)                                                                                              \
    Expr min(const T &a, const T &b, const Location &location) {                                                       \
        return min(LocatedExpr(a, location), LocatedExpr(b, location));                                                \
    }                                                                                                                  \
    Expr max(const T &a, const T &b, const Location &location) {                                                       \
        return max(LocatedExpr(a, location), LocatedExpr(b, location));                                                \
    }                                                                                                                  \
    Expr clamp(const T &a, const T &low, const T &high, const Location &location) {                                    \
        return clamp(LocatedExpr(a, location), LocatedExpr(low, location), LocatedExpr(high, location));               \
    }
FLUORITE_ORDER(Expr)
FLUORITE_ORDER(Var)
FLUORITE_ORDER(RVar)
FLUORITE_ORDER(FuncRef)
#undef FLUORITE_ORDER

Expr select(const LocatedExpr &condition, const LocatedExpr &a, const LocatedExpr &b) {
    const Site site{"select", place_of(condition, a)};
    const Expr test = checked_condition(site, condition);
    const Operands values = match_choices(site, a, b);
    return choose(test, values.a, values.b);
}

Tuple tuple_select(const Tuple &condition, const Tuple &a, const Tuple &b, const Location &location) {
    if (condition.size() != a.size() || a.size() != b.size()) {
        fail_operand({"select", location}, "tuple-size",
                     concat("Tuples of ", condition.size(), ", ", a.size(), " and ", b.size(),
                            " elements; a select chooses element by element; give Tuples of one size"));
    }
    std::vector<Expr> result;
    for (size_t i = 0; i < a.size(); i++) {
        result.push_back(
            select(LocatedExpr(condition[i], location), LocatedExpr(a[i], location), LocatedExpr(b[i], location)));
    }
    return Tuple(result);
}

Tuple tuple_select(const LocatedExpr &condition, const Tuple &a, const Tuple &b) {
    return tuple_select(Tuple(std::vector<Expr>(a.size(), condition.expr)), a, b, condition.location);
}

Expr mux(const LocatedExpr &index, const std::vector<Expr> &values) {
    const Site site{"mux", index.location};
    if (values.empty()) {
        fail_operand(site, "tuple-size", "there are no values; mux chooses one of them; give at least one value");
    }
    checked_integer(site, index);
    Expr result = values.back();
    for (size_t i = values.size() - 1; i-- > 0;) {
        result = select(LocatedExpr(index.expr == static_cast<int>(i), index.location), values[i], result);
    }
    return result;
}

Tuple mux(const LocatedExpr &index, const std::vector<Tuple> &values) {
    if (values.empty()) {
        fail_operand({"mux", index.location}, "tuple-size",
                     "there are no values; mux chooses one of them; give at least one value");
    }
    checked_integer({"mux", index.location}, index);
    Tuple result = values.back();
    for (size_t i = values.size() - 1; i-- > 0;) {
        if (values[i].size() != result.size()) {
            fail_operand({"mux", index.location}, "tuple-size",
                         concat("Tuples of ", values[i].size(), " and ", result.size(),
                                " elements; mux chooses element by element; give Tuples of one size"));
        }
        result = tuple_select(LocatedExpr(index.expr == static_cast<int>(i), index.location), values[i], result);
    }
    return result;
}

Expr mux(const LocatedExpr &index, const Tuple &values) { return mux(index, values.as_vector()); }
Expr mux(const LocatedExpr &index, const FuncRef &values) { return mux(index, Tuple(values)); }
Expr mux(const LocatedExpr &index, std::initializer_list<FuncRef> values) {
    return mux(index, std::vector<Expr>(values.begin(), values.end()));
}

Expr unsafe_promise_clamped(const LocatedExpr &value, const Expr &min, const Expr &max) {
    const auto bound = [&](const Expr &limit) { return LocatedExpr(cast(value.expr.type(), limit), value.location); };
    Expr result = value.expr;
    if (max.defined()) {
        result = fluorite::min(LocatedExpr(result, value.location), bound(max));
    }
    if (min.defined()) {
        result = fluorite::max(LocatedExpr(result, value.location), bound(min));
    }
    return result;
}

} // namespace fluorite
