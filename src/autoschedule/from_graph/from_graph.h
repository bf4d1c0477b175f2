#pragma once
// Stage graphs of frozen pipelines.

#include "autoschedule/from_graph/stage_work.h"
#include "loopnest/loop_nest.h"

#include <vector>

namespace fluorite::autoschedule {

/// A stage graph, and what its stages are in the pipeline.
struct DescribedPipeline {
    StageGraph graph;
    std::vector<FuncId> funcs;         // by stage
    std::vector<FuncId> inlined;       // in the pipeline's order
    std::vector<ir::FuncDef> computed; // by stage: with what is inlined into it
};

/// What is inlined whatever that costs, where definitions allow it, and what is not.
struct InliningWishes {
    std::vector<FuncId> inlined, kept;
};

/// Decides which Funcs are inlined, and describes the others at the given extents of the outputs (none: their
/// estimates). The pipeline's own
/// schedule counts for its promises and estimates only. Throws CompileError [auto-schedule-size] for the first size
/// that is not known, and what make_loop_nest throws.
DescribedPipeline describe_pipeline(schedule::ScheduledGraph pipeline, const std::vector<int32_t> &sizes,
                                    const LoadCosts &costs = {}, const InliningWishes &wishes = {});

} // namespace fluorite::autoschedule
