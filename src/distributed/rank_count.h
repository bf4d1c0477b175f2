#pragma once
// The number of ranks in definitions and schedules.

#include "ir/parameter.h"

namespace fluorite::distributed {

/// The scalar that stands for it. It is no argument of pipelines: each run on ranks gives it its value.
const RefPtr<ir::Parameter> &rank_count();

} // namespace fluorite::distributed
