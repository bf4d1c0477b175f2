#pragma once
// The texts of the pipelines that a program compiles.

#include "fluorite/target.h"
#include "schedule/schedule.h"

namespace fluorite::driver {

/// If FLUORITE_WRITE_PIPELINES names a folder: writes graph and schedule there as a text for fluorite_opt, in a file
/// whose name has the pipeline's name and a hash of the text. The graphs of iterations are pipelines of their own.
/// Throws CompileError [pipeline-file] if it cannot be written.
void write_pipeline(const schedule::ScheduledGraph &pipeline, const std::string &name, const Target &target);

} // namespace fluorite::driver
