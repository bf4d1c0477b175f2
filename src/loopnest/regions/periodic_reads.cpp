// The regions that are required of Funcs that are read as images continued by mirroring or repeating them.
//
// Before: reads of g at mirror(v - 1) to mirror(v + 1), for an image of rows m to M, need all of [m, M]. After: they
// need [max(m, min(v - 1, K, M)), max(m, min(M, max(v + 1, J)))]. K and J bound the points to which the edges reflect
// the reads of all iterations between the store and the compute site of g: reads beyond M are reflected to K or above,
// and reads below m to J or below (analysis/periodic_coordinate.h). So both ends of the region are monotonic, and
// windows slide.
//
// K and J are invariant in these loops. If the reads are known to exceed the image by at most a constant, as those of a
// stage that is itself required inside the image only, K and J are constants relative to M and m. That is read off the
// clamps that end the consumer's region, so a chain of mirrored stages has the windows of a chain of
// clamped ones. Otherwise K and J are symbols that are bound where g is stored. Each symbol has a usual value: the
// reads of one iteration cover w + 1 points, so reads of the image's points and their neighbours are reflected to K >=
// M - w and J <= m + w. The size of circular buffers is chosen for these values (windows/folds.cpp).
//
// Left unchanged: Funcs computed at root, coordinates that no loop moves, single points that are invariant between the
// sites, and images whose edges depend on variables or memory. These require the interval of the coordinate, [m, M].
// Cost: a few interval analyses for each such coordinate.

#include "loopnest/regions/periodic_reads.h"

#include "analysis/bounds_where.h"
#include "analysis/hints.h"
#include "analysis/max_of_mins.h"
#include "analysis/periodic_coordinate.h"
#include "rewrite/simplify.h"

#include <algorithm>

namespace fluorite::loopnest {

using namespace ir;
using analysis::BoundsFinder;
using analysis::Interval;
using analysis::MaxOfMins;
using analysis::PeriodicCoordinate;
using rewrite::simplify;

bool is_fixed(const Expr &expr) {
    bool fixed = !expr->reads_memory();
    for_each_node(expr, [&](const Expr &node) {
        fixed = fixed && !(is_kind(node, ExprKind::Variable) && node->symbol().kind() != SymbolKind::Param);
    });
    return fixed;
}

namespace {

constexpr int64_t widest = 1 << 16; // points per iteration, beyond which a constant buffer size is not worthwhile

/// Calls that read one image, continued by one rule, along one dimension, and the union of their ranges.
struct PeriodicReads {
    PeriodicCoordinate coordinate;
    Interval range; // in one iteration at the Func's compute site
    Interval own;   // in terms of the consumer's region
    std::vector<size_t> calls;
};

std::vector<PeriodicReads> find_reads(const std::vector<NeededBox> &boxes, size_t d, BoundsFinder &bounds,
                                      BoundsFinder &own_bounds) {
    std::vector<PeriodicReads> found;
    for (size_t i = 0; i < boxes.size(); i++) {
        const std::optional<PeriodicCoordinate> coordinate = analysis::find_periodic(boxes[i].call->args[d]);
        if (!coordinate || !is_fixed(coordinate->min) || !is_fixed(coordinate->max)) {
            continue;
        }
        const Interval range = analysis::bounds_where(coordinate->inner, boxes[i].call->condition, bounds);
        if (!range.is_bounded()) {
            continue;
        }
        const auto same = std::find_if(found.begin(), found.end(), [&](const PeriodicReads &reads) {
            return reads.coordinate.rule == coordinate->rule && equal(reads.coordinate.min, coordinate->min) &&
                   equal(reads.coordinate.max, coordinate->max);
        });
        const Interval own = analysis::bounds_where(coordinate->inner, boxes[i].call->condition, own_bounds);
        if (same == found.end()) {
            found.push_back({*coordinate, range, own, {i}});
        } else {
            same->range = analysis::union_of(same->range, range);
            same->own = analysis::union_of(same->own, own);
            same->calls.push_back(i);
        }
    }
    return found;
}

/// The expression with what the program promises of the buffers' boxes: constants, and for outputs what it promises in
/// terms of inputs. All of it is checked before anything is computed.
Expr with_promises(const Graph &graph, const Expr &expr) {
    return transform(expr, [&](const Expr &node) -> Expr {
        if (node->kind() != ExprKind::BufferField) {
            return node;
        }
        const SymbolOwner &owner = node->symbol().owner();
        const std::vector<DimConstraint> *dims = nullptr;
        if (owner.input.valid()) {
            dims = &graph.inputs[owner.input.index()].constraints;
        } else if (owner.func.valid() && !graph.funcs[owner.func.index()].output_buffers.empty()) {
            dims = &graph.funcs[owner.func.index()].output_buffers[0].dims;
        }
        const Field field = node->member().field;
        const auto d = node->member().position();
        if (!dims || d >= dims->size() || (field != Field::Min && field != Field::Extent)) {
            return node;
        }
        const Expr &promise = field == Field::Min ? (*dims)[d].min : (*dims)[d].extent;
        if (!promise.defined() || (owner.input.valid() && !is_const(promise))) {
            return node;
        }
        return owner.input.valid() ? promise : with_promises(graph, promise);
    });
}

/// The least constant known to bound a - b from above.
std::optional<int64_t> greatest_difference(const Expr &a, const Expr &b) {
    std::vector<Symbol> variables;
    for (const Expr &side : {a, b}) {
        for_each_node(side, [&](const Expr &node) {
            if (is_kind(node, ExprKind::Variable)) {
                variables.push_back(node->symbol());
            }
        });
    }
    for (const auto expanded : {MaxOfMins::Expanded::Moving, MaxOfMins::Expanded::All}) {
        const std::optional<MaxOfMins> of_a = MaxOfMins::of(a, variables, expanded);
        const std::optional<MaxOfMins> of_b = MaxOfMins::of(b, variables, expanded);
        if (const auto known = of_a && of_b ? analysis::greatest_difference(*of_a, *of_b) : std::nullopt) {
            return known;
        }
    }
    return std::nullopt;
}

/// Narrows the region that one group of reads requires.
class Narrowing {
  public:
    Narrowing(FuncInProgress &func, size_t d, const PeriodicReads &reads) : func_(func), d_(d), reads_(reads) {
        near_ = {expanded(reads.range.min), expanded(reads.range.max)};
        all_ = func.views.lift(near_, func.compute(), func.store());
    }

    bool is_worthwhile() const {
        if (!all_.is_bounded() || (equal(near_.min, near_.max) && equal(all_.min, all_.max))) {
            return false;
        }
        const Site &site = func_.compute();
        const StageNest &owner = func_.views.nest(site.stage);
        return !func_.views.is_invariant_in(near_.min, owner, Site::root()) ||
               !func_.views.is_invariant_in(near_.max, owner, Site::root());
    }

    Interval needed() {
        const Expr reflected_min = reflected(Side::Min), reflected_max = reflected(Side::Max);
        return reads_.coordinate.hull(reads_.range, reflected_min, reflected_max);
    }

  private:
    FuncInProgress &func_;
    size_t d_;
    const PeriodicReads &reads_;
    Interval near_, all_; // of one iteration at the compute site, and of all of them at the store site

    Expr expanded(const Expr &side) const { return func_.views.expand(analysis::strip_hints(side)); }

    /// By how many points reads exceed the image at most, beyond its max or below its min, if that is known. For an
    /// image without points it does not matter: only min is required.
    std::optional<int64_t> furthest_beyond(Side side) const {
        const PeriodicCoordinate &of = reads_.coordinate;
        const bool is_min = side == Side::Min;
        const Expr edge = is_min ? max_of(of.max, of.min) : of.min;
        const auto known = [&](const Interval &range) -> std::optional<int64_t> {
            if (!range.is_bounded()) {
                return std::nullopt;
            }
            const Graph &graph = func_.views.graph().pipeline.graph;
            const Expr side = with_promises(graph, is_min ? range.max : range.min), at = with_promises(graph, edge);
            return is_min ? greatest_difference(side, at) : greatest_difference(at, side);
        };
        const std::optional<int64_t> seen = known(all_);
        const bool has_own = !seen && reads_.own.is_bounded();
        return has_own ? known({expanded(reads_.own.min), expanded(reads_.own.max)}) : seen;
    }

    /// K or J: a bound of the points to which reads beyond max, or below min, are reflected.
    Expr reflected(Side side) {
        const PeriodicCoordinate &of = reads_.coordinate;
        const bool is_min = side == Side::Min;
        const std::optional<int64_t> beyond = furthest_beyond(side);
        const Expr furthest = is_min ? add(of.max, int32(beyond.value_or(0))) : sub(of.min, int32(beyond.value_or(0)));
        const Interval range = beyond && of.is_mirrored() ? Interval::point(furthest) : all_;
        const Expr value = is_min ? of.reflected_min(range) : of.reflected_max(range);
        return (beyond && of.is_mirrored()) || is_const(value) ? value : bound(side, value);
    }

    Expr bound(Side side, const Expr &value) {
        const std::string name = func_.func().name() + "." + func_.func().arg_names[d_] +
                                 (side == Side::Min ? ".reflected_min" : ".reflected_max");
        SymbolOwner owner;
        owner.func = func_.id, owner.side = side;
        SymbolMap<RegionValue> &values = func_.loops->values;
        Symbol symbol(SymbolKind::Bound, name, owner);
        for (int i = 1; values.contains(symbol); i++) {
            symbol = Symbol(SymbolKind::Bound, name + "$" + std::to_string(i), owner);
        }
        func_.bind(func_.store(), symbol, value);
        values.emplace(symbol, RegionValue{value, Expr(), func_.store(), usual(side), side});
        return make_var(Int(32), symbol);
    }

    Expr usual(Side side) const {
        const PeriodicCoordinate &of = reads_.coordinate;
        const Expr &edge = side == Side::Min ? of.max : of.min;
        if (!of.is_mirrored()) {
            return edge;
        }
        const Expr width = simplify(sub(near_.max, near_.min));
        const std::optional<int64_t> points = func_.views.greatest_constant(width, func_.compute(), func_.store());
        if (!points || *points < 0 || *points > widest) {
            return {};
        }
        return simplify(side == Side::Min ? sub(edge, int32(*points)) : add(edge, int32(*points)));
    }
};

} // namespace

void narrow_periodic_reads(FuncInProgress &func, const Consumer &consumer, BoundsFinder &bounds,
                           std::vector<NeededBox> &boxes) {
    if (func.compute().is_root()) {
        return;
    }
    BoundsFinder own = func.views.consumer_bounds(consumer, func.views.loops(consumer.func)->compute);
    for (size_t d = 0; d < func.func().dimensions(); d++) {
        for (const PeriodicReads &reads : find_reads(boxes, d, bounds, own)) {
            Narrowing narrowing(func, d, reads);
            if (narrowing.is_worthwhile()) {
                const Interval needed = narrowing.needed();
                for (const size_t i : reads.calls) {
                    boxes[i].box[d] = needed;
                }
            }
        }
    }
}

} // namespace fluorite::loopnest
