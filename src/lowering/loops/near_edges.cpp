// Vectors that read an image at an edge beyond which it is mirrored or repeated.
//
// A coordinate of BoundaryConditions::mirror_image, mirror_interior or repeat_image divides by a period, and its lanes
// are loaded one by one. At an edge, nearly all lanes lie inside, and the others no further than one period beyond:
//   f[r] = g[mirrored(ramp(x - 1, 1, 16))]
//   -->
//   if -w <= x - 1 && x + 14 < 2 * w {
//     f[r] = select(t < 0,  g[ramp(-x, -1, 16), where t < 0],
//            select(t >= w, g[ramp(2 * w - x, -1, 16), where t >= w], g[t, where 0 <= t < w]))
//   } else { f[r] = g[mirrored(t)] }                                                  where t = ramp(x - 1, 1, 16)
// so that each load is a dense one under a mask, and nothing is divided. Each lane reads the element that it read
// before.
//
// Method: find_periodic recognizes coordinates while they have their hints; loop partitioning takes those of the
// interior away, and in what is left the stores are searched for loads at the others.
//
// Relies on masked loads, which do not access inactive elements. Does not do: lanes that are not neighbours, several
// such coordinates of one load that vary over the lanes, scalars, targets without masked loads of the element's width.
// Cost: doubles the code of the stores that it changes.

#include "lowering/loops/near_edges.h"

#include "lowering/loops/likely.h"
#include "lowering/vector/vector_algebra.h"

#include <algorithm>
#include <array>

namespace fluorite::lowering {

using namespace ir;
using analysis::PeriodicCoordinate;

namespace {

/// The largest stores that are written twice, in nodes: those whose boundary loop partitioning would cut further.
constexpr size_t most_nodes = 2'000;

/// Coordinates beyond which sums of two of them might not be coordinates.
constexpr int64_t far = int64_t{1} << 29;

Expr wide(const Expr &scalar) { return make_cast(Int(64), scalar); }

/// A periodic coordinate of lanes that are neighbours, whose image is the same for all lanes.
bool is_usable(const PeriodicCoordinate &periodic) {
    int64_t stride = 0;
    return is_kind(periodic.inner, ExprKind::Ramp) && periodic.inner->arg(0).type().is_scalar() &&
           is_const_int(periodic.inner->arg(1), &stride) && (stride == 1 || stride == -1) &&
           is_kind(periodic.min, ExprKind::Broadcast) && periodic.min->arg(0).type().is_scalar() &&
           is_kind(periodic.max, ExprKind::Broadcast) && periodic.max->arg(0).type().is_scalar();
}

/// Whether all lanes lie in the image, or beyond an edge by no more than the rule reflects onto the image.
Expr is_near(const PeriodicCoordinate &periodic) {
    const Expr &t = periodic.inner, min = wide(periodic.min->arg(0)), max = wide(periodic.max->arg(0));
    int64_t stride = 0;
    is_const_int(t->arg(1), &stride);
    const int64_t last = stride * (t.type().lanes() - 1);
    const Expr first = wide(t->arg(0));
    const Expr lowest = add(first, make_int(Int(64), std::min<int64_t>(last, 0)));
    const Expr highest = add(first, make_int(Int(64), std::max<int64_t>(last, 0)));
    const int repeated = periodic.rule == PeriodicCoordinate::Rule::MirrorInterior ? 0 : 1;
    const Expr reach = add(sub(max, min), make_int(Int(64), repeated));
    const std::array conditions = {less_equal(sub(min, reach), lowest), less_equal(highest, add(max, reach)),
                                   less_equal(min, max), less_equal(make_int(Int(64), -far), min),
                                   less(max, make_int(Int(64), far))};
    Expr all = make_bool(true);
    for (const Expr &condition : conditions) {
        all = logical_and(all, condition);
    }
    return all;
}

/// Where lanes at `t` read, which lie outside of the image, `is_above` or below it.
Expr reflected(const PeriodicCoordinate &periodic, const Expr &t, bool is_above) {
    const Expr &min = periodic.min, &max = periodic.max;
    if (periodic.rule == PeriodicCoordinate::Rule::RepeatImage) {
        const Expr extent = index_binary(ExprKind::Add, index_binary(ExprKind::Sub, max, min), make_int(t.type(), 1));
        return index_binary(is_above ? ExprKind::Sub : ExprKind::Add, t, extent);
    }
    const Expr &edge = is_above ? max : min;
    const int repeated = periodic.rule == PeriodicCoordinate::Rule::MirrorInterior ? 0 : is_above ? 1 : -1;
    const Expr twice =
        index_binary(ExprKind::Add, index_binary(ExprKind::Add, edge, edge), make_int(t.type(), repeated));
    return index_binary(ExprKind::Sub, twice, t);
}

/// The lanes of a ramp in the opposite order.
Expr reversed_ramp(const Expr &ramp) {
    const int lanes = ramp.type().lanes();
    const Expr &stride = ramp->arg(1);
    const Expr span = index_binary(ExprKind::Mul, stride, make_int(stride.type(), lanes - 1));
    return vector_ramp(index_binary(ExprKind::Add, ramp->arg(0), span),
                       index_binary(ExprKind::Sub, make_zero(stride.type()), stride), lanes);
}

Expr reversed(const Expr &vector) {
    Indices order;
    for (int lane = vector.type().lanes() - 1; lane >= 0; lane--) {
        order.push_back(lane);
    }
    return make_shuffle(std::array{vector}, std::move(order));
}

/// Replaces loads at the coordinates, and collects the conditions under which this is right.
class LoadSplitter : public Mutator {
  public:
    LoadSplitter(const ExprMap<PeriodicCoordinate> &coordinates, const machine::MachineModel &machine)
        : coordinates_(coordinates), machine_(machine) {}

    ExprMap<bool> conditions;
    Expr all = make_bool(true);

    using Mutator::mutate;
    Expr mutate(const Expr &expr) override {
        const auto known = done_.find(expr);
        if (known != done_.end()) {
            return known->second;
        }
        Expr result = recurse(expr);
        if (result->kind() == ExprKind::Load && result.type().is_vector()) {
            result = split(result);
        }
        done_.emplace(expr, result);
        return result;
    }

  private:
    const ExprMap<PeriodicCoordinate> &coordinates_;
    const machine::MachineModel &machine_;
    ExprMap<Expr> done_;

    Expr split(const Expr &load) {
        const bool has_masks =
            machine_.least_masked_bits > 0 && load.type().element_of().bits() >= machine_.least_masked_bits;
        Expr found;
        int count = 0;
        for_each_node(load->arg(0), [&](const Expr &node) {
            const bool is_found = coordinates_.contains(node);
            count += is_found ? 1 : 0;
            found = is_found ? node : found;
        });
        // Of nested vectorized loops, the coordinate may have the lanes of one loop only.
        if (!has_masks || count != 1 || found.type().lanes() != load.type().lanes()) {
            return load;
        }
        const PeriodicCoordinate &periodic = coordinates_.at(found);
        if (const Expr near = is_near(periodic); conditions.emplace(near, true).second) {
            all = logical_and(all, near);
        }
        const auto at = [&](const Expr &coordinate, const Expr &mask) {
            const Expr moved =
                transform(load->arg(0), [&](const Expr &node) { return node.same_as(found) ? coordinate : node; });
            return make_load(load.type(), load->symbol(), normalize_index(moved), masked(load->arg(1), mask));
        };
        // A mirrored ramp is read forwards and turned around, which is cheaper than to turn a mask around.
        const Expr &t = periodic.inner;
        const Expr uniform = at(make_zero(t.type()), make_bool(true))->arg(0);
        const bool turns = periodic.is_mirrored() && is_one(t->arg(1)) && is_true(load->arg(1)) &&
                           is_kind(uniform, ExprKind::Broadcast);
        const Expr lanes = turns ? reversed_ramp(t) : t;
        const auto beyond = [&](bool is_above) {
            const Expr mask = is_above ? less(periodic.max, lanes) : less(lanes, periodic.min);
            const Expr loaded = at(reflected(periodic, lanes, is_above), mask);
            return turns ? reversed(loaded) : loaded;
        };
        const Expr below = less(t, periodic.min), above = less(periodic.max, t);
        const Expr inside = make_unary(ExprKind::Not, make_binary(ExprKind::Or, below, above));
        return make_select(below, beyond(false), make_select(above, beyond(true), at(t, inside)));
    }

    static Expr masked(const Expr &predicate, const Expr &mask) {
        return is_true(predicate) ? mask : logical_and(predicate, mask);
    }
};

} // namespace

NearEdges::NearEdges(const Stmt &hinted, const PassContext &context) : context_(context) {
    if (context.options.leaves_out(Target::NoPartitioning)) {
        return;
    }
    class Finder : public Visitor {
      public:
        explicit Finder(ExprMap<PeriodicCoordinate> &found) : found_(found) {}
        using Visitor::visit;
        void visit(const Expr &expr) override {
            for_each_node(expr, [&](const Expr &node) {
                if (!is_kind(node, ExprKind::Select) || node.type().is_scalar() || !seen_.emplace(node, true).second) {
                    return;
                }
                const auto periodic = analysis::find_periodic(node, analysis::Image::HasPoints);
                if (periodic && is_usable(*periodic)) {
                    found_.emplace(strip_hints(node), *periodic);
                }
            });
        }

      private:
        ExprMap<PeriodicCoordinate> &found_;
        ExprMap<bool> seen_;
    };
    Finder(coordinates_).visit(hinted);
}

std::optional<NearStore> NearEdges::near(const Store &store) const {
    if (coordinates_.empty()) {
        return std::nullopt;
    }
    size_t nodes = 0;
    for_each_node(store.value, [&](const Expr &) { nodes++; });
    if (nodes > most_nodes) {
        return std::nullopt;
    }
    LoadSplitter splitter(coordinates_, context_.options.machine);
    const Expr value = splitter.mutate(store.value);
    if (splitter.conditions.empty()) {
        return std::nullopt;
    }
    context_.beyond(store.buffer, "vectors at mirrored or repeated edges are masked loads", Target::NoPartitioning);
    return NearStore{splitter.all, Store::make(store.buffer, value, store.index, store.predicate)};
}

} // namespace fluorite::lowering
