#pragma once
// Schedules of groupings at random, for those who compare the scheduler's model with measurements.

#include "fluorite/auto_schedule.h"

#include <cstdint>
#include <string>
#include <vector>

namespace fluorite::driver {

struct SampledSchedule {
    Schedule schedule;
    double cycles = 0;       // predicted
    std::string explanation; // groups, tiles and costs
};

/// The schedule that the search finds without trials, that of all stages apart, and those of groupings at random, with
/// what the pipeline's schedule says. Fewer than `count` where there are not as many. The pipeline stays as it is.
std::vector<SampledSchedule> sample_schedules(const Pipeline &pipeline, const AutoScheduleOptions &options,
                                              size_t count, uint32_t seed);

} // namespace fluorite::driver
