#include "autoschedule/device/device_plan.h"

#include "autoschedule/costs.h"

namespace fluorite::autoschedule {

std::vector<int64_t> block_of(const DevicePlan &plan) {
    std::vector<int64_t> block = plan.together;
    if (!block.empty()) {
        block[plan.loops.x] *= plan.threads_x;
    }
    if (plan.loops.y) {
        block[*plan.loops.y] *= plan.threads_y;
    }
    return block;
}

ThreadLoops thread_loops(const StageNode &stage, const std::vector<int64_t> &widths,
                         const std::vector<int64_t> &together) {
    std::optional<size_t> x, widest;
    for (size_t loop = 0; loop < widths.size(); ++loop) {
        if (together[loop] > 1) {
            continue;
        }
        widest = !widest || widths[loop] > widths[*widest] ? loop : *widest;
        if (!x && (stage.loops[loop].is_lanes || widths[loop] >= costs::least_thread_row)) {
            x = loop;
        }
    }
    ThreadLoops loops;
    loops.x = x ? *x : widest.value_or(0);
    for (size_t loop = 0; loop < widths.size(); ++loop) {
        if (loop != loops.x && together[loop] == 1 && widths[loop] > 1 &&
            (!loops.y || widths[loop] > widths[*loops.y])) {
            loops.y = loop;
        }
    }
    return loops;
}

std::vector<int64_t> constants_together(const StageNode &stage) {
    return stage.constant_block > 0 ? stage.blocks[stage.constant_block].sizes
                                    : std::vector<int64_t>(stage.loops.size(), 1);
}

} // namespace fluorite::autoschedule
