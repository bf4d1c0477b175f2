// Freezing: converts user handles to plain data with dense ids.
//
//   1. Order: the Functions reachable from the outputs, callees before callers, in order of first mention.
//   2. Expressions: each definition is rewritten once, in the order of the graph. Symbols become those of the graph,
//      inputs and parameters are listed in order of occurrence, and random numbers without seed are numbered 0, 1, 2,
//      ... in order of first use.
//   3. Names come last, when all objects are known. So rewriting finds symbols by object, and one table of symbols per
//      kind is filled beforehand in the order of a first traversal.
//   4. Iterations: an input that stands for the result of one brings in its graphs (freeze_iterations.cpp).
//   5. Schedules: loops keep the user's names (anonymous Vars are numbered), levels get the graph's symbols.
//
// Contraction: where requested, a*b + c, c + a*b, a*b - c and c - a*b of float32 and float64 become one Fma. Where both
// operands of an Add or Sub are products, the left one is contracted: Fma(a, b, c*d). Contraction applies to the
// definition as written, independently of the schedule, and never across Funcs. Hence every schedule, and the
// interpreter, computes the same bits.
//
// Cost: linear in distinct nodes of each stage.

#include "language/freeze.h"

#include "language/freeze_iterations.h"
#include "language/freeze_names.h"
#include "language/freeze_objects.h"
#include "language/iteration.h"
#include "language/operands.h"

#include <algorithm>
#include <unordered_map>

namespace fluorite::language {

using ir::ExprKind;
using ir::ExprNode;
using ir::Parameter;
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
    for (const Parameter *image : function.images) {
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
        make_symbols();
        for (size_t i = 0; i < order_.size(); i++) {
            freeze_function(i);
        }
        freeze_inputs();
        for (const Expr &requirement : options_.requirements) {
            Rewriter rewriter{*this, nullptr, {}, {}};
            result_.graph.requirements.push_back(rewriter.rewrite(requirement));
        }
        for (const RefPtr<Function> &output : outputs_) {
            result_.graph.outputs.push_back(ids_.at(output.get()));
        }
        result_.graph.trace_pipeline = options_.trace_pipeline;
        iterations_.add_to(result_, objects_.inputs());
        freeze_schedules();
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
    std::unordered_map<const void *, FuncId> ids_;
    std::vector<Symbol> func_symbols_, input_symbols_, param_symbols_;
    std::unordered_map<const Parameter *, Symbol> output_symbols_;
    LoopNames loop_names_;
    schedule::ScheduledGraph result_;

    // ---- 1. Objects.

    void check_defined() const {
        for (const Function *function : order_) {
            if (!function->defined()) {
                fail("undefined-func", *function, -1,
                     "it is run but has no definition; a Func is defined before it is run; define it first",
                     function->def.location);
            }
            const bool is_read = !is_output(*function) || !scope_.is_outermost;
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
        const std::vector<Parameter *> &inputs = objects_.inputs(), &params = objects_.params();
        for (size_t done_inputs = 0, done_params = 0; done_inputs < inputs.size() || done_params < params.size();) {
            if (done_inputs < inputs.size()) {
                const Parameter &input = *inputs[done_inputs++];
                objects_.note_constraints(input);
                for (Parameter *parameter : iterations_.note(input)) {
                    objects_.note_parameter(parameter);
                }
            } else {
                objects_.note_constraints(*params[done_params++]);
            }
        }
        for (const std::vector<Parameter *> *list : {&inputs, &params}) {
            for (const Parameter *parameter : *list) {
                if (scope_.is_outermost && is_iteration_local(*parameter)) {
                    fail("iterate-field-outside", shown_name(parameter->name),
                         "it is read outside of the body of its iteration; it has a value during a step only; read the "
                         "Func that iterate() returns, or move what reads it into the body",
                         outputs_[0]->def.location);
                }
            }
        }
    }

    // ---- 2. Symbols of the graph.

    void make_symbols() {
        std::vector<std::string> wanted;
        for (size_t i = 0; i < order_.size(); i++) {
            ids_[order_[i]] = FuncId(i);
            wanted.push_back(order_[i]->name);
        }
        for (const std::vector<Parameter *> *list : {&objects_.inputs(), &objects_.params()}) {
            for (const Parameter *parameter : *list) {
                wanted.push_back(parameter->name);
            }
        }
        std::vector<size_t> outputs; // they claim their names before inner objects do
        for (const RefPtr<Function> &output : outputs_) {
            outputs.push_back(ids_.at(output.get()).index());
        }
        const std::vector<std::string> names = GlobalNames::assign(wanted, outputs);
        for (size_t i = 0; i < order_.size(); i++) {
            SymbolOwner owner;
            owner.func = static_cast<int32_t>(i);
            func_symbols_.emplace_back(SymbolKind::Func, names[i], owner);
            make_output_symbols(*order_[i], names[i], owner);
        }
        size_t next = order_.size();
        for (size_t i = 0; i < objects_.inputs().size(); i++) {
            SymbolOwner owner;
            owner.input = static_cast<int32_t>(i);
            input_symbols_.emplace_back(SymbolKind::Buffer, names[next++], owner, objects_.inputs()[i]);
        }
        for (Parameter *param : objects_.params()) {
            param_symbols_.emplace_back(SymbolKind::Param, names[next++], SymbolOwner(), param);
        }
    }

    void make_output_symbols(const Function &function, const std::string &name, SymbolOwner owner) {
        for (size_t k = 0; k < function.output_parameters.size(); k++) {
            owner.dim = static_cast<int32_t>(k);
            const std::string value_name = function.def.types.size() == 1 ? name : name + "." + std::to_string(k);
            output_symbols_[function.output_parameters[k].get()] = Symbol(SymbolKind::Buffer, value_name, owner);
        }
    }

    const Symbol &parameter_symbol(const Symbol &user) const {
        const Parameter *parameter = ir::parameter_of(user);
        const auto output = output_symbols_.find(parameter);
        if (output != output_symbols_.end()) {
            return output->second;
        }
        const size_t index = objects_.index_of(parameter);
        return parameter->is_buffer ? input_symbols_[index] : param_symbols_[index];
    }

    // ---- 3. Expressions.

    /// Rewrites the expressions of one stage; nodes that they share stay shared.
    struct Rewriter {
        const Freezer &freezer;
        const Function *function;      // whose definition this is, or null
        ir::SymbolMap<Expr> variables; // Vars and RVars
        std::unordered_map<const ExprNode *, Expr> done;

        Expr rewrite(const Expr &root) {
            if (!root.defined()) {
                return root;
            }
            std::vector<const ExprNode *> stack{root.get()};
            while (!stack.empty()) {
                const ExprNode *node = stack.back();
                if (done.count(node) != 0) {
                    stack.pop_back();
                    continue;
                }
                bool ready = true;
                for (const Expr &arg : node->args()) {
                    if (done.count(arg.get()) == 0) {
                        stack.push_back(arg.get());
                        ready = false;
                    }
                }
                if (ready) {
                    stack.pop_back();
                    done.emplace(node, make(Expr(node)));
                }
            }
            return done.at(root.get());
        }

        Expr make(const Expr &node) {
            std::vector<Expr> args;
            bool same = true;
            for (const Expr &arg : node->args()) {
                args.push_back(done.at(arg.get()));
                same = same && args.back().same_as(arg);
            }
            switch (node->kind()) {
            case ExprKind::Variable:
                return variable(node);
            case ExprKind::BufferField:
                return ir::make_field(freezer.parameter_symbol(node->symbol()), node->member().field,
                                      node->member().index);
            case ExprKind::Image: {
                const Function *wrapper =
                    function ? image_as_read_by(*ir::parameter_of(node->symbol()), *function) : nullptr;
                return wrapper ? ir::make_call(node->type(), freezer.func_symbols_[freezer.ids_.at(wrapper).index()], 0,
                                               args)
                               : ir::make_image(node->type(), freezer.parameter_symbol(node->symbol()), args);
            }
            case ExprKind::Call: {
                check(function != nullptr, "schedules and constraints call no Funcs");
                const FuncId id = freezer.ids_.at(function_of(node->symbol())->as_called_by(*function));
                return ir::make_call(node->type(), freezer.func_symbols_[id.index()], node->member().index, args);
            }
            case ExprKind::Add:
            case ExprKind::Sub:
                if (freezer.options_.contract_fma) {
                    const Expr contracted = contract(node->kind(), args[0], args[1]);
                    if (contracted.defined()) {
                        return contracted;
                    }
                }
                break;
            default:
                break;
            }
            return same ? node : ir::with_args(node, args);
        }

        Expr variable(const Expr &node) {
            const Symbol &symbol = node->symbol();
            switch (symbol.kind()) {
            case SymbolKind::Param:
                return ir::make_var(node->type(), freezer.parameter_symbol(symbol));
            case SymbolKind::Let:
                return ir::make_int(Int(32), freezer.objects_.random_id(symbol));
            default:
                break;
            }
            const auto found = variables.find(symbol);
            check(found != variables.end(), "a definition's variables are its own: " + symbol.name());
            return found->second;
        }

        static bool is_product(const Expr &expr) {
            // A negation is -0.0 - x; a product of constants was folded.
            return expr->kind() == ExprKind::Mul;
        }

        static Expr negate(const Expr &expr) { return ir::sub(ir::make_float(expr.type(), -0.0), expr); }

        /// Fuses a product and a sum into one rounded operation; an undefined Expr where that does not apply.
        static Expr contract(ExprKind kind, const Expr &a, const Expr &b) {
            const Type type = a.type();
            if (type.code() != TypeCode::Float || (type.bits() != 32 && type.bits() != 64)) {
                return Expr();
            }
            const bool is_sub = kind == ExprKind::Sub;
            if (is_product(a)) {
                return ir::make_fma(a->arg(0), a->arg(1), is_sub ? negate(b) : b);
            }
            if (is_product(b)) {
                return ir::make_fma(is_sub ? negate(b->arg(0)) : b->arg(0), b->arg(1), a);
            }
            return Expr();
        }
    };

    // ---- 4. Definitions.

    void freeze_function(size_t index) {
        const Function &function = *order_[index];
        const Symbol &symbol = func_symbols_[index];
        ir::FuncDef def;
        def.symbol = symbol;
        def.types = function.def.types;
        def.trace_loads = function.def.trace_loads;
        def.trace_stores = function.def.trace_stores;
        def.trace_realizations = function.def.trace_realizations;
        def.reassociates = function.def.reassociates;
        def.location = function.def.location;
        reserve_loop_names(function);
        ir::SymbolMap<Expr> vars;
        for (size_t d = 0; d < function.def.args.size(); d++) {
            SymbolOwner owner;
            owner.func = static_cast<int32_t>(index);
            owner.dim = static_cast<int32_t>(d);
            def.arg_names.push_back(function.def.arg_names[d]); // freezing the schedules names the anonymous ones
            def.args.emplace_back(SymbolKind::Var, symbol.name() + "." + arg_text(function, d), owner);
            vars[function.def.args[d]] = ir::make_var(Int(32), def.args.back());
        }
        for (size_t k = 0; k < function.def.stages.size(); k++) {
            def.stages.push_back(freeze_stage(index, k, vars));
        }
        for (const RefPtr<Parameter> &parameter : function.output_parameters) {
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
        Rewriter rewriter{*this, order_[index], vars, {}};
        ir::Stage frozen;
        frozen.location = stage.location;
        for (size_t i = 0; i < stage.rvars.size(); i++) {
            const ir::ReductionVar &rvar = stage.rvars[i];
            SymbolOwner owner;
            owner.func = static_cast<int32_t>(index);
            owner.stage = static_cast<int32_t>(k);
            owner.dim = static_cast<int32_t>(i);
            const std::string its_name = is_anonymous(rvar.name) ? concat(shown_name(rvar.name), "$", i)
                                                                 : rvar.name; // of a loop that a split made
            const std::string name = concat(func_symbols_[index].name(), ".s", k, ".", its_name);
            const Symbol symbol(SymbolKind::RVar, name, owner);
            frozen.rvars.push_back({symbol, rewriter.rewrite(rvar.min), rewriter.rewrite(rvar.extent), rvar.name});
            rewriter.variables[rvar.var] = ir::make_var(Int(32), symbol);
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

    std::vector<ir::DimConstraint> freeze_constraints(const Parameter &parameter) const {
        Rewriter rewriter{*this, nullptr, {}, {}};
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
            Parameter *parameter = objects_.inputs()[i];
            ir::InputDef def;
            def.symbol = input_symbols_[i];
            def.type = parameter->type;
            def.dimensions = parameter->dimensions;
            def.parameter = RefPtr<Parameter>(parameter);
            def.constraints = freeze_constraints(*parameter);
            def.trace_loads = parameter->trace_loads;
            result_.graph.inputs.push_back(std::move(def));
        }
        for (size_t i = 0; i < objects_.params().size(); i++) {
            Parameter *parameter = objects_.params()[i];
            Rewriter rewriter{*this, nullptr, {}, {}};
            result_.graph.params.push_back({param_symbols_[i], parameter->type, RefPtr<Parameter>(parameter),
                                            rewriter.rewrite(parameter->min_value),
                                            rewriter.rewrite(parameter->max_value)});
        }
    }

    // ---- 5. Schedules.

    void reserve_loop_names(const Function &function) {
        for (const std::string &name : function.def.arg_names) {
            loop_names_.reserve(name);
        }
        for (const schedule::StageSchedule &stage : function.schedule.stages) {
            schedule::for_each_variant(stage, [&](const schedule::StageSchedule &variant) {
                for (const schedule::Split &split : variant.splits) {
                    for (const std::string &name : {split.old_var, split.outer, split.inner}) {
                        loop_names_.reserve(name);
                    }
                }
            });
        }
    }

    // Dimensions are named before any loop, so that their names do not depend on schedules.
    void freeze_schedules() {
        for (ir::FuncDef &func : result_.graph.funcs) {
            for (std::string &name : func.arg_names) {
                name = loop_names_.of(name);
            }
            for (ir::Stage &stage : func.stages) {
                for (ir::ReductionVar &rvar : stage.rvars) {
                    rvar.name = loop_names_.of(rvar.name);
                }
            }
        }
        for (const Function *function : order_) {
            result_.schedule.funcs.push_back(freeze_schedule(*function));
        }
    }

    schedule::FuncSchedule freeze_schedule(const Function &function) {
        schedule::FuncSchedule frozen = function.schedule;
        Rewriter rewriter{*this, nullptr, {}, {}};
        for (schedule::StageSchedule &stage : frozen.stages) {
            schedule::for_each_variant(stage, [&](schedule::StageSchedule &variant) {
                for (schedule::Split &split : variant.splits) {
                    for (std::string *name : {&split.old_var, &split.outer, &split.inner}) {
                        *name = loop_names_.of(*name);
                    }
                    split.factor = rewriter.rewrite(split.factor);
                }
                for (schedule::LoopDim &dim : variant.dims) {
                    dim.var = loop_names_.of(dim.var);
                }
                if (variant.with) {
                    freeze_level(function, variant.with->level, "computed with");
                }
                for (schedule::Prefetch &prefetch : variant.prefetches) {
                    prefetch.at = loop_names_.of(prefetch.at);
                    prefetch.from = loop_names_.of(prefetch.from);
                    prefetch.offset = rewriter.rewrite(prefetch.offset);
                }
                for (schedule::Specialization &specialization : variant.specializations) {
                    specialization.condition = rewriter.rewrite(specialization.condition);
                }
            });
        }
        for (std::vector<schedule::Bound> *bounds : {&frozen.bounds, &frozen.estimates}) {
            for (schedule::Bound &bound : *bounds) {
                bound.var = loop_names_.of(bound.var);
                for (Expr *expr : {&bound.min, &bound.extent, &bound.modulus, &bound.remainder}) {
                    *expr = rewriter.rewrite(*expr);
                }
            }
        }
        for (std::string &name : frozen.storage_order) {
            name = loop_names_.of(name);
        }
        for (schedule::StorageDim &dim : frozen.storage) {
            dim.var = loop_names_.of(dim.var);
            for (Expr *expr : {&dim.fold, &dim.alignment, &dim.bound}) {
                *expr = rewriter.rewrite(*expr);
            }
        }
        frozen.eviction_key = rewriter.rewrite(frozen.eviction_key);
        frozen.ring_extent = rewriter.rewrite(frozen.ring_extent);
        if (form_ == Form::Algorithm && is_rewritten()) {
            // Levels name loops that only the rewritten form has.
            frozen.compute = frozen.store = frozen.hoist = {};
            for (schedule::StageSchedule &stage : frozen.stages) {
                schedule::for_each_variant(stage, [](schedule::StageSchedule &variant) { variant.prefetches.clear(); });
            }
            return frozen;
        }
        settle_level(function, frozen.compute, function.compute_level, "computed");
        settle_level(function, frozen.store, function.store_level, "stored");
        freeze_place(function, frozen.compute, "computed");
        freeze_place(function, frozen.store, "stored");
        settle_level(function, frozen.hoist, function.hoist_level, "hoisted");
        freeze_place(function, frozen.hoist, "hoisted");
        for (size_t k = 0; k < frozen.stages.size(); k++) {
            schedule::for_each_variant(frozen.stages[k], [&](schedule::StageSchedule &variant) {
                for (schedule::Prefetch &prefetch : variant.prefetches) {
                    prefetch.source = prefetched(function, k, prefetch);
                }
            });
        }
        return frozen;
    }

    /// The graph's symbol for the source of a prefetch.
    Symbol prefetched(const Function &function, size_t stage, const schedule::Prefetch &prefetch) const {
        const auto func = ids_.find(prefetch.source.object());
        if (func != ids_.end() && order_[func->second.index()]->def.symbol == prefetch.source) {
            return func_symbols_[func->second.index()];
        }
        for (size_t i = 0; i < objects_.inputs().size(); i++) {
            if (objects_.inputs()[i] == prefetch.source.object() &&
                objects_.inputs()[i]->name == prefetch.source.name()) {
                return input_symbols_[i];
            }
        }
        fail("prefetch-of-unread", function, static_cast<int>(stage),
             concat("prefetch of ", shown_name(prefetch.source.name()), " in loop ", shown_name(prefetch.at),
                    ", which is no Func or input that this pipeline reads; what is prefetched is what the loop reads; "
                    "name one of these, or remove the directive"),
             prefetch.location);
    }

    /// Resolves the user's LoopLevel to its current value.
    static void settle_level(const Function &function, schedule::LoopLevel &level,
                             const std::shared_ptr<const LevelState> &state, const char *what) {
        if (!state) {
            return;
        }
        if (!state->level) {
            fail("undefined-loop-level", function, -1,
                 concat("it is ", what,
                        " at a LoopLevel that has no place; a level is given a place before the pipeline "
                        "is compiled; call set() on it, as in level.set(LoopLevel::root())"),
                 level.location);
        }
        const Location location = level.location;
        level = *state->level;
        level.location = location;
    }

    bool is_output(const Function &function) const {
        return std::any_of(outputs_.begin(), outputs_.end(),
                           [&](const RefPtr<Function> &output) { return output.get() == &function; });
    }

    /// A Func that is frozen alone, as an output, keeps levels inside loops of absent Funcs for later.
    void freeze_place(const Function &function, schedule::LoopLevel &level, const char *what) {
        if (level.is_at() && is_output(function) && !is_known(level)) {
            level = {};
        }
        freeze_level(function, level, std::string(what) + " at");
    }

    bool is_known(const schedule::LoopLevel &level) const {
        const auto found = ids_.find(level.func.object());
        return found != ids_.end() && order_[found->second.index()]->def.symbol == level.func;
    }

    void freeze_level(const Function &function, schedule::LoopLevel &level, const std::string &what) {
        if (!level.is_at()) {
            return;
        }
        if (!is_known(level)) {
            fail("unknown-consumer", function, -1,
                 concat("it is ", what, " loop ", shown_name(level.var), " of ", shown_name(level.func.name()),
                        ", which is no Func of this pipeline; a Func is placed in loops of one that calls it; place it "
                        "in a "
                        "consumer, or use compute_root()"),
                 level.location);
        }
        level.func = func_symbols_[ids_.at(level.func.object()).index()];
        level.var = loop_names_.of(level.var);
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

FrozenPipeline freeze_with_handles(const PipelineContents &pipeline) {
    FreezeOptions options;
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
