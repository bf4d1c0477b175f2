// Placement of the working copy: from the LoopLevels of a schedule to sites in the loop nest.
//
// Method: schedule/placement/ resolves levels and checks what sites show. This file gives it the Funcs that are
// computed, their consumers and the stages that share loops (fused_loops.cpp), and the names of stages that
// specializations have made. Afterwards it checks that the stages at each site have an order.
//
// Refuses what compute_with and the resolver do not allow. Cost: that of the resolver, Funcs x consumers x depth.

#include "loopnest/placement/placement.h"

#include "loopnest/placement/fused_loops.h"
#include "loopnest/user_text.h"
#include "schedule/placement/resolver.h"
#include "support/check.h"

namespace fluorite::loopnest {

using namespace ir;

namespace {

std::string stage_name(const LoweringGraph &graph, const Consumer &stage) {
    std::string text = graph.func(stage.func).name();
    const Variant variant = graph.variant(stage);
    text += variant.definition == 0 ? "" : ".update(" + std::to_string(variant.definition - 1) + ")";
    const auto [first, end] = graph.alternatives(stage);
    return end - first > 1 && variant.condition.defined()
               ? concat(text, " where ", text_for_user(variant.condition, graph.pipeline.graph))
               : text;
}

schedule::StageNames names_of(const LoweringGraph &graph) {
    return [&graph](Consumer stage) { return stage_name(graph, stage); };
}

schedule::PlacementRules::Nests nests_of(const LoweringGraph &graph,
                                         const std::vector<std::vector<Consumer>> &consumers) {
    schedule::PlacementRules::Nests nests{graph.order, consumers, {}};
    nests.has_updates.resize(graph.pipeline.graph.funcs.size());
    for (const FuncId id : graph.order) {
        nests.has_updates[id.index()] = graph.has_updates(id);
    }
    return nests;
}

} // namespace

std::string describe(const LoweringGraph &graph, const Site &site) {
    return schedule::site_text(graph.pipeline.schedule, site, names_of(graph));
}

Result<Placement> place(const LoweringGraph &graph, const std::vector<std::vector<Consumer>> &consumers) {
    Result<FusedStages> fused = find_fused(graph);
    if (!fused) {
        return fused.refusal();
    }
    const schedule::PlacementResolver resolver(graph.pipeline.graph, graph.pipeline.schedule,
                                               nests_of(graph, consumers), std::move(*fused));
    if (!resolver.broken().empty()) {
        return resolver.refusal_of(resolver.broken().front(), names_of(graph));
    }
    if (const Verdict order = check_order(graph, resolver.placement()); !order) {
        return order.refusal();
    }
    return resolver.placement();
}

} // namespace fluorite::loopnest
