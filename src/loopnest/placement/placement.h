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

/// The sites of all Funcs. Vectors are indexed by FuncId; entries of Funcs that are not in LoweringGraph::order are
/// unset.
struct Placement {
    std::vector<Site> compute, store;
    FusedStages fused;

    /// Null if the stage has its own loops.
    const Fusion *fusion(FuncId func, int stage) const {
        const auto found = fused.find({func, stage});
        return found == fused.end() ? nullptr : &found->second;
    }
    /// The site around the loop nest of a site's stage: the innermost shared loop, or where its Func is computed.
    Site around(const Site &site) const { return schedule::around(site, compute, &fused); }
    std::vector<Site> hoist; // where memory is allocated: the store site, or further out
    /// The sites that enclose the body of a stage, from root inward.
    std::vector<Site> path_of(const LoweringGraph &graph, FuncId func, int stage) const;
};

/// Resolves compute_at, store_at and hoist_storage and checks them against all consumers, which are given by FuncId.
/// Throws CompileError with the legal alternatives.
Placement place(const LoweringGraph &graph, const std::vector<std::vector<Consumer>> &consumers);
inline Placement place(const LoweringGraph &graph) { return place(graph, graph.consumers); }

/// The text of a site for messages, such as `loop y of f.update(0)`.
std::string describe(const LoweringGraph &graph, const Site &site);

} // namespace fluorite::loopnest
