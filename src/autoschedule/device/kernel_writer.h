#pragma once
// Planned groups as directives for blocks and threads.

#include "autoschedule/device/device_cost.h"
#include "schedule/directives/table.h"

#include <string>
#include <vector>

namespace fluorite::autoschedule {

struct KernelLines {
    /// Without them, it is another schedule than the planned one.
    std::vector<schedule::Directive> lines;
    struct Update {
        size_t stage = 0;
        int number = 1; // of the update
        /// Ways in which the update may run, the best first, of which the first legal one is taken. If none is legal,
        /// it runs on the host, or, within a block, on one thread.
        std::vector<std::vector<schedule::Directive>> ways;
    };
    std::vector<Update> updates;
};

KernelLines kernel_lines_of(const DescribedPipeline &pipeline, const DeviceCost &cost, const StageSet &group,
                            const DevicePlan &plan);

} // namespace fluorite::autoschedule
