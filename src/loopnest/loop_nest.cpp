#include "loopnest/loop_nest.h"

#include "loopnest/inline.h"

namespace fluorite::loopnest {

BoundedLoopNest make_loop_nest(const schedule::ScheduledGraph &pipeline, const NestOptions &options) {
    BoundedLoopNest nest;
    nest.graph = inline_funcs(pipeline, options.budget);
    nest.placement = place(nest.graph);
    nest.regions = infer_regions(nest.graph, nest.placement, {options.find_ranges});
    return nest;
}

} // namespace fluorite::loopnest
