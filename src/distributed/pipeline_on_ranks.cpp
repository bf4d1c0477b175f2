// Pipelines that ranks run in this process.
//
// The runs are those of compiled files (distribute/compiled); here functions are in memory already, and their failures
// are exceptions or go to the handlers of the run. The functions are shared by all ranks of a process.

#include "distributed/pipeline_on_ranks.h"

#include "distributed/image_of_ranks.h"
#include "ir/bound_arguments.h"
#include "ranks/compiled/current_ranks.h"
#include "support/check.h"
#include "support/place.h"

#include <algorithm>

namespace fluorite::distributed {

using distribute::Array;
using distribute::BoundBuffer;
using distribute::Box;
using distribute::ProgramCall;
using distribute::ProgramRuns;
using distribute::SegmentFunction;

namespace {

std::vector<const ir::Parameter *> parameters_of(const std::vector<ir::LoweredArg> &arguments) {
    std::vector<const ir::Parameter *> parameters;
    for (const ir::LoweredArg &arg : arguments) {
        parameters.push_back(ir::parameter_of(arg.symbol));
    }
    return parameters;
}

BoundBuffer bound_input(const ir::Parameter &parameter, const Location &location) {
    DistributedInput *image = distributed_input(parameter);
    if (!image) {
        return {ir::bound_buffer(parameter, location), std::nullopt};
    }
    const PartOfImage &part = image->part();
    if (!part.is_allocated) {
        throw RuntimeError("bad-distribution",
                           concat("in ", parameter.name,
                                  ": the image has no memory yet; a run reads images that are allocated; call "
                                  "allocate() after placement()"),
                           location);
    }
    return {part.memory.raw_buffer(), distribute::ImagePart{image->domain, part.placement, part.owned}};
}

/// What handlers have taken ends the run.
template <typename Run> void with_handlers(const Location &location, const Run &run) {
    with_place(location, [&] {
        try {
            run();
        } catch (const distribute::SegmentFailed &) { // the program's handler has it
        }
    });
}

} // namespace

PipelineOnRanks::PipelineOnRanks(RankPipeline pipeline, std::vector<SegmentFunction> functions)
    : parameters_(parameters_of(pipeline.arguments)), runs_(std::move(pipeline.description), std::move(functions)) {}

size_t PipelineOnRanks::array_of_input(const std::string &name) const {
    const auto &arrays = runs_.description().arrays;
    const auto found = std::find_if(arrays.begin(), arrays.end(), [&](const distribute::DescribedArray &array) {
        return array.role == Array::Role::Input && array.name == name;
    });
    check(found != arrays.end(), "an input of the pipeline: " + name);
    return position_in(arrays, found);
}

ProgramCall PipelineOnRanks::call(const Location &location, const std::map<std::string, BoundBuffer> &instead) const {
    const distribute::ProgramDescription &program = runs_.description();
    ProgramCall call;
    call.arrays.resize(program.arrays.size());
    call.scalars.resize(program.arguments.size());
    for (size_t i = 0; i < program.arguments.size(); i++) {
        const distribute::DescribedArgument &argument = program.arguments[i];
        if (argument.is_result) {
            continue;
        }
        if (argument.is_scalar) {
            call.scalars[i] = ir::bound_value(*parameters_[i], location);
        } else if (program.arrays[argument.array].role == Array::Role::Input) {
            const auto given = instead.find(parameters_[i]->name);
            call.arrays[argument.array] =
                given != instead.end() ? given->second : bound_input(*parameters_[i], location);
        }
    }
    return call;
}

ProgramCall PipelineOnRanks::call_with(const Outputs &outputs, void *context, const Location &location) const {
    ProgramCall made = call(location);
    made.context = context;
    for (size_t k = 0; k < outputs.size(); k++) {
        made.arrays[array_of_output(k)] = outputs[k];
    }
    return made;
}

void PipelineOnRanks::run(const Outputs &outputs, void *context, const Location &location) {
    with_handlers(location, [&] { runs_.run(call_with(outputs, context, location), distribute::current_transport()); });
}

Box PipelineOnRanks::memory_for(const ir::Parameter &input, const Outputs &outputs, const Location &location) {
    return with_place(location, [&]() -> Box {
        const std::vector<Box> memory =
            runs_.memory_for(call_with(outputs, nullptr, location), distribute::current_transport());
        const auto at = std::find(parameters_.begin(), parameters_.end(), &input);
        return at == parameters_.end() ? Box(static_cast<size_t>(input.dimensions)) // the pipeline does not read it
                                       : memory[runs_.description().arguments[position_in(parameters_, at)].array];
    });
}

size_t PipelineOnRanks::array_of_step(const ir::Parameter &input, const Location &location) const {
    const auto at = std::find(parameters_.begin(), parameters_.end(), &input);
    if (at == parameters_.end()) {
        throw RuntimeError("bad-distribution",
                           concat("in ", input.name,
                                  ": it is a field of the time steps, and no step reads it; a field is "
                                  "read and written; name an image that the pipeline reads"),
                           location);
    }
    return runs_.description().arguments[position_in(parameters_, at)].array;
}

void PipelineOnRanks::run_steps(const std::vector<StepOfField> &fields, const Outputs &outputs,
                                const distribute::TimeLoopOptions &options, int64_t steps_per_exchange, void *context,
                                const Location &location) {
    with_handlers(location, [&] {
        std::vector<ProgramRuns::StepField> arrays;
        for (const StepOfField &field : fields) {
            arrays.push_back({array_of_step(*field.input, location), field.output});
        }
        runs_.run_steps(arrays, call_with(outputs, context, location), options, steps_per_exchange,
                        distribute::current_transport());
    });
}

} // namespace fluorite::distributed
