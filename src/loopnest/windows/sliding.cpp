// Sliding windows and folded storage.
//
// Slides up. A pure Func stored outside of a serial loop v and computed inside it needs, in later iterations, only what
// earlier ones did not compute. Where v moves exactly one dimension d, and moves both its sides up, iteration v
// computes d from max(min(v), max(v - 1) + 1); the first iteration computes all. Earlier iterations made everything
// from the first min up to max(v - 1), which covers the rest, as the other dimensions are the same in every iteration
// of v. Both sides are also moved when they depend on v through loops further in: those are not slid, as the window
// then moves within an iteration. Slides down. The same with the sides exchanged: iteration v computes d up to
// min(max(v), min(v - 1) - 1). Through boundary conditions. Sides are clamped sums where producers are read through
// clamps, and of a consumer that slides itself they differ between the first iteration and later ones:
//   min = select(first < v, clamp(clamp(v, m, M) + 1 - 1, m, M), clamp(clamp(v - 1, m, M) - 1, m, M))
// Each case becomes a maximum of minima of linear forms (analysis/max_of_mins.h), which stays as small as one clamp
// however long the chain of stages is. It tells which way the window moves, that the first window begins no later than
// the next ones, and how many coordinates a window covers at most. What is computed is said in the same form, with what
// moves marked as likely: partitioning finds an interior without clamps, in which each iteration computes single rows.
//
// Folds. At compute site, one iteration reads and writes the window [min, max] of dimension d. A buffer of F >= max -
// min + 1 elements, addressed modulo F, keeps these apart. A value must also live until its last use in later
// iterations:
//   - without any slide each iteration computes all that it reads: every dimension folds;
//   - along the dimension that the outermost slid loop moves, what later iterations read lies in their windows, which
//     move up: what is overwritten lies below (or down, and above). Slides of loops further in only use values of the
//     same iteration of that loop.
//   - any other dimension does not fold: values of the window's whole extent are read again in the next iteration.
//
// Relies on: analysis::monotonic_in, analysis::MaxOfMins. Cost: linear in the region's expressions.

#include "loopnest/windows/sliding.h"

#include "analysis/max_of_mins.h"
#include "analysis/monotonic.h"
#include "loopnest/fault.h"
#include "rewrite/simplify.h"

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

/// Whether loops further in than v, but around the site, move the sides too.
bool moves_inside(const WindowLoops &loops, int v, const analysis::Interval &side) {
    for (int i = loops.site; i < v; i++) {
        const Symbol &var = loops.nest->loops()[static_cast<size_t>(i)].var;
        if (uses_symbol(side.min, var) || uses_symbol(side.max, var)) {
            return true;
        }
    }
    return false;
}

std::vector<Symbol> moving_symbols(const WindowLoops &loops) {
    std::vector<Symbol> symbols;
    for (int v = loops.site; v < loops.end; v++) {
        symbols.push_back(loops.nest->loops()[static_cast<size_t>(v)].var);
    }
    return symbols;
}

/// Whether an iteration of a loop that begins there is not the first one.
Expr is_later(const NestLoop &loop, const Expr &begin) { return less(begin, make_var(Int(32), loop.var)); }
Expr is_later(const NestLoop &loop) { return is_later(loop, loop.min); }

/// A dimension of the window as clamped sums: in the first iteration of a loop, and in later ones.
struct ClampedWindow {
    MaxOfMins first_min, first_max, min, max;
};

std::optional<MaxOfMins> form_where(const Expr &side, const Expr &condition, const std::vector<Symbol> &moving) {
    return MaxOfMins::of(rewrite::simplify(side, rewrite::Arithmetic::Index, {{}, {condition}}), moving);
}

std::optional<ClampedWindow> clamped_window(const WindowLoops &loops, int v, size_t d) {
    const NestLoop &loop = loops.nest->loops()[static_cast<size_t>(v)];
    const std::vector<Symbol> moving = moving_symbols(loops);
    const Expr later = is_later(loop, loops.begins[static_cast<size_t>(v - loops.site)]);
    const Expr first = make_unary(ExprKind::Not, later);
    const analysis::Interval &side = loops.region[d];
    const auto first_min = form_where(side.min, first, moving), first_max = form_where(side.max, first, moving);
    const auto min = form_where(side.min, later, moving), max = form_where(side.max, later, moving);
    if (!first_min || !first_max || !min || !max) {
        return std::nullopt;
    }
    return ClampedWindow{*first_min, *first_max, *min, *max};
}

std::optional<MaxOfMins> one_iteration_before(const std::optional<MaxOfMins> &form, const NestLoop &loop) {
    return form ? form->with(loop.var, sub(make_var(Int(32), loop.var), int32(1))) : std::nullopt;
}

/// The side in the first iteration and in later ones; undefined where numbers do not fit.
Expr either(const NestLoop &loop, const MaxOfMins &first, const MaxOfMins &later, const std::vector<Symbol> &moving) {
    const Expr at_first = first.to_likely_expr(moving), at_later = later.to_likely_expr(moving);
    if (!at_first.defined() || !at_later.defined() || first == later) {
        return at_later;
    }
    return make_select(make_unary(ExprKind::Likely, is_later(loop)), at_later, at_first);
}

/// Slides a window whose sides are clamped sums. The window of the first iteration begins no later than those of later
/// ones, which move one way; so what an iteration does not compute is in the window of the one before.
std::optional<Slide> slide_clamped(const WindowLoops &loops, int v, size_t d, analysis::Interval &side) {
    const NestLoop &loop = loops.nest->loops()[static_cast<size_t>(v)];
    const std::optional<ClampedWindow> window = clamped_window(loops, v, d);
    if (!window) {
        return std::nullopt;
    }
    const bool up = window->min.is_monotonic(loop.var, true) && window->max.is_monotonic(loop.var, true);
    const bool down = !up && window->min.is_monotonic(loop.var, false) && window->max.is_monotonic(loop.var, false);
    const bool begins_before = up     ? is_at_most(window->first_min, window->min)
                               : down ? is_at_most(window->max, window->first_max)
                                      : false;
    if (!begins_before) {
        return std::nullopt;
    }
    const int past = is_planted(Fault::Sliding) ? 2 : 1;
    const std::optional<MaxOfMins> computed = one_iteration_before(
        up ? least_of(window->first_max, window->max) : greatest_of(window->first_min, window->min), loop);
    const std::optional<MaxOfMins> next = !computed ? std::nullopt
                                          : up      ? greatest_of(window->min, computed->plus(past))
                                                    : least_of(window->max, computed->plus(-past));
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

/// Leaves out of a side what earlier iterations of the loop have computed; the first one computes all.
void leave_out(const WindowLoops &loops, const Slide &slide, analysis::Interval &side) {
    const NestLoop &loop = loops.nest->loops()[static_cast<size_t>(slide.loop)];
    const Expr variable = make_var(Int(32), loop.var), one = make_int(Int(32), 1);
    const analysis::Interval &window = loops.region[slide.dimension];
    const Expr before = substitute(slide.down ? window.min : window.max, loop.var, sub(variable, one));
    Expr &moved = slide.down ? side.max : side.min;
    const Expr past = is_planted(Fault::Sliding) ? make_int(Int(32), 2) : one;
    const Expr next =
        rewrite::simplify(slide.down ? min_of(moved, sub(before, past)) : max_of(moved, add(before, past)));
    moved = make_select(make_unary(ExprKind::Likely, is_later(loop)), next, moved);
}

/// Slides a window whose sides are any expressions, seen to move one way.
std::optional<Slide> slide_any(const WindowLoops &loops, int v, size_t d, analysis::Interval &side) {
    const NestLoop &loop = loops.nest->loops()[static_cast<size_t>(v)];
    const analysis::Interval &window = loops.region[d];
    const analysis::Monotonic moves = analysis::monotonic_in(window.min, loop.var);
    const bool is_one_way = moves == analysis::Monotonic::Increasing || moves == analysis::Monotonic::Decreasing;
    if (!is_one_way || analysis::monotonic_in(window.max, loop.var) != moves) {
        return std::nullopt;
    }
    const Slide slide{d, v, moves == analysis::Monotonic::Decreasing};
    leave_out(loops, slide, side);
    return slide;
}

bool uses_loop(const analysis::Interval &side, const NestLoop &loop) {
    return uses_symbol(side.min, loop.var) || uses_symbol(side.max, loop.var);
}

} // namespace

std::vector<Slide> slide(const WindowLoops &loops, analysis::Box &region) {
    std::vector<Slide> slides; // innermost loop first
    std::vector<bool> done(loops.region.size());
    for (int v = loops.site; v < loops.end; v++) {
        const NestLoop &loop = loops.nest->loops()[static_cast<size_t>(v)];
        if (loop.for_type != ForType::Serial && loop.for_type != ForType::Unrolled) {
            continue;
        }
        const std::optional<size_t> moved = only_dimension_moved(loops.region, loop.var);
        if (!moved || done[*moved] || moves_inside(loops, v, loops.region[*moved])) {
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
        const NestLoop &loop = loops.nest->loops()[static_cast<size_t>(v)];
        if (!uses_loop(loops.region[dimension], loop)) {
            continue;
        }
        const std::optional<ClampedWindow> window = clamped_window(loops, v, dimension);
        if (!window) {
            return std::nullopt;
        }
        std::vector<MaxOfMins> lows = {window->first_min, window->min}, highs = {window->first_max, window->max};
        for (int i = 1; i < iterations; i++) {
            const Expr later = add(make_var(Int(32), loop.var), int32(i));
            const std::optional<MaxOfMins> low = window->min.with(loop.var, later),
                                           high = window->max.with(loop.var, later);
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
    return std::nullopt;
}

bool may_fold(const std::vector<Slide> &slides, size_t dimension) {
    return slides.empty() || slides.back().dimension == dimension;
}

} // namespace fluorite::loopnest
