#pragma once
// What fluorite_opt answers: passes of lowering run on a text.

#include "lowering/opt/options.h"

namespace fluorite::lowering::opt {

/// The output for the text of `options.file`, and for the schedule of `options.schedule_file` if it is named. Throws
/// CompileError: [opt-option] and [opt-text] for what is no question, [opt-pass] and others for what a pass refuses, or
/// a phase that does not hold; InternalError for what a pass breaks.
std::string run_opt(const OptOptions &options, const std::string &text, const std::string &schedule = "");

} // namespace fluorite::lowering::opt
