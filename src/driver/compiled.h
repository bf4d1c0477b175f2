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

namespace fluorite::distributed {
class PipelineOnRanks;
} // namespace fluorite::distributed

namespace fluorite::driver {

/// Freezes the outputs for a target: with fused multiply-add if the target has it, with traces if its features request
/// them.
schedule::ScheduledGraph freeze_for(const PipelineContents &contents, const Target &target);

/// Freezes and lowers; `name` becomes the name of the module's entry.
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
    bool has_strides = false;       // the program promises strides other than the default
};

/// Compiled code, or (for pipelines that run on ranks) `distributed`, without arguments and code of its own.
struct CompiledPipeline {
    Target target;
    std::vector<uint64_t> fingerprint; // of definitions, schedules and promises about parameters
    std::vector<ir::LoweredArg> args;
    std::vector<const ir::Parameter *> parameters; // of the arguments; null for arguments without one
    std::vector<OutputValue> outputs;
    std::vector<std::shared_ptr<const void>> externs; // what the code calls
    std::unique_ptr<backends::Executable> code;
    std::shared_ptr<fluorite::distributed::PipelineOnRanks> distributed;
};

/// Whether a pipeline that asks for no ranks is compiled for them: to be realized into DistributedImages.
enum class Runs : uint8_t { AsScheduled, OnRanks };

/// The compiled form for the target, from the pipeline's cache if nothing has changed. An empty target means that of
/// the environment. Thread-safe.
std::shared_ptr<const CompiledPipeline> compiled_for(PipelineContents &contents, const Target &target,
                                                     const Location &location, Runs runs = Runs::AsScheduled);

/// Throws CompileError [not-built] for what is not there for distributed pipelines yet; `what` names it.
[[noreturn]] void refuse_distributed(const std::string &pipeline, const char *what, const Location &location);

/// Lowers a frozen pipeline; `name` becomes the name of the module's entry. `report`: LowerOptions::report.
ir::LoweredModule lower_frozen(const schedule::ScheduledGraph &frozen, const Target &target, const std::string &name,
                               std::string *report = nullptr);
/// Lowers loops that are not made from the schedule (lowering::lower_statement). The code checks no arguments.
ir::LoweredModule lower_loops(const schedule::ScheduledGraph &frozen, const ir::Stmt &loops, const Target &target,
                              const std::string &name);
/// Machine code of a lowered pipeline, without a cache.
std::shared_ptr<const CompiledPipeline> load_code(const ir::LoweredModule &module,
                                                  const schedule::ScheduledGraph &frozen, const Target &target);
/// The pipeline as one function that runs on ranks, with all its arguments.
std::shared_ptr<const CompiledPipeline> compile_for_ranks(const PipelineContents &contents, const Target &target,
                                                          const Location &location);

/// Runs with these output buffers; throws RuntimeError for what the pipeline refuses. Returns the code, which is
/// nonzero only if a handler has taken the error.
int run(const CompiledPipeline &pipeline, const std::vector<fluorite_buffer_t *> &outputs, const RunContext &context,
        const Location &location);
/// Copies what a device has computed to the host. Throws or returns as `run` does.
int copy_to_host(const std::vector<fluorite_buffer_t *> &outputs, const RunContext &context, const Location &location);
/// Bounds query: sets outputs without memory to the regions that the pipeline would write for the requested ones.
/// Precondition: all inputs are bound.
int query(const CompiledPipeline &pipeline, const std::vector<fluorite_buffer_t *> &outputs, const RunContext &context,
          const Location &location);
/// Like run, with the arguments' values in the order of CompiledPipeline::args, outputs last.
int run_with(const CompiledPipeline &pipeline, std::vector<void *> args, const RunContext &context,
             const Location &location);

/// The same as a bounds query: buffers without memory get the regions that the code would read and write.
int query_with(const CompiledPipeline &pipeline, std::vector<void *> args, const RunContext &context,
               const Location &location);

/// Binds a fresh buffer, large enough for the outputs, to every unbound input.
void infer_inputs(const CompiledPipeline &pipeline, const std::vector<fluorite_buffer_t *> &outputs,
                  const RunContext &context, const Location &location);

/// Refuses sizes of another number of dimensions than the output's; `what` is the function that was given them.
void check_rank(const OutputValue &output, const std::vector<int32_t> &sizes, const char *what,
                const Location &location);
/// A new buffer of these sizes with min 0, whose dimensions `storage_order` lists from the innermost on.
Buffer<> dense_buffer(const OutputValue &output, const std::vector<int32_t> &sizes,
                      const std::vector<int> &storage_order, const Location &location);

/// Fresh output buffers of the sizes. Their layout obeys the promises about the outputs; where a schedule rounds a
/// region up, the buffer includes the extra elements.
std::vector<Buffer<>> make_outputs(const CompiledPipeline &pipeline, const std::vector<int32_t> &sizes,
                                   const RunContext &context, const Location &location);
/// Crops such buffers to the sizes once they are written.
void crop_to(const std::vector<Buffer<>> &outputs, const std::vector<int32_t> &sizes);

/// Output headers of the sizes without memory, for bounds queries.
class QueryOutputs {
  public:
    QueryOutputs(const CompiledPipeline &pipeline, const std::vector<int32_t> &sizes, const Location &location);
    const std::vector<fluorite_buffer_t *> &headers() const { return pointers_; }
    /// The extents of all dimensions, output by output.
    using Extents = std::vector<int32_t>;
    Extents extents() const;

  private:
    std::vector<std::vector<fluorite_dimension_t>> dims_;
    std::vector<fluorite_buffer_t> headers_;
    std::vector<fluorite_buffer_t *> pointers_;
};

} // namespace fluorite::driver
