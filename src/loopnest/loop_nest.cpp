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

namespace fluorite::loopnest {

BoundedLoopNest make_loop_nest(const schedule::ScheduledGraph &pipeline, const NestOptions &options) {
    BoundedLoopNest nest;
    nest.graph = inline_funcs(pipeline, options.budget);
    nest.placement = place(nest.graph);
    nest.regions = infer_regions(nest.graph, nest.placement, {options.find_ranges, options.windows});
    return nest;
}

} // namespace fluorite::loopnest
