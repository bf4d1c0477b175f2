// The boxes of prefetch directives.
//
// A box covers what the stages inside a loop read of a Func or an input, seen from that loop, in a later iteration of
// it or of a loop further out. It is clipped to what is in memory, or guarded, as the strategy of the directive says.
// Region symbols that depend on the loops in between are expanded while the result is short; imprecision is harmless,
// because a prefetch is a hint.
// Refuses sources that nothing in the loop reads, sources that are not stored outside of it, and loops that
// compute_with shares.

#include "loopnest/regions/prefetches.h"

#include "loopnest/regions/output_region.h"
#include "loopnest/user_text.h"
#include "rewrite/simplify.h"
#include "schedule/directives/common.h"
#include "support/loop_name.h"

#include <algorithm>

namespace fluorite::loopnest {

using namespace ir;
using analysis::BoundsFinder;
using analysis::Box;
using analysis::Interval;
using analysis::Scope;
using rewrite::simplify;

namespace {

int position_of(const StageNest &owner, const std::string &name) {
    for (size_t i = 0; i < owner.loops().size(); i++) {
        if (owner.loops()[i].name == name) {
            return static_cast<int>(i);
        }
    }
    internal_error("a prefetch names loops of its stage: " + name, {});
}

Expr offset_of(const schedule::Prefetch &prefetch) {
    const Expr limit = int32(schedule::max_prefetch_offset);
    return is_const(prefetch.offset) ? prefetch.offset
                                     : max_of(min_of(prefetch.offset, limit), int32(-schedule::max_prefetch_offset));
}

std::vector<Range> to_ranges(const Box &box, const Box &memory, PrefetchBoundStrategy strategy) {
    std::vector<Range> ranges;
    Expr inside = make_bool(true);
    for (size_t d = 0; d < box.size(); d++) {
        Interval side = box[d];
        if (memory[d].is_bounded() && strategy == PrefetchBoundStrategy::Clamp) {
            side = {max_of(side.min, memory[d].min), min_of(side.max, memory[d].max)};
        } else if (memory[d].is_bounded() && strategy == PrefetchBoundStrategy::GuardWithIf) {
            inside = logical_and(inside,
                                 logical_and(less_equal(memory[d].min, side.min), less_equal(side.max, memory[d].max)));
        }
        ranges.push_back({simplify(side.min), simplify(add(sub(side.max, side.min), int32(1)))});
    }
    if (!ranges.empty()) {
        ranges.back().extent = simplify(make_select(inside, ranges.back().extent, int32(0)));
    }
    return ranges;
}

class Prefetches {
  public:
    Prefetches(const SiteViews &views, Regions &out)
        : views_(views), graph_(views.graph()), placement_(views.placement()), out_(out) {}

    Verdict run() {
        for (FuncId id : graph_.order) {
            const schedule::FuncSchedule &schedule = graph_.schedule(id);
            for (size_t k = 0; k < schedule.stages.size(); k++) {
                for (const schedule::Prefetch &prefetch : schedule.stages[k].prefetches) {
                    if (const Verdict inferred = infer({id, k}, prefetch); !inferred) {
                        return inferred;
                    }
                }
            }
        }
        return {};
    }

  private:
    const SiteViews &views_;
    const LoweringGraph &graph_;
    const Placement &placement_;
    Regions &out_;

    Verdict infer(StageId stage, const schedule::Prefetch &prefetch);
    Refusal refused(StageId stage, const char *slug, const schedule::Prefetch &prefetch, const std::string &text) const;
    Verdict check_place(StageId stage, const schedule::Prefetch &prefetch, const Site &site, int from) const;
    /// Visits the reads of the source inside a site, with the variables of the reading stage as seen from there.
    template <typename Visit> void for_each_read(const Symbol &source, const Site &site, const Visit &visit) const;
    Box read_inside(const Symbol &source, const Site &site) const;
    bool is_read_inside(const Symbol &source, const Site &site) const;
    /// The region of the source that is in memory; intervals of folded dimensions are undefined.
    Box memory_of(const schedule::Prefetch &prefetch) const;
};

Verdict Prefetches::infer(StageId stage, const schedule::Prefetch &prefetch) {
    const StageNest &owner = views_.nest(stage);
    const int at = position_of(owner, prefetch.at), from = position_of(owner, prefetch.from);
    const Site site{stage, LoopId(at)};
    if (const Verdict place = check_place(stage, prefetch, site, from); !place) {
        return place;
    }
    Box box = read_inside(prefetch.source, site);
    if (box.empty() && !is_read_inside(prefetch.source, site)) {
        return refused(stage, "prefetch-of-unread", prefetch,
                       "; nothing in that loop reads it; what is prefetched is what the loop reads; name a loop "
                       "that reads it, or remove the directive");
    }
    const Symbol &loop = owner.loop(LoopId(from)).var;
    const Expr ahead = add(make_var(Int(32), loop), offset_of(prefetch));
    for (Interval &side : box) {
        for (Expr *end : {&side.min, &side.max}) {
            *end = simplify(substitute(views_.in_all_loops(owner, *end, {stage, LoopId(from + 1)}), loop, ahead));
        }
    }
    out_.prefetches[site].push_back({prefetch.source, to_ranges(box, memory_of(prefetch), prefetch.strategy)});
    return {};
}

Refusal Prefetches::refused(StageId stage, const char *slug, const schedule::Prefetch &prefetch,
                            const std::string &text) const {
    return {slug,
            "in " + graph_.func(stage.func).name() + ", stage " + std::to_string(graph_.variant(stage).definition) +
                ": prefetch of " + prefetch.source.name() + with_dotted_loops(" in loop " + prefetch.at + text),
            prefetch.location};
}

Verdict Prefetches::check_place(StageId stage, const schedule::Prefetch &prefetch, const Site &site, int from) const {
    if (from < site.loop.value) {
        std::string around;
        for (size_t i = site.loop.index(); i < views_.nest(stage).loops().size(); i++) {
            around += (around.empty() ? "" : ", ") + views_.nest(stage).loops()[i].name;
        }
        return refused(stage, "prefetch-from-inside", prefetch,
                       " from loop " + prefetch.from +
                           ", which is inside of it; the loop that moves on is the "
                           "one of the prefetch or one around it; legal are " +
                           around);
    }
    const Fusion *fusion = placement_.fusion(stage);
    if (fusion && from >= fusion->loop.value) {
        const std::string inner = fusion->loop.value > 0 ? views_.nest(stage).loops()[0].name : "none";
        return refused(stage, "prefetch-in-shared-loop", prefetch,
                       " from loop " + prefetch.from +
                           ", which is shared by compute_with; an iteration of it is one of several stages; look "
                           "ahead along a loop of its own, such as " +
                           inner + ", or take compute_with away");
    }
    if (prefetch.source.kind() != SymbolKind::Func) {
        return {};
    }
    const FuncId source = prefetch.source.owner().func;
    if (std::find(graph_.order.begin(), graph_.order.end(), source) == graph_.order.end()) {
        return refused(stage, "prefetch-of-unread", prefetch,
                       ", which is computed inline and lies nowhere; what is prefetched is memory; prefetch what "
                       "it reads, or give it a compute level");
    }
    if (!views_.is_inside(site, placement_.store[source.index()])) {
        return refused(stage, "prefetch-stored-inside", prefetch,
                       ", which is stored at " + describe(graph_, placement_.store[source.index()]) +
                           "; what is prefetched is there before the loop begins; store it outside of that loop");
    }
    return {};
}

template <typename Visit>
void Prefetches::for_each_read(const Symbol &source, const Site &site, const Visit &visit) const {
    for (FuncId id : graph_.order) {
        for (size_t k = 0; k < graph_.func(id).stages.size(); k++) {
            const StageId stage(id, k);
            const StageAccesses &accesses = views_.accesses(stage);
            const std::vector<Access> &reads = source.kind() == SymbolKind::Func ? accesses.calls : accesses.images;
            const bool reads_it =
                std::any_of(reads.begin(), reads.end(), [&](const Access &read) { return read.symbol == source; });
            if (!reads_it) {
                continue;
            }
            const std::vector<Site> path = placement_.path_of(graph_.pipeline.schedule, stage);
            if (std::find(path.begin(), path.end(), site) == path.end()) {
                continue;
            }
            BoundsFinder bounds = views_.consumer_bounds(stage, site);
            for (const Access &read : reads) {
                if (read.symbol == source && read.operand < 0) { // an extern stage prefetches by itself, if at all
                    visit(read, bounds);
                }
            }
        }
    }
}

Box Prefetches::read_inside(const Symbol &source, const Site &site) const {
    Box box;
    for_each_read(source, site, [&](const Access &read, BoundsFinder &bounds) {
        analysis::merge(box, SiteViews::box_of(read, bounds));
    });
    return box;
}

bool Prefetches::is_read_inside(const Symbol &source, const Site &site) const {
    bool found = false;
    for_each_read(source, site, [&](const Access &, BoundsFinder &) { found = true; });
    return found;
}

Box Prefetches::memory_of(const schedule::Prefetch &prefetch) const {
    Box memory;
    if (prefetch.source.kind() != SymbolKind::Func) {
        const InputDef &input = graph_.pipeline.graph.inputs[prefetch.source.owner().input.index()];
        for (int d = 0; d < input.dimensions; d++) {
            memory.push_back({make_field(input.symbol, Field::Min, d), make_field(input.symbol, Field::Max, d)});
        }
        return memory;
    }
    const FuncId id = prefetch.source.owner().func;
    if (graph_.pipeline.graph.is_output(id)) {
        return output_region(graph_, id);
    }
    const FuncBounds &func = out_.func(id);
    for (size_t d = 0; d < func.storage.size(); d++) {
        const Range &stored = func.storage[d];
        const bool folded = func.folds[d].defined();
        memory.push_back(folded ? Interval() : Interval{stored.min, sub(add(stored.min, stored.extent), int32(1))});
    }
    return memory;
}

} // namespace

Verdict infer_prefetches(const SiteViews &views, Regions &out) { return Prefetches(views, out).run(); }

} // namespace fluorite::loopnest
