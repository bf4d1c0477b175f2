#pragma once
// Sites of a schedule as a tree shows them: levels, texts, and why levels have no node.

#include "schedule/placement/resolver.h"

#include <optional>
#include <string>

namespace fluorite::schedule {

/// The level that denotes a site.
LoopLevel level_of(const ir::Graph &graph, const Schedule &schedule, const Site &site);
/// `root`, `loop yo of blur_y`, `the outermost level of blur_y.update(0)`.
std::string describe(const ir::Graph &graph, const Schedule &schedule, const Site &site);
/// Why the schedule has no tree: the first level that has no legal site, in words of trees. Nothing where all have.
std::optional<std::string> problem_of_levels(const ir::Graph &graph, const Schedule &schedule,
                                             const PlacementResolver &resolver);

} // namespace fluorite::schedule
