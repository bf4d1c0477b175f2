// The walk over the pipeline.
//
// Funcs are visited from the output to what it depends on, each after all that read it. So all contributions to a
// Func's adjoint are known when it is visited, and the box in which it is read. Its stages are then reversed from the
// last to the first. The adjoint of a Func is valid in its box only: those that read it clamp to it where they might
// leave it (gather.cpp), which saves comparisons in chains of Funcs over one box.
//
// Relies on: definitions call each other without cycles, and an update calls its own Func only (language/function.h).
// Cost: linear in the expressions of the pipeline, plus the interval analysis of the coordinates of each read.

#include "language/derivative/propagation.h"

#include "analysis/bounds_where.h"
#include "analysis/hints.h"
#include "fluorite/ops.h"
#include "ir/extern_stage.h"
#include "language/operands.h"
#include "rewrite/simplify.h"

#include <algorithm>
#include <unordered_set>

namespace fluorite::language::derivative {

using analysis::Box;
using analysis::Interval;
using ir::ExprKind;

std::string adjoint_name(const std::string &name) { return "d_" + clean_name(shown_name(name)); }

namespace {

/// The Funcs that the output depends on, itself included, each before those that it reads.
std::vector<Function *> from_output(Function &output) {
    struct Visit {
        Function *function;
        std::vector<Function *> callees;
        size_t next = 0;
    };
    std::vector<Function *> order;
    std::unordered_set<Function *> seen = {&output};
    std::vector<Visit> stack;
    stack.push_back({&output, output.algorithm_callees()});
    while (!stack.empty()) {
        Visit &top = stack.back();
        if (top.next == top.callees.size()) {
            order.push_back(top.function);
            stack.pop_back();
        } else if (Function *callee = top.callees[top.next++]; seen.insert(callee).second) {
            stack.push_back({callee, callee->algorithm_callees()});
        }
    }
    std::reverse(order.begin(), order.end());
    return order;
}

class Propagation : public ContributionSink {
  public:
    Propagation(const DerivativeOptions &options, const Location &location)
        : adjoints_(std::make_shared<Adjoints>()), prefixes_(adjoints_->made, site_) {
        site_.options = &options;
        site_.location = location;
    }

    std::shared_ptr<Adjoints> run(Function &output, const Func &adjoint, const Region &bounds) {
        for (Function *function : from_output(output)) {
            if (function == &output) {
                visit_output(output, adjoint, bounds);
            } else if (const auto found = reached_.find(function); found != reached_.end()) {
                Reached reached = std::move(found->second);
                reached_.erase(found);
                visit(*function, std::move(reached), {});
            }
        }
        for (const auto &[parameter, contributions] : parameters_in_order()) {
            define_parameter(*parameter, contributions);
        }
        return adjoints_;
    }

    void add(const Expr &read, Contribution contribution) override {
        check_repeatable(contribution.adjoint, site_);
        contribution.reassociates = site_.function->def.reassociates;
        if (read->kind() == ExprKind::Call) {
            Function &target = *function_of(read->symbol());
            Reached &reached = reached_[&target];
            merge(reached.box, box_of(contribution, target));
            reached.contributions.push_back(std::move(contribution));
            return;
        }
        ir::Parameter &parameter = *ir::parameter_of(read->symbol());
        if (parameter.iteration) {
            fail("no-derivative", *site_.function, site_.stage,
                 "it reads the result of iterate(), and adjoints are not propagated through its steps, as all of them "
                 "would have to be kept; write the steps as Funcs, one after the other",
                 site_.location);
        }
        auto [at, is_new] = parameters_.try_emplace(&parameter);
        if (is_new) {
            parameter_order_.emplace_back(&parameter);
        }
        at->second.push_back(std::move(contribution));
    }

  private:
    struct Reached {
        Box box;
        std::vector<Contribution> contributions;
    };
    using Contributions = std::vector<Contribution>;

    std::shared_ptr<Adjoints> adjoints_;
    DerivativeSite site_;
    Prefixes prefixes_;
    std::unordered_map<Function *, Reached> reached_;
    std::unordered_map<ir::Parameter *, Contributions> parameters_;
    std::vector<detail::Ref<ir::Parameter>> parameter_order_;

    std::vector<std::pair<ir::Parameter *, Contributions>> parameters_in_order() const {
        std::vector<std::pair<ir::Parameter *, Contributions>> result;
        for (const detail::Ref<ir::Parameter> &parameter : parameter_order_) {
            result.emplace_back(parameter.get(), parameters_.at(parameter.get()));
        }
        return result;
    }

    // ---- Boxes.

    Box box_of(const Contribution &contribution, const Function &target) const {
        const IterationSpace &space = *contribution.space;
        return box_of_args(contribution.args, space.scope(), space.predicate, target);
    }

    Box box_of_args(const std::vector<Expr> &args, const analysis::Scope &scope, const Expr &predicate,
                    const Function &target) const {
        analysis::BoundsFinder finder(scope);
        Box box;
        for (size_t i = 0; i < args.size(); i++) {
            const Interval range = analysis::bounds_where(analysis::strip_hints(args[i]), predicate, finder);
            if (!range.is_bounded()) {
                fail("derivative-bounds", *site_.function, site_.stage,
                     concat("it reads or updates ", shown_name(target.name), " in dimension ", i,
                            " at a coordinate of unknown range; the adjoint of ", shown_name(target.name),
                            " is computed over the box that is read; clamp the coordinate"),
                     site_.location);
            }
            box.push_back(range);
        }
        return box;
    }

    static std::vector<SpaceDim> dims_of(const Function &function, const ir::Stage &stage, const Box &box) {
        std::vector<SpaceDim> dims;
        for (size_t i = 0; i < stage.args.size(); i++) {
            const Expr &arg = stage.args[i];
            if (ir::is_kind(arg, ExprKind::Variable) && arg->symbol() == function.def.args[i]) {
                dims.push_back({function.def.args[i], box[i].min, box[i].max, true});
            }
        }
        for (const ir::ReductionVar &rvar : stage.rvars) {
            dims.push_back({rvar.var, rvar.min, rewrite::simplify(rvar.min + rvar.extent - 1), false});
        }
        return dims;
    }

    /// Grows the box by what the updates write and read of the Func itself. The ranges of pure Vars follow those of
    /// coordinates of other updates, hence one round for each dimension.
    void grow_by_updates(Function &function, Box &box) {
        const size_t updates = function.def.stages.size() - 1;
        for (size_t round = 0; updates > 0 && round <= box.size(); round++) {
            const Box before = box;
            for (size_t k = 1; k <= updates; k++) {
                const ir::Stage &stage = function.algorithm_of(k);
                site_.stage = static_cast<int>(k);
                IterationSpace space{dims_of(function, stage, box), stage.predicate};
                const auto include = [&](const std::vector<Expr> &args) {
                    merge(box, box_of_args(args, space.scope(), space.predicate, function));
                };
                include(stage.args);
                for (const Expr &value : stage.values) {
                    ir::for_each_node(value, [&](const Expr &node) {
                        if (node->kind() == ExprKind::Call && function_of(node->symbol()) == &function) {
                            include({node->args().begin(), node->args().end()});
                        }
                    });
                }
            }
            const bool same = std::equal(box.begin(), box.end(), before.begin(), [](const auto &a, const auto &b) {
                return ir::equal(a.min, b.min) && ir::equal(a.max, b.max);
            });
            if (same) {
                return;
            }
        }
    }

    // ---- Funcs.

    void visit_output(Function &output, const Func &adjoint, const Region &bounds) {
        Box box;
        for (const Range &range : bounds) {
            const Expr min = rewrite::simplify(nearest_int32(range.min));
            box.push_back({min, rewrite::simplify(min + nearest_int32(range.extent) - 1)});
        }
        std::vector<Expr> vars;
        for (const ir::Symbol &var : output.def.args) {
            vars.push_back(ir::make_var(Int(32), var));
        }
        const Box given = box;
        site_.function = &output;
        grow_by_updates(output, box);
        Expr outside;
        std::vector<Expr> inside = vars;
        for (size_t i = 0; i < box.size(); i++) {
            if (!rewrite::can_prove(given[i].min <= box[i].min) || !rewrite::can_prove(box[i].max <= given[i].max)) {
                const Expr beyond = vars[i] < given[i].min || vars[i] > given[i].max;
                outside = outside.defined() ? outside || beyond : beyond;
                inside[i] = into_range(vars[i], given[i].min, given[i].max);
            }
        }
        Values base = Tuple(adjoint(inside, site_.location)).as_vector();
        for (Expr &value : base) {
            value = outside.defined() ? select(outside, ir::make_zero(value.type()), likely(value)) : value;
        }
        visit(output, {box, {}}, base);
    }

    bool is_input(const Function &function) const {
        const std::vector<Func> &inputs = site_.options->inputs;
        return std::any_of(inputs.begin(), inputs.end(),
                           [&](const Func &input) { return input.function().get() == &function; });
    }

    void visit(Function &function, Reached reached, const Values &base) {
        site_.function = &function;
        site_.stage = 0;
        grow_by_updates(function, reached.box);
        const size_t last = function.def.stages.size() - 1;
        Adjoints::OfFunction result{detail::Ref<Function>(&function), {}, reached.box, {}};
        result.stages.resize(last + 1);
        const Target target{function.def.args, reached.box};
        AdjointState state{define_adjoint(adjoint_name(function.name), target, function.def.types, base,
                                          reached.contributions, site_.location)};
        adjoints_->made.push_back(state.func);
        result.stages[last] = state.func;
        if (!is_input(function)) {
            for (size_t k = last; k > 0 && !state.is_zero(); k--) {
                site_.stage = static_cast<int>(k);
                state = reverse_update(differentiable(function, k, reached.box), state, target, prefixes_,
                                       adjoints_->made, *this, site_);
                result.stages[k - 1] = state.func;
            }
            site_.stage = 0;
            if (!state.is_zero()) {
                reverse_pure(function, state, reached.box);
            }
        }
        adjoints_->functions.push_back(std::move(result));
    }

    DifferentiableStage differentiable(Function &function, size_t index, const Box &box) const {
        const ir::Stage &stage = function.algorithm_of(index);
        DifferentiableStage result;
        result.function = &function;
        result.index = index;
        result.args = stage.args;
        result.predicate = stage.predicate;
        result.dims = dims_of(function, stage, box);
        for (size_t i = 0; i < stage.args.size(); i++) {
            result.is_pure.push_back(ir::is_kind(stage.args[i], ExprKind::Variable) &&
                                     stage.args[i]->symbol() == function.def.args[i]);
        }
        for (size_t i = 0; i < stage.values.size(); i++) {
            const Type type = stage.values[i].type();
            const Expr old = index == 0 ? ir::make_zero(type)
                                        : ir::make_call(type, function.def.symbol, static_cast<int>(i), stage.args);
            result.values.push_back(as_differentiable(stage.values[i], old));
            const ir::Symbol seed(ir::SymbolKind::Var, anonymous_name("seed"));
            result.seeds.push_back(type.is_float() ? ir::make_var(type, seed) : Expr());
        }
        result.reads = adjoints_of_reads(result.values, result.seeds, site_);
        return result;
    }

    void reverse_pure(Function &function, const AdjointState &state, const Box &box) {
        if (const ir::ExprNode *stage = ir::find_extern_stage(function.def)) {
            return check_extern_stage(*stage);
        }
        const DifferentiableStage stage = differentiable(function, 0, box);
        const Values adjoints = state.at(stage.args, function.def.types, site_.location);
        ir::SymbolMap<Expr> seeds;
        for (size_t i = 0; i < adjoints.size(); i++) {
            if (stage.seeds[i].defined()) {
                seeds[stage.seeds[i]->symbol()] = adjoints[i];
            }
        }
        const FreshSpace space(stage.dims, Expr());
        for (const ReadAdjoint &read : stage.reads) {
            add(read.read,
                space.contribution(args_of(read.read), value_of(read.read), ir::substitute(read.adjoint, seeds)));
        }
    }

    /// A C function that reads floats of Funcs or inputs would have to propagate their adjoints.
    void check_extern_stage(const ir::ExprNode &stage) const {
        for (const Expr &operand : ir::extern_operands(stage)) {
            const Expr access = ir::extern_access(operand);
            if ((access.defined() ? access : operand).type().is_float() && !ir::is_const(operand)) {
                fail("no-derivative", *site_.function, site_.stage,
                     "the C function " + ir::extern_function(stage) +
                         " computes it from other values; nothing is known of what a C function computes; name it in "
                         "DerivativeOptions::inputs, and propagate from there by a function of your own",
                     site_.location);
            }
        }
    }

    // ---- Inputs.

    void define_parameter(ir::Parameter &parameter, const Contributions &contributions) {
        Target target;
        for (int i = 0; i < parameter.dimensions; i++) {
            target.vars.push_back(Expr(Var(i < 4 ? std::string(1, "xyzw"[i]) : concat("d", i)))->symbol());
        }
        const Func adjoint =
            define_adjoint(adjoint_name(parameter.name), target, {parameter.type}, {}, contributions, site_.location);
        adjoints_->made.push_back(adjoint);
        adjoints_->parameters.push_back({detail::Ref<ir::Parameter>(&parameter), adjoint});
    }
};

} // namespace

std::shared_ptr<Adjoints> propagate(Function &output, const Func &adjoint, const Region &bounds,
                                    const DerivativeOptions &options, const Location &location) {
    return Propagation(options, location).run(output, adjoint, bounds);
}

} // namespace fluorite::language::derivative
