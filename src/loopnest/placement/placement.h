#pragma once
// Where each Func of the working copy is computed and stored, and which stages share loops.

#include "loopnest/lowering_graph.h"
#include "loopnest/site.h"
#include "schedule/placement/placement.h"
#include "support/refusal.h"

#include <string>
#include <vector>

namespace fluorite::loopnest {

using schedule::FusedStages;
using schedule::Fusion;
using schedule::Placement;

/// Resolves compute_with, compute_at, store_at and hoist_storage, and checks them against all consumers, which are
/// given by FuncId. What is illegal is refused with the legal alternatives.
Result<Placement> place(const LoweringGraph &graph, const std::vector<std::vector<Consumer>> &consumers);
inline Result<Placement> place(const LoweringGraph &graph) { return place(graph, graph.consumers); }

/// The text of a site for messages, such as `loop y of f.update(0)`.
std::string describe(const LoweringGraph &graph, const Site &site);

} // namespace fluorite::loopnest
