// Applies splits: from the region of a stage to its loops.
//
// Every dimension of the region (pure Vars) and every RVar is initially one node with a range. A split replaces a node
// by an outer and an inner one, a fuse replaces two nodes by one, and a rename changes the name of a node. The
// remaining nodes are the loops.
//   old = base + inner, where base = outer * factor + min is bound in a let of its own, as far out as its loops allow.
// So the innermost code contains `base + inner`: dense accesses remain visible and intervals remain short.
//
// Tails, unless the factor divides a known extent:
//   RoundUp                  as above
//   ShiftInwards             base = min(outer * factor + min, max + 1 - factor)
//   the others               as above, with a condition base + inner <= max for
//     GuardWithIf              the body of the loop
//     Predicate                the loads and stores of the definition
//     PredicateLoads, -Stores  one of these
//     RoundUpAndBlend          the new value: where it does not hold, the old one is stored again
//   ShiftInwardsAndBlend     as ShiftInwards; blends under base + inner >= outer * factor + min
// In memory that also holds values of other iterations, the blending strategies do not store where the condition fails.
//
// Auto chooses as Halide does: ShiftInwards for pure definitions, GuardWithIf for RVars. For pure Vars of updates it
// chooses RoundUp, except on outputs, whose buffers have the requested size, and where the extent varies over the
// enclosing loops of a consumer: there it chooses GuardWithIf. The outer part of a split that has a tail already gets
// RoundUp, because that tail excludes the excess iterations. In updates, the inner part of a split gets GuardWithIf
// instead of RoundUp: rounded up, it would run into the next piece, and an update that runs twice on a point changes it
// twice.
//
// Seen from inside loop k, loops further in range over their extents and the others are fixed (vars_at, loops_at). A
// split under GuardWithIf or Predicate binds base + inner to a name. Funcs computed inside refer to the name, and seen
// from further out, the interval of the name ends at max.
// Cost: linear in splits, a few simplifications each.

#include "loopnest/regions/stage_nest.h"

#include "ir/let_symbol.h"
#include "loopnest/fault.h"
#include "rewrite/simplify.h"

#include <algorithm>

namespace fluorite::loopnest {

using namespace ir;
using analysis::Interval;
using analysis::Scope;
using rewrite::simplify;

namespace {

Expr plus_one(const Expr &e) { return add(e, int32(1)); }
Expr minus_one(const Expr &e) { return sub(e, int32(1)); }

std::optional<int64_t> known(const Expr &expr) { return rewrite::constant_value(expr); }

/// The number of pieces of length `factor`. The first form avoids overflow for large factors; the second simplifies
/// better.
Expr number_of_pieces(const Expr &extent, const Expr &factor) {
    const std::optional<int64_t> by = known(factor);
    if (is_planted(Fault::Pieces)) {
        return div(extent, factor);
    }
    return by && *by > most_idle_iterations ? plus_one(div(minus_one(extent), factor))
                                            : div(add(extent, minus_one(factor)), factor);
}

} // namespace

StageNest::StageNest(const LoweringGraph &graph, FuncId func, int stage, const Region &region, Storage storage,
                     bool is_steady)
    : func_(func), stage_(stage), is_update_(graph.variant(func, stage).definition > 0),
      is_output_(graph.pipeline.graph.is_output(func)), storage_(storage), is_steady_(is_steady) {
    const FuncDef &def = graph.func(func);
    const Stage &definition = def.stages[static_cast<size_t>(stage)];
    const schedule::StageSchedule &schedule = graph.schedule(func).stages[static_cast<size_t>(stage)];
    prefix_ = def.name() + ".s" + std::to_string(stage) + ".";
    std::vector<int> current; // nodes that are loops at this point
    for (const ReductionVar &rvar : definition.rvars) {
        Expr max = simplify(minus_one(add(rvar.min, rvar.extent)));
        int node = add_node(rvar.name, simplify(rvar.min), max, simplify(rvar.extent));
        current.push_back(node);
        variables_.emplace_back(rvar.var, node);
    }
    for (size_t d = 0; d < def.args.size(); d++) {
        const Expr &arg = definition.args[d];
        if (!is_kind(arg, ExprKind::Variable) || !(arg->symbol() == def.args[d])) {
            continue; // this dimension is not a loop of the update
        }
        Expr extent = simplify(plus_one(sub(region.exact_max[d], region.exact_min[d])));
        const bool is_expanded =
            !region.exact_max[d].same_as(region.max[d]) || !region.exact_min[d].same_as(region.min[d]);
        if (is_expanded && !is_const(extent)) {
            extent = simplify(plus_one(sub(region.max[d], region.min[d])));
        }
        int node = add_node(def.arg_names[d], region.min[d], region.max[d], extent);
        current.push_back(node);
        variables_.emplace_back(def.args[d], node);
    }
    for (const schedule::Split &split : schedule.splits) {
        switch (split.kind) {
        case schedule::Split::Kind::Split:
            apply_split(split, current);
            break;
        case schedule::Split::Kind::Fuse:
            apply_fuse(split, current);
            break;
        case schedule::Split::Kind::Rename:
            for (int &node : current) {
                if (nodes_[static_cast<size_t>(node)].name == split.old_var) {
                    Node &old = nodes_[static_cast<size_t>(node)];
                    old.name = split.outer;
                }
            }
            break;
        }
    }
    finish(schedule, current);
}

int StageNest::add_node(const std::string &name, const Expr &min, const Expr &max, const Expr &extent) {
    int index = static_cast<int>(nodes_.size());
    Node node;
    // Placeholders: the number distinguishes successive loops of one name until the final names are given.
    node.symbol = Symbol(SymbolKind::Loop, prefix_ + name + "#" + std::to_string(index));
    node.name = name;
    node.min = min, node.max = max, node.extent = extent;
    node.known_extent = known(extent);
    nodes_.push_back(node);
    return index;
}

TailStrategy StageNest::resolve_tail(const schedule::Split &split, const Node &old) const {
    const bool rounds = split.tail == TailStrategy::RoundUp || split.tail == TailStrategy::Auto;
    if (is_update_ && old.overlaps && rounds) {
        return TailStrategy::GuardWithIf; // an update that runs twice on a point changes it twice
    }
    if (split.tail == TailStrategy::PredicateLoads && storage_ == Storage::Shared) {
        return TailStrategy::Predicate; // beyond the end are values of other iterations
    }
    if (split.tail != TailStrategy::Auto) {
        return split.tail;
    }
    if (split.exact) {
        return TailStrategy::GuardWithIf;
    }
    if (old.covered) {
        return TailStrategy::RoundUp; // the tail of the enclosing split excludes the excess iterations
    }
    if (!is_update_) {
        return TailStrategy::ShiftInwards;
    }
    // If the extent varies over the enclosing loops of a consumer, the amount that rounding adds would be added to the
    // maximum: further out, the least point and the extent range independently, and nearly twice the region would be
    // required.
    const bool may_round = !is_output_ && (is_steady_ || old.known_extent);
    return may_round ? TailStrategy::RoundUp : TailStrategy::GuardWithIf;
}

void StageNest::apply_split(const schedule::Split &split, std::vector<int> &current) {
    auto at = std::find_if(current.begin(), current.end(),
                           [&](int node) { return nodes_[static_cast<size_t>(node)].name == split.old_var; });
    check(at != current.end(), "a split names a loop of the stage: " + split.old_var);
    int old_index = *at;
    Node old = nodes_[static_cast<size_t>(old_index)];
    Expr factor = split.factor;
    std::optional<int64_t> extent = old.known_extent, by = known(factor);
    Expr pieces = extent && by ? int32((*extent + *by - 1) / *by) : simplify(number_of_pieces(old.extent, factor));
    int outer = add_node(split.outer, int32(0), simplify(minus_one(pieces)), pieces);
    old.kind = Node::Kind::Split;
    old.factor = factor;
    old.tail = resolve_tail(split, old);
    const bool is_guarded = old.tail == TailStrategy::GuardWithIf || old.tail == TailStrategy::Predicate;
    // Further iterations of a piece that is longer than the whole loop would only take time.
    const Expr length = is_guarded && by && *by > most_idle_iterations ? simplify(min_of(factor, old.extent)) : factor;
    int inner = add_node(split.inner, int32(0), simplify(minus_one(length)), length);
    old.outer = outer, old.inner = inner;
    old.exact = (extent && by && *extent % *by == 0) || (by && *by == 1) ||
                is_true(simplify(equals(mod(old.extent, factor), int32(0))));
    if (split.tail != TailStrategy::Auto && split.tail != old.tail && !old.exact) {
        changed_tails_.push_back({split.old_var, split.tail, old.tail,
                                  old.tail == TailStrategy::Predicate
                                      ? "beyond the end lie values of other iterations"
                                      : "an update that runs twice on a point changes it twice"});
    }
    Expr start = add(mul(make_var(Int(32), nodes_[static_cast<size_t>(outer)].symbol), factor), old.min);
    old.start = start;
    if (old.shifts()) {
        start = min_of(start, sub(plus_one(old.max), factor));
    }
    Base base;
    base.symbol =
        let_symbol(prefix_ + old.name + ".base" + (bases_.empty() ? "" : std::to_string(bases_.size())), start);
    base.value = start;
    old.base_def = static_cast<int>(bases_.size());
    bases_.push_back(base);
    const bool bounded = old.shifts() || old.clips(Touch::Either);
    nodes_[static_cast<size_t>(outer)].covered = bounded || old.covered;
    nodes_[static_cast<size_t>(inner)].covered = old.covered;
    nodes_[static_cast<size_t>(outer)].overlaps = old.overlaps;
    nodes_[static_cast<size_t>(inner)].overlaps = true;
    nodes_[static_cast<size_t>(outer)].is_part = nodes_[static_cast<size_t>(inner)].is_part = true;
    nodes_[static_cast<size_t>(old_index)] = old;
    *at = inner;
    current.push_back(outer);
}

void StageNest::apply_fuse(const schedule::Split &split, std::vector<int> &current) {
    auto find = [&](const std::string &name) {
        auto at = std::find_if(current.begin(), current.end(),
                               [&](int node) { return nodes_[static_cast<size_t>(node)].name == name; });
        check(at != current.end(), "a fuse names loops of the stage: " + name);
        return *at;
    };
    int inner = find(split.inner), outer = find(split.outer);
    Expr extent = simplify(mul(nodes_[static_cast<size_t>(outer)].extent, nodes_[static_cast<size_t>(inner)].extent));
    int fused = add_node(split.old_var, int32(0), simplify(minus_one(extent)), extent);
    nodes_[static_cast<size_t>(fused)].overlaps =
        nodes_[static_cast<size_t>(outer)].overlaps || nodes_[static_cast<size_t>(inner)].overlaps;
    nodes_[static_cast<size_t>(fused)].is_part =
        nodes_[static_cast<size_t>(outer)].is_part || nodes_[static_cast<size_t>(inner)].is_part;
    Expr var = make_var(Int(32), nodes_[static_cast<size_t>(fused)].symbol);
    Expr width = nodes_[static_cast<size_t>(inner)].extent;
    for (int part : {outer, inner}) {
        Node &node = nodes_[static_cast<size_t>(part)];
        node.kind = Node::Kind::Fuse;
        node.fused = fused;
        node.is_outer_part = part == outer;
        node.width = width;
        Base base;
        base.value = add(part == outer ? div(var, width) : mod(var, width), node.min);
        base.symbol = let_symbol(prefix_ + node.name + ".of_fused" + std::to_string(bases_.size()), base.value);
        node.base_def = static_cast<int>(bases_.size());
        bases_.push_back(base);
    }
    current.erase(
        std::remove_if(current.begin(), current.end(), [&](int node) { return node == inner || node == outer; }),
        current.end());
    current.push_back(fused);
}

// The value of a node in terms of loop variables and defs.
Expr StageNest::value_of(int index) {
    Expr &done = resolved_[static_cast<size_t>(index)];
    if (done.defined()) {
        return done;
    }
    const Node &node = nodes_[static_cast<size_t>(index)];
    switch (node.kind) {
    case Node::Kind::Leaf:
        done = make_var(Int(32), loops_[static_cast<size_t>(node.loop)].var);
        break;
    case Node::Kind::Split:
        done = add(make_var(Int(32), bases_[static_cast<size_t>(node.base_def)].symbol), value_of(node.inner));
        break;
    case Node::Kind::Fuse:
        done = make_var(Int(32), bases_[static_cast<size_t>(node.base_def)].symbol);
        break;
    }
    return done;
}

int StageNest::depth_of(const Expr &expr) const {
    int depth = static_cast<int>(loops_.size());
    for_each_node(expr, [&](const Expr &node) {
        if (node->kind() != ExprKind::Variable) {
            return;
        }
        for (size_t i = 0; i < loops_.size(); i++) {
            if (loops_[i].var == node->symbol()) {
                depth = std::min(depth, static_cast<int>(i));
            }
        }
        for (const NestDef &def : defs_) {
            if (def.symbol == node->symbol()) {
                depth = std::min(depth, def.depth);
            }
        }
    });
    return depth;
}

void StageNest::finish(const schedule::StageSchedule &schedule, const std::vector<int> &current) {
    check(schedule.dims.size() == current.size(), "the loops of " + prefix_ + " are those that its splits leave");
    for (size_t position = 0; position < schedule.dims.size(); position++) {
        const schedule::LoopDim &dim = schedule.dims[position];
        bool found = false;
        for (int index : current) {
            Node &node = nodes_[static_cast<size_t>(index)];
            if (node.name != dim.var) {
                continue;
            }
            node.loop = static_cast<int>(position);
            SymbolOwner owner;
            owner.func = func_.value, owner.stage = stage_, owner.dim = static_cast<int>(position);
            const Symbol var(SymbolKind::Loop, prefix_ + dim.var, owner);
            loops_.push_back({var, var, dim.var, node.min, node.extent, dim.for_type, dim.partition,
                              static_cast<bool>(dim.distributed)});
            found = true;
        }
        check(found, "loop " + dim.var + " of " + prefix_ + " exists");
    }
    resolved_.resize(nodes_.size());
    // Computes the bases in terms of loops, later splits first, because earlier ones refer to their results.
    for (size_t i = bases_.size(); i-- > 0;) {
        SymbolMap<Expr> placeholders;
        for (size_t n = 0; n < nodes_.size(); n++) {
            if (uses_symbol(bases_[i].value, nodes_[n].symbol)) {
                placeholders[nodes_[n].symbol] = value_of(static_cast<int>(n));
            }
        }
        Expr value = simplify(substitute(bases_[i].value, placeholders));
        int depth = depth_of(value);
        bases_[i].depth = depth;
        defs_.push_back({bases_[i].symbol, value, depth});
    }
    for (auto &[symbol, node] : variables_) {
        values_[symbol] = value_of(node);
    }
    for (Node &node : nodes_) {
        if (node.kind == Node::Kind::Split && !node.exact) {
            add_guard(node);
        }
        if (node.kind == Node::Kind::Split && node.clips(Touch::Either)) {
            name_point(node);
        }
    }
}

void StageNest::name_point(Node &node) {
    const Expr value = value_of(static_cast<int>(&node - nodes_.data()));
    // Several splits may have loops of one name; the number keeps the symbols apart.
    node.point = let_symbol(prefix_ + node.name + ".point" + std::to_string(defs_.size()), value);
    node.point_depth = depth_of(value);
    defs_.push_back({node.point, value, node.point_depth});
}

void StageNest::add_guard(const Node &node) {
    const Expr value = value_of(static_cast<int>(&node - nodes_.data()));
    Expr condition = is_planted(Fault::Tail) ? less(value, node.max) : less_equal(value, node.max);
    NestGuard::Kind kind = NestGuard::Kind::Body;
    switch (node.tail) {
    case TailStrategy::RoundUp:
    case TailStrategy::ShiftInwards:
    case TailStrategy::Auto:
        return;
    case TailStrategy::GuardWithIf:
        break;
    case TailStrategy::Predicate:
        kind = NestGuard::Kind::Accesses;
        break;
    case TailStrategy::PredicateLoads:
        kind = NestGuard::Kind::Loads;
        break;
    case TailStrategy::PredicateStores:
        kind = NestGuard::Kind::Stores;
        break;
    case TailStrategy::RoundUpAndBlend:
        kind = NestGuard::Kind::Blend;
        break;
    case TailStrategy::ShiftInwardsAndBlend: {
        kind = NestGuard::Kind::Blend;
        const Expr outer = value_of(node.outer);
        condition = less_equal(substitute(node.start, nodes_[static_cast<size_t>(node.outer)].symbol, outer), value);
        break;
    }
    }
    if (kind == NestGuard::Kind::Blend && (storage_ == Storage::Shared || node.is_part)) {
        kind = NestGuard::Kind::Stores; // another lane may store to the point meanwhile
    }
    condition = make_unary(ExprKind::Likely, condition);
    guards_.push_back({condition, depth_of(condition), kind});
}

bool StageNest::Node::shifts() const {
    return !exact && (tail == TailStrategy::ShiftInwards || tail == TailStrategy::ShiftInwardsAndBlend);
}

// Whether accesses of this kind do not go beyond max.
bool StageNest::Node::clips(Touch touch) const {
    const bool both = tail == TailStrategy::GuardWithIf || tail == TailStrategy::Predicate ||
                      (tail == TailStrategy::RoundUp && touch == Touch::Wanted);
    const bool one = (tail == TailStrategy::PredicateLoads && (touch == Touch::Read || touch == Touch::Wanted)) ||
                     (tail == TailStrategy::PredicateStores && touch == Touch::Write);
    return !exact && (both || one);
}

bool StageNest::touches_alike() const {
    return std::all_of(nodes_.begin(), nodes_.end(), [](const Node &node) {
        const bool clips = node.clips(Touch::Either);
        return node.clips(Touch::Read) == clips && node.clips(Touch::Write) == clips &&
               node.clips(Touch::Wanted) == clips;
    });
}

bool StageNest::ranges_fully(int index, int loop) const {
    const Node &node = nodes_[static_cast<size_t>(index)];
    switch (node.kind) {
    case Node::Kind::Leaf:
        return node.loop < loop;
    case Node::Kind::Split:
        return ranges_fully(node.outer, loop) && ranges_fully(node.inner, loop);
    case Node::Kind::Fuse:
        return ranges_fully(node.fused, loop);
    }
    return false;
}

// The interval of base + inner for a split all of whose loops range. If the parts have exactly their own ranges, this
// is the original range.
Interval StageNest::full_interval(const Node &node, const Interval &outer, const Interval &inner, Touch touch) const {
    const Node &outer_node = nodes_[static_cast<size_t>(node.outer)];
    bool outer_exact = is_zero(outer.min) && equal(outer.max, outer_node.max);
    const Node &inner_node = nodes_[static_cast<size_t>(node.inner)];
    bool inner_exact = is_zero(inner.min) && equal(simplify(inner.max), inner_node.max);
    const bool shifts = node.shifts(), clipped = node.clips(touch);
    const Expr last = sub(plus_one(node.max), node.factor); // ShiftInwards: the greatest base
    const bool ends_at_max = inner_exact && (shifts || (node.exact && outer_exact));
    const auto base = [&](const Expr &piece) { return simplify(add(node.min, mul(piece, node.factor))); };
    Expr low, high;
    if (shifts) {
        const std::optional<int64_t> by = known(node.factor);
        const bool is_whole = node.known_extent && by && *node.known_extent >= *by && is_zero(outer.min);
        low = is_whole ? node.min : simplify(min_of(base(outer.min), last));
    } else {
        low = base(outer.min);
    }
    if (!ends_at_max) {
        high = shifts || (node.exact && outer_exact) ? simplify(last) : base(outer.max);
    }
    Interval result{simplify(add(low, inner.min)), ends_at_max ? node.max : simplify(add(high, inner.max))};
    if (clipped) {
        result.max = outer_exact && inner_exact ? node.max : simplify(min_of(result.max, node.max));
    }
    return result;
}

// The interval of one part of a fused loop that ranges.
Interval StageNest::part_interval(const Node &node, View &view) const {
    const Node &whole = nodes_[static_cast<size_t>(node.fused)];
    Interval fused = interval_of(node.fused, view);
    bool stays = ranges_fully(node.fused, view.loop) && is_zero(fused.min) && equal(fused.max, whole.max);
    if (stays || !node.is_outer_part) {
        return {node.min, node.max};
    }
    // Where there are iterations, the width is not 0.
    Scope scope;
    scope[whole.symbol] = fused;
    Expr part = div(make_var(Int(32), whole.symbol), max_of(node.width, int32(1)));
    return analysis::bounds_of(add(part, node.min), scope);
}

Interval StageNest::interval_of(int index, View &view) const {
    const size_t at = static_cast<size_t>(index);
    const int loop = view.loop;
    if (view.done[at]) {
        return view.memo[at];
    }
    const Node &node = nodes_[at];
    Interval result;
    switch (node.kind) {
    case Node::Kind::Leaf:
        result = node.loop < loop ? Interval{node.min, node.max}
                                  : Interval::point(make_var(Int(32), loops_[static_cast<size_t>(node.loop)].own));
        break;
    case Node::Kind::Split: {
        Interval outer = interval_of(node.outer, view), inner = interval_of(node.inner, view);
        const Base &base = bases_[static_cast<size_t>(node.base_def)];
        if (ranges_fully(index, loop)) {
            result = full_interval(node, outer, inner, view.touch);
            break;
        }
        Interval start;
        if (base.depth >= loop) {
            start = Interval::point(make_var(Int(32), base.symbol));
        } else {
            Scope scope;
            scope[nodes_[static_cast<size_t>(node.outer)].symbol] = outer;
            start = analysis::bounds_of(base.value, scope);
        }
        result = {simplify(add(start.min, inner.min)), simplify(add(start.max, inner.max))};
        const bool runs_beyond = node.tail == TailStrategy::PredicateLoads && node.clips(view.touch);
        if (node.point_depth >= loop) {
            result = Interval::point(make_var(Int(32), node.point));
        } else if (start.is_point() && inner.is_point() && !runs_beyond) {
            result.max = result.min;
        } else if (node.clips(view.touch)) {
            result.max = simplify(min_of(result.max, node.max));
        }
        break;
    }
    case Node::Kind::Fuse: {
        const Base &base = bases_[static_cast<size_t>(node.base_def)];
        if (base.depth >= loop) {
            result = Interval::point(make_var(Int(32), base.symbol));
        } else {
            result = part_interval(node, view);
        }
        break;
    }
    }
    view.memo[at] = result;
    view.done[at] = true;
    return result;
}

StageNest::View StageNest::view(int loop, Touch touch) const {
    return {loop, touch, std::vector<Interval>(nodes_.size()), std::vector<bool>(nodes_.size())};
}

Scope StageNest::vars_at(int loop, Touch touch) const {
    View seen = view(loop, touch);
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

void StageNest::fuse(int first, const std::vector<SharedLoop> &shared) {
    first_shared_ = first;
    for (size_t i = 0; i < shared.size(); i++) {
        NestLoop &loop = loops_[static_cast<size_t>(first) + i];
        const Expr last = minus_one(add(loop.min, loop.extent));
        own_vars_.push_back({loop.own, shared[i].own, first});
        const Expr var = make_var(Int(32), loop.own);
        own_range_.push_back(logical_and(less_equal(loop.min, var), less_equal(var, last)));
        shared_[loop.own] = simplify(max_of(min_of(shared[i].own, last), loop.min));
        loop.var = shared[i].var;
        loop.min = shared[i].min;
        loop.extent = shared[i].extent;
    }
    for (const NestDef &def : defs_) {
        if (def.depth >= first) {
            shared_[def.symbol] = simplify(substitute(def.value, shared_));
        }
    }
}

Scope StageNest::loops_at(int loop) const {
    View seen = view(loop, Touch::Either);
    Scope scope;
    for (size_t i = 0; i < nodes_.size(); i++) {
        const Node &node = nodes_[i];
        if (node.kind == Node::Kind::Leaf && node.loop < loop) {
            const NestLoop &its = loops_[static_cast<size_t>(node.loop)];
            scope[its.own] = {node.min, node.max};
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
        if (node.base_def < 0 || bases_[static_cast<size_t>(node.base_def)].depth >= loop) {
            continue;
        }
        const Base &base = bases_[static_cast<size_t>(node.base_def)];
        if (node.kind == Node::Kind::Fuse) {
            scope[base.symbol] = interval_of(static_cast<int>(i), seen);
            continue;
        }
        Interval outer = interval_of(node.outer, seen);
        Scope inner_scope;
        inner_scope[nodes_[static_cast<size_t>(node.outer)].symbol] = outer;
        Interval interval = analysis::bounds_of(base.value, inner_scope);
        if (ranges_fully(node.outer, loop) && node.shifts()) {
            interval.max = simplify(sub(plus_one(node.max), node.factor));
        } else if (ranges_fully(node.outer, loop) && node.exact &&
                   equal(outer.max, nodes_[static_cast<size_t>(node.outer)].max)) {
            interval.max = simplify(sub(plus_one(node.max), node.factor));
        }
        scope[base.symbol] = interval;
    }
    return loop >= first_shared() ? in_shared(std::move(scope)) : scope;
}

} // namespace fluorite::loopnest
