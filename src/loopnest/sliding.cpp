// Sliding windows and folded storage.
//
// Slides up. A pure Func stored outside of a serial loop v and computed inside it needs, in later iterations, only what earlier
// ones did not compute. Where v moves exactly one dimension d, and moves both its sides up, iteration v computes d from
// max(min(v), max(v - 1) + 1); the first iteration computes all. Earlier iterations made everything from the first min up
// to max(v - 1), which covers the rest, as the other dimensions are the same in every iteration of v. Both sides are also
// moved when they depend on v through loops further in: those are not slid, as the window then moves within an iteration.
// Slides down. The same with the sides exchanged: iteration v computes d up to min(max(v), min(v - 1) - 1).
//
// Folds. At compute site, one iteration reads and writes the window [min, max] of dimension d. A buffer of F >= max - min + 1
// elements, addressed modulo F, keeps these apart. A value must also live until its last use in later iterations:
//   - without any slide each iteration computes all that it reads: every dimension folds;
//   - along the dimension that the outermost slid loop moves, what later iterations read lies in their windows, which move up:
//     what is overwritten lies below (or down, and above). Slides of loops further in only use values of the same iteration of that loop.
//   - any other dimension does not fold: values of the window's whole extent are read again in the next iteration.
//
// Relies on: analysis::monotonic_in. Cost: linear in the region's expressions.

#include "loopnest/sliding.h"

#include "analysis/monotonic.h"
#include "loopnest/fault.h"
#include "rewrite/simplify.h"

namespace fluorite::loopnest {

using namespace ir;

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

// The slides that hold, innermost loop first.
std::vector<Slide> find_slides(const WindowLoops &loops) {
    std::vector<Slide> slides;
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
        const analysis::Interval &side = loops.region[*moved];
        const analysis::Monotonic moves = analysis::monotonic_in(side.min, loop.var);
        const bool is_one_way = moves == analysis::Monotonic::Increasing || moves == analysis::Monotonic::Decreasing;
        if (is_one_way && analysis::monotonic_in(side.max, loop.var) == moves) {
            slides.push_back({*moved, v, moves == analysis::Monotonic::Decreasing});
            done[*moved] = true;
        }
    }
    return slides;
}

// Leaves out of a side what earlier iterations of the loop have computed; the first one computes all.
void leave_out(const WindowLoops &loops, const Slide &slide, analysis::Interval &side) {
    const NestLoop &loop = loops.nest->loops()[static_cast<size_t>(slide.loop)];
    const Expr variable = make_var(Int(32), loop.var), one = make_int(Int(32), 1);
    const analysis::Interval &window = loops.region[slide.dimension];
    const Expr before = substitute(slide.down ? window.min : window.max, loop.var, sub(variable, one));
    Expr &moved = slide.down ? side.max : side.min;
    const Expr past = is_planted(Fault::Sliding) ? make_int(Int(32), 2) : one;
    const Expr next =
        rewrite::simplify(slide.down ? min_of(moved, sub(before, past)) : max_of(moved, add(before, past)));
    moved = make_select(make_unary(ExprKind::Likely, less(loop.min, variable)), next, moved);
}

} // namespace

std::vector<Slide> slide(const WindowLoops &loops, analysis::Box &region) {
    std::vector<Slide> slides = find_slides(loops);
    for (const Slide &each : slides) {
        leave_out(loops, each, region[each.dimension]);
    }
    return slides;
}

bool may_fold(const std::vector<Slide> &slides, size_t dimension) {
    return slides.empty() || slides.back().dimension == dimension;
}

} // namespace fluorite::loopnest
