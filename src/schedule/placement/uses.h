#pragma once
// Which stages read which Funcs, as placement asks for it.

#include "schedule/placement_rules.h"

#include <vector>

namespace fluorite::schedule {

/// Whether the schedule computes a Func in the loops of what reads it, point by point.
bool is_inlined(const ir::Graph &graph, const Schedule &schedule, FuncId func);
/// Funcs that a stage calls, itself excepted, each once, in the order of the graph.
std::vector<FuncId> callees(const ir::FuncDef &func, const ir::Stage &stage);
/// The Funcs of a graph as the program wrote it: those that are inlined hand their uses on to what they call.
PlacementRules::Nests nests_of(const ir::Graph &graph, const Schedule &schedule);

} // namespace fluorite::schedule
