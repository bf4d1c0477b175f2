// Loops that stages share (compute_with), which range over the union of their ranges.
//
// A shared loop ranges from the least to the greatest iteration of its stages, after the shifts that their alignment
// requires; each stage computes its own variable from that of the shared loop (StageNest::fuse).
// Cost: stages times shared loops, a few simplifications each.

#include "loopnest/regions/shared_loops.h"

#include "loopnest/placement/fused_loops.h"
#include "rewrite/simplify.h"

#include <algorithm>
#include <map>

namespace fluorite::loopnest {

using namespace ir;
using rewrite::simplify;

namespace {

// The difference of the stage's own loop variable and that of the shared loop.
Expr shift_of(LoopAlignStrategy how, const NestLoop &loop, const NestLoop &theirs) {
    switch (how) {
    case LoopAlignStrategy::AlignStart:
        return simplify(sub(loop.min, theirs.min));
    case LoopAlignStrategy::AlignEnd:
        return simplify(sub(add(loop.min, loop.extent), add(theirs.min, theirs.extent)));
    case LoopAlignStrategy::NoAlign:
    case LoopAlignStrategy::Auto:
        return int32(0);
    }
    return int32(0);
}

/// The nests of a group under construction.
using Group = std::map<FuncId, std::shared_ptr<FuncLoops>>;

void share_loops(const SiteViews &views, const Site &parent, Group &group) {
    struct Member {
        StageId stage;
        std::shared_ptr<StageNest> nest;
        const Fusion *fusion;
    };
    std::vector<Member> members;
    for (const auto &[stage, fusion] : views.placement().fused) {
        if (fusion.parent == parent) {
            members.push_back({stage, std::make_shared<StageNest>(views.nest(stage)), &fusion});
            group.at(stage.func)->nests[stage.index()] = members.back().nest;
        }
    }
    const StageNest &owner = views.nest(parent.stage);
    const size_t count = owner.loops().size() - parent.loop.index();
    std::vector<std::vector<SharedLoop>> shared(members.size());
    for (size_t t = 0; t < count; t++) { // innermost first
        const NestLoop &theirs = owner.loops()[parent.loop.index() + t];
        Expr min, max;
        std::vector<Expr> shifts;
        for (const Member &member : members) {
            const NestLoop &loop = member.nest->loops()[member.fusion->loop.index() + t];
            const std::vector<LoopAlignStrategy> &align = member.fusion->align;
            const LoopAlignStrategy how =
                count - 1 - t < align.size() ? align[count - 1 - t] : LoopAlignStrategy::NoAlign;
            shifts.push_back(shift_of(how, loop, theirs));
            const Expr first = simplify(sub(loop.min, shifts.back()));
            const Expr last = simplify(sub(add(first, loop.extent), int32(1)));
            min = min.defined() ? simplify(min_of(min, first)) : first;
            max = max.defined() ? simplify(max_of(max, last)) : last;
        }
        const Symbol var(SymbolKind::Loop, theirs.var.name() + ".shared", theirs.var.owner());
        const Expr extent = simplify(add(sub(max, min), int32(1)));
        for (size_t m = 0; m < members.size(); m++) {
            shared[m].push_back({var, min, extent, simplify(add(make_var(Int(32), var), shifts[m]))});
        }
    }
    for (size_t m = 0; m < members.size(); m++) {
        members[m].nest->fuse(members[m].fusion->loop.value, shared[m]);
        group.at(members[m].stage.func)->reads[members[m].stage.index()] =
            members[m].nest->vars_at(members[m].nest->outside(), AccessKind::Read);
    }
}

} // namespace

void share_loops(SiteViews &views, size_t position, RegionMemo *memo) {
    const LoweringGraph &graph = views.graph();
    const Placement &placement = views.placement();
    if (placement.fused.empty()) {
        return;
    }
    const std::vector<FuncId> funcs = fused_group(graph, placement, graph.order[position]);
    if (funcs.size() < 2 || funcs.front() != graph.order[position]) {
        return;
    }
    RegionMemo::Group own, shared;
    for (const FuncId func : funcs) {
        own.push_back(views.loops(func));
    }
    if (const RegionMemo::Group *known = memo ? memo->find_shared(own, placement.fused) : nullptr) {
        shared = *known;
    } else {
        Group group;
        for (const FuncId func : funcs) {
            group.emplace(func, std::make_shared<FuncLoops>(*views.loops(func)));
        }
        for (const auto &[stage, fusion] : placement.fused) {
            if (fusion.parent.stage == stage && group.contains(stage.func)) {
                share_loops(views, fusion.parent, group);
            }
        }
        for (const FuncId func : funcs) {
            shared.push_back(group.at(func));
        }
        if (memo) {
            memo->keep_shared(std::move(own), placement.fused, shared);
        }
    }
    for (size_t i = 0; i < funcs.size(); i++) {
        views.set_loops(funcs[i], shared[i]);
    }
}

} // namespace fluorite::loopnest
