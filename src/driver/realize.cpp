// The running methods of Func and Pipeline.

#include "driver/compiled.h"

#include "support/check.h"

namespace fluorite {

namespace {

PipelineContents &contents_of(const Pipeline &pipeline, const Location &location) {
    if (!pipeline.defined() || pipeline.contents()->outputs.empty()) {
        throw CompileError("no-outputs", "in a Pipeline: it has no outputs; a Pipeline has one or more; give Funcs",
                           location);
    }
    return *pipeline.contents();
}

std::shared_ptr<const driver::CompiledPipeline> compiled(const Pipeline &pipeline, const Target &target,
                                                         const Location &location) {
    return driver::compiled_for(contents_of(pipeline, location), target, location);
}

} // namespace

Realization Pipeline::realize(JITUserContext *context, const std::vector<int32_t> &sizes, const Target &target,
                              const Location &location) const {
    const auto code = compiled(*this, target, location);
    const driver::RunContext run(context, contents_->handlers, location);
    Realization result(driver::make_outputs(*code, sizes, run, location));
    driver::run(*code, RealizationArg(result).raw_buffers(), run, location);
    driver::crop_to(result.buffers(), sizes);
    return result;
}

void Pipeline::realize(JITUserContext *context, const RealizationArg &outputs, const Target &target,
                       const Location &location) const {
    const auto code = compiled(*this, target, location);
    driver::run(*code, outputs.raw_buffers(), driver::RunContext(context, contents_->handlers, location), location);
}

Realization Pipeline::realize(const std::vector<int32_t> &sizes, const Target &target, const Location &location) const {
    return realize(nullptr, sizes, target, location);
}

void Pipeline::realize(const RealizationArg &outputs, const Target &target, const Location &location) const {
    realize(nullptr, outputs, target, location);
}

void Pipeline::infer_input_bounds(const std::vector<int32_t> &sizes, const Target &target,
                                  const Location &location) const {
    const auto code = compiled(*this, target, location);
    const driver::QueryOutputs outputs(*code, sizes, location);
    driver::infer_inputs(*code, outputs.headers(), driver::RunContext(nullptr, contents_->handlers, location),
                         location);
}

void Pipeline::infer_input_bounds(const RealizationArg &outputs, const Target &target, const Location &location) const {
    const auto code = compiled(*this, target, location);
    driver::infer_inputs(*code, outputs.raw_buffers(), driver::RunContext(nullptr, contents_->handlers, location),
                         location);
}

JITHandlers &Pipeline::jit_handlers() { return contents_->handlers; }
void Pipeline::invalidate_cache() { contents_->compiled = nullptr; }

void Pipeline::compile_jit(const Target &target, const Location &location) const { compiled(*this, target, location); }

Realization Func::realize(const std::vector<int32_t> &sizes, const Target &target, const Location &location) const {
    return pipeline().realize(sizes, target, location);
}

void Func::realize(const RealizationArg &outputs, const Target &target, const Location &location) const {
    pipeline().realize(outputs, target, location);
}

Realization Func::realize(JITUserContext *context, const std::vector<int32_t> &sizes, const Target &target,
                          const Location &location) const {
    return pipeline().realize(context, sizes, target, location);
}

void Func::realize(JITUserContext *context, const RealizationArg &outputs, const Target &target,
                   const Location &location) const {
    pipeline().realize(context, outputs, target, location);
}

JITHandlers &Func::jit_handlers() { return pipeline().jit_handlers(); }
void Func::invalidate_cache() { pipeline().invalidate_cache(); }

Callable Func::compile_to_callable(const std::vector<Argument> &args, const Target &target,
                                   const Location &location) const {
    return pipeline().compile_to_callable(args, target, location);
}

void Func::infer_input_bounds(const std::vector<int32_t> &sizes, const Target &target, const Location &location) const {
    pipeline().infer_input_bounds(sizes, target, location);
}

void Func::infer_input_bounds(const RealizationArg &outputs, const Target &target, const Location &location) const {
    pipeline().infer_input_bounds(outputs, target, location);
}

void Func::compile_jit(const Target &target, const Location &location) const {
    pipeline().compile_jit(target, location);
}

} // namespace fluorite
