// Several steps of an iteration as one graph.
//
// What: copies of the body's Funcs. An access to the state becomes a call of the copy before, and the step t becomes
// t + j in copy j:
//
//   next(x) = state(x - 1) + state(x + 1)     -->   next_1(x) = state(x - 1) + state(x + 1)
//                                                   next(x) = next_1(x - 1) + next_1(x + 1)
//
// A read of the state is inside the domain, which bounds inference cannot know of a read of a copy: the loops of the
// last step are cut into strips, whose last one is rounded up. So coordinates that no boundary condition limits
// already are clamped to the domain, in the dimension that is cut. Fields of the state's buffer remain, because all
// states have the same box. Relies on: names of symbols of a Func begin with its name. Does not do: bodies that
// iterate. Cost: linear in the body's nodes for each step.

#include "lowering/iterate/sweep_chain.h"

#include "support/check.h"

#include <algorithm>
#include <set>
#include <string>

namespace fluorite::lowering {

using namespace ir;
using schedule::ScheduledGraph;

namespace {

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

class ChainMaker {
  public:
    ChainMaker(const Iteration &iteration, int steps) : iteration_(iteration), body_(*iteration.body), steps_(steps) {
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
        graph.params = body_.params;
        graph.requirements = body_.requirements;
        for (int step = 0; step < steps_; step++) {
            first_ = graph.funcs.size();
            funcs_.clear();
            for (const FuncDef &func : body_.funcs) {
                add(func, step);
            }
            list_fields();
        }
        for (const FuncId output : body_.outputs) {
            graph.outputs.push_back(FuncId(first_ + output.index()));
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
    std::set<std::string> names_;
    ScheduledGraph result_;
    size_t first_ = 0;          // the first Func of the copy
    std::vector<Symbol> funcs_; // of the copy, as body_.funcs
    std::vector<Value> fields_; // of the copy before

    void list_fields() {
        fields_.clear();
        for (const FuncId output : body_.outputs) {
            for (size_t k = 0; k < body_.func(output).types.size(); k++) {
                fields_.push_back({funcs_[output.index()], static_cast<int>(k)});
            }
        }
    }

    std::string name_of(const std::string &name, int step) {
        if (step + 1 == steps_) {
            return name;
        }
        std::string copy = concat(name, "_", step + 1);
        while (!names_.insert(copy).second) {
            copy += "_";
        }
        return copy;
    }

    void add(const FuncDef &func, int step) {
        FuncDef copy = func;
        SymbolOwner owner;
        owner.func = static_cast<int32_t>(result_.graph.funcs.size());
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
        for (Symbol &arg : copy.args) {
            const Symbol made = renamed(arg);
            variables[arg] = make_var(Int(32), made);
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
                    expr = transform(expr, [&](const Expr &node) { return changed(node, variables, step); });
                }
            };
            for (ReductionVar &rvar : stage.rvars) {
                change(rvar.min);
                change(rvar.extent);
            }
            std::for_each(stage.args.begin(), stage.args.end(), change);
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
            const auto func = static_cast<size_t>(node->symbol().owner().func);
            return make_call(node->type(), funcs_[func], node->member().index, node->args());
        }
        case ExprKind::Image:
            for (size_t f = 0; f < iteration_.states.size() && step > 0; f++) {
                if (parameter_of(node->symbol()) == iteration_.states[f].get()) {
                    std::vector<Expr> args(node->args().begin(), node->args().end());
                    const size_t cut = cut_dimension(args.size());
                    if (cut < args.size() && !is_limited(args[cut])) {
                        args[cut] = inside(args[cut], node->symbol(), static_cast<int>(cut));
                    }
                    return make_call(node->type(), fields_[f].func, fields_[f].index, args);
                }
            }
            return node;
        default:
            return node;
        }
    }
};

} // namespace

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

ScheduledGraph chain_of(const Iteration &iteration, int steps) { return ChainMaker(iteration, steps).run(); }

} // namespace fluorite::lowering
