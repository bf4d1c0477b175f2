// The methods of Func and Pipeline that run code.

#include "driver/compiled.h"
#include "driver/on_ranks/realize_on_ranks.h"

#include "support/check.h"
#include "support/place.h"

namespace fluorite {

/// Target() stands for the target of the last compile_jit. Errors without a location point to the call.
static std::shared_ptr<const driver::CompiledPipeline> compiled(PipelineContents &contents, const Target &target,
                                                                const Location &location,
                                                                driver::Runs runs = driver::Runs::AsScheduled) {
    const Target &asked = target == Target() ? contents.jit_target : target;
    return with_place(location, [&] { return driver::compiled_for(contents, asked, location, runs); });
}

Realization Pipeline::realize(JITUserContext *context, const std::vector<int32_t> &sizes, const Target &target,
                              const Location &location) const {
    const auto code = compiled(needed(location), target, location);
    const driver::RunContext run(context, contents_->handlers, location);
    if (code->distributed) {
        Realization result(driver::plain_outputs(*code, sizes, location));
        driver::run_on_ranks(*code, result, run, location);
        return result;
    }
    Realization result(driver::make_outputs(*code, sizes, run, location));
    const std::vector<fluorite_buffer_t *> outputs = RealizationArg(result).raw_buffers(location);
    driver::run(*code, outputs, run, location);
    driver::copy_to_host(outputs, run, location);
    driver::crop_to(result.buffers(), sizes);
    return result;
}

void Pipeline::realize(JITUserContext *context, const RealizationArg &outputs, const Target &target,
                       const Location &location) const {
    const auto code = compiled(needed(location), target, location,
                               outputs.images().empty() ? driver::Runs::AsScheduled : driver::Runs::OnRanks);
    const driver::RunContext run(context, contents_->handlers, location);
    if (code->distributed) {
        driver::run_on_ranks(*code, outputs, run, location);
    } else {
        driver::run(*code, outputs.raw_buffers(location), run, location);
    }
}

Realization Pipeline::realize(const std::vector<int32_t> &sizes, const Target &target, const Location &location) const {
    return realize(nullptr, sizes, target, location);
}

void Pipeline::realize(const RealizationArg &outputs, const Target &target, const Location &location) const {
    realize(nullptr, outputs, target, location);
}

void Pipeline::infer_input_bounds(const std::vector<int32_t> &sizes, const Target &target,
                                  const Location &location) const {
    infer_input_bounds(nullptr, sizes, target, location);
}

void Pipeline::infer_input_bounds(const RealizationArg &outputs, const Target &target, const Location &location) const {
    infer_input_bounds(nullptr, outputs, target, location);
}

void Pipeline::infer_input_bounds(JITUserContext *context, const std::vector<int32_t> &sizes, const Target &target,
                                  const Location &location) const {
    const auto code = compiled(needed(location), target, location);
    if (code->distributed) {
        driver::refuse_distributed(code->outputs[0].name, "infer_input_bounds", location);
    }
    const driver::QueryOutputs outputs(*code, sizes, location);
    driver::infer_inputs(*code, outputs.headers(), driver::RunContext(context, contents_->handlers, location),
                         location);
}

void Pipeline::infer_input_bounds(JITUserContext *context, const RealizationArg &outputs, const Target &target,
                                  const Location &location) const {
    const auto code = compiled(needed(location), target, location);
    if (code->distributed) {
        driver::refuse_distributed(code->outputs[0].name, "infer_input_bounds", location);
    }
    driver::infer_inputs(*code, outputs.raw_buffers(location),
                         driver::RunContext(context, contents_->handlers, location), location);
}

JITHandlers &Pipeline::jit_handlers(const Location &location) { return needed(location).handlers; }
void Pipeline::invalidate_cache(const Location &location) { needed(location).compiled = nullptr; }

void Pipeline::compile_jit(const Target &target, const Location &location) const {
    needed(location).jit_target = Target();
    compiled(needed(location), target, location);
    needed(location).jit_target = target;
}

Realization Func::realize(const std::vector<int32_t> &sizes, const Target &target, const Location &location) const {
    return pipeline(location).realize(sizes, target, location);
}

void Func::realize(const RealizationArg &outputs, const Target &target, const Location &location) const {
    pipeline(location).realize(outputs, target, location);
}

Realization Func::realize(JITUserContext *context, const std::vector<int32_t> &sizes, const Target &target,
                          const Location &location) const {
    return pipeline(location).realize(context, sizes, target, location);
}

void Func::realize(JITUserContext *context, const RealizationArg &outputs, const Target &target,
                   const Location &location) const {
    pipeline(location).realize(context, outputs, target, location);
}

JITHandlers &Func::jit_handlers() { return Pipeline(pipeline_).jit_handlers(); }
void Func::invalidate_cache() { Pipeline(pipeline_).invalidate_cache(); }

Callable Func::compile_to_callable(const std::vector<Argument> &args, const Target &target,
                                   const Location &location) const {
    return pipeline(location).compile_to_callable(args, target, location);
}

void Func::infer_input_bounds(const std::vector<int32_t> &sizes, const Target &target, const Location &location) const {
    pipeline(location).infer_input_bounds(sizes, target, location);
}

void Func::infer_input_bounds(JITUserContext *context, const std::vector<int32_t> &sizes, const Target &target,
                              const Location &location) const {
    pipeline(location).infer_input_bounds(context, sizes, target, location);
}

void Func::infer_input_bounds(JITUserContext *context, const RealizationArg &outputs, const Target &target,
                              const Location &location) const {
    pipeline(location).infer_input_bounds(context, outputs, target, location);
}

void Func::infer_input_bounds(const RealizationArg &outputs, const Target &target, const Location &location) const {
    pipeline(location).infer_input_bounds(outputs, target, location);
}

void Func::compile_jit(const Target &target, const Location &location) const {
    pipeline(location).compile_jit(target, location);
}

} // namespace fluorite
