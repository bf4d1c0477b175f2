// Calls and assignments of Funcs.
//
// An assignment to a Func without definition defines it; an assignment to a defined Func adds an update. `_` stands for
// the remaining dimensions: in a first definition as many as the right-hand side uses, otherwise as many as the Func
// has.

#include "fluorite/func_ref.h"

#include "fluorite/func.h"
#include "fluorite/ops.h"
#include "language/coordinates.h"
#include "language/function.h"
#include "language/operands.h"

#include <algorithm>

namespace fluorite {

using namespace language;
using ir::ExprKind;

namespace {

std::string what(const Function &function) { return shown_name(function.name); }

/// One value of a call of a defined Func.
Expr call_value(const Function &function, const std::vector<Expr> &args, int index, const Location &location) {
    if (!function.defined()) {
        fail("undefined-func", function, -1,
             "it is called but has no definition; a Func is defined before it is called, and its first definition "
             "cannot "
             "call it; define it first, or for a recurrence give a start value and update it over an RDom",
             location);
    }
    const int dimensions = static_cast<int>(function.def.args.size());
    const std::vector<Expr> coordinates = call_coordinates(args, dimensions, what(function), location);
    return ir::make_call(function.def.types.at(static_cast<size_t>(index)), function.strong_symbol(), index,
                         coordinates);
}

std::vector<Expr> call_values(const Function &function, const std::vector<Expr> &args, const Location &location) {
    if (!function.defined()) {
        call_value(function, args, 0, location); // throws
    }
    std::vector<Expr> values;
    for (size_t i = 0; i < function.def.types.size(); i++) {
        values.push_back(call_value(function, args, static_cast<int>(i), location));
    }
    return values;
}

bool is_free_var(const Expr &arg, const std::vector<Expr> &earlier) {
    const bool is_var = ir::is_kind(arg, ExprKind::Variable) && arg->symbol().kind() == ir::SymbolKind::Var;
    return is_var && std::none_of(earlier.begin(), earlier.end(), [&](const Expr &other) {
               return ir::is_kind(other, ExprKind::Variable) && other->symbol() == arg->symbol();
           });
}

/// The arguments of an assignment to a defined Func. `_` expands to the Func's own Vars, in the arguments and in the
/// values.
std::vector<Expr> update_args(const Function &function, const std::vector<Expr> &args, std::vector<Expr> &values,
                              const Location &location) {
    const std::vector<ir::Symbol> &vars = function.def.args;
    const int placeholder = find_placeholder(args, what(function), location);
    const int count = static_cast<int>(vars.size()) - (static_cast<int>(args.size()) - 1);
    if (placeholder < 0 || count < 0) {
        return call_coordinates(args, static_cast<int>(vars.size()), what(function), location);
    }
    std::vector<Expr> expanded(args.begin(), args.begin() + placeholder);
    ir::SymbolMap<Expr> own;
    for (int i = 0; i < count; i++) {
        const Expr var = ir::make_var(Int(32), vars[static_cast<size_t>(placeholder + i)]);
        own[Expr(Var::implicit(i))->symbol()] = var;
        expanded.push_back(var);
    }
    expanded.insert(expanded.end(), args.begin() + placeholder + 1, args.end());
    for (Expr &value : values) {
        value = value.defined() ? ir::substitute(value, own) : value;
    }
    return integer_coordinates(expanded, what(function), location);
}

Stage assign(const detail::Ref<Function> &function, const std::vector<Expr> &args, std::vector<Expr> values,
             const Location &location) {
    if (function->defined()) {
        const std::vector<Expr> coordinates = update_args(*function, args, values, location);
        return {function, define_update(*function, coordinates, std::move(values), location)};
    }
    std::vector<Expr> coordinates = args;
    const int placeholder = find_placeholder(args, what(*function), location);
    if (placeholder >= 0) {
        coordinates = expand_placeholder(args, placeholder, implicit_var_count(values));
    }
    for (const Expr &arg : coordinates) {
        if (!arg.defined()) {
            integer_coordinates(coordinates, what(*function), location); // throws
        }
    }
    define_pure(*function, coordinates, std::move(values), location);
    return {function, 0};
}

/// Converts a C++ integer to the type of the Func's value, defined or declared.
Expr typed_value(const Function &function, const LocatedExpr &value, size_t index, const Location &location) {
    const std::vector<Type> &types = function.defined() ? function.def.types : function.declared_types;
    if (value.is_literal && index < types.size() && !value.expr.type().is_void()) {
        return literal_as({"assignment", location}, types[index], value);
    }
    return value.expr;
}

// ---- Updates by an operator.

enum class UpdateOp { Add, Sub, Mul, Div };

Expr apply(UpdateOp op, const Expr &self, const LocatedExpr &value) {
    const LocatedExpr left(self, value.location);
    switch (op) {
    case UpdateOp::Add:
        return left + value;
    case UpdateOp::Sub:
        return left - value;
    case UpdateOp::Mul:
        return left * value;
    case UpdateOp::Div:
        return left / value;
    }
    unreachable("all operators are handled");
}

/// Defines a Func that has no definition as the operator's identity, in the types of the values.
void define_identity(Function &function, const std::vector<Expr> &args, const std::vector<LocatedExpr> &values,
                     UpdateOp op, const Location &location) {
    std::vector<Expr> exprs;
    for (const LocatedExpr &value : values) {
        if (!value.expr.defined()) {
            fail("undefined-operand", function, 0,
                 "value 0 is an undefined Expr; a definition has values; initialize the Expr", location);
        }
        exprs.push_back(value.expr);
    }
    std::vector<Expr> coordinates = args;
    const int placeholder = find_placeholder(args, what(function), location);
    if (placeholder >= 0) {
        coordinates = expand_placeholder(args, placeholder, implicit_var_count(exprs));
    }
    std::vector<Expr> vars;
    for (const Expr &arg : coordinates) {
        vars.push_back(is_free_var(arg, vars) ? arg : Expr(Var()));
    }
    const int64_t identity = op == UpdateOp::Mul || op == UpdateOp::Div ? 1 : 0;
    std::vector<Expr> initial;
    for (size_t i = 0; i < values.size(); i++) {
        initial.push_back(ir::make_const(typed_value(function, values[i], i, location).type(), identity));
    }
    define_pure(function, vars, std::move(initial), location);
}

Stage update_by(const detail::Ref<Function> &function, const std::vector<Expr> &args,
                const std::vector<LocatedExpr> &values, UpdateOp op, const Location &location) {
    if (!function->defined()) {
        define_identity(*function, args, values, op, location);
    }
    const std::vector<Expr> self = call_values(*function, args, location);
    if (self.size() != values.size()) {
        fail("tuple-size", *function, static_cast<int>(function->def.stages.size()),
             concat("it is updated by ", values.size(), values.size() == 1 ? " value" : " values",
                    "; it was defined with ", self.size(), "; give as many values as its first definition"),
             location);
    }
    std::vector<Expr> updated;
    for (size_t i = 0; i < values.size(); i++) {
        LocatedExpr value = values[i];
        value.location = location;
        updated.push_back(apply(op, self[i], value));
    }
    return assign(function, args, std::move(updated), location);
}

std::vector<LocatedExpr> located(const Tuple &values, const Location &location) {
    std::vector<LocatedExpr> result;
    for (const Expr &value : values.as_vector()) {
        result.emplace_back(value, location);
    }
    return result;
}

} // namespace

FuncRef::FuncRef(detail::Ref<Function> function, std::vector<Expr> args, const Location &location)
    : function_(std::move(function)), args_(std::move(args)), location_(location) {}

Stage FuncRef::operator=(const LocatedExpr &value) const {
    return assign(function_, args_, {typed_value(*function_, value, 0, location_)}, location_);
}
Stage FuncRef::operator=(const Tuple &values) const { return assign(function_, args_, values.as_vector(), location_); }
Stage FuncRef::operator=(const FuncRef &value) const { // NOLINT(misc-unconventional-assign-operator)
    return assign(function_, args_, call_values(*value.function_, value.args_, value.location_), location_);
}

Stage FuncRef::operator+=(const LocatedExpr &value) const {
    return update_by(function_, args_, {value}, UpdateOp::Add, location_);
}
Stage FuncRef::operator-=(const LocatedExpr &value) const {
    return update_by(function_, args_, {value}, UpdateOp::Sub, location_);
}
Stage FuncRef::operator*=(const LocatedExpr &value) const {
    return update_by(function_, args_, {value}, UpdateOp::Mul, location_);
}
Stage FuncRef::operator/=(const LocatedExpr &value) const {
    return update_by(function_, args_, {value}, UpdateOp::Div, location_);
}
Stage FuncRef::operator+=(const Tuple &values) const {
    return update_by(function_, args_, located(values, location_), UpdateOp::Add, location_);
}
Stage FuncRef::operator-=(const Tuple &values) const {
    return update_by(function_, args_, located(values, location_), UpdateOp::Sub, location_);
}
Stage FuncRef::operator*=(const Tuple &values) const {
    return update_by(function_, args_, located(values, location_), UpdateOp::Mul, location_);
}
Stage FuncRef::operator/=(const Tuple &values) const {
    return update_by(function_, args_, located(values, location_), UpdateOp::Div, location_);
}
Stage FuncRef::operator+=(const FuncRef &value) const { return *this += Tuple(value); }
Stage FuncRef::operator-=(const FuncRef &value) const { return *this -= Tuple(value); }
Stage FuncRef::operator*=(const FuncRef &value) const { return *this *= Tuple(value); }
Stage FuncRef::operator/=(const FuncRef &value) const { return *this /= Tuple(value); }

FuncRef::operator Expr() const {
    if (function_->defined() && function_->def.types.size() != 1) {
        fail("tuple-size", *function_, -1,
             concat("its call is used as one value but has ", function_->def.types.size(),
                    "; a Tuple is used by its elements; index the call, as in f(x)[0]"),
             location_);
    }
    return call_value(*function_, args_, 0, location_);
}

FuncTupleElementRef FuncRef::operator[](detail::Integer index) const {
    if (!function_->defined()) {
        call_value(*function_, args_, 0, location_); // throws
    }
    if (index < 0 || static_cast<size_t>(index) >= function_->def.types.size()) {
        fail("tuple-size", *function_, -1,
             concat("element ", index, " of its call is named; it has ", function_->def.types.size(),
                    "; elements are numbered from 0; name one of them"),
             location_);
    }
    return {*this, index};
}

size_t FuncRef::size() const { return function_->def.types.size(); }
bool FuncRef::equivalent_to(const FuncRef &other) const {
    return function_ == other.function_ &&
           std::equal(args_.begin(), args_.end(), other.args_.begin(), other.args_.end(),
                      [](const Expr &a, const Expr &b) { return ir::equal(a, b); });
}

Func FuncRef::function() const { return Func(function_); }

// ---- Tuple elements.

namespace {
Stage assign_element(const FuncRef &call, int index, const LocatedExpr &value) {
    Function &function = *call.definition();
    std::vector<Expr> values = call_values(function, call.args(), call.location());
    values[static_cast<size_t>(index)] = typed_value(function, value, static_cast<size_t>(index), call.location());
    return assign(call.definition(), call.args(), std::move(values), call.location());
}

Stage update_element(const FuncRef &call, int index, const LocatedExpr &value, UpdateOp op) {
    LocatedExpr operand = value;
    operand.location = call.location();
    const Expr self = call_value(*call.definition(), call.args(), index, call.location());
    return assign_element(call, index, LocatedExpr(apply(op, self, operand), call.location()));
}
} // namespace

Stage FuncTupleElementRef::operator=(const LocatedExpr &value) const { return assign_element(call_, index_, value); }
Stage FuncTupleElementRef::operator=(const FuncRef &value) const {
    return assign_element(call_, index_, LocatedExpr(Expr(value), call_.location()));
}
Stage FuncTupleElementRef::operator=(
    const FuncTupleElementRef &value) const { // NOLINT(misc-unconventional-assign-operator)
    return assign_element(call_, index_, LocatedExpr(Expr(value), call_.location()));
}
Stage FuncTupleElementRef::operator+=(const LocatedExpr &value) const {
    return update_element(call_, index_, value, UpdateOp::Add);
}
Stage FuncTupleElementRef::operator-=(const LocatedExpr &value) const {
    return update_element(call_, index_, value, UpdateOp::Sub);
}
Stage FuncTupleElementRef::operator*=(const LocatedExpr &value) const {
    return update_element(call_, index_, value, UpdateOp::Mul);
}
Stage FuncTupleElementRef::operator/=(const LocatedExpr &value) const {
    return update_element(call_, index_, value, UpdateOp::Div);
}
FuncTupleElementRef::operator Expr() const {
    return call_value(*call_.definition(), call_.args(), index_, call_.location());
}

// ---- Tuple.

Tuple::Tuple(const std::vector<Expr> &values, const Location &location) : values_(values) {
    if (values.empty()) {
        fail("tuple-size", "a Tuple", "it has no elements; a Tuple has one or more; give values", location);
    }
}

size_t Tuple::checked(const LocatedIndex &i) const {
    if (i.value < 0 || static_cast<size_t>(i.value) >= values_.size()) {
        fail("tuple-size", "a Tuple",
             concat("element ", i.value, " is named; it has ", values_.size(),
                    "; elements are numbered from 0; name one of them"),
             i.location);
    }
    return static_cast<size_t>(i.value);
}

Tuple::Tuple(const FuncRef &call) : values_(call_values(*call.definition(), call.args(), call.location())) {}

} // namespace fluorite
