// Periodic dimensions.
//
// What: a body that reads u(repeat(y - 1)) and u(repeat(y + 1)), where repeat() takes coordinates into the domain
// modulo its extent n, computes periodic fields. A step on a part of the domain needs that part and its neighbours.
// Bounds inference finds that it needs all of the domain, as every interval that contains an end of it does. So tiles
// of several steps are made of the periodic extension of the body, which computes fields at all integers, whose values
// repeat with n:
//
//   g(y) = u(repeat(y - 1)) + k(y)     -->    g(y) = v(y - 1) + k(repeat(y))
//
// where v has values at all integers, too. Over any interval, a step needs that interval and its neighbours, whether
// or not it crosses an end, and whatever the extent is: a step may reach over the whole domain several times.
//
// Method. Along the dimension, each Func of the body is of one of three kinds. The values of a repeating one, such as
// the boundary condition itself, depend on the coordinate only through what repeats, so it keeps its definition but for
// repeat(). One that is called inside of the domain only, such as the fields, gets at y the value at repeat(y): its
// reads of the field, and its calls of Funcs of both kinds, are at y + c, where adding n to the coordinate changes
// nothing; elsewhere its coordinate becomes repeat(y). All other Funcs, and all other inputs, are left alone, and must
// not read the fields. Kinds are found as the greatest fixed point, from repeating ones downwards.
//
// Recognized are the coordinates of BoundaryConditions::repeat_image, and (y + c) % n, whose n is the domain's extent:
// as a field of the state, as a constant that the program promises of it, or as the expression that iterate() was
// given.
//
// Relies on: Funcs that read fields have the domain's dimensions in its order. Does not do: coordinates that are
// clamped in one read and wrap around in another, and updates at other points than the Func's own; how such a dimension
// wraps around is unknown. Cost: linear in the body for each dimension and change of a kind.

#include "autoschedule/time_tiling/periodic_dimension.h"

#include "analysis/hints.h"
#include "analysis/periodic_coordinate.h"
#include "loopnest/lowering_graph.h"
#include "rewrite/simplify.h"
#include "support/check.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace fluorite::autoschedule::time_tiling {

using namespace ir;
using analysis::PeriodicCoordinate;
using rewrite::simplify;

namespace {

bool is_access(const Expr &node) { return node->kind() == ExprKind::Call || node->kind() == ExprKind::Image; }

bool is_var(const Expr &expr, const Symbol &symbol) {
    return is_kind(expr, ExprKind::Variable) && expr->symbol() == symbol;
}

/// The coordinate taken into [min, min + extent), in the form that boundary conditions write.
Expr repeated(const Expr &at, const Expr &min, const Expr &extent) {
    const Expr last = ir::sub(ir::add(min, extent), int32(1));
    const auto clamped = [&](const Expr &value) { return max_of(min_of(value, last), min); };
    const auto likely = [](const Expr &value) { return make_unary(ExprKind::Likely, value); };
    const Expr is_outside = make_binary(ExprKind::Or, less(at, min), make_binary(ExprKind::GT, at, last));
    return make_select(is_outside, clamped(ir::add(ir::mod(ir::sub(at, min), extent), min)),
                       likely(clamped(likely(at))));
}

} // namespace

PeriodicDimension::PeriodicDimension(const Iteration &iteration, size_t dimension)
    : iteration_(iteration), body_(*iteration.body), dimension_(dimension) {
    const FuncDef &control = iteration.control->func(iteration.control->outputs[0]);
    min_ = canonical(control.stages[0].values[1 + 2 * dimension]);
    extent_ = canonical(control.stages[0].values[2 + 2 * dimension]);
    find_readers();
    wraparound_ = wraparound_of_reads();
    if (wraparound_ == Wraparound::Periodic) {
        find_kinds();
    }
}

// ---- Accesses.

bool PeriodicDimension::is_field_of_iteration(const Symbol &buffer) const {
    const Parameter *parameter = parameter_of(buffer);
    const auto is_field = [&](const RefPtr<Parameter> &field) { return field.get() == parameter; };
    return parameter && (std::any_of(iteration_.states.begin(), iteration_.states.end(), is_field) ||
                         std::any_of(iteration_.before.begin(), iteration_.before.end(), is_field));
}

bool PeriodicDimension::is_state(const Expr &image) const {
    return image->kind() == ExprKind::Image && is_field_of_iteration(image->symbol());
}

/// Whether the access has as many coordinates as the domain has dimensions, so that one is that of this dimension.
bool PeriodicDimension::has_coordinate(const Expr &access) const {
    return is_access(access) && access->arg_count() == static_cast<size_t>(iteration_.dimensions);
}

bool PeriodicDimension::reads_state(const Expr &access) const {
    return access->kind() == ExprKind::Image ? is_state(access) : reads_state_[access->symbol().owner().func.index()];
}

/// The kind of the Func that is read. A field counts as a Func that is read inside of the domain only; other inputs
/// have no kind.
std::optional<PeriodicDimension::Kind> PeriodicDimension::kind_of(const Expr &access) const {
    if (access->kind() == ExprKind::Image) {
        return is_state(access) ? std::optional(Kind::Inside) : std::nullopt;
    }
    return kinds_[access->symbol().owner().func.index()];
}

// ---- Coordinates.

/// The expression with the domain's min and extents for those of the buffers of fields, and with one symbol for each
/// parameter of the program, in whatever graph it is.
Expr PeriodicDimension::canonical(const Expr &expr) const {
    const FuncDef &control = iteration_.control->func(iteration_.control->outputs[0]);
    const Expr of_domain = transform(expr, [&](const Expr &node) {
        const bool is_field = node->kind() == ExprKind::BufferField && is_field_of_iteration(node->symbol());
        if (!is_field || (node->member().field != Field::Min && node->member().field != Field::Extent)) {
            return node;
        }
        const size_t first = node->member().field == Field::Min ? 1 : 2;
        return control.stages[0].values[first + 2 * node->member().position()];
    });
    return simplify(transform(of_domain, [](const Expr &node) {
        const bool is_variable = node->kind() == ExprKind::Variable;
        if ((!is_variable && node->kind() != ExprKind::BufferField) || !parameter_of(node->symbol())) {
            return node;
        }
        const Symbol &seen = node->symbol();
        const Symbol symbol(seen.kind(), parameter_of(seen)->name, SymbolOwner(), seen.object());
        return is_variable ? make_var(node->type(), symbol)
                           : make_field(symbol, node->member().field, node->member().index);
    }));
}

/// The coordinate before it was taken into the domain modulo the extent.
std::optional<Expr> PeriodicDimension::wrapped_around(const Expr &coordinate) const {
    const Expr simple = simplify(coordinate);
    if (const auto periodic = analysis::find_periodic(simple)) {
        const bool is_domain = !periodic->is_mirrored() && equal(canonical(periodic->min), min_) &&
                               equal(canonical(periodic->max), canonical(ir::sub(ir::add(min_, extent_), int32(1))));
        return is_domain ? std::optional(periodic->inner) : std::nullopt;
    }
    const Expr plain = analysis::strip_hints(simple);
    for (size_t i = 0; i < 2; i++) {
        const bool is_sum = is_kind(plain, ExprKind::Add);
        const Expr &modulo = is_sum ? plain->arg(i) : plain, offset = is_sum ? plain->arg(1 - i) : int32(0);
        if (is_kind(modulo, ExprKind::Mod) && equal(canonical(modulo->arg(1)), extent_) &&
            equal(canonical(offset), min_)) {
            return simplify(ir::add(modulo->arg(0), offset));
        }
    }
    return std::nullopt;
}

/// What is added to the Func's coordinate, less multiples of the extent: undefined if the coordinate is no such sum.
std::optional<Expr> PeriodicDimension::distance(const Expr &coordinate, const Symbol &arg) const {
    Expr distance = simplify(ir::sub(analysis::strip_hints(coordinate), make_var(Int(32), arg)));
    if (uses_symbol(distance, arg)) {
        return std::nullopt;
    }
    int64_t number = 0, extent = 0;
    if (is_const_int(simplify(ir::sub(canonical(distance), extent_)), &number)) {
        distance = int32(number);
    }
    if (is_const_int(distance, &number) && is_const_int(extent_, &extent) && extent > 0) {
        const int64_t rest = (number % extent + extent) % extent;
        distance = int32(rest > extent / 2 ? rest - extent : rest);
    }
    return distance;
}

/// Whether the coordinate is taken modulo something, other than by mirroring.
bool PeriodicDimension::is_far(const Expr &coordinate) const {
    bool has_modulo = false;
    for_each_node(coordinate, [&](const Expr &node) { has_modulo |= node->kind() == ExprKind::Mod; });
    if (!has_modulo) {
        return false;
    }
    const auto periodic = analysis::find_periodic(simplify(coordinate));
    return !periodic || !periodic->is_mirrored();
}

// ---- Kinds of Funcs.

void PeriodicDimension::find_readers() {
    reads_state_.assign(body_.funcs.size(), false);
    for (bool has_changed = true; has_changed;) {
        has_changed = false;
        for (size_t f = 0; f < body_.funcs.size(); f++) {
            for (const Stage &stage : body_.funcs[f].stages) {
                for (const Expr &expr : loopnest::stage_exprs(stage)) {
                    for_each_node(expr, [&](const Expr &node) {
                        if (!reads_state_[f] && is_access(node) && reads_state(node)) {
                            reads_state_[f] = has_changed = true;
                        }
                    });
                }
            }
        }
    }
}

Wraparound PeriodicDimension::wraparound_of_reads() const {
    Wraparound found = Wraparound::None;
    for (const FuncDef &func : body_.funcs) {
        for (const Stage &stage : func.stages) {
            for (const Expr &expr : loopnest::stage_exprs(stage)) {
                for_each_node(expr, [&](const Expr &node) {
                    if (has_coordinate(node) && reads_state(node) && found != Wraparound::Unknown &&
                        is_far(node->arg(dimension_))) {
                        found = wrapped_around(node->arg(dimension_)) ? Wraparound::Periodic : Wraparound::Unknown;
                    }
                });
            }
        }
    }
    return found;
}

/// Whether a Func of a kind may make the access.
bool PeriodicDimension::may_read(Kind kind, const Expr &access, const Symbol &arg, const FuncDef &func) const {
    const Expr &coordinate = access->arg(dimension_);
    const bool is_itself = access->kind() == ExprKind::Call && access->symbol() == func.symbol;
    if (is_itself) { // in an update
        return is_var(coordinate, arg);
    }
    const auto inner = wrapped_around(coordinate);
    const bool is_near = inner && distance(*inner, arg);
    const std::optional<Kind> of_what = kind_of(access);
    if (!of_what || (*of_what == Kind::Other && !reads_state(access))) {
        return kind == Kind::Inside || is_near || !uses_symbol(coordinate, arg);
    }
    if (*of_what == Kind::Repeating) {
        return is_near || distance(coordinate, arg).has_value();
    }
    return *of_what == Kind::Inside && (is_near || (kind == Kind::Inside && is_var(coordinate, arg)));
}

/// Whether the Func's definition allows the kind, if the Funcs that it calls are as they are now.
bool PeriodicDimension::may_be(Kind kind, const FuncDef &func) const {
    if (func.args.size() != static_cast<size_t>(iteration_.dimensions)) {
        return false;
    }
    const Symbol &arg = func.args[dimension_];
    bool may = true;
    std::unordered_set<const ExprNode *> seen; // what is shared is one node
    const std::function<void(const Expr &)> walk = [&](const Expr &expr) {
        if (!may || !seen.insert(expr.get()).second) {
            return;
        }
        if (is_var(expr, arg)) {
            may = kind == Kind::Inside;
            return;
        }
        const bool has = has_coordinate(expr);
        if (has && !may_read(kind, expr, arg, func)) {
            may = false;
            return;
        }
        if (is_access(expr) && !has && reads_state(expr)) {
            may = false;
            return;
        }
        for (size_t i = 0; i < expr->arg_count(); i++) {
            if (!has || i != dimension_) {
                walk(expr->arg(i));
            }
        }
    };
    for (size_t k = 0; k < func.stages.size(); k++) {
        const Stage &stage = func.stages[k];
        for (size_t d = 0; d < stage.args.size(); d++) {
            if (d != dimension_) {
                walk(stage.args[d]);
            } else if (!is_var(stage.args[d], arg)) {
                return false;
            }
        }
        std::for_each(stage.values.begin(), stage.values.end(), walk);
        if (stage.predicate.defined()) {
            walk(stage.predicate);
        }
        for (const ReductionVar &rvar : stage.rvars) {
            walk(rvar.min);
            walk(rvar.extent);
        }
    }
    return may;
}

/// Whether all calls of a Func are inside of the domain.
bool PeriodicDimension::is_called_inside(const FuncDef &func) const {
    bool is_inside = true;
    for (const FuncDef &caller : body_.funcs) {
        const bool has_coordinates = caller.args.size() == static_cast<size_t>(iteration_.dimensions);
        for (const Stage &stage : caller.stages) {
            for (const Expr &expr : loopnest::stage_exprs(stage)) {
                for_each_node(expr, [&](const Expr &node) {
                    if (!is_inside || node->kind() != ExprKind::Call || node->symbol() != func.symbol) {
                        return;
                    }
                    const bool is_here = has_coordinates && kinds_[caller.id().index()] == Kind::Inside &&
                                         is_var(node->arg(dimension_), caller.args[dimension_]);
                    is_inside = has_coordinate(node) && (is_here || wrapped_around(node->arg(dimension_)));
                });
            }
        }
    }
    return is_inside;
}

void PeriodicDimension::find_kinds() {
    for (const FuncDef &func : body_.funcs) {
        kinds_.push_back(body_.is_output(func.id()) ? Kind::Inside : Kind::Repeating);
    }
    for (bool has_changed = true; has_changed;) {
        has_changed = false;
        for (const FuncDef &func : body_.funcs) {
            Kind &kind = kinds_[func.id().index()];
            const bool fits = kind == Kind::Other ||
                              (may_be(kind, func) &&
                               (kind == Kind::Repeating || body_.is_output(func.id()) || is_called_inside(func)));
            if (!fits) {
                kind = kind == Kind::Repeating ? Kind::Inside : Kind::Other;
                has_changed = true;
            }
        }
    }
    for (const FuncDef &func : body_.funcs) {
        if (kinds_[func.id().index()] == Kind::Other && reads_state_[func.id().index()]) {
            wraparound_ = Wraparound::Unknown;
        }
    }
}

// ---- The other body.

const Symbol &PeriodicDimension::state_buffer() const {
    const auto found = std::find_if(body_.inputs.begin(), body_.inputs.end(),
                                    [&](const InputDef &input) { return is_field_of_iteration(input.symbol); });
    check(found != body_.inputs.end(), "a body whose fields wrap around reads one");
    return found->symbol;
}

Expr PeriodicDimension::extended(const FuncDef &func, const Expr &expr,
                                 const std::function<bool(const Expr &)> &reads_copy) const {
    if (kinds_[func.id().index()] == Kind::Other) {
        return expr;
    }
    const Symbol &arg = func.args[dimension_], &buffer = state_buffer();
    const auto dim = static_cast<int>(dimension_);
    const Expr here = make_var(Int(32), arg),
               in_domain = repeated(here, make_field(buffer, Field::Min, dim), make_field(buffer, Field::Extent, dim));
    std::unordered_map<const ExprNode *, Expr> done;
    const std::function<Expr(const Expr &)> change = [&](const Expr &node) -> Expr {
        if (is_var(node, arg)) {
            return in_domain;
        }
        if (const auto found = done.find(node.get()); found != done.end()) {
            return found->second;
        }
        Expr result;
        if (!has_coordinate(node)) {
            result = map_operands(node, change);
        } else {
            std::vector<Expr> args(node->args().begin(), node->args().end());
            for (size_t d = 0; d < args.size(); d++) {
                if (d != dimension_) {
                    args[d] = change(args[d]);
                }
            }
            Expr &coordinate = args[dimension_];
            const auto inner = wrapped_around(coordinate);
            const auto by = distance(inner ? *inner : coordinate, arg);
            const bool is_everywhere = node->kind() == ExprKind::Call ? kind_of(node) != Kind::Other : reads_copy(node);
            if (is_everywhere) {
                check(by.has_value(), "what has values at all integers is read near");
                coordinate = simplify(ir::add(here, *by));
            } else if (!inner || !by) {
                coordinate = change(coordinate);
            }
            result = with_args(node, args);
        }
        done.emplace(node.get(), result);
        return result;
    };
    return change(expr);
}

Expr PeriodicDimension::extended_everywhere(const FuncDef &func, const Expr &expr) const {
    return extended(func, expr, [&](const Expr &read) { return is_state(read); });
}

} // namespace fluorite::autoschedule::time_tiling
