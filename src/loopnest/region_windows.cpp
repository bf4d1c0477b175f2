// Sliding windows and folded storage.
//
// Before: the region of one iteration at the compute site, and the loops between the store and the compute site. After:
// the region without what earlier iterations computed (sliding.h says when), the size of the circular buffer that is
// enough (the next power of two of what is live at once, or what fold_storage asks for, which is refused or checked at
// run time where it is too small), and how many iterations an async producer may run ahead of its consumer: two where
// the circle keeps all coordinates of two successive windows apart, whichever way they move. Folds one dimension by
// itself, the outermost that moves; never the one whose elements lie side by side. Does not fold where lanes of a
// vector hold windows of their own, nor where a loop that moves the window is parallel.

#include "loopnest/bounds_inference.h"

#include "analysis/hints.h"
#include "loopnest/fault.h"
#include "loopnest/user_text.h"
#include "rewrite/simplify.h"

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

// A fold that holds all live values, where their number has a bound that makes one worthwhile: a power of two, by which
// addresses wrap in one instruction. Else undefined.
Expr circle_of(const Expr &most_live) {
    int64_t live = 0;
    if (!most_live.defined() || !is_const_int(simplify(most_live), &live) || live <= 0 || live >= (1 << 20)) {
        return {};
    }
    return int32(is_planted(Fault::Fold) ? std::max<int64_t>(live - 1, 1)
                                         : static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(live))));
}

const Slide *slide_along(const std::vector<Slide> &slides, size_t d) {
    const auto at = std::find_if(slides.begin(), slides.end(), [&](const Slide &s) { return s.dimension == d; });
    return at == slides.end() ? nullptr : &*at;
}

// Whether the loops between the sites move the dimension at all (else its storage is the window already), and one
// iteration after the other: lanes of a vector hold their windows at the same time.
bool moves_in_order(const WindowLoops &loops, size_t d) {
    bool moves = false;
    for (int v = loops.site; v < loops.end; v++) {
        const NestLoop &loop = loops.nest->loops()[static_cast<size_t>(v)];
        if (uses_symbol(loops.region[d].min, loop.var) || uses_symbol(loops.region[d].max, loop.var)) {
            if (loop.for_type != ForType::Serial && loop.for_type != ForType::Unrolled) {
                return false;
            }
            moves = true;
        }
    }
    return moves;
}

} // namespace

void BoundsInference::async_lookahead(FuncId id, const std::optional<WindowLoops> &loops, const Box &touched) {
    const Site &store = placement_.store[id.index()];
    const bool is_stored_apart = store != placement_.compute[id.index()];
    Expr &ahead = out_.ahead[id.index()];
    if (placement_.hoist[id.index()] != store) {
        // Each iteration overwrites what the one before stored, or `extent` before.
        const std::optional<Ring> &ring = out_.rings[id.index()];
        ahead = ring && ring->is_in_turn && !is_stored_apart ? ring->extent : int32(1);
        return;
    }
    if (!is_stored_apart) {
        return;
    }
    std::vector<Expr> &folds = out_.folds[id.index()];
    const auto folded = std::find_if(folds.begin(), folds.end(), [](const Expr &fold) { return fold.defined(); });
    const bool is_pure = !working_.has_updates(id);
    if (folded == folds.end()) {
        ahead = is_pure ? Expr() : int32(1);
        return;
    }
    ahead = int32(1);
    if (!working_.schedule(id).storage.empty()) {
        return; // the program's fold is the size that it says
    }
    const size_t d = static_cast<size_t>(folded - folds.begin());
    if (!is_pure || !stays_in_region(id, touched, d) || !loops || loops->end != loops->site + 1) {
        return;
    }
    const Symbol &var = loops->nest->loops()[static_cast<size_t>(loops->site)].var;
    const auto next = [&](const Expr &side) {
        return simplify(substitute(side, var, add(make_var(Int(32), var), int32(1))));
    };
    // One iteration is read while the next one is stored: values of both are live, whichever way windows move.
    const Interval &window = loops->region[d];
    const Expr least = simplify(min_of(window.min, next(window.min)));
    const Expr greatest = simplify(max_of(window.max, next(window.max)));
    const Expr extent = simplify(add(sub(greatest, least), int32(1)));
    Interval most = lift(Interval::point(extent), placement_.compute[id.index()], placement_.store[id.index()]);
    const std::optional<int64_t> covered = most_covered(*loops, d, 2);
    if (covered && !circle_of(most.max).defined()) {
        most.max = int32(*covered);
    }
    if (const Expr circle = circle_of(most.max); circle.defined()) {
        *folded = circle;
        ahead = int32(2);
    }
}

std::optional<WindowLoops> BoundsInference::window_loops(FuncId id, const Box &region, const Site &site) const {
    const Site &store = placement_.store[id.index()];
    if (site == store || working_.pipeline.graph.is_output(id)) {
        return std::nullopt;
    }
    const StageNest &owner = nest(FuncId(site.func), site.stage);
    const bool store_in_nest = store.func == site.func && store.stage == site.stage;
    int end = store_in_nest ? store.loop : static_cast<int>(owner.loops().size());
    if (site.loop < owner.first_shared()) { // windows do not move along loops that others share
        end = std::min(end, owner.first_shared());
    }
    WindowLoops loops{&owner, site.loop, end, {}, {}};
    for (int v = site.loop; v < end; v++) {
        loops.begins.push_back(strip_hints(in_loops(owner, owner.loops()[static_cast<size_t>(v)].min, end)));
    }
    for (const Interval &side : region) {
        loops.region.push_back(
            {strip_hints(in_loops(owner, side.min, end)), strip_hints(in_loops(owner, side.max, end))});
        if (hides_loops(loops.region.back().min, store) || hides_loops(loops.region.back().max, store)) {
            return std::nullopt;
        }
    }
    return loops;
}

void BoundsInference::fold_storage(FuncId id, const std::optional<WindowLoops> &loops, const std::vector<Slide> &slides,
                                   const Box &touched, const std::vector<Expr> &extents) {
    out_.folds[id.index()].resize(touched.size());
    bool is_asked_for = false;
    for (const schedule::StorageDim &dim : working_.schedule(id).storage) {
        if (dim.fold.defined()) {
            is_asked_for = true;
            fold_as_asked(id, dim, loops, slides, touched, extents);
        }
    }
    if (loops && !is_asked_for && !has_lanes_around(id)) {
        fold_by_itself(id, *loops, slides, touched);
    }
}

void BoundsInference::fold_by_itself(FuncId id, const WindowLoops &loops, const std::vector<Slide> &slides,
                                     const Box &touched) {
    const Site &site = placement_.compute[id.index()], &store = placement_.store[id.index()];
    for (size_t d = touched.size(); d-- > 0;) {
        if (!may_fold(slides, d) || is_innermost(id, d) || !moves_in_order(loops, d) ||
            (slide_along(slides, d) && !stays_in_region(id, touched, d))) {
            continue;
        }
        const Expr extent = live_extent(id, loops, slides, touched, d);
        Interval most = lift(Interval::point(extent), site, store);
        const std::optional<int64_t> covered =
            stays_in_region(id, touched, d) ? most_covered(loops, d, 1) : std::nullopt;
        if (covered && !circle_of(most.max).defined()) {
            most.max = int32(*covered);
        }
        if (const Expr circle = circle_of(most.max); circle.defined()) {
            out_.folds[id.index()][d] = circle;
            return; // one dimension is enough: the rest is small then
        }
    }
}

bool BoundsInference::stays_in_region(FuncId id, const Box &touched, size_t d) const {
    const Region &region = out_.regions[id.index()][0];
    return touched[d].min.same_as(region.min[d]) && touched[d].max.same_as(region.max[d]);
}

Expr BoundsInference::live_extent(FuncId id, const WindowLoops &loops, const std::vector<Slide> &slides,
                                  const Box &touched, size_t d) const {
    Interval live{expand(touched[d].min), expand(touched[d].max)};
    if (slide_along(slides, d)) {
        const Interval &window = loops.region[d];
        live = stays_in_region(id, touched, d) ? window
                                               : Interval{min_of(live.min, window.min), max_of(live.max, window.max)};
    }
    return simplify(add(sub(live.max, live.min), int32(1)));
}

void BoundsInference::fold_as_asked(FuncId id, const schedule::StorageDim &dim, const std::optional<WindowLoops> &loops,
                                    const std::vector<Slide> &slides, const Box &touched,
                                    const std::vector<Expr> &extents) {
    const size_t d = dimension_of(id, dim.var);
    out_.folds[id.index()][d] = dim.fold;
    const bool folds = loops && !has_lanes_around(id) && may_fold(slides, d) && moves_in_order(*loops, d);
    if (const Slide *slide = folds ? slide_along(slides, d) : nullptr; slide && slide->down == dim.fold_forward) {
        const std::string loop = loops->nest->loops()[static_cast<size_t>(slide->loop)].name;
        refuse(id, "bad-fold",
               "fold_storage of " + dim.var + (slide->down ? " upwards" : " downwards") + ", but the loop over " +
                   loop + " moves " + (slide->down ? "down" : "up") +
                   " through it; a circle keeps the newest values; call fold_storage(" + dim.var + ", " +
                   text_for_user(dim.fold, working_.pipeline.graph) + ", " + (slide->down ? "false" : "true") + ")",
               dim.location);
    }
    const Range &stored = out_.storage[id.index()][d];
    const Expr live = folds ? live_extent(id, *loops, slides, touched, d) : extents[d];
    const Site &site = folds ? placement_.compute[id.index()] : placement_.store[id.index()];
    int64_t needed = 0, given = 0;
    if (is_const_int(dim.fold, &given) && is_const_int(live, &needed) && given < needed) {
        const std::string number = std::to_string(needed);
        refuse(id, "fold-factor-too-small",
               "storage is folded by " + std::to_string(given) + " along " + dim.var + ", but " + number +
                   " values along it are live at once" + (folds ? "" : ", as no loop moves a window through them") +
                   "; a fold factor covers all values that are live at once; fold by " + number + " or more",
               dim.location);
    }
    const Expr required = folds ? live : stored.extent;
    const Expr at_least_one = is_const(required) ? required : max_of(required, int32(1));
    require_at(site, less_equal(at_least_one, dim.fold), "fluorite_error_fold_factor_too_small",
               {make_string(working_.func(id).name()), make_string(dim.var), dim.fold,
                make_string(folds ? loop_name(site) : ""), required});
}

std::string BoundsInference::loop_name(const Site &site) const {
    const std::vector<NestLoop> &loops = nest(FuncId(site.func), site.stage).loops();
    return site.loop < static_cast<int>(loops.size()) ? loops[static_cast<size_t>(site.loop)].name : "";
}

bool BoundsInference::has_lanes_around(FuncId id) const {
    const Site &store = placement_.store[id.index()];
    Site at = placement_.compute[id.index()];
    while (!(at.func == store.func && at.stage == store.stage)) {
        at = placement_.around(at);
        if (at.is_root()) {
            return false;
        }
        const StageNest &owner = nest(FuncId(at.func), at.stage);
        const bool is_last = at.func == store.func && at.stage == store.stage;
        const int end = is_last ? store.loop : static_cast<int>(owner.loops().size());
        for (int v = at.loop; v < end; v++) {
            if (owner.loops()[static_cast<size_t>(v)].for_type == ForType::Vectorized) {
                return true;
            }
        }
    }
    return false;
}

bool BoundsInference::is_innermost(FuncId id, size_t d) const {
    const std::vector<std::string> &order = working_.schedule(id).storage_order;
    return order.empty() ? d == 0 : working_.func(id).arg_names[d] == order.front();
}

} // namespace fluorite::loopnest
