#pragma once
#include "loopnest/loop_nest.h"

#include <cstdint>
#include <string>
#include <vector>

namespace fluorite::loopnest {

/// Describes each Func: where it is computed and stored, the size of its storage, how often its values are computed,
/// and what runs in tasks and lanes. `sizes` are the extents of the outputs (with min 0), dimension by dimension; if
/// they are not given, the estimates of the outputs are used; without these, sizes are symbolic.
std::string explain_schedule_text(const schedule::ScheduledGraph &pipeline, const std::vector<int32_t> &sizes,
                                  const NestOptions &options = {});

} // namespace fluorite::loopnest
