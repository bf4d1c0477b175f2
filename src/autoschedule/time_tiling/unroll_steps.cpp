// Several steps of an iteration as one graph.
//
// What: copies of the body's Funcs, here called next_1, next_2 and next. An access to the state becomes a call of the
// copy before, and the step t becomes t + j in copy j:
//
//   next(x) = state(x - 1) + state(x + 1)     -->   next_1(x) = state(x - 1) + state(x + 1)
//                                                   next(x) = next_1(x - 1) + next_1(x + 1)
//
// A read of the state is inside the domain, which bounds inference cannot know of a read of a copy: the loops of the
// last step are cut into strips, whose last one is rounded up. So coordinates that no boundary condition limits
// already are clamped to the domain, in the dimensions that are cut. (A condition is a Func that reads the Func of the
// field, so what matters is how that one is called. A second clamp around a mirrored coordinate would hide that only
// the rows near an edge are read beyond it, and each strip would compute all rows of all steps.) Fields of the state's
// buffer remain, because all states have the same box.
//
// Along a periodic dimension, copies are of the body's periodic extension (periodic_dimension.h): they are required
// beyond the ends of the domain, too, and have values there. The first copy wraps around as it reads the state.
//
// A body that also reads the fields one step earlier reads those of the copy before the previous one, and the tile
// after this one needs the last two steps. So the outputs compute both:
//
//   next(x) = 2 state(x) - before(x)          -->   next_1(x) = 2 state(x) - before(x)
//                                                   next(x) = {2 next_1(x) - state(x), next_1(x)}
//
// Relies on: names of symbols of a Func begin with its name. Does not do: bodies that iterate or stop, and outputs with
// updates where the body reads two past steps, as an update would have to store the step before, too. Cost: linear in
// the body's nodes for each step.

#include "autoschedule/time_tiling/unroll_steps.h"

#include "loopnest/lowering_graph.h"
#include "loopnest/regions/periodic_reads.h"
#include "support/check.h"

#include <algorithm>
#include <set>
#include <string>
#include <unordered_set>
#include <utility>

namespace fluorite::autoschedule::time_tiling {

using namespace ir;
using schedule::ScheduledGraph;

namespace {

using Symbols = std::unordered_set<Symbol, ir::SymbolHash>;

/// Whether a coordinate is kept between two limits, as are those that a boundary condition selects between.
bool is_clamped(const Expr &coordinate) {
    const auto is_fixed = [](const Expr &limit) { return loopnest::is_fixed(limit); };
    switch (coordinate->kind()) {
    case ExprKind::Likely:
        return is_clamped(coordinate->arg(0));
    case ExprKind::Select:
        return is_clamped(coordinate->arg(1)) && is_clamped(coordinate->arg(2));
    case ExprKind::Max:
    case ExprKind::Min: {
        const ExprKind other = coordinate->kind() == ExprKind::Max ? ExprKind::Min : ExprKind::Max;
        const Expr &first = coordinate->arg(0), &second = coordinate->arg(1);
        const auto has_other = [&](const Expr &inner) {
            return is_kind(inner, other) && (is_fixed(inner->arg(0)) || is_fixed(inner->arg(1)));
        };
        return (has_other(first) && is_fixed(second)) || (has_other(second) && is_fixed(first));
    }
    default: // false only means that time is not tiled
        return false;
    }
}

/// The arguments of Funcs for which all calls give clamped coordinates, or such an argument of another Func.
Symbols clamped_arguments(const Graph &body) {
    Symbols clamped;
    for (const FuncDef &func : body.funcs) {
        if (!body.is_output(func.id())) {
            clamped.insert(func.args.begin(), func.args.end());
        }
    }
    const auto remove_those_of = [&](const Expr &node) {
        bool removed = false;
        for (size_t d = 0; is_kind(node, ExprKind::Call) && d < node->args().size(); d++) {
            const FuncDef &callee = body.funcs[node->symbol().owner().func.index()];
            const Expr &arg = node->arg(d);
            const bool is_in = is_kind(arg, ExprKind::Variable) ? clamped.contains(arg->symbol()) : is_clamped(arg);
            removed |= !is_in && clamped.erase(callee.args[d]) > 0;
        }
        return removed;
    };
    for (bool changed = true; changed;) {
        changed = false;
        for (const FuncDef &func : body.funcs) {
            for (const Stage &stage : func.stages) {
                for (const Expr &expr : loopnest::stage_exprs(stage)) {
                    for_each_node(expr, [&](const Expr &node) { changed |= remove_those_of(node); });
                }
            }
        }
    }
    return clamped;
}

void give_default_schedules(ScheduledGraph &pipeline) {
    pipeline.schedule.funcs.clear();
    for (const FuncDef &func : pipeline.graph.funcs) {
        schedule::FuncSchedule of_func;
        for (size_t k = 0; k < func.stages.size(); k++) {
            of_func.stages.push_back(schedule::default_stage_schedule(func, func.stages[k], k > 0));
        }
        pipeline.schedule.funcs.push_back(std::move(of_func));
    }
}

class StepUnroller {
  public:
    StepUnroller(const Iteration &iteration, int steps, const std::vector<size_t> &cut,
                 const std::vector<PeriodicDimension> &periodic)
        : iteration_(iteration), body_(*iteration.body), steps_(steps), cut_(cut), periodic_(periodic),
          clamped_(clamped_arguments(body_)) {
        for (const FuncDef &func : body_.funcs) {
            names_.insert(func.name());
        }
        for (const InputDef &input : body_.inputs) {
            names_.insert(input.symbol.name());
        }
        for (const ParamDef &param : body_.params) {
            names_.insert(param.symbol.name());
        }
    }

    ScheduledGraph run() {
        Graph &graph = result_.graph;
        graph.inputs = body_.inputs;
        if (!iteration_.before.empty()) {
            add_missing_states();
        }
        graph.params = body_.params;
        graph.requirements = body_.requirements;
        for (int step = 0; step < steps_; step++) {
            first_ = graph.funcs.size();
            funcs_.clear();
            for (const FuncDef &func : body_.funcs) {
                add(func, step);
            }
            if (step + 1 < steps_) {
                older_fields_ = std::exchange(fields_, fields_of_copy());
            }
        }
        for (const FuncId output : body_.outputs) {
            graph.outputs.push_back(FuncId(first_ + output.index()));
        }
        if (!iteration_.before.empty()) {
            add_older_values();
        }
        give_default_schedules(result_);
        return std::move(result_);
    }

  private:
    struct Value {
        Symbol func;
        int index = 0;
    };

    const Iteration &iteration_;
    const Graph &body_;
    const int steps_;
    const std::vector<size_t> &cut_;
    const std::vector<PeriodicDimension> &periodic_;
    const Symbols clamped_; // arguments of the body's Funcs
    Symbols clamped_here_;  // those of the Func that is added, as they are called in the copy
    std::set<std::string> names_;
    ScheduledGraph result_;
    size_t first_ = 0;                         // the first Func of the copy
    std::vector<Symbol> funcs_;                // of the copy, as body_.funcs
    std::vector<Value> fields_, older_fields_; // of the copy before, and of the one before it

    std::vector<Value> fields_of_copy() const {
        std::vector<Value> fields;
        for (const FuncId output : body_.outputs) {
            for (size_t k = 0; k < body_.func(output).types.size(); k++) {
                fields.push_back({funcs_[output.index()], static_cast<int>(k)});
            }
        }
        return fields;
    }

    /// A body may leave out a field and read what it was one step earlier; the second copy reads the field for that.
    void add_missing_states() {
        std::vector<InputDef> &inputs = result_.graph.inputs;
        for (const RefPtr<Parameter> &state : iteration_.states) {
            const bool is_missing = std::none_of(inputs.begin(), inputs.end(), [&](const InputDef &input) {
                return input.parameter.get() == state.get();
            });
            if (!is_missing) {
                continue;
            }
            std::string name = state->name;
            while (!names_.insert(name).second) {
                name += "_";
            }
            SymbolOwner owner;
            owner.input = InputId(inputs.size());
            InputDef input;
            input.symbol = Symbol(SymbolKind::Buffer, name, owner, state.get());
            input.type = state->type;
            input.dimensions = iteration_.dimensions;
            input.parameter = state;
            inputs.push_back(std::move(input));
        }
    }

    /// Gives the outputs the fields of the copy before the last as further values.
    void add_older_values() {
        size_t field = 0;
        for (const FuncId id : result_.graph.outputs) {
            FuncDef &output = result_.graph.funcs[id.index()];
            const std::vector<Type> types = output.types;
            std::vector<Expr> here;
            for (const Symbol &arg : output.args) {
                here.push_back(make_var(Int(32), arg));
            }
            for (const Type type : types) {
                output.types.push_back(type);
                output.stages[0].values.push_back(read(fields_[field++], type, here, iteration_.states[0].get()));
            }
        }
    }

    /// A field of another copy at these coordinates, which are inside of the domain.
    Expr read(const Value &field, Type type, std::vector<Expr> args, const Parameter *state) const {
        for (const size_t cut : cut_) {
            const bool is_periodic =
                std::any_of(periodic_.begin(), periodic_.end(),
                            [&](const PeriodicDimension &dimension) { return dimension.dimension() == cut; });
            const auto is_inside = [&](const Expr &arg) {
                return is_limited(arg) || (is_kind(arg, ExprKind::Variable) && clamped_here_.contains(arg->symbol()));
            };
            if (cut < args.size() && !is_periodic && !is_inside(args[cut])) {
                args[cut] = inside(args[cut], buffer_of(state), static_cast<int>(cut));
            }
        }
        return make_call(type, field.func, field.index, args);
    }

    const Symbol &buffer_of(const Parameter *parameter) const {
        const std::vector<InputDef> &inputs = result_.graph.inputs;
        const auto found = std::find_if(inputs.begin(), inputs.end(),
                                        [&](const InputDef &input) { return input.parameter.get() == parameter; });
        check(found != inputs.end(), "unrolled steps have their states as inputs");
        return found->symbol;
    }

    std::string name_of(const std::string &name, int step) {
        if (step + 1 == steps_) {
            return name;
        }
        std::string copy = concat(name, "$", step + 1);
        while (!names_.insert(copy).second) {
            copy += "_";
        }
        return copy;
    }

    void add(const FuncDef &func, int step) {
        FuncDef copy = func;
        copy.copied_name = func.user_name();
        copy.copy_reason = CopyReason::TimeStep;
        SymbolOwner owner;
        owner.func = FuncId(result_.graph.funcs.size());
        const std::string name = name_of(func.name(), step);
        copy.symbol = Symbol(SymbolKind::Func, name, owner);
        funcs_.push_back(copy.symbol);
        if (step + 1 < steps_) {
            copy.output_buffers.clear();
        }
        const auto renamed = [&](const Symbol &symbol) {
            SymbolOwner of = symbol.owner();
            of.func = owner.func;
            return Symbol(symbol.kind(), name + symbol.name().substr(func.name().size()), of);
        };
        SymbolMap<Expr> variables;
        clamped_here_.clear();
        for (Symbol &arg : copy.args) {
            const Symbol made = renamed(arg);
            variables[arg] = make_var(Int(32), made);
            if (clamped_.contains(arg)) {
                clamped_here_.insert(made);
            }
            arg = made;
        }
        for (Stage &stage : copy.stages) {
            for (ReductionVar &rvar : stage.rvars) {
                const Symbol made = renamed(rvar.var);
                variables[rvar.var] = make_var(Int(32), made);
                rvar.var = made;
            }
            const auto change = [&](Expr &expr) {
                if (expr.defined()) {
                    for (const PeriodicDimension &dimension : periodic_) {
                        expr = dimension.extended(func, expr, [&](const Expr &read) { return reads_copy(read, step); });
                    }
                    expr = transform(expr, [&](const Expr &node) { return changed(node, variables, step); });
                }
            };
            for (ReductionVar &rvar : stage.rvars) {
                change(rvar.min);
                change(rvar.extent);
            }
            for (Expr &arg : stage.args) { // a Func's own coordinate is any integer
                const auto own = is_kind(arg, ExprKind::Variable) ? variables.find(arg->symbol()) : variables.end();
                if (own != variables.end()) {
                    arg = own->second;
                } else {
                    change(arg);
                }
            }
            std::for_each(stage.values.begin(), stage.values.end(), change);
            change(stage.predicate);
        }
        result_.graph.funcs.push_back(std::move(copy));
    }

    Expr changed(const Expr &node, const SymbolMap<Expr> &variables, int step) const {
        switch (node->kind()) {
        case ExprKind::Variable: {
            const auto found = variables.find(node->symbol());
            if (found != variables.end()) {
                return found->second;
            }
            const bool is_step = parameter_of(node->symbol()) == iteration_.step.get();
            return is_step && step > 0 ? ir::add(node, int32(step)) : node;
        }
        case ExprKind::Call: {
            const auto func = node->symbol().owner().func.index();
            return make_call(node->type(), funcs_[func], node->member().index, node->args());
        }
        case ExprKind::Image:
            return step > 0 ? read_of_state(node, step) : node;
        default: // kinds that refer to nothing of the step
            return node;
        }
    }

    /// Whether a read of an image in a copy is of another copy, rather than of a buffer.
    bool reads_copy(const Expr &node, int step) const {
        const Parameter *image = parameter_of(node->symbol());
        for (size_t f = 0; f < iteration_.states.size(); f++) {
            const bool is_before = f < iteration_.before.size() && image == iteration_.before[f].get();
            if (image == iteration_.states[f].get() || is_before) {
                return step > (is_before ? 1 : 0);
            }
        }
        return false;
    }

    /// What replaces the read of an image in a copy after the first. A read of the state becomes a call of the copy
    /// before. A read of the state one step earlier becomes a call of the copy before that one; in the second copy, it
    /// is a read of the state itself.
    Expr read_of_state(const Expr &node, int step) const {
        const Parameter *image = parameter_of(node->symbol());
        const std::vector<Expr> args(node->args().begin(), node->args().end());
        for (size_t f = 0; f < iteration_.states.size(); f++) {
            if (image == iteration_.states[f].get()) {
                return read(fields_[f], node->type(), args, image);
            }
            if (f < iteration_.before.size() && image == iteration_.before[f].get()) {
                return step == 1 ? make_image(node->type(), buffer_of(iteration_.states[f].get()), args)
                                 : read(older_fields_[f], node->type(), args, iteration_.states[f].get());
            }
        }
        return node;
    }
};

} // namespace

bool may_unroll_steps(const Iteration &iteration) {
    const Graph &body = *iteration.body;
    if (!body.iterations.empty() || iteration.stops) {
        return false;
    }
    if (iteration.before.empty()) {
        return true;
    }
    return std::all_of(body.outputs.begin(), body.outputs.end(),
                       [&](const FuncId id) { return body.func(id).stages.size() == 1; });
}

bool is_limited(const Expr &coordinate) {
    bool found = false;
    for_each_node(coordinate, [&](const Expr &node) {
        found |= node->kind() == ExprKind::Min || node->kind() == ExprKind::Max || node->kind() == ExprKind::Mod;
    });
    return found;
}

Expr inside(const Expr &coordinate, const Symbol &buffer, int dim) {
    const Expr min = make_field(buffer, Field::Min, dim), extent = make_field(buffer, Field::Extent, dim);
    return max_of(min_of(coordinate, ir::sub(ir::add(min, extent), int32(1))), min);
}

ScheduledGraph periodic_extension(const Iteration &iteration, const PeriodicDimension &dimension) {
    ScheduledGraph result;
    result.graph = *iteration.body;
    for (FuncDef &func : result.graph.funcs) {
        for (Stage &stage : func.stages) {
            for (size_t d = 0; d < stage.args.size(); d++) {
                if (d != dimension.dimension()) { // a Func's own coordinate is any integer
                    stage.args[d] = dimension.extended_everywhere(func, stage.args[d]);
                }
            }
            for (Expr &value : stage.values) {
                value = dimension.extended_everywhere(func, value);
            }
            if (stage.predicate.defined()) {
                stage.predicate = dimension.extended_everywhere(func, stage.predicate);
            }
        }
    }
    give_default_schedules(result);
    return result;
}

ScheduledGraph unroll_steps(const Iteration &iteration, int steps, const std::vector<size_t> &cut,
                            const std::vector<PeriodicDimension> &periodic) {
    return StepUnroller(iteration, steps, cut, periodic).run();
}

} // namespace fluorite::autoschedule::time_tiling
