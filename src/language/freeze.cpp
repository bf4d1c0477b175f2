// Freezing: converts user handles to plain data with dense ids.
//
//   1. Order: the Functions reachable from the outputs, callees before callers, in order of first mention.
//   2. Expressions: each definition is rewritten once, in the order of the graph. Symbols become those of the graph,
//      inputs and parameters are listed in order of occurrence, and random numbers without seed are numbered 0, 1, 2,
//      ... in order of first use (freeze/exprs.cpp).
//   3. Names come last, when all objects are known. So rewriting finds symbols by object, and one table of symbols per
//      kind is filled beforehand in the order of a first traversal (freeze/objects.h, freeze/symbols.h).
//   4. Iterations: an input that stands for the result of one brings in its graphs (freeze/iterations.cpp).
//   5. Schedules: loops keep the user's names (anonymous Vars are numbered), levels get the graph's symbols
//      (freeze/schedules.cpp).
//
// Cost: linear in distinct nodes of each stage.

#include "language/freeze.h"

#include "language/freeze/exprs.h"
#include "language/freeze/iterations.h"
#include "language/freeze/schedules.h"
#include "language/iteration.h"
#include "language/operands.h"

#include <algorithm>
#include <unordered_map>

namespace fluorite::language {

using ir::Symbol;
using ir::SymbolKind;
using ir::SymbolOwner;

namespace {

/// The callees of a Function when frozen: wrappers replace the Functions that they wrap.
std::vector<Function *> callees_of(const Function &function, Form form) {
    std::vector<Function *> result;
    for (const Function *named : form == Form::Algorithm ? function.algorithm_callees() : function.callees) {
        result.push_back(const_cast<Function *>(named->as_called_by(function)));
    }
    for (const ir::Parameter *image : function.images) {
        if (const Function *wrapper = image_as_read_by(*image, function)) {
            result.push_back(const_cast<Function *>(wrapper));
        }
    }
    return result;
}

/// The Functions reachable from the outputs, callees first.
std::vector<Function *> topological_order(const std::vector<RefPtr<Function>> &outputs, Form form) {
    std::vector<Function *> order;
    std::unordered_map<Function *, bool> done; // false: on the stack
    struct Frame {
        Function *function;
        std::vector<Function *> callees;
        size_t next = 0;
    };
    const auto frame_of = [&](Function *function) { return Frame{function, callees_of(*function, form)}; };
    for (const RefPtr<Function> &output : outputs) {
        std::vector<Frame> stack;
        if (done.emplace(output.get(), false).second) {
            stack.push_back(frame_of(output.get()));
        }
        while (!stack.empty()) {
            Frame &frame = stack.back();
            if (frame.next == frame.callees.size()) {
                done[frame.function] = true;
                order.push_back(frame.function);
                stack.pop_back();
                continue;
            }
            auto *callee = frame.callees[frame.next++];
            const auto [at, is_new] = done.emplace(callee, false);
            if (is_new) {
                stack.push_back(frame_of(callee));
            } else {
                check(at->second, "definitions make no cycle: a Func that was called gets no further definitions");
            }
        }
    }
    return order;
}

class Freezer {
  public:
    Freezer(const std::vector<RefPtr<Function>> &outputs, const FreezeOptions &options, Form form, const Scope &scope)
        : options_(options), outputs_(outputs), form_(form), scope_(scope), order_(topological_order(outputs, form)),
          iterations_(scope_, options) {}
    Freezer(const Freezer &) = delete; // its parts refer to each other
    Freezer &operator=(const Freezer &) = delete;

    bool is_rewritten() const {
        return std::any_of(order_.begin(), order_.end(),
                           [](const Function *function) { return !function->algorithm.empty(); });
    }

    schedule::ScheduledGraph run() {
        check_defined();
        if (form_ == Form::Rewritten) {
            check_wrappers(order_);
        }
        list_objects();
        symbols_.make();
        for (size_t i = 0; i < order_.size(); i++) {
            freeze_function(i);
        }
        freeze_inputs();
        for (const Expr &requirement : options_.requirements) {
            ExprFreezer rewriter(exprs_);
            result_.graph.requirements.push_back(rewriter.rewrite(requirement));
        }
        for (const RefPtr<Function> &output : outputs_) {
            result_.graph.outputs.push_back(symbols_.id_of(output.get()));
        }
        result_.graph.trace_pipeline = options_.trace_pipeline;
        iterations_.add_to(result_, objects_.inputs());
        const bool drops_levels = form_ == Form::Algorithm && is_rewritten();
        freeze_schedules(order_, exprs_, drops_levels, loop_names_, result_);
        return std::move(result_);
    }

    const std::vector<Function *> &functions() const { return order_; }
    const LoopNames &loop_names() const { return loop_names_; }

  private:
    const FreezeOptions &options_;
    const std::vector<RefPtr<Function>> &outputs_;
    Form form_;
    Scope scope_;
    std::vector<Function *> order_;
    Objects objects_;
    OwnIterations iterations_;
    GraphSymbols symbols_{order_, outputs_, objects_};
    ExprScope exprs_{symbols_, objects_, options_.contract_fma, options_.target};
    LoopNames loop_names_;
    schedule::ScheduledGraph result_;

    // ---- Objects.

    void check_defined() const {
        for (const Function *function : order_) {
            if (!function->defined()) {
                fail("undefined-func", *function, -1,
                     "it is run but has no definition; a Func is defined before it is run; define it first",
                     function->def.location);
            }
            const bool is_read = !symbols_.is_output(*function) || !scope_.is_outermost;
            const bool is_final = function->def.stages.size() == 1 && is_read;
            for (const Expr &value : function->def.stages[0].values) {
                if (is_final && has_undef(value)) {
                    fail("undef-value", *function, 0,
                         "its definition leaves values undefined that others read, and no update gives them; what a "
                         "Func is read at has a value; define it everywhere, or add an update",
                         function->def.location);
                }
            }
        }
    }

    void list_objects() {
        for (const Function *function : order_) {
            objects_.exclude_output_parameters(*function);
        }
        // The program's form is visited first, so that inputs and random numbers are numbered as in the algorithm.
        if (form_ == Form::Rewritten && is_rewritten()) {
            for (const Function *function : topological_order(outputs_, Form::Algorithm)) {
                objects_.note_function(*function, Form::Algorithm);
            }
        }
        for (const Function *function : order_) {
            objects_.note_function(*function, form_);
        }
        for (const Expr &requirement : options_.requirements) {
            objects_.note(requirement);
        }
        // Constraints may mention further parameters, which may have constraints in turn.
        const std::vector<ir::Parameter *> &inputs = objects_.inputs(), &params = objects_.params();
        for (size_t done_inputs = 0, done_params = 0; done_inputs < inputs.size() || done_params < params.size();) {
            if (done_inputs < inputs.size()) {
                const ir::Parameter &input = *inputs[done_inputs++];
                objects_.note_constraints(input);
                for (ir::Parameter *parameter : iterations_.note(input)) {
                    objects_.note_parameter(parameter);
                }
            } else {
                objects_.note_constraints(*params[done_params++]);
            }
        }
        for (const std::vector<ir::Parameter *> *list : {&inputs, &params}) {
            for (const ir::Parameter *parameter : *list) {
                if (scope_.is_outermost && is_iteration_local(*parameter)) {
                    fail("iterate-field-outside", shown_name(parameter->name),
                         "it is read outside of the body of its iteration; it has a value during a step only; read the "
                         "Func that iterate() returns, or move what reads it into the body",
                         outputs_[0]->def.location);
                }
            }
        }
    }

    // ---- Definitions.

    void freeze_function(size_t index) {
        const Function &function = *order_[index];
        const Symbol &symbol = symbols_.func(index);
        ir::FuncDef def;
        def.symbol = symbol;
        def.types = function.def.types;
        def.trace_loads = function.def.trace_loads;
        def.trace_stores = function.def.trace_stores;
        def.trace_realizations = function.def.trace_realizations;
        def.trace_tags = function.def.trace_tags;
        def.debug_file = function.def.debug_file;
        def.is_profiled = function.def.is_profiled;
        def.reassociates = function.def.reassociates;
        def.location = function.def.location;
        ir::SymbolMap<Expr> vars;
        for (size_t d = 0; d < function.def.args.size(); d++) {
            SymbolOwner owner;
            owner.func = FuncId(index);
            owner.dim = DimId(d);
            def.arg_names.push_back(function.def.arg_names[d]); // freezing the schedules names the anonymous ones
            def.args.emplace_back(SymbolKind::Var, symbol.name() + "." + arg_text(function, d), owner);
            vars[function.def.args[d]] = ir::make_var(Int(32), def.args.back());
        }
        for (size_t k = 0; k < function.def.stages.size(); k++) {
            def.stages.push_back(freeze_stage(index, k, vars));
        }
        for (const RefPtr<ir::Parameter> &parameter : function.output_parameters) {
            def.output_buffers.push_back({freeze_constraints(*parameter), parameter->host_alignment});
        }
        result_.graph.funcs.push_back(std::move(def));
    }

    /// The Var's component of a symbol's name; an anonymous Var is represented by its position.
    static std::string arg_text(const Function &function, size_t d) {
        const std::string &name = function.def.arg_names[d];
        return is_anonymous(name) ? shown_name(name) + "$" + std::to_string(d) : name;
    }

    ir::Stage freeze_stage(size_t index, size_t k, const ir::SymbolMap<Expr> &vars) const {
        const ir::Stage &stage =
            form_ == Form::Algorithm ? order_[index]->algorithm_of(k) : order_[index]->def.stages[k];
        ExprFreezer rewriter(exprs_, order_[index], vars);
        ir::Stage frozen;
        frozen.location = stage.location;
        for (size_t i = 0; i < stage.rvars.size(); i++) {
            const ir::ReductionVar &rvar = stage.rvars[i];
            SymbolOwner owner;
            owner.func = FuncId(index);
            owner.stage = static_cast<int32_t>(k);
            owner.dim = DimId(i);
            const std::string its_name = is_anonymous(rvar.name) ? concat(shown_name(rvar.name), "$", i)
                                                                 : rvar.name; // of a loop that a split made
            const std::string name = concat(symbols_.func(index).name(), ".s", k, ".", its_name);
            const Symbol symbol(SymbolKind::RVar, name, owner);
            frozen.rvars.push_back({symbol, rewriter.rewrite(rvar.min), rewriter.rewrite(rvar.extent), rvar.name});
            rewriter.define(rvar.var, ir::make_var(Int(32), symbol));
        }
        for (const Expr &arg : stage.args) {
            frozen.args.push_back(rewriter.rewrite(arg));
        }
        for (const Expr &value : stage.values) {
            frozen.values.push_back(rewriter.rewrite(value));
        }
        frozen.predicate = rewriter.rewrite(stage.predicate);
        return frozen;
    }

    std::vector<ir::DimConstraint> freeze_constraints(const ir::Parameter &parameter) const {
        ExprFreezer rewriter(exprs_);
        std::vector<ir::DimConstraint> frozen;
        for (const ir::DimConstraint &dim : parameter.dims) {
            frozen.push_back({rewriter.rewrite(dim.min), rewriter.rewrite(dim.extent), rewriter.rewrite(dim.stride),
                              rewriter.rewrite(dim.min_estimate), rewriter.rewrite(dim.extent_estimate)});
        }
        // The shape of a Buffer in an expression is known, hence so are its strides: interleaved channels, or short
        // innermost dimensions with dense neighbours.
        if (parameter.is_bound_buffer && parameter.buffer) {
            const auto dimensions = static_cast<size_t>(parameter.buffer->dimensions);
            frozen.resize(std::max(frozen.size(), dimensions));
            for (size_t d = 0; d < dimensions; d++) {
                if (!frozen[d].stride.defined()) {
                    frozen[d].stride = ir::make_int(Int(32), parameter.buffer->dim[d].stride);
                }
            }
        }
        return frozen;
    }

    void freeze_inputs() {
        for (size_t i = 0; i < objects_.inputs().size(); i++) {
            ir::Parameter *parameter = objects_.inputs()[i];
            ir::InputDef def;
            def.symbol = symbols_.input(i);
            def.type = parameter->type;
            def.dimensions = parameter->dimensions;
            def.parameter = RefPtr<ir::Parameter>(parameter);
            def.constraints = freeze_constraints(*parameter);
            def.trace_loads = parameter->trace_loads;
            def.trace_tags = parameter->trace_tags;
            result_.graph.inputs.push_back(std::move(def));
        }
        for (size_t i = 0; i < objects_.params().size(); i++) {
            ir::Parameter *parameter = objects_.params()[i];
            ExprFreezer rewriter(exprs_);
            result_.graph.params.push_back({symbols_.param(i), parameter->type, RefPtr<ir::Parameter>(parameter),
                                            rewriter.rewrite(parameter->min_value),
                                            rewriter.rewrite(parameter->max_value)});
        }
    }
};

} // namespace

schedule::ScheduledGraph freeze_graph(const std::vector<RefPtr<Function>> &outputs, const FreezeOptions &options,
                                      const Scope &scope) {
    Freezer as_written(outputs, options, Form::Algorithm, scope), rewritten(outputs, options, Form::Rewritten, scope);
    if (!rewritten.is_rewritten()) {
        return rewritten.run();
    }
    schedule::ScheduledGraph result = as_written.run();
    result.rewritten = std::make_shared<const schedule::ScheduledGraph>(rewritten.run());
    return result;
}

static schedule::ScheduledGraph freeze_pipeline(const std::vector<RefPtr<Function>> &outputs,
                                                const FreezeOptions &options) {
    Iterations iterations;
    return freeze_graph(outputs, options, {iterations});
}

schedule::ScheduledGraph freeze(const std::vector<Func> &outputs, const FreezeOptions &options) {
    std::vector<RefPtr<Function>> functions;
    for (const Func &output : outputs) {
        functions.push_back(RefPtr<Function>(output.function().get()));
    }
    return freeze_pipeline(functions, options);
}

schedule::ScheduledGraph freeze(const PipelineContents &pipeline, const FreezeOptions &options) {
    FreezeOptions all = options;
    all.requirements.insert(all.requirements.end(), pipeline.requirements.begin(), pipeline.requirements.end());
    all.trace_pipeline = all.trace_pipeline || pipeline.trace_pipeline;
    return freeze_pipeline(pipeline.outputs, all);
}

FrozenPipeline freeze_with_handles(const PipelineContents &pipeline, bool contract_fma) {
    FreezeOptions options;
    options.contract_fma = contract_fma;
    options.requirements = pipeline.requirements;
    Iterations iterations;
    Freezer freezer(pipeline.outputs, options, Form::Rewritten, {iterations});
    FrozenPipeline frozen;
    frozen.pipeline = freezer.run();
    frozen.functions = freezer.functions();
    for (const auto &[user_name, name] : freezer.loop_names().given()) {
        frozen.anonymous_loops[name] = user_name;
    }
    return frozen;
}

} // namespace fluorite::language
