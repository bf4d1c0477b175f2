#pragma once
// One schedule of a pipeline for a device: described, grouped, planned, written and judged.

#include "autoschedule/auto_schedule.h"

namespace fluorite::autoschedule {

/// find_schedule() for a request that names a device.
Result<FoundSchedule> find_device_schedule(const schedule::ScheduledGraph &pipeline, const Request &request);

} // namespace fluorite::autoschedule
