#pragma once
// The updates that rfactor has cut, as lines of schedules.

#include "language/freeze.h"
#include "schedule/directives/table.h"

#include <memory>
#include <string>
#include <vector>

namespace fluorite::language {

/// The lines that reproduce the cuts, and the schedule right after them; both empty where no update was cut.
struct Cuts {
    std::vector<schedule::Directive> lines;
    std::shared_ptr<const schedule::Schedule> after;
    std::vector<std::string> funcs; // of the graph, in order
};

/// The cuts of a pipeline, which is left alone. Cost: a copy and several freezes of it, where there are cuts.
Cuts cuts_of(const PipelineContents &contents);
/// The frozen name of a Function; empty for one outside of the graph.
std::string name_of(const FrozenPipeline &frozen, const Function *function);

} // namespace fluorite::language
