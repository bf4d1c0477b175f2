#pragma once
// Exceptions at the border to C: they become codes and texts for the error handler.

#include "ranks/compiled/segment_call.h"

#include <functional>
#include <string>

namespace fluorite::distribute {

/// Runs the function. Returns 0, or the code of the error: what it throws is reported to the error handler with the
/// context, except SegmentFailed, which has been reported.
int with_reports(void *context, const std::function<void()> &run);

} // namespace fluorite::distribute
