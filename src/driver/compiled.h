#pragma once
// A pipeline as machine code, and what a run must hand to it.

#include "backends/backend.h"
#include "driver/user_context.h"
#include "fluorite/pipeline.h"
#include "fluorite/realization.h"
#include "language/pipeline_contents.h"
#include "schedule/schedule.h"

#include <memory>
#include <string>
#include <vector>

namespace fluorite::driver {

/// Freezes the outputs for a target: fused multiply-add where it has them, traces as its features ask.
schedule::ScheduledGraph freeze_for(const PipelineContents &contents, const Target &target);

/// Freezes and lowers. `name` is that of the module's entry.
ir::LoweredModule lower_for(const PipelineContents &contents, const Target &target, const std::string &name);
/// What its compile report says (lowering/report.h).
std::string report_for(const PipelineContents &contents, const Target &target);

/// A name that C accepts, made of the outputs' names.
std::string function_name(const PipelineContents &contents);

/// One value of one output, as runs need it.
struct OutputValue {
    std::string name;
    Type type;
    int dimensions = 0;
    std::vector<int> storage_order; // innermost first
    bool has_strides = false;       // the program promises strides beyond the default
};

struct CompiledPipeline {
    Target target;
    std::vector<uint64_t> fingerprint; // of definitions, schedules and promises about parameters
    std::vector<ir::LoweredArg> args;
    std::vector<const ir::Parameter *> parameters; // of the arguments; null where they have none
    std::vector<OutputValue> outputs;
    std::unique_ptr<backends::Executable> code;
};

/// The compiled form for the target, from the pipeline's cache where nothing has changed. An empty target is that of
/// the environment. Threads may call this at once.
std::shared_ptr<const CompiledPipeline> compiled_for(PipelineContents &contents, const Target &target,
                                                     const Location &location);

/// Runs with these output buffers; RuntimeError for what the pipeline refuses. Returns the code, which is not 0 only
/// where a handler has taken the error.
int run(const CompiledPipeline &pipeline, const std::vector<fluorite_buffer_t *> &outputs, const RunContext &context,
        const Location &location);
/// A bounds query: outputs without memory are given the regions that the pipeline would write for what they ask for.
/// All inputs are bound.
int query(const CompiledPipeline &pipeline, const std::vector<fluorite_buffer_t *> &outputs, const RunContext &context,
          const Location &location);
/// As run, with the arguments' values in the order of CompiledPipeline::args, outputs last.
int run_with(const CompiledPipeline &pipeline, std::vector<void *> args, const RunContext &context,
             const Location &location);

/// Gives every input that is not bound a fresh buffer, large enough for the outputs.
void infer_inputs(const CompiledPipeline &pipeline, const std::vector<fluorite_buffer_t *> &outputs,
                  const RunContext &context, const Location &location);

/// Fresh output buffers of the sizes, laid out as the pipeline asks for: promises about the outputs hold, and where a
/// schedule rounds a region up, there is memory for it around the sizes.
std::vector<Buffer<>> make_outputs(const CompiledPipeline &pipeline, const std::vector<int32_t> &sizes,
                                   const RunContext &context, const Location &location);
/// Makes the sizes all that is seen of such buffers, once they are written.
void crop_to(const std::vector<Buffer<>> &outputs, const std::vector<int32_t> &sizes);

/// Output headers of the sizes without memory, for bounds queries.
class QueryOutputs {
  public:
    QueryOutputs(const CompiledPipeline &pipeline, const std::vector<int32_t> &sizes, const Location &location);
    const std::vector<fluorite_buffer_t *> &headers() const { return pointers_; }

  private:
    std::vector<std::vector<fluorite_dimension_t>> dims_;
    std::vector<fluorite_buffer_t> headers_;
    std::vector<fluorite_buffer_t *> pointers_;
};

} // namespace fluorite::driver
