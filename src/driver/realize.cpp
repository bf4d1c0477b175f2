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

Realization Pipeline::realize(const std::vector<int32_t> &sizes, const Target &target, const Location &location) const {
    const auto code = compiled(*this, target, location);
    Realization result(driver::make_outputs(*code, sizes, location));
    driver::run(*code, RealizationArg(result).raw_buffers(), location);
    return result;
}

void Pipeline::realize(const RealizationArg &outputs, const Target &target, const Location &location) const {
    driver::run(*compiled(*this, target, location), outputs.raw_buffers(), location);
}

void Pipeline::infer_input_bounds(const std::vector<int32_t> &sizes, const Target &target,
                                  const Location &location) const {
    const auto code = compiled(*this, target, location);
    const driver::QueryOutputs outputs(*code, sizes, location);
    driver::infer_inputs(*code, outputs.headers(), location);
}

void Pipeline::infer_input_bounds(const RealizationArg &outputs, const Target &target, const Location &location) const {
    driver::infer_inputs(*compiled(*this, target, location), outputs.raw_buffers(), location);
}

void Pipeline::compile_jit(const Target &target, const Location &location) const { compiled(*this, target, location); }

Realization Func::realize(const std::vector<int32_t> &sizes, const Target &target, const Location &location) const {
    return pipeline().realize(sizes, target, location);
}

void Func::realize(const RealizationArg &outputs, const Target &target, const Location &location) const {
    pipeline().realize(outputs, target, location);
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
