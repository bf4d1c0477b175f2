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

/// Adds lets to sites. Lifted ends, which several Funcs may bind, are added once, after those that they name.
class LetAdder {
  public:
    explicit LetAdder(Regions &out) : out_(out) {}

    void add(const std::vector<std::pair<Site, SiteLet>> &lets) {
        for (const auto &[site, let] : lets) {
            if (let.end) {
                add(let.end);
            } else {
                out_.lets[site].push_back(let);
            }
        }
    }

  private:
    Regions &out_;
    ir::SymbolMap<bool> ends_;

    void add(const SharedEnd &end) {
        if (ends_.emplace(end->symbol, true).second) {
            std::for_each(end->uses.begin(), end->uses.end(), [&](const SharedEnd &used) { add(used); });
            out_.lets[end->known.site].push_back({end->symbol, end->known.value, {}, false, end});
        }
    }
};

using SharedRegions = std::shared_ptr<const FuncRegions>;

Result<SharedRegions> regions_of(SiteViews &views, FuncId id, const WindowOptions &windows, RegionMemo *memo) {
    if (auto known = memo ? memo->find(views, id) : nullptr) {
        return known;
    }
    views.begin_seen();
    FuncInProgress func(views, id, windows);
    infer_func(func);
    func.bind_seen();
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
    LetAdder lets(out);
    for (size_t i = graph.order.size(); i-- > 0;) {
        const Result<SharedRegions> func = regions_of(views, graph.order[i], options.windows, memo);
        if (!func) {
            return func.refusal();
        }
        lets.add(views.take_lets());
        lets.add((*func)->lets);
        FuncBounds &bounds = out.funcs[graph.order[i].index()];
        bounds = (*func)->bounds;
        if (ir::is_extern(graph.func(graph.order[i]))) { // the C function is handed what it asks for where it is called
            bounds.operands = views.operand_boxes(graph.order[i], views.compute(graph.order[i]));
            lets.add(views.take_lets());
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
    lets.add(views.take_lets());
    if (options.find_ranges) {
        out.ranges = find_ranges(views, out);
    }
    return out;
}

} // namespace fluorite::loopnest
