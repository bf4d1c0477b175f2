// Derivative and propagate_adjoints: what programs call, and its refusals. propagation.cpp has the walk over the
// pipeline.

#include "fluorite/derivative.h"

#include "fluorite/ops.h"
#include "language/derivative/propagation.h"
#include "language/operands.h"
#include "rewrite/simplify.h"
#include "support/place.h"

namespace fluorite {

using namespace language;

namespace language::derivative {
namespace {

/// The adjoint in its box, and 0 outside.
Func bounded_adjoint(const Func &adjoint, const analysis::Box &box, const Location &location) {
    const std::vector<Var> vars = adjoint.args();
    std::vector<Expr> inside;
    Expr outside;
    for (size_t i = 0; i < box.size(); i++) {
        const Expr beyond = vars[i] < box[i].min || vars[i] > box[i].max;
        outside = outside.defined() ? outside || beyond : beyond;
        inside.push_back(into_range(vars[i], box[i].min, box[i].max));
    }
    Values values = Tuple(adjoint(inside, location)).as_vector();
    for (Expr &value : values) {
        value = choose(outside, ir::make_zero(value.type()), likely(value));
    }
    Func result(shown_name(adjoint.name()) + "_bounded");
    result(vars, location) = Tuple(values);
    return result;
}

void check_adjoint(const Function &output, const Func &adjoint, const Region &bounds, const Location &location) {
    const auto refuse = [&](const std::string &seen) {
        fail("derivative-adjoint", output, -1,
             seen + "; the adjoint of an output has its dimensions, types and bounds; give one that fits", location);
    };
    if (!adjoint.defined()) {
        refuse("its adjoint is a Func without definition");
    }
    if (adjoint.dimensions() != static_cast<int>(output.def.dimensions())) {
        refuse(concat("it has ", output.def.dimensions(), " dimensions, and its adjoint ", adjoint.dimensions()));
    }
    if (bounds.size() != output.def.dimensions()) {
        refuse(concat("it has ", output.def.dimensions(), " dimensions, and bounds are given for ", bounds.size()));
    }
    std::vector<Type> wanted;
    for (const Type &type : output.def.types) {
        wanted.push_back(adjoint_type(type));
    }
    if (adjoint.types() != wanted) {
        refuse("its adjoint has the values " + types_text(adjoint.types()) + " in place of " + types_text(wanted));
    }
    for (const Range &range : bounds) {
        if (!range.min.defined() || !range.extent.defined()) {
            refuse("its bounds have an undefined side");
        }
        if (!range.min.type().is_int_or_uint() || !range.extent.type().is_int_or_uint()) {
            refuse(concat("its bounds have types ", range.min.type(), " and ", range.extent.type()));
        }
        if (int64_t extent = 0; ir::is_const_int(range.extent, &extent) && extent < 0) {
            refuse(concat("its bounds have an extent of ", extent));
        }
    }
}

void check_output(const Func &output, const Location &location) {
    const Function &function = *output.function();
    if (!output.defined()) {
        fail("undefined-func", function, -1,
             "it is differentiated but has no definition; derivatives are those of definitions; define it first",
             location);
    }
    for (const Type &type : function.def.types) {
        if (type.is_float()) {
            return;
        }
    }
    fail("derivative-integer", function, -1,
         "it is differentiated and has values of type " + types_text(function.def.types) +
             "; only floats have derivatives; cast the values to a float where they are computed",
         location);
}

} // namespace
} // namespace language::derivative

// ---- Derivative.

Func Derivative::operator()(const Func &func, int update_id, bool bounded, const Location &location) const {
    for (language::derivative::Adjoints::OfFunction &found : adjoints_->functions) {
        if (!(found.function == func.function())) {
            continue;
        }
        if (update_id < -1 || static_cast<size_t>(update_id + 1) >= found.stages.size()) {
            fail("no-such-update", *func.function(), -1,
                 concat("the adjoint of update ", update_id, " is asked for; it has ", found.stages.size() - 1,
                        " updates, numbered from 0, and -1 is the pure definition; name one of them"),
                 location);
        }
        Func &adjoint = found.stages[static_cast<size_t>(update_id + 1)];
        if (!adjoint.defined()) { // nothing of these values is left
            adjoint =
                language::derivative::define_adjoint(language::derivative::adjoint_name(func.name()),
                                                     {func.function()->def.args, {}}, func.types(), {}, {}, location);
            return adjoint;
        }
        if (!bounded || found.box.empty()) {
            return adjoint;
        }
        const auto [at, is_new] = found.bounded.try_emplace(update_id);
        if (is_new) {
            at->second = language::derivative::bounded_adjoint(adjoint, found.box, location);
        }
        return at->second;
    }
    return Func();
}

Func Derivative::operator()(const std::string &name) const {
    for (const language::derivative::Adjoints::OfFunction &found : adjoints_->functions) {
        if (found.function->name == name) {
            return (*this)(Func(found.function));
        }
    }
    for (const language::derivative::Adjoints::OfParameter &found : adjoints_->parameters) {
        if (found.parameter->name == name) {
            return found.adjoint;
        }
    }
    return Func();
}

Func Derivative::of_parameter(const detail::Ref<ir::Parameter> &parameter) const {
    for (const language::derivative::Adjoints::OfParameter &found : adjoints_->parameters) {
        if (found.parameter == parameter) {
            return found.adjoint;
        }
    }
    return Func();
}

std::vector<Func> Derivative::funcs() const { return adjoints_->made; }

const Derivative &Derivative::compute_root() const {
    for (Func func : adjoints_->made) {
        func.compute_root();
    }
    return *this;
}

Derivative propagate_adjoints(const Func &output, const Func &adjoint, const Region &output_bounds,
                              const DerivativeOptions &options, const Location &location) {
    language::derivative::check_output(output, location);
    language::derivative::check_adjoint(*output.function(), adjoint, output_bounds, location);
    return with_place(location, [&] {
        return Derivative(
            language::derivative::propagate(*output.function(), adjoint, output_bounds, options, location));
    });
}

Derivative propagate_adjoints(const Func &output, const Buffer<void, -1> &adjoint, const DerivativeOptions &options,
                              const Location &location) {
    Region bounds;
    for (int i = 0; i < adjoint.dimensions(); i++) {
        bounds.emplace_back(Expr(adjoint.dim(i).min()), Expr(adjoint.dim(i).extent()));
    }
    return propagate_adjoints(output, Func(adjoint, location), bounds, options, location);
}

Derivative propagate_adjoints(const Func &output, const DerivativeOptions &options, const Location &location) {
    language::derivative::check_output(output, location);
    std::vector<Expr> ones;
    for (const Type &type : output.types()) {
        ones.push_back(type.is_float() ? ir::make_one(type) : ir::make_zero(language::derivative::adjoint_type(type)));
    }
    std::vector<Expr> vars;
    for (const Var &var : output.args()) {
        vars.push_back(var);
    }
    Func adjoint("one");
    adjoint(vars, location) = Tuple(ones);
    return propagate_adjoints(output, adjoint, Region(vars.size(), Range(0, 1)), options, location);
}

} // namespace fluorite
