#pragma once
#include "loopnest/loop_nest.h"

#include <cstdint>
#include <string>
#include <vector>

namespace fluorite::loopnest {

/// For each Func: where it is computed and stored, how large its storage is, how often its values are computed, and
/// what runs in tasks and lanes. `sizes` are extents of the outputs (min 0), dimension by dimension; where they are not
/// given, the outputs' estimates, and without these sizes stay symbolic.
std::string explain_schedule_text(const schedule::ScheduledGraph &pipeline, const std::vector<int32_t> &sizes,
                                  const NestOptions &options = {});

} // namespace fluorite::loopnest
