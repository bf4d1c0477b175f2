#pragma once
// Realizes distributed pipelines into DistributedImages and buffers.

#include "driver/compiled.h"

namespace fluorite::driver {

/// Buffers of these sizes, for a pipeline whose ranks all get the whole result.
std::vector<Buffer<>> plain_outputs(const CompiledPipeline &pipeline, const std::vector<int32_t> &sizes,
                                    const Location &location);

/// Collective. Precondition: the pipeline is compiled for ranks.
void run_on_ranks(const CompiledPipeline &pipeline, const RealizationArg &outputs, const RunContext &context,
                  const Location &location);

} // namespace fluorite::driver
