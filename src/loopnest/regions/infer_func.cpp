// The regions, loops and storage of one Func, whose consumers are known.
//
// The region that a Func g must provide at its compute site L is the union, over every call of g in every stage (c, s)
// of its consumers, of the box that the call's coordinates cover while the loops inside L run:
//   - (c, s) owns L (g is computed inside one of its loops): the loops further in range, the others are fixed;
//   - c is computed at L too: the whole region of c at L, in terms of c's region symbols;
//   - c is computed further in: c's region there is lifted to L, site by site, by letting the loops in between range.
// Stage k of g must also provide what stage k + 1 reads of g itself. Tails are included: a stage whose region is
// rounded up also reads the rounded region.
//
// Each end of a region becomes a symbol (owner: func, stage, dim, side) bound at L. Its exact value, expanded down to
// loop variables, is also kept, so that extents such as (yo*32 + 33) - (yo*32 - 1) + 1 become constants. If the
// expanded value would be too large, the symbol is kept unexpanded: seen from further out, it ranges over its own
// bounds there, which are sound, but wider if the ends depend on each other.
//
// Refuses coordinates without bounds (data-dependent and not clamped). Cost: calls x dimensions x simplifications;
// values refer to consumers through symbols, so chains remain linear.

#include "loopnest/regions/infer_func.h"

#include "analysis/hints.h"
#include "analysis/max_of_mins.h"
#include "ir/extern_stage.h"
#include "loopnest/inline/specialize.h"
#include "loopnest/regions/access_union.h"
#include "loopnest/regions/output_region.h"
#include "loopnest/regions/periodic_reads.h"
#include "loopnest/regions/storage.h"
#include "loopnest/user_text.h"
#include "loopnest/windows/folds.h"
#include "loopnest/windows/invariant_loops.h"
#include "rewrite/simplify.h"

#include <algorithm>

namespace fluorite::loopnest {

using namespace ir;
using analysis::BoundsFinder;
using analysis::Box;
using analysis::Interval;
using analysis::strip_hints;
using rewrite::simplify;

namespace {

constexpr size_t small_expr = 24;    // the greatest number of nodes of region values at root that are expanded
constexpr size_t largest_expr = 120; // the same for region values further in

void check_bounded(FuncInProgress &func, const Box &box, const Consumer &reader, const Access &call) {
    for (size_t d = 0; d < box.size(); d++) {
        if (box[d].is_bounded()) {
            continue;
        }
        const FuncDef &its = func.graph().func(reader.func);
        func.refuse({"unbounded-access",
                     "in " + its.name() + ", stage " + std::to_string(reader.stage) + ": coordinate " +
                         std::to_string(d) + " of " + func.func().name() + " is " +
                         text_for_user(call.args[d], func.graph().pipeline.graph) +
                         ", which has no known bounds; a Func is computed over a finite region; wrap the coordinate in "
                         "clamp(..., min, max)",
                     its.stages[reader.index()].location});
    }
}

/// The region that consumers need and, for an output, the caller.
Box needed_of(FuncInProgress &func) {
    constexpr size_t most_reasons = 64;
    Box need = func.is_output() ? output_region(func.graph(), func.id) : Box();
    AccessUnion wanted(func.views, func.compute());
    for (const Consumer &consumer : func.views.consumers(func.id)) {
        BoundsFinder bounds = func.views.consumer_bounds(consumer, func.compute());
        std::vector<NeededBox> boxes;
        for (const Access &call : func.views.accesses(consumer).calls) {
            if (call.symbol == func.func().symbol) {
                boxes.push_back({&call, func.views.read_box(consumer, call, func.compute(), bounds)});
                check_bounded(func, boxes.back().box, consumer, call);
            }
        }
        if (!func.verdict()) {
            return {};
        }
        if (!is_extern(func.graph().func(consumer.func))) {
            narrow_periodic_reads(func, consumer, bounds, boxes);
        }
        for (const NeededBox &each : boxes) {
            if (func.bounds().reasons.size() <= most_reasons) {
                func.bounds().reasons.push_back({consumer, each.call->args, each.box});
            }
            wanted.add(consumer, each.box);
        }
    }
    wanted.merge_into(need);
    if (need.size() < func.func().arg_names.size()) {
        // Nobody reads it: the only consumer is a stage that always fails (specialize_fail).
        need.assign(func.func().arg_names.size(), Interval{int32(0), int32(-1)});
    }
    return need;
}

void assert_inside(FuncInProgress &func, size_t d, const Interval &need, const Interval &promise) {
    func.require_at(func.compute(), logical_and(less_equal(promise.min, need.min), less_equal(need.max, promise.max)),
                    "fluorite_error_explicit_bounds_too_small",
                    {make_string(func.func().name()), make_string(func.func().arg_names[d]), promise.min, promise.max,
                     need.min, need.max});
}

/// The region after bound and align_bounds have been applied.
Box promised(FuncInProgress &func, const Box &need, bool check_promise) {
    Box box = need;
    for (const schedule::Bound &bound : func.schedule().bounds) {
        const size_t d = dimension_of(func.func(), bound.var);
        Interval &side = box[d];
        if (bound.modulus.defined()) {
            Expr remainder = bound.remainder.defined() ? bound.remainder : int32(0);
            Expr low = add(mul(div(sub(side.min, remainder), bound.modulus), bound.modulus), remainder);
            Expr extent = add(sub(side.max, low), int32(1));
            Expr pieces = div(add(extent, sub(bound.modulus, int32(1))), bound.modulus);
            side = {simplify(low), simplify(sub(add(low, mul(pieces, bound.modulus)), int32(1)))};
        }
        if (bound.extent.defined()) {
            Expr low = bound.min.defined() ? bound.min : side.min;
            Interval promise{simplify(low), simplify(sub(add(low, bound.extent), int32(1)))};
            if (check_promise) {
                assert_inside(func, d, side, promise);
            }
            side = promise;
        } else if (bound.min.defined()) {
            if (check_promise) {
                assert_inside(func, d, side, {bound.min, side.max});
            }
            side.min = bound.min;
        }
    }
    return box;
}

// Replaces sizes that the condition of a specialization equates with constants.
void assume_condition(Region &region, const Expr &condition) {
    ExprMap<Expr> facts;
    if (condition.defined()) {
        find_facts(condition, facts);
    }
    for (std::vector<Expr> *sides : {&region.exact_min, &region.exact_max}) {
        for (Expr &side : *sides) {
            side = facts.empty() ? side : simplify(assume(side, facts));
        }
    }
}

/// A value of more nodes than `largest` as one maximum of minima, if that is shorter: through a chain of boundary
/// conditions, each stage adds a clamp around those of its consumers.
Expr shortened(const Expr &value, size_t largest) {
    if (node_count(value) <= largest) {
        return value;
    }
    std::vector<Symbol> moving;
    for_each_node(value, [&](const Expr &node) {
        const bool is_moving = node->kind() == ExprKind::Variable &&
                               (node->symbol().kind() == SymbolKind::Loop || node->symbol().kind() == SymbolKind::Let);
        if (is_moving && std::find(moving.begin(), moving.end(), node->symbol()) == moving.end()) {
            moving.push_back(node->symbol());
        }
    });
    Expr shortest = value;
    for (const auto expanded : {analysis::MaxOfMins::Expanded::Moving, analysis::MaxOfMins::Expanded::All}) {
        const std::optional<analysis::MaxOfMins> form = analysis::MaxOfMins::of(value, moving, expanded);
        const Expr shorter = form ? form->to_expr() : Expr();
        shortest = shorter.defined() && node_count(shorter) < node_count(shortest) ? shorter : shortest;
    }
    return shortest;
}

/// Binds an end of the region to a symbol at the compute site; constants and region symbols of other stages are used as
/// they are. `unslid` is the end without slides.
void bind_side(FuncInProgress &func, StageId stage, size_t d, Side side, const Expr &value, const Expr &unslid,
               Region &region) {
    std::vector<Expr> &symbolic = side == Side::Min ? region.min : region.max;
    std::vector<Expr> &exact = side == Side::Min ? region.exact_min : region.exact_max;
    if (is_const(value)) {
        symbolic.push_back(value);
        exact.push_back(value);
        return;
    }
    if (is_kind(value, ExprKind::Variable) && value->symbol().kind() == SymbolKind::Bound) {
        symbolic.push_back(value); // the same as another stage's
        exact.push_back(func.views.expanded(value));
        return;
    }
    SymbolOwner owner;
    owner.func = stage.func, owner.stage = stage.stage, owner.dim = DimId(d), owner.side = side;
    const Symbol symbol(SymbolKind::Bound,
                        func.func().name() + ".s" + std::to_string(stage.stage) + "." + func.func().arg_names[d] +
                            (side == Side::Min ? ".min" : ".max"),
                        owner);
    func.bind(func.compute(), symbol, value);
    symbolic.push_back(make_var(Int(32), symbol));
    const size_t largest = func.compute().is_root() ? small_expr : largest_expr;
    const Expr expanded = shortened(func.views.expand(strip_hints(value)), largest);
    const bool keep = node_count(expanded) > largest;
    exact.push_back(keep ? symbolic.back() : expanded);
    RegionValue known{value, keep ? Expr() : expanded, func.compute()};
    if (!unslid.same_as(value) || func.views.follows_slides(unslid)) {
        const Expr whole = shortened(func.views.expand_for_root(strip_hints(unslid), side), largest_expr);
        known.unslid = node_count(whole) > largest_expr ? Expr() : whole;
    }
    func.loops->values.emplace(symbol, std::move(known));
}

Region bind_region(FuncInProgress &func, StageId stage, const Box &box, const Box &unslid) {
    Region region;
    for (size_t d = 0; d < box.size(); d++) {
        bind_side(func, stage, d, Side::Min, box[d].min, unslid[d].min, region);
        bind_side(func, stage, d, Side::Max, box[d].max, unslid[d].max, region);
    }
    return region;
}

bool calls_itself(const FuncInProgress &func, StageId stage) {
    const std::vector<Access> &calls = func.views.accesses(stage).calls;
    return std::any_of(calls.begin(), calls.end(),
                       [&](const Access &call) { return call.symbol == func.func().symbol; });
}

/// Makes the loops of a stage over its region. Adds what it writes and what it reads of its own Func to `stored`, and
/// the latter to `needed`.
void add_stage(FuncInProgress &func, StageId stage, AccessUnion &needed, AccessUnion &stored) {
    const SiteViews &views = func.views;
    const size_t k = stage.index();
    Region &region = func.loops->regions[k];
    assume_condition(region, func.graph().variant(stage).condition);
    const bool is_apart = func.store() != func.compute();
    const bool is_update = func.graph().variant(stage).definition > 0; // steadiness matters for updates only
    const auto nest = std::make_shared<const StageNest>(func.graph(), stage, region,
                                                        is_apart ? StageNest::Storage::Shared : StageNest::Storage::Own,
                                                        is_update && views.has_steady_extents(region));
    func.loops->nests[k] = nest;
    func.loops->reads[k] = nest->vars_at(nest->outside(), AccessKind::Read);
    const auto finder = [&](AccessKind access) {
        const bool as_read = access == AccessKind::Read || nest->access_kinds_agree();
        return views.with_lets(stage, as_read ? func.loops->reads[k] : nest->vars_at(nest->outside(), access));
    };
    const Access write = write_of(func.func(), k);
    BoundsFinder writes = finder(AccessKind::Write);
    const Box written = SiteViews::box_of(write, writes);
    check_bounded(func, written, stage, write);
    if (!func.verdict()) {
        return;
    }
    stored.add(stage, written);
    if (!calls_itself(func, stage)) {
        return;
    }
    const bool is_alone =
        !is_apart && !func.schedule().marks.has(schedule::DirectiveName::memoize) && views.placement().fused.empty();
    const bool wants_all = !is_alone || decides_by_own_values(func.func().stages[k], func.func().symbol);
    BoundsFinder reads = finder(AccessKind::Read), wanted = finder(wants_all ? AccessKind::Read : AccessKind::Wanted);
    for (const Access &call : views.accesses(stage).calls) {
        if (call.symbol == func.func().symbol) {
            const Box box = SiteViews::box_of(call, reads);
            check_bounded(func, box, stage, call);
            if (!func.verdict()) {
                return;
            }
            needed.add(stage, wants_all ? box : SiteViews::box_of(call, wanted));
            stored.add(stage, box);
        }
    }
}

} // namespace

Box symbols_of(const Region &region) {
    Box box;
    for (size_t d = 0; d < region.min.size(); d++) {
        box.push_back({region.min[d], region.max[d]});
    }
    return box;
}

void infer_func(FuncInProgress &func) {
    Box need = needed_of(func);
    if (!func.verdict()) {
        return;
    }
    const size_t stages = func.func().stages.size();
    Box &touched = func.bounds().touched;
    std::optional<WindowLoops> loops;
    std::vector<Slide> slides;
    InvariantLoops invariant;
    for (size_t end = stages; end > 0;) {
        const StageId last(func.id, end - 1);
        const size_t first = func.graph().alternatives(last).first;
        // A promise or alignment applies to the Func, hence to every stage.
        Box region = promised(func, need, end == stages);
        const Box unslid = region;
        if (end == stages) {
            loops = window_loops(func, region);
            invariant = find_invariant_loops(func, region);
            func.loops->invariant_loops = invariant.loops;
        }
        if (loops && end == stages && func.windows.slides) {
            slides = slide(*loops, region);
            for (const Slide &each : slides) {
                func.bounds().slides.push_back({each.dimension, {func.compute().stage, LoopId(each.loop)}});
            }
        }
        const Region bound = bind_region(func, last, region, unslid);
        need = symbols_of(bound);
        if (end == stages) {
            touched = need;
        }
        for (size_t k = first; k < end; k++) {
            func.loops->regions[k] = bound;
        }
        AccessUnion needed(func.views, func.compute()), stored(func.views, func.compute());
        for (size_t k = first; k < end; k++) {
            add_stage(func, {func.id, k}, needed, stored);
        }
        if (!func.verdict()) {
            return;
        }
        needed.merge_into(need);
        stored.merge_into(touched);
        end = first;
    }
    const std::vector<Expr> extents = set_storage(func);
    fold_storage(func, loops, {slides, invariant.keeps}, extents);
    set_ring(func);
    if (func.schedule().marks.has(schedule::DirectiveName::async)) {
        look_ahead(func, loops);
    }
    set_extents(func, extents);
}

} // namespace fluorite::loopnest
