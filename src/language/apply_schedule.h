#pragma once
// Applying schedules, for the compiler's own use.

#include "language/pipeline_contents.h"
#include "schedule/directives/table.h"

#include <span>

namespace fluorite::language {

/// Whether the partial reductions of a pipeline (rfactor) are kept under lines that make none, as when a user applies a
/// schedule.
enum class PartialReductions : uint8_t { Keep, Remove };

/// Pipeline::apply().
void apply_schedule(const PipelineContents &contents, std::span<const schedule::Directive> lines,
                    PartialReductions what, const Location &location);
/// A pipeline with the same graph and schedule, and the same cuts of updates, whose Functions nobody else has: applying
/// schedules to it, without lines that create wrappers or tile iterations, leaves the pipeline alone.
PipelineContents scratch_pipeline(const PipelineContents &contents);
/// Whether rfactor has cut updates of the pipeline.
bool has_partial_reductions(const PipelineContents &contents);

} // namespace fluorite::language
