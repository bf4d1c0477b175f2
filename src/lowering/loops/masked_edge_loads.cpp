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

#include "lowering/loops/masked_edge_loads.h"

#include "lowering/access/access_shape.h"
#include "lowering/access/vector_algebra.h"
#include "lowering/loops/likely.h"

#include <algorithm>
#include <array>
#include <functional>

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
    const std::optional<int64_t> stride = access_shape(periodic.inner).constant_stride();
    return (stride == 1 || stride == -1) && access_shape(periodic.min).is_uniform() &&
           access_shape(periodic.max).is_uniform();
}

/// Whether all lanes lie in the image, or beyond an edge by no more than the rule reflects onto the image. Only edges
/// beyond which lanes may lie are looked at.
Expr is_near(const PeriodicCoordinate &periodic, bool may_be_below, bool may_be_above) {
    const Expr &t = periodic.inner, min = wide(periodic.min->arg(0)), max = wide(periodic.max->arg(0));
    int64_t stride = 0;
    is_const_int(t->arg(1), &stride);
    const int64_t last = stride * (t.type().lanes() - 1);
    const Expr first = wide(t->arg(0));
    const Expr lowest = add(first, make_int(Int(64), std::min<int64_t>(last, 0)));
    const Expr highest = add(first, make_int(Int(64), std::max<int64_t>(last, 0)));
    const int repeated = periodic.rule == PeriodicCoordinate::Rule::MirrorInterior ? 0 : 1;
    const Expr reach = add(sub(max, min), make_int(Int(64), repeated));
    const Expr always = make_bool(true);
    const std::array conditions = {may_be_below ? less_equal(sub(min, reach), lowest) : always,
                                   may_be_above ? less_equal(highest, add(max, reach)) : always, less_equal(min, max),
                                   less_equal(make_int(Int(64), -far), min), less(max, make_int(Int(64), far))};
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

/// The only coordinate of a load that varies over all its lanes, where masked loads of its type exist; undefined
/// without one. Of nested vectorized loops, a coordinate may have the lanes of one loop only.
Expr only_coordinate(const Expr &load, const machine::MachineModel &machine,
                     const std::function<bool(const Expr &)> &is_coordinate) {
    if (machine.least_masked_bits <= 0 || load.type().element_of().bits() < machine.least_masked_bits) {
        return {};
    }
    ExprMap<bool> found, seen;
    const std::function<void(const Expr &)> find = [&](const Expr &node) {
        if (!seen.emplace(node, true).second) {
            return;
        }
        if (is_coordinate(node)) { // its operands may contain the same coordinate
            found.emplace(node, true);
            return;
        }
        for (const Expr &operand : node->args()) {
            find(operand);
        }
    };
    find(load->arg(0));
    const bool is_only = found.size() == 1 && found.begin()->first.type().lanes() == load.type().lanes();
    return is_only ? found.begin()->first : Expr();
}

} // namespace

/// Replaces loads at the coordinates, and collects the conditions under which this is right.
class NearEdges::LoadSplitter : public Mutator {
  public:
    LoadSplitter(const ExprMap<Coordinate> &coordinates, const machine::MachineModel &machine)
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
    const ExprMap<Coordinate> &coordinates_;
    const machine::MachineModel &machine_;
    ExprMap<Expr> done_;

    Expr split(const Expr &load) {
        const Expr found =
            only_coordinate(load, machine_, [&](const Expr &node) { return coordinates_.contains(node); });
        if (!found.defined()) {
            return load;
        }
        const auto &[periodic, may_be_below, may_be_above] = coordinates_.at(found);
        if (const Expr near = is_near(periodic, may_be_below, may_be_above); conditions.emplace(near, true).second) {
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
        const Expr outside = !may_be_above ? below : !may_be_below ? above : make_binary(ExprKind::Or, below, above);
        Expr result = at(t, make_unary(ExprKind::Not, outside));
        result = may_be_above ? make_select(above, beyond(true), result) : result;
        return may_be_below ? make_select(below, beyond(false), result) : result;
    }

    static Expr masked(const Expr &predicate, const Expr &mask) {
        return is_true(predicate) ? mask : logical_and(predicate, mask);
    }
};

NearEdges::NearEdges(const Stmt &hinted, const PassContext &context) : context_(context) {
    if (!hinted.defined() || context.options.leaves_out(Target::NoPartitioning)) {
        return;
    }
    class Finder : public Visitor {
      public:
        Finder(ExprMap<Coordinate> &found, ExprMap<Expr> &hinted) : found_(found), hinted_(hinted) {}
        using Visitor::visit;
        void visit(const Expr &expr) override {
            for_each_node(expr, [&](const Expr &node) {
                if (!is_kind(node, ExprKind::Select) || node.type().is_scalar() || !seen_.emplace(node, true).second) {
                    return;
                }
                const auto periodic = analysis::find_periodic(node, analysis::Image::HasPoints);
                if (periodic && is_usable(*periodic)) {
                    const Expr plain = strip_hints(node);
                    found_.emplace(plain, Coordinate{*periodic});
                    hinted_.emplace(node, plain);
                }
            });
        }

      private:
        ExprMap<Coordinate> &found_;
        ExprMap<Expr> &hinted_;
        ExprMap<bool> seen_;
    };
    Finder(coordinates_, hinted_).visit(hinted);
}

ExprMap<Expr> NearEdges::found_beside_interior(const Stmt &hinted, Piece piece, const EdgeState &edges) {
    class Finder : public Visitor {
      public:
        Finder(const machine::MachineModel &machine, std::function<bool(const Expr &)> is_coordinate)
            : machine_(machine), is_coordinate_(std::move(is_coordinate)) {}
        ExprMap<bool> found;

        using Visitor::visit;
        void visit(const Expr &expr) override {
            for_each_node(expr, [&](const Expr &node) {
                if (is_kind(node, ExprKind::Load) && node.type().is_vector()) {
                    if (const Expr only = only_coordinate(node, machine_, is_coordinate_); only.defined()) {
                        found.emplace(only, true);
                    }
                }
            });
        }

      private:
        const machine::MachineModel &machine_;
        std::function<bool(const Expr &)> is_coordinate_;
    };
    ExprMap<Expr> result;
    if (hinted_.empty()) {
        return result;
    }
    const bool is_before = piece == Piece::Before;
    const ExprMap<LikelyNode> &solved = is_before ? edges.before : edges.after;
    Finder finder(context_.machine,
                  [&](const Expr &coordinate) { return hinted_.contains(coordinate) && !solved.contains(coordinate); });
    finder.visit(hinted);
    for (const auto &[node, is_found] : finder.found) {
        Expr plain = hinted_.at(node);
        if (edges.rising.contains(node)) {
            // Lanes within the image are read where they are, so the coordinate tells beyond which edge others lie.
            const PeriodicCoordinate &periodic = coordinates_.at(plain).periodic;
            const Expr beyond = is_before ? less(periodic.inner, periodic.min) : less(periodic.max, periodic.inner);
            const Expr one_sided = make_select(beyond, plain, periodic.inner);
            coordinates_.emplace(one_sided, Coordinate{periodic, is_before, !is_before});
            plain = one_sided;
        }
        result.emplace(node, plain);
    }
    return result;
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
    LoadSplitter splitter(coordinates_, context_.machine);
    const Expr value = splitter.mutate(store.value);
    if (splitter.conditions.empty()) {
        return std::nullopt;
    }
    context_.beyond(store.buffer, "vectors at mirrored or repeated edges are masked loads", Target::NoPartitioning);
    return NearStore{splitter.all, Store::make(store.buffer, value, store.index, store.predicate)};
}

} // namespace fluorite::lowering
