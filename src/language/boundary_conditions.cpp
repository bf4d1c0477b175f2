// Boundary conditions as Funcs over clamped, wrapped and mirrored coordinates.
//
// The interior of a consumer should cost nothing: `likely` marks the coordinate that holds inside, so that loop
// partitioning finds the interior.

#include "fluorite/boundary_conditions.h"

#include "fluorite/ops.h"
#include "language/function.h"
#include "language/operands.h"

#include <functional>
#include <string_view>

namespace fluorite::BoundaryConditions {

using namespace language;

namespace {

/// Maps any coordinate of one dimension into the box.
using Fold = std::function<Expr(const Expr &x, const Expr &min, const Expr &extent)>;

void check_source(const char *name, const Func &source, const Region &bounds, const Location &location) {
    if (!source.defined()) {
        fail("undefined-func", *source.function(), -1,
             "it is called but has no definition; a Func is defined before it is called; define it first", location);
    }
    if (static_cast<int>(bounds.size()) > source.dimensions()) {
        fail("wrong-arity", *source.function(), -1,
             concat(name, " gives ", bounds.size(), " ranges; it has ", source.dimensions(),
                    " dimensions; give at most one range for each dimension"),
             location);
    }
    for (const Range &range : bounds) {
        if (range.min.defined() != range.extent.defined()) {
            fail("undefined-operand", *source.function(), -1,
                 std::string(name) +
                     " gives a range with one side; a range has both, or none for no bound; give min and extent",
                 location);
        }
        for (const Expr &side : {range.min, range.extent}) {
            if (side.defined()) {
                (void)checked_integer({name, location}, LocatedExpr(side, location));
            }
        }
        int64_t min = 0, extent = 0;
        const bool is_known = range.extent.defined() && ir::is_const_int(range.extent, &extent);
        if (is_known && ir::is_const_int(range.min, &min) && !Int(32).can_represent(min + extent - 1)) {
            fail("region-overflow", *source.function(), -1,
                 concat(name, " gives the range [", min, ", ", min + extent - 1,
                        "]; coordinates are integers of 32 bits; give a smaller one"),
                 location);
        }
        if (is_known && extent > (int64_t{1} << 30) && std::string_view(name).starts_with("mirror")) {
            fail("region-overflow", *source.function(), -1,
                 concat(name, " gives a range of ", extent,
                        " points; the image and its mirror image together have coordinates of 32 bits; give a smaller "
                        "one"),
                 location);
        }
        if (is_known && extent <= 0) {
            fail("empty-boundary", *source.function(), -1,
                 concat(name, " gives a range of ", extent,
                        " points; what lies outside is made of what lies inside; give an extent of 1 or more"),
                 location);
        }
    }
}

/// Those of the source, by which schedules name the loops; fresh ones in place of anonymous ones.
std::vector<Var> vars_of(const Func &source) {
    std::vector<Var> vars;
    for (const Var &var : source.args()) {
        vars.push_back(is_anonymous(var.name()) ? Var() : var);
    }
    return vars;
}

/// The interior's coordinate: likely, and clamped, so that bounds inference sees its range.
Expr inside(const Expr &x, const Expr &min, const Expr &max) { return likely(clamp(likely(x), min, max)); }

Func with_folded_coordinates(const char *name, const Func &source, const Region &bounds, const Location &location,
                             const Fold &fold) {
    check_source(name, source, bounds, location);
    const std::vector<Var> vars = vars_of(source);
    std::vector<Expr> coordinates(vars.begin(), vars.end());
    for (size_t i = 0; i < bounds.size(); i++) {
        if (bounds[i].min.defined()) {
            coordinates[i] = fold(coordinates[i], nearest_int32(bounds[i].min), nearest_int32(bounds[i].extent));
        }
    }
    Func result(name);
    result(vars, location) = source(coordinates, location);
    return result;
}

} // namespace

Func repeat_edge(const Func &source, const Region &bounds, const Location &location) {
    return with_folded_coordinates(
        "repeat_edge", source, bounds, location,
        [](const Expr &x, const Expr &min, const Expr &extent) { return clamp(likely(x), min, min + extent - 1); });
}

Func repeat_image(const Func &source, const Region &bounds, const Location &location) {
    return with_folded_coordinates(
        "repeat_image", source, bounds, location, [](const Expr &x, const Expr &min, const Expr &extent) {
            const Expr wrapped = (x - min) % extent + min;
            // The clamp bounds the outside coordinate, for which the modulo alone gives too weak a bound.
            const Expr outside = clamp(wrapped, min, min + extent - 1);
            return select(x < min || x > min + extent - 1, outside, inside(x, min, min + extent - 1));
        });
}

Func mirror_image(const Func &source, const Region &bounds, const Location &location) {
    return with_folded_coordinates(
        "mirror_image", source, bounds, location, [](const Expr &x, const Expr &min, const Expr &extent) {
            const Expr offset = (x - min) % (2 * extent);
            const Expr mirrored = select(offset >= extent, 2 * extent - 1 - offset, offset) + min;
            const Expr outside = clamp(mirrored, min, min + extent - 1);
            return select(x < min || x > min + extent - 1, outside, inside(x, min, min + extent - 1));
        });
}

Func mirror_interior(const Func &source, const Region &bounds, const Location &location) {
    return with_folded_coordinates("mirror_interior", source, bounds, location,
                                   [](const Expr &x, const Expr &min, const Expr &extent) {
                                       const Expr last = extent - 1;
                                       const Expr period = max(2 * last, 1); // one pixel mirrors to itself
                                       const Expr offset = (x - min) % period;
                                       const Expr mirrored = select(offset > last, 2 * last - offset, offset) + min;
                                       const Expr outside = clamp(mirrored, min, min + last);
                                       return select(x < min || x > min + last, outside, inside(x, min, min + last));
                                   });
}

static void check_exterior(const Expr &value, const Location &location) {
    const Site site{"constant_exterior", location};
    ir::for_each_node(checked(site, LocatedExpr(value, location)), [&](const Expr &node) {
        if (node->kind() == ir::ExprKind::Variable && node->symbol().kind() != ir::SymbolKind::Param) {
            fail_operand(site, "undefined-variable",
                         concat("the constant uses the variable ", shown_name(node->symbol().name()),
                                "; what lies outside is one value for all points; give a number or a Param, or choose "
                                "by select where the values are read"));
        }
    });
}

Func constant_exterior(const Func &source, const Tuple &value, const Region &bounds, const Location &location) {
    check_source("constant_exterior", source, bounds, location);
    const std::vector<Type> types = source.types();
    if (types.size() != value.size()) {
        fail("tuple-size", *source.function(), -1,
             concat("constant_exterior gives ", value.size(), " values; it has ", types.size(),
                    "; give one value for each of its own"),
             location);
    }
    const std::vector<Var> vars = vars_of(source);
    std::vector<Expr> coordinates(vars.begin(), vars.end());
    Expr outside = ir::make_bool(false);
    for (size_t i = 0; i < bounds.size(); i++) {
        if (bounds[i].min.defined()) {
            const Expr min = nearest_int32(bounds[i].min), last = min + nearest_int32(bounds[i].extent) - 1;
            const Expr beyond = vars[i] < min || vars[i] > last;
            outside = ir::is_false(outside) ? beyond : outside || beyond;
            coordinates[i] = clamp(likely(vars[i]), min, last);
        }
    }
    const Tuple inside = source(coordinates, location);
    std::vector<Expr> values;
    for (size_t i = 0; i < types.size(); i++) {
        check_exterior(value[i], location);
        if (ir::is_const(value[i]) && !types[i].is_float() && !is_value_of(types[i], value[i])) {
            fail_operand({"constant_exterior", location}, "literal-out-of-range",
                         concat("the constant ", value[i], " is given, and the values have type ", types[i],
                                "; what lies outside has the type of what lies inside; give one of its values"));
        }
        values.push_back(select(outside, convert(types[i], value[i]), likely(inside[i])));
    }
    Func result("constant_exterior");
    result(vars, location) = Tuple(values);
    return result;
}

Func constant_exterior(const Func &source, const LocatedExpr &value, const Region &bounds) {
    if (source.defined() && source.outputs() == 1 && value.is_literal) {
        return constant_exterior(source, Tuple(literal_as({"constant_exterior", value.location}, source.type(), value)),
                                 bounds, value.location);
    }
    const size_t count = source.defined() ? static_cast<size_t>(source.outputs()) : 1;
    return constant_exterior(source, Tuple(std::vector<Expr>(count, value.expr)), bounds, value.location);
}

} // namespace fluorite::BoundaryConditions
