#pragma once
// Where each Func is computed and stored, and which stages share loops.

#include "loopnest/lowering_graph.h"
#include "loopnest/site.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace fluorite::loopnest {

/// A stage that shares its outer loops with others. All of them stand in the loops of the first, `parent`, which has itself as
/// parent.
struct Fusion {
    Site parent;                          // the innermost shared loop
    int loop = 0;                         // the innermost shared loop of this stage
    std::vector<LoopAlignStrategy> align; // by shared loop, outermost first; empty: NoAlign
    Location location;
    /// The site in shared loops where the loop of this stage is.
    Site shared(int own_loop) const { return {parent.func, parent.stage, parent.loop + own_loop - loop}; }
};

/// Where everything goes. Indexed by FuncId; unset for Funcs not in LoweringGraph::order.
struct Placement {
    std::vector<Site> compute, store;
    std::map<std::pair<int32_t, int>, Fusion> fused; // by Func and stage

    /// Null where the stage has loops of its own.
    const Fusion *fusion(int32_t func, int stage) const {
        const auto found = fused.find({func, stage});
        return found == fused.end() ? nullptr : &found->second;
    }
    /// Where the nest of a site stands: in the loops it shares, or where its Func is computed.
    Site around(const Site &site) const {
        const Fusion *fusion = this->fusion(site.func, site.stage);
        const bool is_child = fusion && fusion->parent.func != site.func;
        return is_child ? fusion->parent : compute[static_cast<size_t>(site.func)];
    }
    std::vector<Site> hoist; // where memory is taken: the store site, or further out
    /// From root inward: the sites that enclose the body of a stage.
    std::vector<Site> path_of(const LoweringGraph &working, FuncId func, int stage) const;
};

/// Resolves and checks compute_at and store_at against all consumers. Throws CompileError with the legal alternatives.
Placement place(const LoweringGraph &working);

/// `f.update(0) at loop y`-like text of a site for messages.
std::string describe(const LoweringGraph &working, const Site &site);

} // namespace fluorite::loopnest
