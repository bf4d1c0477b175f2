// From a schedule to the bounded loop nest, in three steps, each of which needs the one before:
//   - inline_funcs: which Funcs are computed, with copies of those that stand in several places (inline.cpp);
//   - place: where each is computed and stored (placement.cpp);
//   - infer_regions: what each computes there, consumers first (regions.cpp).
//
// Lowering runs the same steps as rows of its table, so that each is timed and named (lowering/pipeline.cpp).
// Cost: that of infer_regions, which is linear in calls times dimensions.

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
