#pragma once
// Where each Func is computed and stored, and which stages share loops.

#include "loopnest/lowering_graph.h"
#include "loopnest/site.h"
#include "schedule/placement_rules.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace fluorite::loopnest {

using schedule::FusedStages;
using schedule::Fusion;

/// Where everything goes. Indexed by FuncId; unset for Funcs not in LoweringGraph::order.
struct Placement {
    std::vector<Site> compute, store;
    FusedStages fused;

    /// Null where the stage has loops of its own.
    const Fusion *fusion(int32_t func, int stage) const {
        const auto found = fused.find({FuncId(func), stage});
        return found == fused.end() ? nullptr : &found->second;
    }
    /// Where the nest of a site stands: in the loops it shares, or where its Func is computed.
    Site around(const Site &site) const { return schedule::around(site, compute, &fused); }
    std::vector<Site> hoist; // where memory is taken: the store site, or further out
    /// From root inward: the sites that enclose the body of a stage.
    std::vector<Site> path_of(const LoweringGraph &graph, FuncId func, int stage) const;
};

/// Resolves and checks compute_at and store_at against all consumers, which are given by FuncId. Throws CompileError
/// with the legal alternatives.
Placement place(const LoweringGraph &graph, const std::vector<std::vector<Consumer>> &consumers);
inline Placement place(const LoweringGraph &graph) { return place(graph, graph.consumers); }

/// `f.update(0) at loop y`-like text of a site for messages.
std::string describe(const LoweringGraph &graph, const Site &site);

} // namespace fluorite::loopnest
