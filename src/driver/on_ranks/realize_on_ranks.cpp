// Realizes distributed pipelines into DistributedImages, into buffers (which get the whole result on every rank), and
// step by step.

#include "driver/on_ranks/realize_on_ranks.h"

#include "distributed/image_of_ranks.h"
#include "distributed/pipeline_on_ranks.h"
#include "fluorite/runtime/buffer_form.h"
#include "ir/bound_arguments.h"
#include "ir/parameter.h"
#include "support/check.h"
#include "support/place.h"

#include <set>

namespace fluorite {

namespace driver {

namespace {

/// As functions of a pipeline on ranks get it (load_for_ranks).
void *passed(const RunContext &run) { return const_cast<RunContext *>(&run); } // NOLINT: only read

void check_type(const OutputValue &output, Type type, const std::string &name, const Location &location) {
    if (!(output.type == type)) {
        throw RuntimeError("wrong-buffer-type",
                           concat("in ", name, ": its elements are of type ", type, ", and ", output.name,
                                  " computes values of type ", output.type,
                                  "; an output has the type of its Func; declare it with that type"),
                           location);
    }
}

distribute::BoundBuffer output_of(const OutputValue &output, const detail::ImageOfRanks *image,
                                  const Location &location) {
    if (!image) {
        throw RuntimeError("bad-distribution",
                           "in " + output.name +
                               ": realize is given a DistributedImage without sizes; construct it as "
                               "DistributedImage<T>(width, height)",
                           location);
    }
    image->require_allocated("realize()", location);
    check_type(output, image->type, image->name, location);
    const distributed::PartOfImage &part = image->input->part();
    return {part.memory.raw_buffer(), distribute::ImagePart{image->input->domain, part.placement, part.owned}};
}

distributed::PipelineOnRanks::Outputs outputs_of(const CompiledPipeline &pipeline, const RealizationArg &outputs,
                                                 const Location &location) {
    distributed::PipelineOnRanks::Outputs result;
    const size_t count = outputs.images().empty() ? outputs.raw_buffers(location).size() : outputs.images().size();
    ir::check_output_count(pipeline.outputs[0].name, count, pipeline.outputs.size(), location);
    for (size_t k = 0; k < count; k++) {
        if (!outputs.images().empty()) {
            result.push_back(output_of(pipeline.outputs[k], outputs.images()[k].get(), location));
            continue;
        }
        fluorite_buffer_t &buffer = *outputs.raw_buffers(location)[k];
        const OutputValue &output = pipeline.outputs[k];
        const std::optional<fluorite_runtime::BufferFault> fault = fluorite_runtime::find_buffer_fault(
            &buffer, abi_type(output.type), output.dimensions, fluorite_runtime::HostMemory::Needed);
        if (fault) {
            throw RuntimeError(fault->slug, fault->text(output.name), location);
        }
        result.push_back(distribute::bound(&buffer));
    }
    return result;
}

} // namespace

std::vector<Buffer<>> plain_outputs(const CompiledPipeline &pipeline, const std::vector<int32_t> &sizes,
                                    const Location &location) {
    std::vector<Buffer<>> buffers;
    for (const OutputValue &output : pipeline.outputs) {
        check_rank(output, sizes, "realize", location);
        buffers.emplace_back(output.type, sizes, output.storage_order, output.name);
    }
    return buffers;
}

void run_on_ranks(const CompiledPipeline &pipeline, const RealizationArg &outputs, const RunContext &context,
                  const Location &location) {
    pipeline.distributed->run(outputs_of(pipeline, outputs, location), passed(context), location);
}

} // namespace driver

RankReport explain_ranks(const Pipeline &pipeline, const RealizationArg &outputs, const Target &target,
                         const Location &location) {
    PipelineContents *contents = pipeline.contents().get();
    if (!contents) {
        throw RuntimeError("bad-distribution", "in explain_ranks: the pipeline is undefined; give one with outputs",
                           location);
    }
    const auto code =
        with_place(location, [&] { return driver::compiled_for(*contents, target, location, driver::Runs::OnRanks); });
    const driver::RunContext run(nullptr, contents->handlers, location);
    return with_place(location, [&] {
        return code->distributed->explain(driver::outputs_of(*code, outputs, location), driver::passed(run), location);
    });
}

void run_steps(const Pipeline &step, const std::vector<StepField> &fields, const StepOptions &options,
               const Target &target, const Location &location) {
    if (fields.empty() || options.steps < 0 || options.steps_between < 1 || options.steps_per_exchange < 0) {
        throw RuntimeError("bad-distribution",
                           concat("in run_steps: ", fields.size(), " fields, ", options.steps, " steps, ",
                                  options.steps_between, " steps between checkpoints and ", options.steps_per_exchange,
                                  " steps for each exchange are given; there are one or more fields, no negative "
                                  "number of steps, and 1 or more steps between checkpoints; pass such numbers"),
                           location);
    }
    PipelineContents *contents = step.contents().get();
    if (!contents) {
        throw RuntimeError("bad-distribution", "in run_steps: the pipeline is undefined; give one with outputs",
                           location);
    }
    const auto code =
        with_place(location, [&] { return driver::compiled_for(*contents, target, location, driver::Runs::OnRanks); });
    if (fields.size() != code->outputs.size()) {
        throw RuntimeError("wrong-output-count",
                           concat("in run_steps: ", fields.size(), " fields are given; the pipeline writes ",
                                  code->outputs.size(),
                                  " values, each of which is one field's; pass as many, in order"),
                           location);
    }
    distributed::PipelineOnRanks::Outputs outputs;
    std::vector<distributed::PipelineOnRanks::StepOfField> steps;
    std::set<const detail::ImageOfRanks *> named;
    for (size_t k = 0; k < fields.size(); k++) {
        const auto &input = fields[k].input.image();
        if (!input) {
            throw RuntimeError("bad-distribution",
                               "in run_steps: a field is an image without sizes; construct it as "
                               "DistributedImage<T>(width, height)",
                               location);
        }
        outputs.push_back(driver::output_of(code->outputs[k], fields[k].output.image().get(), location));
        for (const detail::ImageOfRanks *image : {input.get(), fields[k].output.image().get()}) {
            if (!named.insert(image).second) {
                throw RuntimeError("bad-distribution",
                                   concat("in ", image->name,
                                          ": it is named twice among the fields of the time steps; a step reads one "
                                          "image of a field while it writes the other; give each an image of its own"),
                                   location);
            }
        }
        steps.push_back({input->parameter.parameter().contents().get(), k});
    }
    const driver::RunContext run(nullptr, contents->handlers, location);
    code->distributed->run_steps(steps, outputs, {options.steps, options.checkpoint, options.steps_between},
                                 options.steps_per_exchange, driver::passed(run), location);
}

} // namespace fluorite
