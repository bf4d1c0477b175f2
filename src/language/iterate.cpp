// iterate(): builds the three pipelines of an iteration and a Func that reads its result.
//
// The fields that the body reads are ImageParams that nobody binds, the step is a Param; so the body is an ordinary
// pipeline, and so are the initial fields and the numbers that control the iteration (`control`: the number of steps
// and the domain as a Func without dimensions). The result is read through one ImageParam for each field, whose
// Parameter owns the Iteration. Freezing (language/freeze.cpp) finds iterations through these Parameters.

#include "fluorite/iterate.h"

#include "fluorite/ops.h"
#include "fluorite/param.h"
#include "language/iteration.h"
#include "language/operands.h"
#include "schedule/directives/common.h"

namespace fluorite {

using namespace language;

namespace language {

void retain(const Iteration *iteration) noexcept { iteration->retain(); }
void release(const Iteration *iteration) noexcept { iteration->release(); }

std::vector<RefPtr<Function>> Iteration::functions() const {
    std::vector<RefPtr<Function>> all = initial;
    all.push_back(control);
    all.insert(all.end(), body.begin(), body.end());
    return all;
}

const IterationResult *result_of(const ir::Parameter &parameter) {
    return dynamic_cast<const IterationResult *>(parameter.iteration.get());
}

bool is_iteration_local(const ir::Parameter &parameter) {
    return dynamic_cast<const IterationLocal *>(parameter.iteration.get()) != nullptr;
}

} // namespace language

namespace {

RefPtr<Function> handle_of(const Func &func) { return RefPtr<Function>(func.function().get()); }

void require_defined(const Func &func, const char *what, const std::string &name, const Location &location) {
    if (!func.defined()) {
        fail("undefined-func", name,
             concat(what, " has no definition; iterate takes Funcs that are defined; define it first"), location);
    }
}

/// A number that is known before the pipeline computes anything, as Int32.
Expr entry_value(const Expr &value, const char *what, const std::string &name, const Location &location) {
    const Site site{"iterate", location};
    const Expr integer = checked_integer(site, LocatedExpr(value, location));
    const std::string unknown = schedule::unknown_at_entry(integer);
    if (!unknown.empty()) {
        fail("directive-value", name,
             concat(what, " that uses ", unknown,
                    " is given; it is evaluated once, before any step; use Params, sizes "
                    "of inputs and numbers"),
             location);
    }
    if (!fits_int32(integer)) {
        fail("literal-out-of-range", name,
             concat(integer, " is given; steps and coordinates are integers of 32 bits; give a smaller one"), location);
    }
    return nearest_int32(integer);
}

class Builder {
  public:
    Builder(const Func &initial, const IterateOptions &options, const Location &location)
        : initial_(initial), options_(options), location_(location), iteration_(new Iteration) {
        iteration_->name = options.name.empty() ? "iterate" : options.name;
        iteration_->location = location;
    }

    Iterated build(const Expr &steps, const Region &domain, const IterationBody &body) {
        if (!body) {
            refuse("iterate-body-type", "the body is no function; it defines the fields after one step; pass one that "
                                        "takes an IterationStep and returns a Func");
        }
        check_initial(domain);
        make_control(steps, domain);
        make_initial();
        const IterationStep step = make_step();
        const Func next = body(step);
        if (options_.name.empty() && next.defined()) {
            rename(next.name());
        }
        check_body(next);
        iteration_->body.push_back(handle_of(next));
        if (options_.until) {
            make_stop(step, next);
        }
        return {result(next.args()), detail::Ref<Iteration>(iteration_.get())};
    }

  private:
    const Func &initial_;
    const IterateOptions &options_;
    const Location &location_;
    RefPtr<Iteration> iteration_;

    [[noreturn]] void refuse(const char *slug, const std::string &text) const {
        fail(slug, iteration_->name, text, location_);
    }

    void check_initial(const Region &domain) {
        require_defined(initial_, "the initial Func", iteration_->name, location_);
        iteration_->dimensions = initial_.dimensions();
        iteration_->fields = static_cast<size_t>(initial_.outputs());
        if (static_cast<int>(domain.size()) != initial_.dimensions()) {
            refuse("iterate-domain",
                   concat("the domain has ", domain.size(), " ranges, and the initial Func ", initial_.name(), " has ",
                          initial_.dimensions(), " dimensions; a domain has a range for each dimension; give as many"));
        }
        for (const Range &range : domain) {
            if (!range.min.defined() || !range.extent.defined()) {
                refuse("iterate-domain",
                       "a range of the domain has no min or no extent; the fields are stored, so their "
                       "box is bounded; give both");
            }
        }
        if (!options_.before.defined()) {
            return;
        }
        if (options_.before.types() != initial_.types() || options_.before.dimensions() != initial_.dimensions()) {
            refuse("iterate-body-type",
                   concat("the Func before step 0 has values ", types_text(options_.before.types()), " and ",
                          options_.before.dimensions(), " dimensions, the initial Func ", types_text(initial_.types()),
                          " and ", initial_.dimensions(),
                          "; all steps have the same fields; define it with the same types and dimensions"));
        }
    }

    void make_control(const Expr &steps, const Region &domain) {
        const std::string &name = iteration_->name;
        std::vector<Expr> values = {entry_value(steps, "a number of steps", name, location_)};
        int64_t number = 0;
        if (ir::is_const_int(values[0], &number) && number < 0) {
            refuse("iterate-negative-steps",
                   concat("it is to run ", number, " steps; a number of steps is 0 or more; pass 0 or more"));
        }
        for (size_t d = 0; d < domain.size(); d++) {
            values.push_back(entry_value(domain[d].min, "a min of the domain", name, location_));
            values.push_back(entry_value(domain[d].extent, "an extent of the domain", name, location_));
            if (ir::is_const_int(values.back(), &number) && number < 0) {
                refuse("iterate-negative-extent",
                       concat("its domain has ", number, " points along dimension ", d,
                              "; an extent is 0 or more; give a min and an extent, not a min and a max"));
            }
        }
        Func control(name + "_control");
        control(std::vector<Expr>{}, location_) = Tuple(values);
        iteration_->control = handle_of(control);
        domain_ = std::move(values);
        domain_.erase(domain_.begin());
    }
    std::vector<Expr> domain_; // mins and extents

    void make_initial() {
        iteration_->initial.push_back(handle_of(initial_));
        if (!options_.before.defined()) {
            return;
        }
        RefPtr<Function> before = handle_of(options_.before);
        if (before == iteration_->initial[0]) { // a pipeline writes each output once
            std::vector<Var> vars;
            for (int d = 0; d < initial_.dimensions(); d++) {
                vars.emplace_back();
            }
            Func copy(initial_.name() + "_before");
            copy(vars, location_) = Tuple(initial_(std::vector<Expr>(vars.begin(), vars.end()), location_));
            before = handle_of(copy);
        }
        iteration_->initial.push_back(before);
    }

    ImageParam make_field(Type type, const char *suffix, size_t index) {
        const std::string number = iteration_->fields > 1 ? std::to_string(index) : "";
        ImageParam image(type, iteration_->dimensions, iteration_->name + suffix + number, location_);
        for (int d = 0; d < iteration_->dimensions; d++) {
            const auto at = static_cast<size_t>(2 * d);
            if (ir::is_const(domain_[at])) {
                image.dim(d).set_min(domain_[at]);
            }
            if (ir::is_const(domain_[at + 1])) {
                image.dim(d).set_extent(domain_[at + 1]);
            }
        }
        return image;
    }

    IterationStep make_step() {
        IterationStep step;
        const std::vector<Type> types = initial_.types();
        const RefPtr<const RefCounted> local(new IterationLocal);
        for (size_t i = 0; i < types.size(); i++) {
            step.fields.push_back(make_field(types[i], "_state", i));
            iteration_->states.push_back(RefPtr<ir::Parameter>(step.fields.back().parameter().contents().get()));
            iteration_->states.back()->iteration = local;
        }
        for (size_t i = 0; i < types.size() && options_.before.defined(); i++) {
            step.before.push_back(make_field(types[i], "_before", i));
            iteration_->before.push_back(RefPtr<ir::Parameter>(step.before.back().parameter().contents().get()));
            iteration_->before.back()->iteration = local;
        }
        const Param<int> t(iteration_->name + "_step");
        iteration_->step = RefPtr<ir::Parameter>(t.parameter().contents().get());
        iteration_->step->iteration = local;
        step.t = t;
        for (int d = 0; d < iteration_->dimensions; d++) {
            step.domain.push_back({step.fields[0].dim(d).min(), step.fields[0].dim(d).extent()});
        }
        return step;
    }

    /// Freezing names the body's inputs as their Parameters, which were made before the name was known.
    void rename(const std::string &name) {
        for (const auto *fields : {&iteration_->states, &iteration_->before}) {
            for (const RefPtr<ir::Parameter> &field : *fields) {
                field->name = name + field->name.substr(iteration_->name.size());
            }
        }
        iteration_->step->name = name + "_step";
        iteration_->control->name = name + "_control";
        iteration_->name = name;
    }

    void check_body(const Func &next) const {
        require_defined(next, "the Func that the body returns", iteration_->name, location_);
        if (next.types() != initial_.types() || next.dimensions() != initial_.dimensions()) {
            refuse("iterate-body-type",
                   concat("the body returns values ", types_text(next.types()), " and ", next.dimensions(),
                          " dimensions, and the initial Func ", initial_.name(), " has ", types_text(initial_.types()),
                          " and ", initial_.dimensions(),
                          "; all steps have the same fields; cast the values, or define as many dimensions"));
        }
    }

    void make_stop(const IterationStep &step, const Func &next) {
        const Expr condition = options_.until(step, next);
        if (!condition.defined() || condition.type() != Bool()) {
            refuse("iterate-until", concat("the stop condition is ",
                                           condition.defined() ? concat("of type ", condition.type()) : "undefined",
                                           "; it holds or not; give a comparison"));
        }
        std::string variable;
        ir::for_each_node(condition, [&](const Expr &node) {
            if (node->kind() == ir::ExprKind::Variable &&
                (node->symbol().kind() == ir::SymbolKind::Var || node->symbol().kind() == ir::SymbolKind::RVar)) {
                variable = node->symbol().name();
            }
        });
        if (!variable.empty()) {
            refuse("iterate-until", concat("the stop condition uses the variable ", shown_name(variable),
                                           "; there is one condition for all points; reduce them, as in a Func that "
                                           "sums over an RDom"));
        }
        Func stop(iteration_->name + "_stop");
        stop(std::vector<Expr>{}, location_) = condition;
        iteration_->body.push_back(handle_of(stop));
        iteration_->stops = true;
    }

    Func result(const std::vector<Var> &vars) {
        const std::vector<Type> types = initial_.types();
        std::vector<Expr> values;
        for (size_t i = 0; i < types.size(); i++) {
            const ImageParam image = make_field(types[i], "_result", i);
            RefPtr<IterationResult> result(new IterationResult);
            result->iteration = RefPtr<const Iteration>(iteration_.get());
            result->field = i;
            image.parameter().contents()->iteration = RefPtr<const RefCounted>(result.get());
            values.push_back(image(std::vector<Expr>(vars.begin(), vars.end()), location_));
        }
        Func func(options_.name.empty() ? iteration_->name + "_iterated" : options_.name);
        func(vars, location_) = Tuple(values);
        return func;
    }
};

const ImageParam &field_of(const std::vector<ImageParam> &fields, const LocatedIndex &i, const char *what) {
    if (i.value < 0 || static_cast<size_t>(i.value) >= fields.size()) {
        fail("iterate-no-field", "the body of an iteration",
             concat("field ", i.value, what, " is asked for; there are ", fields.size(),
                    ", numbered from 0; the initial Func has a value for each; ask for one of them"),
             i.location);
    }
    return fields[static_cast<size_t>(i.value)];
}

} // namespace

const ImageParam &IterationStep::field(const LocatedIndex &i) const { return field_of(fields, i, ""); }
const ImageParam &IterationStep::past(const LocatedIndex &i) const {
    return field_of(before, i, " of the step before");
}

namespace language {

constexpr int most_tile_steps = 64;

static void check_time_tile(const Iteration &iteration, int steps, const Location &location) {
    if (steps < 0) {
        fail("iterate-time-tile", iteration.name,
             concat("a pass is to compute ", steps,
                    " steps; it computes one or more, and 0 leaves the choice to the "
                    "compiler; give the number"),
             location);
    }
    if (steps > most_tile_steps) {
        fail("iterate-time-tile", iteration.name,
             concat("a pass is to compute ", steps, " steps; there are at most ", most_tile_steps,
                    ", as each may be compiled, and is computed again at the edges of tiles; give fewer"),
             location);
    }
    if (steps > 1 && iteration.stops) {
        fail("iterate-time-tile", iteration.name,
             concat("a pass is to compute ", steps, " steps, and the iteration may stop after each; give 1"), location);
    }
}

void set_time_tile(Iteration &iteration, int steps, const Location &location) {
    check_time_tile(iteration, steps, location);
    iteration.tile = {steps, {}, TimeTileShape::Overlapped};
    iteration.edits++;
}

void set_time_tile(Iteration &iteration, int steps, const std::vector<int> &extents, TimeTileShape shape,
                   const Location &location) {
    check_time_tile(iteration, steps, location);
    const auto refuse = [&](const std::string &text) { fail("iterate-time-tile", iteration.name, text, location); };
    if (shape != TimeTileShape::Overlapped && shape != TimeTileShape::Wavefront && shape != TimeTileShape::Diamond) {
        fail("no-such-value", iteration.name,
             concat("time_tile with the TimeTileShape ", static_cast<int>(shape),
                    ", which is none; use one of TimeTileShape's names"),
             location);
    }
    if (steps < 2) {
        refuse(concat("a pass is to compute ", steps, steps == 1 ? " step" : " steps",
                      " in tiles; a tile has several steps; give 2 or more, or no "
                      "extents and no shape"));
    }
    const auto dimensions = static_cast<size_t>(iteration.dimensions);
    if (!extents.empty() && extents.size() != dimensions) {
        refuse(concat("tiles have ", extents.size(), " extents, and its fields ", dimensions,
                      " dimensions; each dimension has an extent, 0 if it is not cut; give as many"));
    }
    const auto negative = std::find_if(extents.begin(), extents.end(), [](int extent) { return extent < 0; });
    if (negative != extents.end()) {
        refuse(concat("tiles have an extent of ", *negative,
                      "; an extent is a number of points, or 0 where tiles are not cut; give one of these"));
    }
    const auto cuts = extents.size() - static_cast<size_t>(std::count(extents.begin(), extents.end(), 0));
    const bool is_overlapped = shape == TimeTileShape::Overlapped;
    if (!extents.empty() && (is_overlapped ? cuts == 0 && dimensions > 0 : cuts != 1)) {
        refuse(concat(is_overlapped                       ? "tiles"
                      : shape == TimeTileShape::Wavefront ? "tiles of a wavefront"
                                                          : "diamonds",
                      " are to cut ", cuts, " dimensions; ",
                      is_overlapped ? "tiles cut one or more; give an extent above 0, or none at all"
                                    : "they cut one, along which steps move or shrink; give one extent above 0"));
    }
    if (dimensions == 0) {
        refuse("its fields have no dimensions; tiles cut one; leave the extents and the shape out");
    }
    iteration.tile = {steps, {extents.begin(), extents.end()}, shape};
    iteration.edits++;
}

} // namespace language

Iterated &Iterated::time_tile(detail::Integer steps, const Location &location) {
    set_time_tile(*iteration_, steps, location);
    return *this;
}

Iterated &Iterated::time_tile(detail::Integer steps, const std::vector<int> &extents, TimeTileShape shape,
                              const Location &location) {
    set_time_tile(*iteration_, steps, extents, shape, location);
    return *this;
}

Iterated iterate(const Expr &steps, const Region &domain, const Func &initial, const IterationBody &body,
                 const IterateOptions &options, const Location &location) {
    return Builder(initial, options, location).build(steps, domain, body);
}

} // namespace fluorite
