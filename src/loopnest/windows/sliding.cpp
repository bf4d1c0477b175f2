// Sliding windows and folded storage.
//
// Sliding up. A Func is stored outside of a serial loop v and computed inside it. Later iterations of v need to
// compute only what earlier ones have not computed. If v moves exactly one dimension d, and both its ends up, iteration
// v computes d from max(min(v), max(v - 1) + 1); the first iteration computes everything. Earlier iterations have
// computed everything from the first min up to max(v - 1), which covers the rest, because the other dimensions are the
// same in every iteration of v. If loops further in than v also move the ends, v does not slide, because the window
// then moves within an iteration. Nor does v slide if a condition, as that of a skewed tile, may leave out the
// iteration before one that it lets run.
//
// Sliding down. The same with the ends exchanged: iteration v computes d up to min(max(v), min(v - 1) - 1).
//
// Updates. A Func with updates slides along d if no stage changes what earlier iterations have computed, and none needs
// positions that they have not computed to the end (sliding_updates.h). Each iteration then runs all stages for the
// positions that are new.
//
// Boundary conditions. If producers are read through clamps, the ends of the region are clamped sums, and if a consumer
// slides itself, they differ between the first iteration and later ones:
//   min = select(first < v, clamp(clamp(v, m, M) + 1 - 1, m, M), clamp(clamp(v - 1, m, M) - 1, m, M))
// Each case is converted to a maximum of minima of linear forms (analysis/max_of_mins.h), which remains as small as one
// clamp however long the chain of stages is. This form shows in which direction the window moves, that the first window
// begins no later than the following ones, and how many coordinates a window covers at most. The region to compute is
// expressed in the same form, in which moving operands are marked as likely: partitioning then finds an interior
// without clamps, in which each iteration computes single rows.
//
// Folding. At the compute site, one iteration reads and writes the window [min, max] of dimension d. A buffer of F >=
// max - min + 1 elements, addressed modulo F, keeps these apart. A value must also be kept until its last use in later
// iterations:
//   - without any slide, each iteration computes everything that it reads: every dimension may fold;
//   - along the dimension that the outermost sliding loop moves, later iterations read only their own windows, which
//     move up, and overwritten values are below them (or the windows move down, and they are above). Slides of loops
//     further in only use values of the same iteration of that loop;
//   - any other dimension must not fold: the next iteration reads values over the window's whole extent again;
//   - nor may a dimension that moves inside of a loop along which the region is invariant (invariant_loops.cpp).
//
// Relies on analysis::monotonic_in and analysis::MaxOfMins. Cost: linear in the region's expressions.

#include "loopnest/windows/sliding.h"

#include "analysis/max_of_mins.h"
#include "analysis/monotonic.h"
#include "rewrite/simplify.h"

#include <algorithm>

namespace fluorite::loopnest {

using namespace ir;
using analysis::MaxOfMins;

namespace {

std::optional<size_t> only_dimension_moved(const analysis::Box &region, const Symbol &loop) {
    std::optional<size_t> moved;
    for (size_t d = 0; d < region.size(); d++) {
        if (uses_symbol(region[d].min, loop) || uses_symbol(region[d].max, loop)) {
            if (moved) {
                return std::nullopt;
            }
            moved = d;
        }
    }
    return moved;
}

/// Whether loops inside v, but around the compute site, also move the ends.
bool moves_inside(const WindowLoops &loops, int v, const analysis::Interval &side) {
    for (int i = loops.site; i < v; i++) {
        const Symbol &var = loops.nest->loop(LoopId(i)).var;
        if (uses_symbol(side.min, var) || uses_symbol(side.max, var)) {
            return true;
        }
    }
    return false;
}

/// Whether loops inside v move positions that the stages do not keep apart: what one of their iterations computes,
/// others may change afterwards.
bool mixes_inside(const WindowLoops &loops, int v) {
    for (size_t d = 0; d < loops.region.size(); d++) {
        const bool is_apart = loops.directions[d].up && loops.directions[d].down;
        if (!is_apart && moves_inside(loops, v, loops.region[d])) {
            return true;
        }
    }
    return false;
}

std::vector<Symbol> moving_symbols(const WindowLoops &loops) {
    std::vector<Symbol> symbols;
    for (int v = loops.site; v < loops.end; v++) {
        symbols.push_back(loops.nest->loop(LoopId(v)).var);
    }
    return symbols;
}

/// Whether the current iteration of a loop that begins at `begin` is not the first one.
Expr is_later(const NestLoop &loop, const Expr &begin) { return less(begin, make_var(Int(32), loop.var)); }
Expr is_later(const NestLoop &loop) { return is_later(loop, loop.min); }

/// A dimension of the window as clamped sums, for the first iteration of a loop and for later ones.
struct ClampedWindow {
    MaxOfMins first_min, first_max, min, max;
};

std::optional<ClampedWindow> clamped_window(const WindowLoops &loops, int v, size_t d,
                                            MaxOfMins::Expanded expanded = MaxOfMins::Expanded::Moving) {
    const NestLoop &loop = loops.nest->loop(LoopId(v));
    const std::vector<Symbol> moving = moving_symbols(loops);
    const Expr later = is_later(loop, loops.begins[static_cast<size_t>(v - loops.site)]);
    const Expr first = make_unary(ExprKind::Not, later);
    const auto form_where = [&](const Expr &side, const Expr &condition) {
        return MaxOfMins::of(rewrite::simplify(side, rewrite::Arithmetic::Index, {{}, {condition}}), moving, expanded);
    };
    const analysis::Interval &side = loops.region[d];
    const auto first_min = form_where(side.min, first), first_max = form_where(side.max, first);
    const auto min = form_where(side.min, later), max = form_where(side.max, later);
    if (!first_min || !first_max || !min || !max) {
        return std::nullopt;
    }
    return ClampedWindow{*first_min, *first_max, *min, *max};
}

std::optional<MaxOfMins> one_iteration_before(const std::optional<MaxOfMins> &form, const NestLoop &loop) {
    return form ? form->with(loop.var, sub(make_var(Int(32), loop.var), int32(1))) : std::nullopt;
}

/// One end of the window, for the first iteration and for later ones; undefined if numbers do not fit.
Expr either(const NestLoop &loop, const MaxOfMins &first, const MaxOfMins &later, const std::vector<Symbol> &moving) {
    const Expr at_first = first.to_likely_expr(moving), at_later = later.to_likely_expr(moving);
    if (!at_first.defined() || !at_later.defined() || first == later) {
        return at_later;
    }
    return make_select(make_unary(ExprKind::Likely, is_later(loop)), at_later, at_first);
}

/// Slides a window whose ends are clamped sums. The window of the first iteration begins no later than those of later
/// ones, which move in one direction; so what an iteration does not compute is in the previous window.
std::optional<Slide> slide_clamped(const WindowLoops &loops, int v, size_t d, analysis::Interval &side) {
    const NestLoop &loop = loops.nest->loop(LoopId(v));
    const std::optional<ClampedWindow> window = clamped_window(loops, v, d);
    if (!window) {
        return std::nullopt;
    }
    const SlideDirections &may = loops.directions[d];
    const bool up = may.up && window->min.is_monotonic(loop.var, true) && window->max.is_monotonic(loop.var, true);
    const bool down =
        may.down && !up && window->min.is_monotonic(loop.var, false) && window->max.is_monotonic(loop.var, false);
    const bool begins_before = up     ? is_at_most(window->first_min, window->min)
                               : down ? is_at_most(window->max, window->first_max)
                                      : false;
    if (!begins_before) {
        return std::nullopt;
    }
    const std::optional<MaxOfMins> computed = one_iteration_before(
        up ? least_of(window->first_max, window->max) : greatest_of(window->first_min, window->min), loop);
    const std::optional<MaxOfMins> next = !computed ? std::nullopt
                                          : up      ? greatest_of(window->min, computed->plus(1))
                                                    : least_of(window->max, computed->plus(-1));
    if (!next) {
        return std::nullopt;
    }
    const std::vector<Symbol> moving = moving_symbols(loops);
    const Expr min = either(loop, window->first_min, up ? *next : window->min, moving);
    const Expr max = either(loop, window->first_max, up ? window->max : *next, moving);
    if (!min.defined() || !max.defined()) {
        return std::nullopt;
    }
    side = {min, max};
    return Slide{d, v, down};
}

/// Removes from one end what earlier iterations of the loop have computed; the first iteration computes everything.
void leave_out(const WindowLoops &loops, const Slide &slide, analysis::Interval &side) {
    const NestLoop &loop = loops.nest->loop(LoopId(slide.loop));
    const Expr variable = make_var(Int(32), loop.var), one = make_int(Int(32), 1);
    const analysis::Interval &window = loops.region[slide.dimension];
    const Expr before = substitute(slide.down ? window.min : window.max, loop.var, sub(variable, one));
    Expr &moved = slide.down ? side.max : side.min;
    const Expr next = rewrite::simplify(slide.down ? min_of(moved, sub(before, one)) : max_of(moved, add(before, one)));
    moved = make_select(make_unary(ExprKind::Likely, is_later(loop)), next, moved);
}

/// Slides a window whose ends are arbitrary expressions that are known to move in one direction.
std::optional<Slide> slide_any(const WindowLoops &loops, int v, size_t d, analysis::Interval &side) {
    const NestLoop &loop = loops.nest->loop(LoopId(v));
    const analysis::Interval &window = loops.region[d];
    const analysis::Monotonic moves = analysis::monotonic_in(window.min, loop.var);
    const bool is_one_way = moves == analysis::Monotonic::Increasing || moves == analysis::Monotonic::Decreasing;
    if (!is_one_way || analysis::monotonic_in(window.max, loop.var) != moves) {
        return std::nullopt;
    }
    const Slide slide{d, v, moves == analysis::Monotonic::Decreasing};
    if (!(slide.down ? loops.directions[d].down : loops.directions[d].up)) {
        return std::nullopt;
    }
    leave_out(loops, slide, side);
    return slide;
}

bool uses_loop(const analysis::Interval &side, const NestLoop &loop) {
    return uses_symbol(side.min, loop.var) || uses_symbol(side.max, loop.var);
}

/// The maximum number of coordinates that so many successive windows cover, if a constant bound is known.
std::optional<int64_t> most_covered(const ClampedWindow &window, const NestLoop &loop, int iterations) {
    std::vector<MaxOfMins> lows = {window.first_min, window.min}, highs = {window.first_max, window.max};
    for (int i = 1; i < iterations; i++) {
        const Expr later = add(make_var(Int(32), loop.var), int32(i));
        const std::optional<MaxOfMins> low = window.min.with(loop.var, later), high = window.max.with(loop.var, later);
        if (!low || !high) {
            return std::nullopt;
        }
        lows.push_back(*low);
        highs.push_back(*high);
    }
    int64_t most = 0;
    for (const MaxOfMins &low : lows) {
        for (const MaxOfMins &high : highs) {
            const std::optional<int64_t> each = greatest_difference(high, low);
            if (!each) {
                return std::nullopt;
            }
            most = std::max(most, *each + 1);
        }
    }
    return most;
}

} // namespace

bool holds_before(const Expr &condition, const Symbol &loop) {
    if (!uses_symbol(condition, loop)) {
        return true;
    }
    const bool is_less = is_kind(condition, ExprKind::LT) || is_kind(condition, ExprKind::LE);
    if (!is_less) {
        return is_kind(condition, ExprKind::And) && holds_before(condition->arg(0), loop) &&
               holds_before(condition->arg(1), loop);
    }
    const Expr excess = rewrite::simplify(sub(condition->arg(0), condition->arg(1)), rewrite::Arithmetic::Index);
    const analysis::Monotonic moves = analysis::monotonic_in(excess, loop);
    return moves == analysis::Monotonic::Constant || moves == analysis::Monotonic::Increasing;
}

std::vector<Slide> slide(const WindowLoops &loops, analysis::Box &region) {
    std::vector<Slide> slides; // innermost loop first
    std::vector<bool> done(loops.region.size());
    for (int v = loops.site; v < loops.end; v++) {
        const NestLoop &loop = loops.nest->loop(LoopId(v));
        if (loop.for_type != ForType::Serial && loop.for_type != ForType::Unrolled) {
            continue;
        }
        const std::optional<size_t> moved = only_dimension_moved(loops.region, loop.var);
        const bool comes_before = std::all_of(loops.conditions.begin(), loops.conditions.end(),
                                              [&](const Expr &condition) { return holds_before(condition, loop.var); });
        if (!moved || done[*moved] || moves_inside(loops, v, loops.region[*moved]) || mixes_inside(loops, v) ||
            !comes_before) {
            continue;
        }
        std::optional<Slide> slide = slide_clamped(loops, v, *moved, region[*moved]);
        if (!slide) {
            slide = slide_any(loops, v, *moved, region[*moved]);
        }
        if (slide) {
            slides.push_back(*slide);
            done[*moved] = true;
        }
    }
    return slides;
}

std::optional<int64_t> most_covered(const WindowLoops &loops, size_t dimension, int iterations) {
    for (int v = loops.site; v < loops.end; v++) {
        const NestLoop &loop = loops.nest->loop(LoopId(v));
        if (uses_loop(loops.region[dimension], loop)) {
            std::optional<int64_t> most;
            for (const auto expanded : {MaxOfMins::Expanded::Moving, MaxOfMins::Expanded::All}) {
                const std::optional<ClampedWindow> window = clamped_window(loops, v, dimension, expanded);
                most = most || !window ? most : most_covered(*window, loop, iterations);
            }
            return most;
        }
    }
    return std::nullopt;
}

bool KeptValues::may_fold(size_t dimension) const {
    return !keeps[dimension] && (slides.empty() || slides.back().dimension == dimension);
}

const Slide *KeptValues::slide_along(size_t dimension) const {
    const auto at =
        std::find_if(slides.begin(), slides.end(), [&](const Slide &s) { return s.dimension == dimension; });
    return at == slides.end() ? nullptr : &*at;
}

} // namespace fluorite::loopnest
