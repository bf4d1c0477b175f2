#pragma once
#include "loopnest/placement/placement.h"

namespace fluorite::loopnest {

/// LoweringGraph::order with the Funcs that are computed with each other adjacent; refuses those that depend on each
/// other.
Result<std::vector<FuncId>> fused_order(const LoweringGraph &graph);
/// Determines which stages share loops; refuses stages whose loops differ.
Result<FusedStages> find_fused(const LoweringGraph &graph);
/// Whether the stages of the Funcs that are computed with each other have an order.
Verdict check_order(const LoweringGraph &graph, const Placement &placement);
/// The order in which the stages of Funcs at one site run: each entry is a stage together with those that share its
/// loops, the owner of the loops first. `place` has checked that there is one.
std::vector<std::vector<Consumer>> order_stages(const LoweringGraph &graph, const Placement &placement,
                                                const std::vector<FuncId> &funcs);
/// The Funcs that are computed with the Func, including itself, in the order of LoweringGraph::order.
std::vector<FuncId> fused_group(const LoweringGraph &graph, const Placement &placement, FuncId id);

} // namespace fluorite::loopnest
