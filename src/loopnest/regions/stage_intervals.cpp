// The intervals of a stage's variables, seen from inside one of its loops: loops further in range over their
// iterations, while this one and those around it are fixed (vars_at, loops_at).
//
// A loop whose range depends on others has that range where they are fixed, and the widest one where they range, too.
// A split under GuardWithIf or Predicate binds base + inner to a name, and a skew its difference. Funcs computed inside
// refer to the name; seen from further out, its interval ends with the range of what was split or skewed.
// Relies on: loops, defs and names as stage_nest.cpp leaves them. Cost: linear in splits, a few simplifications each.

#include "loopnest/regions/stage_nest.h"
#include "rewrite/simplify.h"

#include <algorithm>

namespace fluorite::loopnest {

using namespace ir;
using analysis::Interval;
using analysis::Scope;
using rewrite::simplify;

// The interval of base + inner for a split all of whose loops range. If the parts have exactly their own ranges, this
// is the original range.
Interval StageNest::full_interval(const Node &node, const Interval &outer, const Interval &inner, View &view) const {
    const Interval range = range_of(node, view);
    bool outer_exact = is_zero(outer.min) && equal(outer.max, range_of(node_at(node.outer), view).max);
    bool inner_exact = is_zero(inner.min) && equal(simplify(inner.max), range_of(node_at(node.inner), view).max);
    const bool shifts = node.shifts(), clipped = node.clips(view.access);
    const Expr last = sub(plus_one(range.max), node.factor); // ShiftInwards: the greatest base
    const bool ends_at_max = inner_exact && (shifts || (node.exact && outer_exact));
    const auto base = [&](const Expr &piece) { return simplify(add(range.min, mul(piece, node.factor))); };
    Expr low, high;
    if (shifts) {
        const std::optional<int64_t> by = rewrite::constant_value(node.factor);
        const bool is_whole = node.known_extent && by && *node.known_extent >= *by && is_zero(outer.min);
        low = is_whole ? range.min : simplify(min_of(base(outer.min), last));
    } else {
        low = base(outer.min);
    }
    if (!ends_at_max) {
        high = shifts || (node.exact && outer_exact) ? simplify(last) : base(outer.max);
    }
    Interval result{simplify(add(low, inner.min)), ends_at_max ? range.max : simplify(add(high, inner.max))};
    if (clipped) {
        result.max = outer_exact && inner_exact ? range.max : simplify(min_of(result.max, range.max));
    }
    return result;
}

Interval StageNest::range_of(const Node &node, View &view) const {
    SymbolMap<Expr> fixed;
    for (const int other : node.varies_with) {
        const Interval interval = interval_of(other, view);
        if (!interval.is_point()) {
            return {node.wide_min, node.wide_max};
        }
        fixed[node_at(other).symbol] = interval.min;
    }
    return fixed.empty() ? Interval{node.min, node.max}
                         : Interval{simplify(substitute(node.min, fixed)), simplify(substitute(node.max, fixed))};
}

Scope StageNest::scope_of(const Expr &expr, View &view) const {
    Scope scope;
    for (size_t n = 0; n < nodes_.size(); n++) {
        if (uses_symbol(expr, nodes_[n].symbol)) {
            scope[nodes_[n].symbol] = interval_of(static_cast<int>(n), view);
        }
    }
    return scope;
}

// The interval of one part of a fused loop that ranges.
Interval StageNest::part_interval(const Node &node, View &view) const {
    const Node &whole = node_at(node.fused);
    Interval fused = interval_of(node.fused, view);
    const Interval range = range_of(node, view);
    bool stays =
        ranges_fully(node.fused, view.loop) && is_zero(fused.min) && equal(fused.max, range_of(whole, view).max);
    if (stays || !node.is_outer_part) {
        return range;
    }
    // Where there are iterations, the width is not 0.
    Scope scope;
    scope[whole.symbol] = fused;
    Expr part = div(make_var(Int(32), whole.symbol), max_of(node.width, int32(1)));
    return analysis::bounds_of(add(part, range.min), scope);
}

Interval StageNest::interval_of(int index, View &view) const {
    const size_t at = static_cast<size_t>(index);
    if (view.done[at]) {
        return view.memo[at];
    }
    const Node &node = nodes_[at];
    Interval result;
    switch (node.kind) {
    case Node::Kind::Leaf:
        result = node.loop < view.loop ? range_of(node, view)
                                       : Interval::point(make_var(Int(32), loop(LoopId(node.loop)).own));
        break;
    case Node::Kind::Split:
        result = split_interval(index, view);
        break;
    case Node::Kind::Fuse: {
        const Base &base = base_of(node);
        result = base.depth >= view.loop ? Interval::point(make_var(Int(32), base.symbol)) : part_interval(node, view);
        break;
    }
    case Node::Kind::Skew:
        result = skew_interval(index, view);
        break;
    }
    view.memo[at] = result;
    view.done[at] = true;
    return result;
}

Interval StageNest::split_interval(int index, View &view) const {
    const Node &node = node_at(index);
    const Interval outer = interval_of(node.outer, view), inner = interval_of(node.inner, view);
    if (ranges_fully(index, view.loop)) {
        return full_interval(node, outer, inner, view);
    }
    const Base &base = base_of(node);
    const Interval start = base.depth >= view.loop ? Interval::point(make_var(Int(32), base.symbol))
                                                   : analysis::bounds_of(base.value, scope_of(base.value, view));
    Interval result = {simplify(add(start.min, inner.min)), simplify(add(start.max, inner.max))};
    const bool runs_beyond = node.tail == TailStrategy::PredicateLoads && node.clips(view.access);
    if (node.point_depth >= view.loop) {
        return Interval::point(make_var(Int(32), node.point));
    }
    if (start.is_point() && inner.is_point() && !runs_beyond) {
        result.max = result.min;
    } else if (node.clips(view.access)) {
        result.max = simplify(min_of(result.max, range_of(node, view).max));
    }
    return result;
}

// The interval of skewed - factor * by, which is within the range of the loop that was skewed.
Interval StageNest::skew_interval(int index, View &view) const {
    const Node &node = node_at(index);
    if (node.point_depth >= view.loop) {
        return Interval::point(make_var(Int(32), node.point));
    }
    const Interval range = range_of(node, view);
    const Interval by = interval_of(node.inner, view);
    const bool takes_all =
        ranges_fully(node.outer, view.loop) && (by.is_point() || ranges_fully(node.inner, view.loop));
    if (takes_all) {
        return range;
    }
    const Expr value = sub(make_var(Int(32), node_at(node.outer).symbol),
                           mul(make_var(Int(32), node_at(node.inner).symbol), node.factor));
    Scope scope = scope_of(value, view);
    if (ranges_fully(node.inner, view.loop)) {
        // Its limits by the skewed loop keep the result in its range, as the clamps below do in fewer operations.
        scope[node_at(node.inner).symbol] = {node_at(node.inner).wide_min, node_at(node.inner).wide_max};
    }
    const Interval inner = analysis::bounds_of(value, scope);
    return {simplify(max_of(inner.min, range.min)), simplify(min_of(inner.max, range.max))};
}

StageNest::View StageNest::view(int loop, AccessKind access) const {
    return {loop, access, std::vector<Interval>(nodes_.size()), std::vector<bool>(nodes_.size())};
}

Scope StageNest::vars_at(int loop, AccessKind access) const {
    View seen = view(loop, access);
    Scope scope;
    for (const auto &[symbol, node] : variables_) {
        scope[symbol] = interval_of(node, seen);
    }
    return loop >= first_shared() ? in_shared(std::move(scope)) : scope;
}

Scope StageNest::in_shared(Scope scope) const {
    for (auto &[symbol, interval] : scope) {
        interval = {in_shared(interval.min), in_shared(interval.max)};
    }
    return scope;
}

Scope StageNest::loops_at(int loop, Ranges ranges) const {
    View seen = view(loop, AccessKind::Either);
    Scope scope;
    for (size_t i = 0; i < nodes_.size(); i++) {
        const Node &node = nodes_[i];
        if (node.kind == Node::Kind::Leaf && node.loop < loop) {
            const NestLoop &its = loops_[LoopId(node.loop).index()];
            scope[its.own] = range_of(node, seen);
            if (node.loop >= first_shared()) {
                scope[its.var] = {its.min, minus_one(add(its.min, its.extent))};
            }
        }
    }
    // Bases that range, and the points of guarded splits.
    for (size_t i = 0; i < nodes_.size(); i++) {
        const Node &node = nodes_[i];
        if (node.point_depth >= 0 && node.point_depth < loop) {
            scope[node.point] = interval_of(static_cast<int>(i), seen);
        }
        if (node.base_def < 0 || base_of(node).depth >= loop) {
            continue;
        }
        const Base &base = base_of(node);
        if (node.kind == Node::Kind::Fuse) {
            scope[base.symbol] = interval_of(static_cast<int>(i), seen);
            continue;
        }
        Interval outer = interval_of(node.outer, seen);
        Interval interval = analysis::bounds_of(base.value, scope_of(base.value, seen));
        const bool takes_all = equal(outer.max, range_of(node_at(node.outer), seen).max);
        if (ranges_fully(node.outer, loop) && (node.shifts() || (node.exact && takes_all))) {
            interval.max = simplify(sub(plus_one(range_of(node, seen).max), node.factor));
        } else if (ranges == Ranges::InLoops && ranges_fully(node.outer, loop) && takes_all &&
                   node.clips(AccessKind::Either) && !node.known_extent) {
            // The least point plus the length of all pieces but the last is no more than that. Seen from further out,
            // it would be wider, as the ends range independently, and longer with each of the nests around.
            interval.max = range_of(node, seen).max;
        }
        scope[base.symbol] = interval;
    }
    return loop >= first_shared() ? in_shared(std::move(scope)) : scope;
}

} // namespace fluorite::loopnest
