// Placement of the working copy: from the LoopLevels of a schedule to sites in the loop nest.
//
// Method: schedule/placement/ resolves levels and checks what sites show. This file gives it the Funcs that are
// computed, their consumers and the stages that share loops (fused_loops.cpp), and the names of stages that
// specializations have made. Afterwards it checks that the stages at each site have an order.
//
// Refuses what compute_with and the resolver do not allow. Cost: that of the resolver, Funcs x consumers x depth.

#include "loopnest/placement/placement.h"

#include "ir/extern_stage.h"
#include "ir/stmt.h"
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

Refusal refusal(const FuncDef &func, const char *slug, const std::string &text, const Location &location) {
    return {slug, "in " + func.name() + ": " + text, location};
}

/// Refuses loops of extern stages, which C functions run, and what would compute a part of one in a lane.
Verdict check_extern(const LoweringGraph &graph, const Placement &placement, FuncId id) {
    const FuncDef &func = graph.func(id);
    const schedule::StageSchedule &loops = graph.schedule(StageId(id, 0));
    const std::string function = extern_function(*find_extern_stage(func));
    if (loops.on_loops || loops.with) {
        return refusal(func, "extern-loops",
                       (loops.with ? "compute_with" : loops.on_loops.name) +
                           " is applied, but its loops are those of the C function " + function +
                           "; an extern stage is scheduled as a whole; schedule a Func that reads it",
                       loops.with ? loops.with->level.location : loops.on_loops.location);
    }
    for (Site at = placement.compute[id.index()]; !at.is_root(); at = placement.around(at)) {
        const std::vector<schedule::LoopDim> &dims = graph.schedule(at.stage).dims;
        for (size_t i = at.loop.index(); i < dims.size(); i++) {
            if (dims[i].for_type == ForType::Vectorized || is_of_device(dims[i].for_type)) {
                return refusal(func, "extern-lanes",
                               "it is computed inside of loop " + dims[i].var + " of " +
                                   graph.func(at.stage.func).name() +
                                   ", whose iterations are lanes or run on a device; the C function " + function +
                                   " computes whole boxes on the host; compute it outside of that loop",
                               graph.schedule(id).compute.location);
            }
        }
    }
    return {};
}

Verdict check_externs(const LoweringGraph &graph, const Placement &placement) {
    for (const FuncId id : graph.order) {
        if (is_extern(graph.func(id))) {
            if (const Verdict loops = check_extern(graph, placement, id); !loops) {
                return loops;
            }
        }
        for (const Site &site :
             {placement.compute[id.index()], placement.store[id.index()], placement.hoist[id.index()]}) {
            const bool is_inside = !site.is_root() && is_extern(graph.func(site.stage.func)) &&
                                   site.loop.index() < graph.schedule(StageId(site.stage.func, 0)).dims.size();
            if (is_inside) {
                return refusal(
                    graph.func(id), "extern-loops",
                    "it is placed at " + describe(graph, site) +
                        ", a loop of the C function of an extern stage; that function gets whole boxes of what "
                        "it reads; place it further out",
                    graph.schedule(id).compute.location);
            }
        }
    }
    return {};
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
    if (const Verdict externs = check_externs(graph, resolver.placement()); !externs) {
        return externs.refusal();
    }
    return resolver.placement();
}

} // namespace fluorite::loopnest
