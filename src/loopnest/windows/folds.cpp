// Sliding windows and folded storage.
//
// Input: the region of one iteration at the compute site, and the loops between the store and the compute site. Output:
// the region without what earlier iterations have computed (sliding.h); the size of a sufficient circular buffer, which
// is the next power of two of the number of live coordinates, or the size that fold_storage requests (it is refused, or
// checked at run time, if it is too small); and how many iterations an async producer may run ahead of its consumer:
// two if the buffer keeps all coordinates of two successive windows apart, in whichever direction they move. Without a
// directive, one dimension folds: the outermost one that moves, but never the one whose elements are adjacent in
// memory. Nothing folds if lanes of a vector have separate windows, or if a loop that moves the window is parallel.
//
// Windows that are read through a mirrored or repeated image have no constant bound: how many values are live at an
// edge depends on how far beyond the edge the loops read (regions/periodic_reads.cpp). Usually they read at most the
// neighbours of the image's points, for which a constant size suffices; if a run reads further, the buffer has the size
// of the whole storage. A select between the two is evaluated where memory is allocated.

#include "loopnest/windows/folds.h"

#include "analysis/hints.h"
#include "analysis/monotonic.h"
#include "ir/extern_stage.h"
#include "loopnest/regions/storage.h"
#include "loopnest/user_text.h"
#include "loopnest/windows/sliding_updates.h"
#include "rewrite/simplify.h"
#include "schedule/storage_order.h"

#include <algorithm>
#include <bit>

namespace fluorite::loopnest {

using namespace ir;
using analysis::Box;
using analysis::Interval;
using analysis::Scope;
using analysis::strip_hints;
using rewrite::simplify;

namespace {

// The size of a fold that holds all live values, if their number has a bound for which folding is worthwhile: a power
// of two, so that addresses wrap in one instruction. Undefined otherwise.
Expr fold_extent_of(std::optional<int64_t> most_live) {
    if (!most_live || *most_live <= 0 || *most_live >= (1 << 20)) {
        return {};
    }
    return int32(static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(*most_live))));
}

// The size for windows of that extent at the compute site, or else for the coordinates that they are known to cover.
Expr fold_extent_of(const FuncInProgress &func, const Expr &extent, std::optional<int64_t> covered) {
    const Expr folded_extent = fold_extent_of(func.views.greatest_constant(extent, func.compute(), func.store()));
    return folded_extent.defined() ? folded_extent : fold_extent_of(covered);
}

// Whether the loops between the sites move the dimension at all (otherwise its storage is the window already), and do
// so sequentially: the windows of the lanes of a vector exist at the same time.
bool moves_in_order(const WindowLoops &loops, size_t d) {
    bool moves = false;
    for (int v = loops.site; v < loops.end; v++) {
        const NestLoop &loop = loops.nest->loop(LoopId(v));
        if (uses_symbol(loops.region[d].min, loop.var) || uses_symbol(loops.region[d].max, loop.var)) {
            if (loop.for_type != ForType::Serial && loop.for_type != ForType::Unrolled) {
                return false;
            }
            moves = true;
        }
    }
    return moves;
}

std::string loop_name(const SiteViews &views, const Site &site) {
    const std::vector<NestLoop> &loops = views.nest(site.stage).loops();
    return site.loop.index() < loops.size() ? loops[site.loop.index()].name : "";
}

// Whether there is a vectorized loop around the nest of the compute site, inside the store site: the windows of all
// lanes exist at the same time.
bool has_lanes_around(const FuncInProgress &func) {
    const Site &store = func.store();
    Site at = func.compute();
    while (!at.shares_nest(store)) {
        at = func.views.around(at);
        if (at.is_root()) {
            return false;
        }
        const StageNest &owner = func.views.nest(at.stage);
        const bool is_last = at.shares_nest(store);
        const size_t end = is_last ? store.loop.index() : owner.loops().size();
        for (size_t v = at.loop.index(); v < end; v++) {
            if (owner.loops()[v].for_type == ForType::Vectorized) {
                return true;
            }
        }
    }
    return false;
}

// Whether the dimension is the one whose elements are adjacent in memory: vectors along it would not remain dense.
bool is_innermost(const FuncInProgress &func, size_t d) {
    return schedule::storage_order_of(func.func(), func.schedule()).front() == d;
}

// Whether all stages have the same region along the dimension, and no tail extends beyond it.
bool stays_in_region(const FuncInProgress &func, size_t d) {
    const Interval &touched = func.bounds().touched[d];
    return std::all_of(func.loops->regions.begin(), func.loops->regions.end(), [&](const Region &region) {
        return touched.min.same_as(region.min[d]) && touched.max.same_as(region.max[d]);
    });
}

// The number of coordinates that one iteration of the compute site accesses, or needs from earlier ones.
Expr live_extent(const FuncInProgress &func, const WindowLoops &loops, const KeptValues &kept, size_t d) {
    Interval live{func.views.expand(func.bounds().touched[d].min), func.views.expand(func.bounds().touched[d].max)};
    if (kept.slide_along(d)) {
        const Interval &window = loops.region[d];
        live = stays_in_region(func, d) ? window : Interval{min_of(live.min, window.min), max_of(live.max, window.max)};
    }
    return simplify(add(sub(live.max, live.min), int32(1)));
}

// Replaces reflected points in an end of a window by their usual values, if that moves the end outward. Adds the
// condition under which they have at most these values.
Expr usual_side(const FuncInProgress &func, const Expr &side, Side outwards, Expr &condition) {
    Expr result = side;
    ExprMap<bool> seen;
    for_each_node(side, [&](const Expr &node) {
        const RegionValue *value = is_kind(node, ExprKind::Variable) ? func.views.value_of(node->symbol()) : nullptr;
        if (!value || !value->usual.defined() || !seen.emplace(node, true).second) {
            return;
        }
        const bool grows = analysis::monotonic_in(side, node->symbol()) == analysis::Monotonic::Increasing;
        const bool falls = analysis::monotonic_in(side, node->symbol()) == analysis::Monotonic::Decreasing;
        if (value->side == outwards ? grows : falls) {
            result = substitute(result, node->symbol(), value->usual);
            const Expr is_usual =
                value->side == Side::Min ? less_equal(value->usual, node) : less_equal(node, value->usual);
            condition = condition.defined() ? logical_and(condition, is_usual) : is_usual;
        }
    });
    return result;
}

// The size of a circular buffer for windows that depend on reflected points: the usual live extent, or the whole
// storage.
Expr usual_fold_extent(FuncInProgress &func, const WindowLoops &loops, size_t d) {
    WindowLoops usual = loops;
    Expr condition;
    usual.region[d] = {usual_side(func, loops.region[d].min, Side::Min, condition),
                       usual_side(func, loops.region[d].max, Side::Max, condition)};
    const std::optional<int64_t> covered =
        condition.defined() && func.hoist() == func.store() ? most_covered(usual, d, 1) : std::nullopt;
    const Expr folded_extent = fold_extent_of(covered);
    if (!folded_extent.defined()) {
        return {};
    }
    const Expr all = max_of(func.bounds().storage[d].extent, int32(1));
    return bind_named(func, d, ".fold", simplify(make_select(condition, folded_extent, all)), func.store());
}

// Folds a dimension without a directive: one whose window has a constant bound while the storage is, or may be, larger.
void fold_by_itself(FuncInProgress &func, const WindowLoops &loops, const KeptValues &kept) {
    for (size_t d = func.bounds().touched.size(); d-- > 0;) {
        if (!kept.may_fold(d) || is_innermost(func, d) || !moves_in_order(loops, d) ||
            (kept.slide_along(d) && !stays_in_region(func, d))) {
            continue;
        }
        const std::optional<int64_t> covered = stays_in_region(func, d) ? most_covered(loops, d, 1) : std::nullopt;
        Expr folded_extent = fold_extent_of(func, live_extent(func, loops, kept, d), covered);
        if (!folded_extent.defined() && stays_in_region(func, d)) {
            folded_extent = usual_fold_extent(func, loops, d);
        }
        if (folded_extent.defined()) {
            func.bounds().folds[d] = folded_extent;
            return; // one dimension suffices: the others are small then
        }
    }
}

// Folds a dimension as a directive requests. The buffer must hold all values that are live at the same time: the whole
// storage, or the window if the dimension can fold.
void fold_as_asked(FuncInProgress &func, const schedule::StorageDim &dim, const std::optional<WindowLoops> &loops,
                   const KeptValues &kept, const std::vector<Expr> &extents) {
    const size_t d = dimension_of(func.func(), dim.var);
    func.bounds().folds[d] = dim.fold;
    const bool folds = loops && !has_lanes_around(func) && kept.may_fold(d) && moves_in_order(*loops, d);
    if (const Slide *slide = folds ? kept.slide_along(d) : nullptr; slide && slide->down == dim.fold_forward) {
        const std::string loop = loops->nest->loop(LoopId(slide->loop)).name;
        func.refuse("bad-fold",
                    "fold_storage of " + dim.var + (slide->down ? " upwards" : " downwards") + ", but the loop over " +
                        loop + " moves " + (slide->down ? "down" : "up") +
                        " through it; a circular buffer keeps the newest values; call fold_storage(" + dim.var + ", " +
                        text_for_user(dim.fold, func.graph().pipeline.graph) + ", " + (slide->down ? "false" : "true") +
                        ")",
                    dim.location);
    }
    const Range &stored = func.bounds().storage[d];
    const Expr live = folds ? live_extent(func, *loops, kept, d) : extents[d];
    const Site &site = folds ? func.compute() : func.store();
    int64_t needed = 0, given = 0;
    if (is_const_int(dim.fold, &given) && is_const_int(live, &needed) && given < needed) {
        const std::string number = std::to_string(needed);
        func.refuse("fold-factor-too-small",
                    "storage is folded by " + std::to_string(given) + " along " + dim.var + ", but " + number +
                        " values along it are live at once" +
                        (folds ? "" : ", as no loop moves a window through them") +
                        "; a fold factor covers all values that are live at once; fold by " + number + " or more",
                    dim.location);
    }
    const Expr required = folds ? live : stored.extent;
    const Expr at_least_one = is_const(required) ? required : max_of(required, int32(1));
    func.require_at(site, less_equal(at_least_one, dim.fold), "fluorite_error_fold_factor_too_small",
                    {make_string(func.func().name()), make_string(dim.var), dim.fold,
                     make_string(folds ? loop_name(func.views, site) : ""), at_least_one});
}

} // namespace

void look_ahead(FuncInProgress &func, const std::optional<WindowLoops> &loops) {
    const Site &store = func.store();
    const bool is_stored_apart = store != func.compute();
    Expr &ahead = func.bounds().ahead;
    if (func.hoist() != store) {
        // Each iteration overwrites what the previous one stored; with a ring, the one `extent` iterations before.
        const std::optional<Ring> &ring = func.bounds().ring;
        ahead = ring && ring->is_in_turn && !is_stored_apart ? ring->extent : int32(1);
        return;
    }
    if (!is_stored_apart) {
        return;
    }
    std::vector<Expr> &folds = func.bounds().folds;
    const auto folded = std::find_if(folds.begin(), folds.end(), [](const Expr &fold) { return fold.defined(); });
    const bool is_pure = !func.graph().has_updates(func.id);
    if (folded == folds.end()) {
        ahead = is_pure ? Expr() : int32(1);
        return;
    }
    ahead = int32(1);
    if (!func.schedule().storage.empty()) {
        return; // a requested fold keeps its size
    }
    const size_t d = position_in(folds, folded);
    if (!is_pure || !stays_in_region(func, d) || !loops || loops->end != loops->site + 1) {
        return;
    }
    const Symbol &var = loops->nest->loop(LoopId(loops->site)).var;
    const auto next = [&](const Expr &side) {
        return simplify(substitute(side, var, add(make_var(Int(32), var), int32(1))));
    };
    // One iteration is read while the next one is stored: values of both are live, in whichever direction windows move.
    const Interval &window = loops->region[d];
    const Expr least = simplify(min_of(window.min, next(window.min)));
    const Expr greatest = simplify(max_of(window.max, next(window.max)));
    const Expr extent = simplify(add(sub(greatest, least), int32(1)));
    if (const Expr folded_extent = fold_extent_of(func, extent, most_covered(*loops, d, 2)); folded_extent.defined()) {
        *folded = folded_extent;
        ahead = int32(2);
    }
}

std::optional<WindowLoops> window_loops(const FuncInProgress &func, const Box &region) {
    const Site &site = func.compute(), &store = func.store();
    if (site == store || func.is_output()) {
        return std::nullopt;
    }
    const StageNest &owner = func.views.nest(site.stage);
    const bool store_in_nest = store.shares_nest(site);
    int end = store_in_nest ? store.loop.value : static_cast<int>(owner.loops().size());
    if (site.loop.value < owner.first_shared()) { // windows do not slide along shared loops
        end = std::min(end, owner.first_shared());
    }
    WindowLoops loops{&owner, site.loop.value, end, {}, {}, {}, slide_directions(func)};
    for (const NestGuard &guard : owner.guards()) {
        const bool is_around = guard.kind == NestGuard::Kind::Body || guard.kind == NestGuard::Kind::Accesses;
        if (is_around && guard.depth >= site.loop.value && site.loop.value < owner.first_shared()) {
            loops.conditions.push_back(strip_hints(func.views.in_loops(owner, guard.condition)));
        }
    }
    for (int v = site.loop.value; v < end; v++) {
        loops.begins.push_back(strip_hints(func.views.in_loops(owner, owner.loop(LoopId(v)).min, end)));
    }
    for (const Interval &side : region) {
        loops.region.push_back({strip_hints(func.views.in_loops(owner, side.min, end)),
                                strip_hints(func.views.in_loops(owner, side.max, end))});
        if (func.views.hides_loops(loops.region.back().min, store) ||
            func.views.hides_loops(loops.region.back().max, store)) {
            return std::nullopt;
        }
    }
    return loops;
}

/// Whether a C function, be it that of debug_to_file, accesses the storage, which it knows by strides.
static bool is_handed_over(const FuncInProgress &func) {
    const std::vector<Consumer> &consumers = func.views.consumers(func.id);
    return is_extern(func.func()) || !func.func().debug_file.empty() ||
           std::any_of(consumers.begin(), consumers.end(),
                       [&](const Consumer &consumer) { return is_extern(func.graph().func(consumer.func)); });
}

static void refuse_folds(FuncInProgress &func) {
    for (const schedule::StorageDim &dim : func.schedule().storage) {
        if (dim.fold.defined() && !func.func().debug_file.empty()) {
            func.refuse("debug-file",
                        "fold_storage of " + dim.var +
                            ", but debug_to_file writes what is stored; a circular buffer keeps only the newest "
                            "values; take one of both away",
                        dim.location);
        } else if (dim.fold.defined()) {
            func.refuse("extern-fold",
                        "fold_storage of " + dim.var +
                            ", but an extern stage accesses it; a C function finds elements by their strides, which a "
                            "circular buffer does not have; take fold_storage away",
                        dim.location);
        }
    }
}

void fold_storage(FuncInProgress &func, const std::optional<WindowLoops> &loops, const KeptValues &kept,
                  const std::vector<Expr> &extents) {
    func.bounds().folds.resize(func.bounds().touched.size());
    bool is_asked_for = false;
    if (is_handed_over(func)) {
        return refuse_folds(func);
    }
    for (const schedule::StorageDim &dim : func.schedule().storage) {
        if (dim.fold.defined()) {
            is_asked_for = true;
            fold_as_asked(func, dim, loops, kept, extents);
        }
    }
    if (loops && !is_asked_for && func.windows.folds && !has_lanes_around(func)) {
        fold_by_itself(func, *loops, kept);
    }
}

} // namespace fluorite::loopnest
