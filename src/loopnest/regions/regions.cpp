// Bounds inference over the sites of the loop nest.
//
// Funcs are processed consumers first: the region that a Func must provide follows from the loops of its consumers
// (infer_func.cpp), seen from where it is computed (site_views.cpp). Storage is the box of everything written or read,
// lifted to the store site (storage.cpp), less what sliding windows do not need to keep (windows/). When the loops of
// all Funcs are known, the boxes of inputs and outputs follow (root_boxes.cpp), then prefetches (prefetches.cpp), and
// the checks that regions fit into 32 bits (ranges/).
// Cost: calls x dimensions x simplifications.

#include "loopnest/regions/regions.h"

#include "ir/extern_stage.h"
#include "loopnest/ranges/region_ranges.h"
#include "loopnest/regions/infer_func.h"
#include "loopnest/regions/prefetches.h"
#include "loopnest/regions/root_boxes.h"
#include "loopnest/regions/shared_loops.h"

#include <algorithm>
#include <utility>

namespace fluorite::loopnest {

namespace {

void set_sites(const LoweringGraph &graph, const Placement &placement, Regions &out) {
    for (FuncId id : graph.order) {
        const Site &compute = placement.compute[id.index()], &store = placement.store[id.index()],
                   &hoist = placement.hoist[id.index()];
        out.computed[compute].push_back(id);
        out.stored[store].push_back(id);
        if (hoist != store) {
            out.hoisted[hoist].push_back(id);
        }
    }
}

/// What bounds queries bind refers to regions that are known already, and regions that follow refer to it.
void add_queries(const SiteViews &views, Regions &out) {
    for (auto &[site, let] : views.take_query_lets()) {
        out.lets[site].push_back(std::move(let));
    }
}

void add_func(FuncId id, const FuncRegions &regions, Regions &out) {
    out.funcs[id.index()] = regions.bounds;
    for (const auto &[site, let] : regions.lets) {
        out.lets[site].push_back(let);
    }
}

/// The C function is handed what it asks for where it is called.
void ask_at_own_site(const SiteViews &views, FuncId id, Regions &out) {
    out.funcs[id.index()].operands = views.operand_boxes(id, views.compute(id));
    add_queries(views, out);
}

using SharedRegions = std::shared_ptr<const FuncRegions>;

Result<SharedRegions> regions_of(SiteViews &views, FuncId id, const WindowOptions &windows, RegionMemo *memo) {
    if (auto known = memo ? memo->find(views, id) : nullptr) {
        return known;
    }
    views.begin_seen();
    FuncInProgress func(views, id, windows);
    infer_func(func);
    if (!func.verdict()) {
        return func.verdict().refusal();
    }
    return memo ? memo->keep(views, func) : std::make_shared<const FuncRegions>(std::move(func.regions));
}

} // namespace

Result<Regions> infer_regions(const LoweringGraph &graph, const Placement &placement, const InferenceOptions &options,
                              RegionMemo *memo) {
    Regions out;
    out.funcs.resize(graph.pipeline.graph.funcs.size());
    set_sites(graph, placement, out);
    const bool has_externs =
        std::any_of(graph.order.begin(), graph.order.end(), [&](FuncId id) { return ir::is_extern(graph.func(id)); });
    memo = has_externs ? nullptr : memo; // bounds queries are made for one placement
    SiteViews views(graph, placement);
    for (size_t i = graph.order.size(); i-- > 0;) {
        const Result<SharedRegions> func = regions_of(views, graph.order[i], options.windows, memo);
        if (!func) {
            return func.refusal();
        }
        add_queries(views, out);
        add_func(graph.order[i], **func, out);
        if (ir::is_extern(graph.func(graph.order[i]))) {
            ask_at_own_site(views, graph.order[i], out);
        }
        share_loops(views, i, memo);
    }
    for (FuncId id : graph.order) {
        FuncBounds &func = out.funcs[id.index()];
        func.nests = views.loops(id)->nests;
        func.regions = views.loops(id)->regions;
        func.invariant_loops = views.loops(id)->invariant_loops;
    }
    if (const Verdict boxes = find_root_boxes(views, out, memo); !boxes) {
        return boxes.refusal();
    }
    if (const Verdict prefetches = infer_prefetches(views, out); !prefetches) {
        return prefetches.refusal();
    }
    add_queries(views, out);
    if (options.find_ranges) {
        out.ranges = find_ranges(views, out);
    }
    return out;
}

} // namespace fluorite::loopnest
