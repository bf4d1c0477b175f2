// From a schedule to the bounded loop nest, in three steps, each of which uses the results of the previous one:
//   - inline_funcs determines which Funcs are computed, and copies those that are computed at several sites
//     (inline.cpp);
//   - place determines where each is computed and stored (placement.cpp);
//   - infer_regions determines which region each computes there, consumers first (regions.cpp).
//
// Lowering runs the same steps as rows of its pass table, so that each is timed and named (lowering/pipeline.cpp).
// Cost: dominated by infer_regions, which is linear in calls times dimensions.

#include "loopnest/loop_nest.h"

#include "loopnest/inline/inline.h"

#include <utility>

namespace fluorite::loopnest {

Result<BoundedLoopNest> bound_loop_nest(Result<LoweringGraph> graph, const NestOptions &options, RegionMemo *memo) {
    if (!graph) {
        return graph.refusal();
    }
    BoundedLoopNest nest;
    nest.graph = std::move(*graph);
    Result<Placement> placement = place(nest.graph);
    if (!placement) {
        return placement.refusal();
    }
    nest.placement = std::move(*placement);
    Result<Regions> regions = infer_regions(nest.graph, nest.placement, {options.find_ranges, options.windows}, memo);
    if (!regions) {
        return regions.refusal();
    }
    nest.regions = std::move(*regions);
    return nest;
}

Result<BoundedLoopNest> try_loop_nest(const schedule::ScheduledGraph &pipeline, const NestOptions &options) {
    return bound_loop_nest(inline_funcs(pipeline, options.budget), options);
}

BoundedLoopNest make_loop_nest(const schedule::ScheduledGraph &pipeline, const NestOptions &options) {
    return try_loop_nest(pipeline, options).or_raise();
}

} // namespace fluorite::loopnest
