#pragma once
// Runs on parts of buffers that all ranks have the whole of, for comparisons with ordinary runs.

#include "distributed/pipeline_on_ranks.h"

namespace fluorite::distributed {

/// What one rank has computed.
struct RankParts {
    distribute::RankPlan plan;
    std::vector<Buffer<>> outputs; // this rank's parts, by output value
};

/// Collective. Cuts the buffers that are bound to the inputs of `distribution`, and runs on this rank's parts alone, in
/// memory that has a pattern where nothing was written. Outputs have the regions of `wholes`, by value, and the
/// placements of their Funcs.
RankParts run_parts(PipelineOnRanks &pipeline, const Distribution &distribution,
                    const std::vector<const fluorite_buffer_t *> &wholes, distribute::Transport &transport);

} // namespace fluorite::distributed
