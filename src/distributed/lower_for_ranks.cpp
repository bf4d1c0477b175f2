// From pipelines to the functions that ranks call, and a description of them.
//
// Each segment of the pipeline is lowered like any pipeline. Their operands are described by what they stand for:
// arrays, fields of whole arrays, scalars of the pipeline. What a run reads of the schedule (layouts, which scalars
// regions depend on) is described too, so that runs need nothing of the compiler.
//
// Iterations run before the pipeline: each of their graphs is a pipeline for ranks, whose arguments are described by
// what they stand for in the loop.
//
// Segments answer bounds queries whatever the target says: that is how ranks know what to exchange.

#include "distributed/lower_for_ranks.h"

#include "autoschedule/time_tiling/plan_time_tiles.h"
#include "distributed/coordinate_use.h"
#include "distributed/layout_numbers.h"
#include "distributed/pipeline_segments.h"
#include "distributed/rank_count.h"
#include "distributed/region_values.h"
#include "fluorite/buffer_detail/contents.h"
#include "fluorite/errors.h"
#include "ir/extern_stage.h"
#include "ir/parameter.h"
#include "lowering/compose.h"
#include "machine/machine_model.h"
#include "schedule/text/schedule_text.h"
#include "support/check.h"
#include "support/numeric.h"

#include <algorithm>
#include <map>
#include <sstream>

namespace fluorite::distributed {

using distribute::Array;
using distribute::DescribedArgument;
using distribute::DescribedArray;
using distribute::DescribedField;
using distribute::DescribedOperand;
using distribute::DescribedSegment;
using distribute::Placement;
using ir::LoweredArg;

namespace {

template <typename Defs, typename Name>
void check_names(const std::map<std::string, Placement> &placements, const Defs &defs, const Name &name,
                 const char *what, const Location &location) {
    for (const auto &[given, placement] : placements) {
        const bool is_there =
            std::any_of(defs.begin(), defs.end(), [&](const auto &def) { return name(def) == given; });
        if (!is_there) {
            throw CompileError("distributed-func",
                               concat("in ", given, ": it is distributed, but the pipeline has no ", what,
                                      " of this name; what is distributed takes part in the pipeline; use its name"),
                               location);
        }
    }
}

/// Refuses what ranks cannot run.
void check_pipeline(const schedule::ScheduledGraph &pipeline, const Distribution &distribution,
                    const Location &location) {
    const ir::Graph &graph = pipeline.graph;
    check_names(distribution.funcs, graph.funcs, [](const ir::FuncDef &func) { return func.name(); }, "Func", location);
    check_names(
        distribution.inputs, graph.inputs, [](const ir::InputDef &input) { return input.symbol.name(); }, "input",
        location);
    for (const ir::FuncDef &func : graph.funcs) {
        if (!func.debug_file.empty()) {
            throw CompileError("debug-file",
                               concat("in ", func.name(),
                                      ": debug_to_file is called, and the pipeline is distributed; "
                                      "each rank stores a part, and all would write the same file; run the pipeline on "
                                      "one rank, or make the Func an output"),
                               func.location);
        }
        if (const ir::ExprNode *stage = ir::find_extern_stage(func)) {
            throw CompileError("distributed-func",
                               concat("in ", func.name(), ": the C function ", ir::extern_function(*stage),
                                      " computes it, and the pipeline is distributed; what a rank needs of others is "
                                      "known before it runs, and only a call says what the function reads; run the "
                                      "pipeline on one rank, or call the function between two pipelines"),
                               func.location);
        }
    }
}

/// The Funcs that become segments.
std::vector<FuncId> exchanged_funcs(const schedule::ScheduledGraph &pipeline, const Distribution &distribution) {
    std::vector<FuncId> funcs;
    for (const ir::FuncDef &func : pipeline.graph.funcs) {
        const bool is_output = pipeline.graph.is_output(func.id());
        if (distribution.funcs.count(func.name()) == 0 && !is_output) {
            continue;
        }
        if (!is_output && !pipeline.schedule.func(func.id()).compute.is_root()) {
            throw CompileError("distributed-func",
                               concat("in ", func.name(),
                                      ": it is distributed, but not computed at root; ranks exchange ",
                                      "what is computed as a whole; call compute_root() or compute_rank()"),
                               func.location);
        }
        funcs.push_back(func.id());
    }
    return funcs;
}

class Describer {
  public:
    Describer(const schedule::ScheduledGraph &pipeline, const Target &target, const Distribution &distribution,
              const std::string &name, const Location &location, const LowerFunction &lower, bool with_reports)
        : written_(pipeline), whole_(computed(pipeline)), target_(target.without_feature(Target::NoBoundsQuery)),
          distribution_(distribution), name_(name), lower_(lower), with_reports_(with_reports) {
        check_pipeline(whole_, distribution, location);
        SegmentBoundaries boundaries{exchanged_funcs(whole_, distribution), {}, {}};
        for (size_t i = 0; i < whole_.graph.inputs.size(); i++) {
            if (distribution.inputs.count(whole_.graph.inputs[i].symbol.name()) > 0) {
                boundaries.distributed.emplace_back(i);
            }
        }
        for (const FuncId id : boundaries.funcs) {
            const auto found = distribution.funcs.find(graph().func(id).name());
            if (found != distribution.funcs.end() && found->second.kind == Placement::Kind::Blocks) {
                boundaries.parted.push_back(id);
            }
        }
        segmented_ = split_into_segments(whole_, boundaries);
    }

    RankPipeline run() {
        describe_program();
        describe_arrays();
        describe_arguments();
        for (const GlobalField &field : segmented_.fields) {
            fields_.emplace(field.parameter.get(), program().fields.size());
            program().fields.push_back(
                {field.array, static_cast<DescribedField::Kind>(field.field), static_cast<size_t>(field.dimension)});
        }
        describe_views();
        for (const PipelineSegment &segment : segmented_.segments) {
            add_segment(segment);
        }
        if (numbers_.count() > 0) {
            add_numbers();
        }
        return std::move(result_);
    }

  private:
    const schedule::ScheduledGraph &written_; // the algorithm, which does not depend on the schedule
    const schedule::ScheduledGraph &whole_;   // what is computed
    Target target_;
    const Distribution &distribution_;
    std::string name_;
    const LowerFunction &lower_;
    bool with_reports_;
    SegmentedPipeline segmented_;
    LayoutNumbers numbers_;
    RankPipeline result_;
    std::map<const ir::Parameter *, size_t> fields_, scalars_;

    distribute::ProgramDescription &program() { return result_.description; }
    const ir::Graph &graph() const { return whole_.graph; }

    void describe_program() {
        program().name = graph().func(graph().outputs[0]).name();
        std::ostringstream algorithm, computed;
        algorithm << written_.graph;
        program().hash = hash_text(algorithm.str());
        computed << whole_.graph << schedule::to_text(schedule::directives_of(whole_.graph, whole_.schedule));
        program().schedule_hash = hash_text(computed.str());
        program().poisons = target_.has_feature(Target::Checked);
    }

    void describe_arrays() {
        for (size_t a = 0; a < segmented_.arrays.size(); a++) {
            const SegmentArray &array = segmented_.arrays[a];
            DescribedArray described;
            described.name = array.name;
            described.type = abi_type(array.type);
            described.dimensions = static_cast<size_t>(array.dimensions);
            described.first = a;
            if (array.input.valid()) {
                described.role = Array::Role::Input;
                described.may_have_parts = distribution_.inputs.count(array.name) > 0;
            } else {
                const ir::FuncDef &func = graph().func(array.func);
                described.role = graph().is_output(array.func) ? Array::Role::Output : Array::Role::Inner;
                described.first = a - static_cast<size_t>(array.value);
                if (const auto found = distribution_.funcs.find(func.name()); found != distribution_.funcs.end()) {
                    described.placement = found->second;
                }
                described.order = array.order;
                const Expr most = whole_.schedule.func(array.func).marks.value(schedule::DirectiveName::agglomerate);
                if (array.value > 0) {
                    described.most_ranks = program().arrays[described.first].most_ranks;
                } else if (most.defined()) {
                    described.most_ranks = numbers_.number_of(most, array.name);
                }
                described.cuts = array.value > 0
                                     ? program().arrays[described.first].cuts
                                     : numbers_.cuts_of(whole_.schedule.func(array.func), func.arg_names, array.name);
            }
            program().arrays.push_back(std::move(described));
        }
    }

    void describe_views() {
        for (const SegmentView &view : segmented_.views) {
            distribute::DescribedView described{view.array, {}};
            for (const SegmentView::Edges &edges : view.edges) {
                const std::string &name = segmented_.arrays[view.array].name;
                described.edges.push_back({static_cast<size_t>(edges.dimension), numbers_.number_of(edges.min, name),
                                           numbers_.number_of(edges.max, name)});
            }
            program().views.push_back(std::move(described));
        }
    }

    void add_argument(DescribedArgument described, LoweredArg arg) {
        program().arguments.push_back(std::move(described));
        result_.arguments.push_back(std::move(arg));
    }

    void describe_arguments() {
        for (size_t i = 0; i < graph().inputs.size(); i++) {
            const ir::InputDef &input = graph().inputs[i];
            add_argument({input.symbol.name(), false, i, {}, false},
                         {LoweredArg::Kind::InputBuffer, input.symbol, input.type, input.dimensions});
        }
        for (const ir::ParamDef &param : graph().params) {
            if (param.parameter == rank_count()) {
                continue; // no argument: runs know it
            }
            scalars_[param.parameter.get()] = program().arguments.size();
            add_argument({param.symbol.name(), true, 0, abi_type(param.type), false},
                         {LoweredArg::Kind::Scalar, param.symbol, param.type, 0});
        }
        for (const FuncId output : graph().outputs) {
            for (size_t a = 0; a < segmented_.arrays.size(); a++) {
                const SegmentArray &array = segmented_.arrays[a];
                if (array.func.valid() && array.func == output) {
                    add_argument({array.name, false, a, {}, false},
                                 {LoweredArg::Kind::OutputBuffer, ir::Symbol(ir::SymbolKind::Buffer, array.name),
                                  array.type, array.dimensions});
                }
            }
        }
    }

    DescribedOperand scalar_operand(const LoweredArg &arg) const {
        const ir::Parameter *parameter = ir::parameter_of(arg.symbol);
        if (!parameter) {
            return {DescribedOperand::Kind::Context, 0};
        }
        if (parameter == rank_count().get()) {
            return {DescribedOperand::Kind::Ranks, 0};
        }
        if (const auto field = fields_.find(parameter); field != fields_.end()) {
            return {DescribedOperand::Kind::Field, field->second};
        }
        const auto scalar = scalars_.find(parameter);
        check(scalar != scalars_.end(), "a function for ranks takes the pipeline's scalars: " + arg.symbol.name());
        return {DescribedOperand::Kind::Scalar, scalar->second};
    }

    void add_function(std::shared_ptr<const schedule::ScheduledGraph> pipeline, const std::string &name) {
        std::string report;
        result_.functions.push_back({lower_(*pipeline, target_, name, with_reports_ ? &report : nullptr), pipeline});
        result_.reports.push_back(std::move(report));
    }

    void add_segment(const PipelineSegment &segment) {
        DescribedSegment described;
        for (const FuncId output : segment.pipeline.graph.outputs) {
            described.name += (described.name.empty() ? "" : ", ") + graph().func(output).name();
        }
        described.reads = segment.inputs_read;
        described.reads.insert(described.reads.end(), segment.reads.begin(), segment.reads.end());
        described.writes = segment.writes;
        described.ignores_coordinates = ignores_coordinates(segmented_, segment);
        add_function(std::make_shared<const schedule::ScheduledGraph>(segment.pipeline),
                     concat(name_, "_segment", program().segments.size()));
        const ir::LoweredModule &module = result_.functions.back().module;
        const size_t own_inputs = graph().inputs.size();
        size_t input = 0, output = 0;
        for (const LoweredArg &arg : module.entry().args) {
            if (arg.kind == LoweredArg::Kind::InputBuffer) {
                const size_t array = input < own_inputs ? input : segment.reads[input - own_inputs];
                described.operands.push_back({DescribedOperand::Kind::Array, array});
                input++;
            } else if (arg.kind == LoweredArg::Kind::OutputBuffer) {
                described.operands.push_back({DescribedOperand::Kind::Array, segment.writes[output++]});
            } else {
                described.operands.push_back(scalar_operand(arg));
            }
        }
        note_region_values(region_values(module));
        program().segments.push_back(std::move(described));
    }

    void note_region_values(const RegionValues &values) {
        for (size_t i = 0; i < result_.arguments.size(); i++) {
            DescribedArgument &argument = program().arguments[i];
            if (!values.contains(ir::parameter_of(result_.arguments[i].symbol))) {
                continue;
            }
            if (argument.is_scalar) {
                argument.affects_regions = true;
            } else {
                program().arrays[argument.array].affects_regions = true;
            }
        }
    }

    void add_numbers() {
        program().number_count = numbers_.count();
        add_function(std::make_shared<const schedule::ScheduledGraph>(numbers_.pipeline()), name_ + "_numbers");
        for (const LoweredArg &arg : result_.functions.back().module.entry().args) {
            program().number_operands.push_back(arg.kind == LoweredArg::Kind::OutputBuffer
                                                    ? DescribedOperand{DescribedOperand::Kind::Numbers, 0}
                                                    : scalar_operand(arg));
        }
    }
};

/// Describes the iterations of a pipeline, whose parts are pipelines for ranks of their own.
class IterationDescriber {
  public:
    struct How {
        const Target &target;
        const std::string &name;
        const Location &location;
        const LowerFunction &lower;
        bool with_reports;
    };
    IterationDescriber(const schedule::ScheduledGraph &pipeline, const How &how) : pipeline_(pipeline), how_(how) {}

    RankPipeline run(Distribution distribution) {
        for (const ir::InputDef &input : computed(pipeline_).graph.inputs) {
            if (distribution.inputs.count(input.symbol.name()) > 0) {
                parted_.push_back(input.parameter.get());
            }
        }
        for (const auto &iteration : pipeline_.graph.iterations) {
            for (const RefPtr<ir::Parameter> &result : iteration->results) {
                add_input(computed(pipeline_), result.get(), distribution);
            }
        }
        result_ =
            Describer(pipeline_, how_.target, distribution, how_.name, how_.location, how_.lower, how_.with_reports)
                .run();
        for (size_t i = 0; i < result_.arguments.size(); i++) {
            argument_of_[ir::parameter_of(result_.arguments[i].symbol)] = i;
        }
        for (size_t i = 0; i < pipeline_.graph.iterations.size(); i++) {
            add_iteration(*pipeline_.graph.iterations[i], pipeline_.iterations[i], concat(how_.name, "_iteration", i));
        }
        return std::move(result_);
    }

  private:
    using Sources = std::map<const ir::Parameter *, distribute::DescribedSource>;

    const schedule::ScheduledGraph &pipeline_;
    How how_;
    RankPipeline result_;
    std::map<const ir::Parameter *, size_t> argument_of_;
    std::vector<const ir::Parameter *> parted_; // inputs that ranks may have parts of
    Sources results_;                           // of the iterations so far
    size_t results_so_far_ = 0;                 // fields

    /// Ranks have parts of this input.
    static void add_input(const schedule::ScheduledGraph &pipeline, const ir::Parameter *parameter,
                          Distribution &distribution) {
        for (const ir::InputDef &input : pipeline.graph.inputs) {
            if (parameter && input.parameter.get() == parameter) {
                distribution.inputs[input.symbol.name()].kind = Placement::Kind::Blocks;
            }
        }
    }

    void add_iteration(const ir::Iteration &iteration, const schedule::ScheduledIteration &scheduled,
                       const std::string &name) {
        using Kind = distribute::DescribedSource::Kind;
        if (!iteration.body->iterations.empty()) {
            throw CompileError("distributed-func",
                               concat("in ", iteration.name,
                                      ": its body iterates itself, and the pipeline is distributed; ranks run one loop "
                                      "of steps inside of no other; iterate outside of the body"),
                               iteration.location);
        }
        if (!scheduled.tile.extents.empty()) {
            throw CompileError("distributed-func",
                               concat("in ", iteration.name,
                                      ": its time tiles have extents, and the pipeline is distributed; a rank computes "
                                      "one step after the other over its whole part, and exchanges once for the steps "
                                      "of a tile; give the steps alone: time_tile(",
                                      scheduled.tile.steps, ")"),
                               iteration.location);
        }
        const autoschedule::time_tiling::StepOnParts step =
            autoschedule::time_tiling::step_on_parts(iteration, scheduled, machine::machine_model(how_.target));
        distribute::DescribedIteration described;
        described.name = iteration.name;
        described.dimensions = static_cast<size_t>(iteration.dimensions);
        described.has_before = !iteration.before.empty();
        described.stops = iteration.stops;
        described.steps_per_exchange = scheduled.tile.steps;
        Sources own = results_;
        for (size_t f = 0; f < iteration.states.size(); f++) {
            described.types.push_back(abi_type(iteration.states[f]->type));
            own[iteration.states[f].get()] = {Kind::State, f};
            if (described.has_before) {
                own[iteration.before[f].get()] = {Kind::Before, f};
            }
        }
        own[iteration.step.get()] = {Kind::Step, 0};
        described.control = part(*scheduled.control, results_, name + "_control");
        described.initial = part(step.initial, results_, name + "_initial");
        described.body = part(step.body, own, name + "_body");
        for (size_t f = 0; f < iteration.results.size(); f++) {
            const ir::Parameter *result = iteration.results[f].get();
            const auto found = argument_of_.find(result);
            const bool is_read = result && found != argument_of_.end();
            described.results.push_back(
                is_read ? static_cast<int64_t>(result_.description.arguments[found->second].array) : -1);
            if (is_read) {
                result_.description.arguments[found->second].is_result = true;
            }
        }
        note_results(iteration);
        result_.description.iterations.push_back(std::move(described));
    }

    void note_results(const ir::Iteration &iteration) {
        for (const RefPtr<ir::Parameter> &result : iteration.results) {
            if (result) {
                results_[result.get()] = {distribute::DescribedSource::Kind::Result, results_so_far_};
            }
            results_so_far_++;
        }
    }

    distribute::DescribedPart part(const schedule::ScheduledGraph &graph, const Sources &sources,
                                   const std::string &name) {
        Distribution distribution = distribution_of(graph, PartedInputs::DistributedImages);
        distribution.inputs.clear();
        for (const ir::Parameter *parameter : parted_) {
            add_input(computed(graph), parameter, distribution);
        }
        for (const auto &[parameter, source] : sources) {
            add_input(computed(graph), parameter, distribution);
        }
        RankPipeline lowered =
            Describer(graph, how_.target, distribution, name, how_.location, how_.lower, how_.with_reports).run();
        distribute::DescribedPart described;
        size_t outputs = 0;
        for (const LoweredArg &arg : lowered.arguments) {
            const ir::Parameter *parameter = ir::parameter_of(arg.symbol);
            if (arg.kind == LoweredArg::Kind::OutputBuffer) {
                described.sources.push_back({distribute::DescribedSource::Kind::Output, outputs++});
            } else if (const auto source = sources.find(parameter); source != sources.end()) {
                described.sources.push_back(source->second);
            } else {
                const auto found = argument_of_.find(parameter);
                check(found != argument_of_.end(),
                      "the pipeline has the inputs of its iterations: " + arg.symbol.name());
                described.sources.push_back({distribute::DescribedSource::Kind::Argument, found->second});
            }
        }
        described.program = std::move(lowered.description);
        std::move(lowered.functions.begin(), lowered.functions.end(), std::back_inserter(result_.functions));
        std::move(lowered.reports.begin(), lowered.reports.end(), std::back_inserter(result_.reports));
        return described;
    }
};

} // namespace

RankPipeline lower_for_ranks(const schedule::ScheduledGraph &pipeline, const Target &target,
                             const Distribution &distribution, const std::string &name, const Location &location,
                             const LowerFunction &lower, bool with_reports) {
    return IterationDescriber(pipeline, {target, name, location, lower, with_reports}).run(distribution);
}

ir::LoweredModule module_for_ranks(RankPipeline pipeline, const std::string &name) {
    ir::LoweredModule module;
    module.funcs.push_back({});
    module.entry().name = name;
    module.entry().args.push_back(
        {LoweredArg::Kind::Scalar, ir::Symbol(ir::SymbolKind::Param, "__user_context"), Handle(), 0});
    std::vector<Expr> operands;
    for (size_t i = 0; i < pipeline.arguments.size(); i++) {
        const LoweredArg &arg = pipeline.arguments[i];
        if (pipeline.description.arguments[i].is_result) {
            continue;
        }
        module.entry().args.push_back(arg);
        operands.push_back(lowering::argument_operand(arg));
    }
    for (RankFunction &function : pipeline.functions) {
        operands.push_back(lowering::callee_address(function.module.entry()));
        lowering::add_callee(module, std::move(function.module));
    }
    module.entry().body =
        lowering::call_of_runtime("fluorite_distributed_run", to_text(pipeline.description), operands);
    return module;
}

} // namespace fluorite::distributed
