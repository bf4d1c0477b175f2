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
// A skew replaces a node by skewed = old + factor * by. Its range is affine in the loops of `by` where they are all
// around its own; where they are all inside of them, it has all values, and `by` is limited to where
// old = skewed - factor * by is in its range; otherwise (tiles) a condition leaves out the iterations where it is not.
//
// What is in range as seen from inside a loop: stage_intervals.cpp.
// Cost: linear in splits, a few simplifications each.

#include "loopnest/regions/stage_nest.h"

#include "ir/let_symbol.h"
#include "rewrite/simplify.h"

#include <algorithm>

namespace fluorite::loopnest {

using namespace ir;
using rewrite::simplify;

namespace {

std::optional<int64_t> known(const Expr &expr) { return rewrite::constant_value(expr); }

/// The number of pieces of length `factor`. The first form avoids overflow for large factors; the second simplifies
/// better.
Expr number_of_pieces(const Expr &extent, const Expr &factor) {
    const std::optional<int64_t> by = known(factor);
    return by && *by > most_idle_iterations ? plus_one(div(minus_one(extent), factor))
                                            : div(add(extent, minus_one(factor)), factor);
}

} // namespace

StageNest::StageNest(const LoweringGraph &graph, StageId id, const Region &region, Storage storage, bool is_steady)
    : id_(id), is_update_(graph.variant(id).definition > 0), is_output_(graph.pipeline.graph.is_output(id.func)),
      storage_(storage), is_steady_(is_steady) {
    const FuncDef &def = graph.func(id.func);
    const Stage &definition = graph.stage(id);
    const schedule::StageSchedule &schedule = graph.schedule(id);
    prefix_ = def.name() + ".s" + std::to_string(id.stage) + ".";
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
    for (size_t step = 0; step < schedule.splits.size(); step++) {
        const schedule::Split &split = schedule.splits[step];
        switch (split.kind) {
        case schedule::Split::Kind::Split:
            apply_split(split, current);
            break;
        case schedule::Split::Kind::Fuse:
            apply_fuse(split, current);
            break;
        case schedule::Split::Kind::Rename:
            node_at(find_node(current, split.old_var)).name = split.outer;
            break;
        case schedule::Split::Kind::Skew:
            apply_skew(schedule, step, current);
            break;
        }
    }
    finish(schedule, current);
}

int StageNest::find_node(const std::vector<int> &current, const std::string &name) const {
    const auto at = std::find_if(current.begin(), current.end(), [&](int node) { return node_at(node).name == name; });
    check(at != current.end(), "a step names a loop of the stage: " + name);
    return *at;
}

int StageNest::add_node(const std::string &name, const Expr &min, const Expr &max, const Expr &extent) {
    int index = static_cast<int>(nodes_.size());
    Node node;
    // Placeholders: the number distinguishes successive loops of one name until the final names are given.
    node.symbol = Symbol(SymbolKind::Loop, prefix_ + name + "#" + std::to_string(index));
    node.name = name;
    node.min = min, node.max = max, node.extent = extent;
    node.wide_min = min, node.wide_max = max, node.wide_extent = extent;
    node.known_extent = known(extent);
    nodes_.push_back(node);
    return index;
}

/// States that the node's range refers to symbols of other nodes, and what it is over all of their iterations.
void StageNest::let_vary(Node &node, std::vector<int> with, const Expr &wide_min, const Expr &wide_max,
                         const Expr &wide_extent) const {
    node.varies_with = std::move(with);
    node.wide_min = simplify(wide_min), node.wide_max = simplify(wide_max), node.wide_extent = simplify(wide_extent);
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
    const int old_index = find_node(current, split.old_var);
    Node old = node_at(old_index);
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
    if (!old.varies_with.empty()) {
        const Expr wide_pieces = number_of_pieces(old.wide_extent, factor);
        let_vary(node_at(outer), old.varies_with, int32(0), minus_one(wide_pieces), wide_pieces);
        let_vary(node_at(inner), old.varies_with, int32(0), minus_one(factor), factor);
    }
    old.outer = outer, old.inner = inner;
    old.exact = (extent && by && *extent % *by == 0) || (by && *by == 1) ||
                is_true(simplify(equals(mod(old.extent, factor), int32(0))));
    if (split.tail != TailStrategy::Auto && split.tail != old.tail && !old.exact) {
        changed_tails_.push_back({split.old_var, split.tail, old.tail,
                                  old.tail == TailStrategy::Predicate
                                      ? "beyond the end lie values of other iterations"
                                      : "an update that runs twice on a point changes it twice"});
    }
    Expr start = add(mul(make_var(Int(32), node_at(outer).symbol), factor), old.min);
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
    const bool bounded = old.shifts() || old.clips(AccessKind::Either);
    node_at(outer).covered = bounded || old.covered;
    node_at(inner).covered = old.covered;
    node_at(outer).overlaps = old.overlaps;
    node_at(inner).overlaps = true;
    node_at(outer).is_part = node_at(inner).is_part = true;
    node_at(old_index) = old;
    std::replace(current.begin(), current.end(), old_index, inner);
    current.push_back(outer);
}

void StageNest::apply_fuse(const schedule::Split &split, std::vector<int> &current) {
    const int inner = find_node(current, split.inner), outer = find_node(current, split.outer);
    Expr extent = simplify(mul(node_at(outer).extent, node_at(inner).extent));
    int fused = add_node(split.old_var, int32(0), simplify(minus_one(extent)), extent);
    std::vector<int> varies_with = node_at(outer).varies_with;
    varies_with.insert(varies_with.end(), node_at(inner).varies_with.begin(), node_at(inner).varies_with.end());
    if (!varies_with.empty()) {
        const Expr wide = mul(node_at(outer).wide_extent, node_at(inner).wide_extent);
        let_vary(node_at(fused), varies_with, int32(0), minus_one(wide), wide);
    }
    node_at(fused).overlaps = node_at(outer).overlaps || node_at(inner).overlaps;
    node_at(fused).is_part = node_at(outer).is_part || node_at(inner).is_part;
    Expr var = make_var(Int(32), node_at(fused).symbol);
    Expr width = node_at(inner).extent;
    for (int part : {outer, inner}) {
        Node &node = node_at(part);
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

namespace {

/// The loops into which steps from `first` on turn a loop, and those whose values they add to it.
std::vector<std::string> loops_from(const schedule::StageSchedule &schedule, size_t first, const std::string &name) {
    std::vector<std::string> names = {name};
    const auto take = [&](const std::string &old) { return std::erase(names, old) > 0; };
    for (size_t i = first; i < schedule.splits.size(); i++) {
        const schedule::Split &split = schedule.splits[i];
        switch (split.kind) {
        case schedule::Split::Kind::Split:
        case schedule::Split::Kind::Skew:
            if (take(split.old_var)) {
                names.insert(names.end(), {split.outer, split.inner});
            }
            break;
        case schedule::Split::Kind::Fuse: {
            const bool inner = take(split.inner), outer = take(split.outer);
            if (inner || outer) {
                names.push_back(split.old_var);
            }
            break;
        }
        case schedule::Split::Kind::Rename:
            if (take(split.old_var)) {
                names.push_back(split.outer);
            }
            break;
        }
    }
    return names;
}

/// Whether all loops of one list are inside of all loops of another one.
bool are_inside(const schedule::StageSchedule &schedule, const std::vector<std::string> &inner,
                const std::vector<std::string> &outer) {
    const auto position = [&](const std::string &name) {
        return std::find_if(schedule.dims.begin(), schedule.dims.end(),
                            [&](const schedule::LoopDim &dim) { return dim.var == name; });
    };
    return std::all_of(inner.begin(), inner.end(), [&](const std::string &in) {
        return std::all_of(outer.begin(), outer.end(),
                           [&](const std::string &out) { return position(in) < position(out); });
    });
}

} // namespace

void StageNest::apply_skew(const schedule::StageSchedule &schedule, size_t step, std::vector<int> &current) {
    const schedule::Split &split = schedule.splits[step];
    const int old_index = find_node(current, split.old_var), by_index = find_node(current, split.inner);
    const Node old = node_at(old_index), by = node_at(by_index);
    const int64_t factor = known(split.factor).value();
    const auto shifted = [&](const Expr &value) { return mul(value, split.factor); };
    const bool is_up = factor > 0;
    // All values of the skewed loop.
    const Expr least = simplify(add(old.wide_min, shifted(is_up ? by.wide_min : by.wide_max)));
    const Expr greatest = simplify(add(old.wide_max, shifted(is_up ? by.wide_max : by.wide_min)));
    const Expr count = simplify(plus_one(sub(greatest, least)));
    const auto exact = [&](const Expr &own, const Expr &end) {
        return add(make_cast(Int(64), own), mul(make_cast(Int(64), end), make_int(Int(64), factor)));
    };
    skewed_ranges_.push_back({split.outer, exact(old.wide_min, is_up ? by.wide_min : by.wide_max),
                              exact(old.wide_max, is_up ? by.wide_max : by.wide_min)});

    const bool is_simple = old.varies_with.empty() && by.varies_with.empty();
    const std::vector<std::string> loops_of_skewed = loops_from(schedule, step + 1, split.outer),
                                   loops_of_by = loops_from(schedule, step + 1, split.inner);
    const bool is_inside = is_simple && are_inside(schedule, loops_of_skewed, loops_of_by);
    int skewed = -1;
    if (is_inside) {
        const Expr shift = shifted(make_var(Int(32), by.symbol));
        skewed = add_node(split.outer, add(old.min, shift), add(old.max, shift), old.extent);
        let_vary(node_at(skewed), {by_index}, least, greatest, count);
    } else {
        skewed = add_node(split.outer, least, greatest, count);
    }
    Node &made = node_at(skewed);
    made.is_part = old.is_part || by.is_part;
    made.overlaps = true;
    if (is_simple && !is_inside && are_inside(schedule, loops_of_by, loops_of_skewed)) {
        limit_to_diagonals(skewed, by_index, old, factor);
        if (std::abs(factor) > 1) { // some diagonals may have no iteration
            conditions_.push_back(less_equal(node_at(by_index).min, node_at(by_index).max));
        }
    } else if (!is_inside) {
        const Expr value = make_var(Int(32), old.symbol);
        conditions_.push_back(logical_and(less_equal(old.min, value), less_equal(value, old.max)));
    }
    Node &node = node_at(old_index);
    node.kind = Node::Kind::Skew;
    node.outer = skewed, node.inner = by_index;
    node.factor = split.factor;
    std::replace(current.begin(), current.end(), old_index, skewed);
}

/// The loop `by` inside of the skewed one: only iterations in which old = skewed - factor * by is in its range.
void StageNest::limit_to_diagonals(int skewed, int by, const Node &old, int64_t factor) {
    const Expr diagonal = make_var(Int(32), node_at(skewed).symbol);
    const Expr steps = int32(std::abs(factor));
    // by is at least `low` / steps and at most `high` / steps.
    const Expr low = factor > 0 ? sub(diagonal, old.max) : sub(old.min, diagonal);
    const Expr high = factor > 0 ? sub(diagonal, old.min) : sub(old.max, diagonal);
    Node &limited = node_at(by);
    const Expr min = limited.min, max = limited.max, extent = limited.extent;
    limited.min = simplify(max_of(min, div(add(low, minus_one(steps)), steps)));
    limited.max = simplify(min_of(max, div(high, steps)));
    limited.extent = simplify(plus_one(sub(limited.max, limited.min)));
    limited.known_extent = known(limited.extent);
    let_vary(limited, {skewed}, min, max, extent);
}

Expr StageNest::resolved(const Expr &expr) {
    SymbolMap<Expr> values;
    for (size_t n = 0; n < nodes_.size(); n++) {
        if (uses_symbol(expr, nodes_[n].symbol)) {
            values[nodes_[n].symbol] = value_of(static_cast<int>(n));
        }
    }
    return values.empty() ? expr : simplify(substitute(expr, values));
}

// The value of a node in terms of loop variables and defs.
Expr StageNest::value_of(int index) {
    Expr &done = resolved_[static_cast<size_t>(index)];
    if (done.defined()) {
        return done;
    }
    const Node &node = node_at(index);
    switch (node.kind) {
    case Node::Kind::Leaf:
        done = make_var(Int(32), loop(LoopId(node.loop)).var);
        break;
    case Node::Kind::Split:
        done = add(make_var(Int(32), base_of(node).symbol), value_of(node.inner));
        break;
    case Node::Kind::Fuse:
        done = make_var(Int(32), base_of(node).symbol);
        break;
    case Node::Kind::Skew:
        done = sub(value_of(node.outer), mul(value_of(node.inner), node.factor));
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
            Node &node = node_at(index);
            if (node.name != dim.var) {
                continue;
            }
            node.loop = static_cast<int>(position);
            SymbolOwner owner;
            owner.func = id_.func, owner.stage = id_.stage, owner.dim = DimId(position);
            const Symbol var(SymbolKind::Loop, prefix_ + dim.var, owner);
            loops_.push_back({var, var, dim.var, node.min, node.extent, dim.for_type, dim.partition,
                              static_cast<bool>(dim.distributed)});
            found = true;
        }
        check(found, "loop " + dim.var + " of " + prefix_ + " exists");
    }
    outermost_.assign(nodes_.size(), -1);
    for (size_t n = 0; n < nodes_.size(); n++) {
        find_outermost(static_cast<int>(n));
    }
    resolved_.resize(nodes_.size());
    // Computes the bases in terms of loops, later splits first, because earlier ones refer to their results.
    for (size_t i = bases_.size(); i-- > 0;) {
        const Expr value = simplify(resolved(bases_[i].value));
        int depth = depth_of(value);
        bases_[i].depth = depth;
        defs_.push_back({bases_[i].symbol, value, depth});
    }
    for (auto &[symbol, node] : variables_) {
        values_[symbol] = value_of(node);
    }
    for (NestLoop &loop : loops_) {
        loop.min = resolved(loop.min);
        loop.extent = resolved(loop.extent);
    }
    for (Node &node : nodes_) {
        if (node.kind == Node::Kind::Skew) {
            name_point(node);
        }
        if (node.kind == Node::Kind::Split && !node.exact) {
            add_guard(node);
        }
        if (node.kind == Node::Kind::Split && node.clips(AccessKind::Either)) {
            name_point(node);
        }
    }
    for (const Expr &condition : conditions_) {
        const Expr likely = make_unary(ExprKind::Likely, resolved(condition));
        guards_.push_back({likely, depth_of(likely), NestGuard::Kind::Body});
    }
}

int StageNest::find_outermost(int index) {
    int &found = outermost_[static_cast<size_t>(index)];
    const Node &node = node_at(index);
    if (found < 0) {
        switch (node.kind) {
        case Node::Kind::Leaf:
            found = node.loop;
            break;
        case Node::Kind::Split:
        case Node::Kind::Skew:
            found = std::max(find_outermost(node.outer), find_outermost(node.inner));
            break;
        case Node::Kind::Fuse:
            found = find_outermost(node.fused);
            break;
        }
    }
    return found;
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
    const Expr max = resolved(node.max);
    Expr condition = less_equal(value, max);
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
        condition = less_equal(substitute(node.start, node_at(node.outer).symbol, outer), value);
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
bool StageNest::Node::clips(AccessKind access) const {
    const bool both = tail == TailStrategy::GuardWithIf || tail == TailStrategy::Predicate ||
                      (tail == TailStrategy::RoundUp && access == AccessKind::Wanted);
    const bool one =
        (tail == TailStrategy::PredicateLoads && (access == AccessKind::Read || access == AccessKind::Wanted)) ||
        (tail == TailStrategy::PredicateStores && access == AccessKind::Write);
    return !exact && (both || one);
}

bool StageNest::access_kinds_agree() const {
    return std::all_of(nodes_.begin(), nodes_.end(), [](const Node &node) {
        const bool clips = node.clips(AccessKind::Either);
        return node.clips(AccessKind::Read) == clips && node.clips(AccessKind::Write) == clips &&
               node.clips(AccessKind::Wanted) == clips;
    });
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

} // namespace fluorite::loopnest
