#pragma once
// Pipelines for ranks as machine code of this process.

#include "distributed/pipeline_on_ranks.h"
#include "fluorite/pipeline.h"

namespace fluorite::driver {

/// lower_for_ranks, whose functions are lowered like ordinary pipelines.
distributed::RankPipeline lowered_for_ranks(const schedule::ScheduledGraph &pipeline, const Target &target,
                                            const distributed::Distribution &distribution, const std::string &name,
                                            const Location &location, bool with_reports = false);

/// Compiles the functions. Calls of them give a RunContext as context, or none.
std::unique_ptr<distributed::PipelineOnRanks> load_for_ranks(distributed::RankPipeline pipeline, const Target &target,
                                                             const Location &location);

/// Compiles a pipeline, of which any ImageParam may be an image (PartedInputs::Parameters).
std::unique_ptr<distributed::PipelineOnRanks> load_for_any_images(const Pipeline &pipeline, const Target &target,
                                                                  const Location &location = {});

} // namespace fluorite::driver
