#pragma once
#include "lowering/lower.h"

#include <functional>

namespace fluorite::lowering {

/// Lowers a pipeline without iterations of its own, whatever its inputs stand for.
using LowerPart = std::function<ir::LoweredModule(const schedule::ScheduledGraph &, const LowerOptions &)>;

/// Lowers a pipeline that computes iterations; see lower_iterations.cpp. `lower_rest` lowers the pipeline itself, with
/// the results of the iterations as inputs.
ir::LoweredModule lower_iterations(const schedule::ScheduledGraph &pipeline, const LowerOptions &options,
                                   const LowerPart &lower_rest);

} // namespace fluorite::lowering
