// gpu_single_thread(): for y --> gpu_block for one in [0, 1) { for y }   one thread of a device
// Legal if no loop of the stage is marked as one whose iterations run at once on threads. What the mark does:
// lowering/from_nest/build_loops.cpp; that the stage shares no loops: loopnest/placement/fused_loops.cpp.

#include "schedule/directives/common.h"
#include "schedule/directives/rows.h"
#include "support/check.h"

#include <algorithm>

namespace fluorite::schedule {

static Result<Expr> check_single_thread(const StageRef &stage, const Expr &, Location location) {
    const std::vector<LoopDim> &dims = stage.schedule->dims;
    const auto marked =
        std::find_if(dims.begin(), dims.end(), [](const LoopDim &dim) { return runs_on_threads(dim.for_type); });
    if (marked != dims.end()) {
        return refused(stage, "loop-marked-twice",
                       concat("gpu_single_thread where ", marked->var, " is already marked ", name_of(marked->for_type),
                              "; all loops of the stage run on one thread; call serial(", marked->var, ") first"),
                       location);
    }
    return Expr();
}

DirectiveRow row_of_gpu_single_thread() {
    return {.on_stage = true,
            .apply = apply_mark,
            .meaning = uncovered(no_devices_in_terms),
            .example = "total.update(0).gpu_single_thread()",
            .check_stage = check_single_thread};
}

} // namespace fluorite::schedule
