// Pipelines with iterations: a module of several pipelines, and an entry that runs them.
//
// What: each graph of an iteration (control, initial, body, and bodies of several steps) is lowered as a pipeline of
// its own, with its own schedule, to a callee of the module. The pipeline itself, with the results of the iterations as
// inputs, becomes the callee `rest`. The new entry takes the arguments of `rest` but the results, and calls
// fluorite_iterate (runtime/iterate.cpp) with the plan: who calls whom with which arguments, as a text of numbers.
//
//   func heat(im, steps, out) {
//     let code = fluorite_iterate("...", im, steps, out, "heat", function.address("heat_body"), ...)
//     assert code == 0 else code
//   }
//   callee heat_body(...) ...                 task heat_body.par_for.next.y(...) ...
//
// Method. An argument of a part is the context, an output, or has a Parameter: that of a state, of the step, of a
// result, or of an argument of the entry. Bodies that iterate themselves are lowered by the same function to an entry
// that becomes a callee.
//   - An initial field that only copies an input is noted, so that the first step can read the input.
//   - Outputs that only copy results are noted, so that the last step can write them.
//
// Relies on: freezing has listed among the pipeline's inputs and parameters all that its iterations need. Cost: that of
// lowering each part.

#include "lowering/iterate/lower_iterations.h"

#include "ir/graph.h"
#include "loopnest/buffer_table.h"
#include "loopnest/loop_nest.h"
#include "lowering/compose.h"
#include "rewrite/simplify.h"
#include "schedule/time_tile_plan.h"
#include "support/check.h"

#include <map>
#include <optional>

namespace fluorite::lowering {

using namespace ir;

namespace {

/// The input that a value of a Func only copies: its Parameter, or null.
const ir::Parameter *copied_input(const Graph &graph, const FuncDef &func, size_t value) {
    const auto is_identity = [&](const Expr &access) {
        if (access->arg_count() != func.args.size()) {
            return false;
        }
        for (size_t d = 0; d < func.args.size(); d++) {
            const Expr &arg = access->arg(d);
            if (!is_kind(arg, ExprKind::Variable) || arg->symbol() != func.args[d]) {
                return false;
            }
        }
        return true;
    };
    if (func.stages.size() != 1) {
        return nullptr;
    }
    const Expr &expr = func.stages[0].values[value];
    if (is_kind(expr, ExprKind::Image) && is_identity(expr)) {
        return graph.inputs[expr->symbol().owner().input.index()].parameter.get();
    }
    if (is_kind(expr, ExprKind::Call) && is_identity(expr)) {
        const FuncDef &callee = graph.func(expr->symbol().owner().func);
        return copied_input(graph, callee, expr->member().position());
    }
    return nullptr;
}

std::vector<const ir::Parameter *> copied_inputs(const Graph &graph) {
    std::vector<const ir::Parameter *> copied;
    for (const FuncId output : graph.outputs) {
        const FuncDef &func = graph.func(output);
        for (size_t k = 0; k < func.types.size(); k++) {
            copied.push_back(copied_input(graph, func, k));
        }
    }
    return copied;
}

/// What a part is made for.
struct PartForm {
    bool has_older_fields = false;                  // its outputs have the fields one step earlier, too
    bool streams = false;                           // over memory
    const schedule::ScheduledGraph *step = nullptr; // of a time tile of several steps: the body
};

class Composer {
  public:
    Composer(const schedule::ScheduledGraph &pipeline, const LowerOptions &options)
        : pipeline_(pipeline), options_(options) {}

    LoweredModule run(const LowerPart &lower_rest) {
        LowerOptions of_rest = part_options("rest");
        of_rest.report = options_.report;
        LoweredModule rest = lower_rest(pipeline_, of_rest);
        make_entry(rest.entry());
        const std::string text =
            iterations() + call(rest.entry(), nullptr, output_arguments(pipeline_.graph, false)) + outputs();
        add_callee(module_, std::move(rest));
        if (options_.report) {
            *options_.report += report_;
        }
        std::string plan = concat(args_.size());
        for (const LoweredArg &arg : args_) {
            plan += concat(" ", arg.kind == LoweredArg::Kind::Scalar         ? 2
                                : arg.kind == LoweredArg::Kind::OutputBuffer ? 1
                                                                             : 0);
        }
        module_.entry().body = call_of_runtime("fluorite_iterate", plan + text, operands_);
        return std::move(module_);
    }

  private:
    const schedule::ScheduledGraph &pipeline_;
    const LowerOptions &options_;
    LoweredModule module_;
    std::vector<LoweredArg> args_; // of the entry, but the context
    std::vector<Expr> operands_;   // of the plan: the arguments, then what it refers to
    std::map<const ir::Parameter *, size_t> arg_index_, result_index_;
    std::string report_; // of the parts

    LowerOptions part_options(const std::string &role) const {
        LowerOptions options = options_;
        options.name = options_.name + "_" + role;
        options.bounds_query = true;
        options.report = nullptr;
        for (const auto &iteration : all()) {
            for (size_t f = 0; f < iteration->results.size(); f++) {
                options.fields[iteration->results[f].get()] = concat("the result of ", iteration->name);
            }
        }
        return options;
    }

    /// Names the fields that a body reads.
    static void name_fields(const Iteration &iteration, LowerOptions &options) {
        for (size_t f = 0; f < iteration.states.size(); f++) {
            const std::string field = iteration.states.size() == 1 ? "the field" : concat("field ", f);
            options.fields[iteration.states[f].get()] = field;
            if (f < iteration.before.size()) {
                options.fields[iteration.before[f].get()] = field + " of the step before";
            }
        }
    }

    /// What one step reads of the fields for its outputs, which have the same boxes in a time tile of several steps.
    /// Boxes that depend on more than outputs and Params are left out.
    static void bound_fields(const schedule::ScheduledGraph &step, const Graph &tile, LowerOptions &options) {
        const loopnest::BoundedLoopNest nest = loopnest::make_loop_nest(step, {options.budget, false, {}});
        const Graph &graph = nest.graph.pipeline.graph;
        const auto in_tile = [&](const Expr &node) -> Expr {
            for (size_t o = 0; node->kind() == ExprKind::BufferField && o < graph.outputs.size(); o++) {
                if (node->symbol() == loopnest::buffer_of(graph.func(graph.outputs[o]), 0)) {
                    return make_field(loopnest::buffer_of(tile.func(tile.outputs[o]), 0), node->member().field,
                                      node->member().index);
                }
            }
            return node;
        };
        const auto at_root = nest.regions.lets.find(loopnest::Site::root());
        const auto in_outputs = [&](Expr side) {
            const size_t count = at_root == nest.regions.lets.end() ? 0 : at_root->second.size();
            for (size_t i = count; i-- > 0;) {
                const loopnest::SiteLet &let = at_root->second[i];
                side = let.symbol.defined() ? substitute(side, let.symbol, let.value) : side;
            }
            return rewrite::simplify(transform(side, in_tile));
        };
        for (size_t i = 0; i < graph.inputs.size(); i++) {
            const ir::Parameter *parameter = graph.inputs[i].parameter.get();
            if (!options.fields.contains(parameter) || !nest.regions.input_read[i]) {
                continue;
            }
            analysis::Box box = nest.regions.input_boxes[i];
            bool is_known = true;
            for (analysis::Interval &side : box) {
                for (Expr *end : {&side.min, &side.max}) {
                    *end = in_outputs(*end);
                    for_each_node(*end, [&](const Expr &node) {
                        is_known = is_known &&
                                   (node->kind() != ExprKind::Variable || node->symbol().kind() == SymbolKind::Param);
                    });
                }
            }
            if (is_known) {
                options.field_boxes[parameter] = box;
            }
        }
    }

    const std::vector<std::shared_ptr<const Iteration>> &all() const { return pipeline_.graph.iterations; }

    /// The arguments of the entry are those of `rest` but the results of iterations.
    void make_entry(const LoweredFunc &rest) {
        size_t next = 0;
        for (const auto &iteration : all()) {
            for (const RefPtr<ir::Parameter> &result : iteration->results) {
                result_index_[result.get()] = next++;
            }
        }
        result_index_.erase(nullptr);
        LoweredFunc entry;
        entry.name = options_.name;
        for (const LoweredArg &arg : rest.args) {
            const ir::Parameter *parameter = parameter_of(arg.symbol);
            const bool is_context = arg.kind == LoweredArg::Kind::Scalar && !parameter;
            if (result_index_.contains(parameter)) {
                continue;
            }
            entry.args.push_back(arg);
            if (is_context) {
                continue;
            }
            if (parameter) {
                arg_index_[parameter] = args_.size();
            }
            args_.push_back(arg);
            operands_.push_back(argument_operand(arg));
        }
        module_.funcs.push_back(std::move(entry));
    }

    // ---- The plan.

    size_t operand(const Expr &expr) {
        operands_.push_back(expr);
        return operands_.size() - 1;
    }

    /// The kinds of arguments are those that runtime/iterate_plan.h lists.
    static std::optional<std::pair<int, size_t>> own_argument(const Iteration &iteration,
                                                              const ir::Parameter *parameter) {
        for (size_t f = 0; f < iteration.states.size(); f++) {
            if (iteration.states[f].get() == parameter) {
                return std::pair(3, f);
            }
            if (f < iteration.before.size() && iteration.before[f].get() == parameter) {
                return std::pair(4, f);
            }
        }
        return iteration.step.get() == parameter ? std::optional(std::pair(5, size_t{0})) : std::nullopt;
    }

    /// The outputs of a part as arguments. If the body reads two past steps, each output Func of a tile of several
    /// steps has its fields, then the same fields one step earlier.
    static std::vector<std::string> output_arguments(const Graph &graph, bool has_older_fields) {
        std::vector<std::string> arguments;
        size_t field = 0;
        for (const FuncId output : graph.outputs) {
            const size_t values = graph.func(output).types.size(), fields = has_older_fields ? values / 2 : values;
            for (size_t k = 0; k < values; k++) {
                arguments.push_back(k < fields ? concat(" 6 ", field + k) : concat(" 7 ", field + k - fields));
            }
            field += fields;
        }
        return arguments;
    }

    std::string call(const LoweredFunc &func, const Iteration *iteration, const std::vector<std::string> &outputs) {
        const size_t function = operand(callee_address(func));
        std::string text = concat(" ", function, " ", func.args.size());
        size_t next_output = 0;
        for (const LoweredArg &arg : func.args) {
            const ir::Parameter *parameter = parameter_of(arg.symbol);
            const auto own = iteration ? own_argument(*iteration, parameter) : std::nullopt;
            if (arg.kind == LoweredArg::Kind::OutputBuffer) {
                text += outputs[next_output++];
            } else if (!parameter) {
                text += " 0 0";
            } else if (own) {
                text += concat(" ", own->first, " ", own->second);
            } else if (const auto result = result_index_.find(parameter); result != result_index_.end()) {
                text += concat(" 2 ", result->second);
            } else {
                const auto found = arg_index_.find(parameter);
                check(found != arg_index_.end(), "the pipeline has the inputs of its iterations: " + arg.symbol.name());
                text += concat(" 1 ", found->second);
            }
        }
        return text;
    }

    /// Lowers a graph of an iteration and adds it; returns the call.
    std::string part(const schedule::ScheduledGraph &graph, const std::string &role, const Iteration *iteration,
                     const PartForm &form = {}) {
        LowerOptions options = part_options(role);
        options.hints_streams = form.streams;
        std::string report;
        options.report = options_.report ? &report : nullptr;
        if (iteration) {
            name_fields(*iteration, options);
        }
        if (iteration && form.step) {
            bound_fields(*form.step, graph.graph, options);
        }
        LoweredModule lowered = lower(graph, options);
        if (!report.empty()) {
            report_ += concat(role, ":\n", report);
        }
        const std::string text = call(lowered.entry(), iteration, output_arguments(graph.graph, form.has_older_fields));
        add_callee(module_, std::move(lowered));
        return text;
    }

    std::string iterations() {
        std::string text = concat(" ", all().size());
        for (size_t i = 0; i < all().size(); i++) {
            const Iteration &iteration = *all()[i];
            const schedule::ScheduledIteration &scheduled = pipeline_.iterations[i];
            text +=
                concat(" ", operand(make_string(iteration.name)), " ", iteration.dimensions, " ",
                       iteration.states.size(), " ", iteration.before.empty() ? 0 : 1, " ", iteration.stops ? 1 : 0);
            for (const RefPtr<ir::Parameter> &state : iteration.states) {
                const fluorite_type_t type(static_cast<fluorite_type_code_t>(state->type.code()),
                                           static_cast<uint8_t>(state->type.bits()), 1);
                text += concat(" ", type.as_u32());
            }
            const std::vector<const ir::Parameter *> copied = copied_inputs(*iteration.initial);
            for (size_t f = 0; f < iteration.states.size(); f++) {
                const auto found = arg_index_.find(copied[f]);
                text += found == arg_index_.end() ? " -1" : concat(" ", found->second);
            }
            const std::string role = concat("iteration", i);
            const schedule::TimeTilePlan plan = scheduled.plan ? *scheduled.plan : schedule::TimeTilePlan();
            text += part(*scheduled.control, role + "_control", nullptr);
            text += part(plan.initial ? *plan.initial : *scheduled.initial, role + "_initial", nullptr);
            text += part(plan.body ? *plan.body : *scheduled.body, role + "_body", &iteration);
            text += concat(" ", plan.streaming_bytes, " ", plan.tiles.size());
            for (const schedule::PlannedTile &tile : plan.tiles) {
                const std::string name = concat(role, "_tile", tile.steps, tile.streams ? "_streamed" : "");
                const bool has_older_fields = tile.steps > 1 && !tile.blocks && !iteration.before.empty();
                const schedule::TimeTileBlocks blocks = tile.blocks.value_or(schedule::TimeTileBlocks());
                const auto *several = tile.steps > 1 && !tile.blocks ? scheduled.body.get() : nullptr;
                text += concat(" ", tile.steps, " ", tile.streams ? 1 : 0, " ", tile.least_row, " ",
                               !tile.blocks          ? 0
                               : blocks.are_diamonds ? 2
                                                     : 1,
                               " ", blocks.dimension, " ", blocks.extent,
                               part(tile.body, name, &iteration, {has_older_fields, tile.streams, several}));
                text += blocks.reach ? concat(" 1", part(*blocks.reach, name + "_reach", &iteration)) : " 0";
            }
        }
        return text;
    }

    /// The results that the outputs are, if all of them are.
    std::string outputs() const {
        std::string text;
        size_t count = 0;
        for (const ir::Parameter *copied : copied_inputs(pipeline_.graph)) {
            const auto found = result_index_.find(copied);
            if (!copied || found == result_index_.end()) {
                return " 0";
            }
            size_t first = 0, iteration = 0;
            while (found->second >= first + all()[iteration]->results.size()) {
                first += all()[iteration++]->results.size();
            }
            text += concat(" ", iteration, " ", found->second - first);
            count++;
        }
        return concat(" ", count, text);
    }
};

} // namespace

LoweredModule lower_iterations(const schedule::ScheduledGraph &pipeline, const LowerOptions &options,
                               const LowerPart &lower_rest) {
    return Composer(pipeline, options).run(lower_rest);
}

} // namespace fluorite::lowering
