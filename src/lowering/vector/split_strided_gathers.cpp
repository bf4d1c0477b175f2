// Splits gathers at quotients and remainders of neighbouring coordinates into strided loads.
//
//   f[ramp(x, 1, 32) / 2 * 4 + 1]
//   -->
//   shuffle<0, 16, 1, 17, ...>(f[ramp(x / 2 * 4 + 1, 4, 16)], f[ramp((x + 1) / 2 * 4 + 1, 4, 16)])
// Lanes whose distance is a multiple of the divisor form a ramp, whatever the base is: floor((b + i c) / c) = floor(b /
// c) + i, and (b + i c) mod c = b mod c. So a gather (as for chroma at half the resolution, packed pixels, upsampling)
// becomes a few strided accesses and a shuffle.
//
// Method: the period is the least common multiple of the divisors. The index of each part is rebuilt with ramps of the
// part's lanes. The load stays as it was unless the indices of all parts are ramps or broadcasts.
//
// Relies on: simplified indices; coordinates that do not wrap, unless they depend on memory. Does not handle masked
// loads and stores. Cost: linear in distinct nodes, times the period.

#include "ir/expr_traits.h"
#include "lowering/access/access_shape.h"
#include "lowering/access/vector_algebra.h"
#include "lowering/late_passes.h"

#include <numeric>
#include <optional>
#include <unordered_map>

namespace fluorite::lowering {

using namespace ir;

namespace {

constexpr int most_parts = 4;
constexpr int least_lanes = 4; // of a part

/// The least common multiple of the constants by which the index divides vectors; 1 if there are none.
int64_t period_of(const Expr &index) {
    int64_t period = 1;
    for_each_node(index, [&](const Expr &node) {
        int64_t divisor = 0;
        const bool divides = (node->kind() == ExprKind::Div || node->kind() == ExprKind::Mod) &&
                             node.type().is_vector() && is_const_int(node->arg(1), &divisor) && divisor > 1;
        if (divides && period <= most_parts) {
            period = divisor > most_parts ? most_parts + 1 : std::lcm(period, divisor);
        }
    });
    return period;
}

/// Every `period`-th lane of an index, from lane `phase` on; undefined if the index has no form that can be split.
class Part {
  public:
    Part(int period, int phase) : period_(period), phase_(phase) {}

    Expr of(const Expr &expr) const {
        if (expr.type().is_scalar()) {
            return expr;
        }
        const int lanes = expr.type().lanes() / period_;
        switch (expr->kind()) {
        case ExprKind::Ramp:
        case ExprKind::Broadcast:
            return expr->arg(0).type().is_scalar() ? of_scalars(expr, lanes) : of_vectors(expr);
        case ExprKind::Add:
        case ExprKind::Sub:
        case ExprKind::Mul:
        case ExprKind::Div:
        case ExprKind::Mod:
            return binary(expr->kind(), of(expr->arg(0)), of(expr->arg(1)));
        case ExprKind::Cast: {
            const Expr value = of(expr->arg(0));
            return value.defined() ? vector_cast(expr.type().with_lanes(lanes), value, Use::Index) : value;
        }
        default: // undefined: the index is not divided into parts
            return {};
        }
    }

  private:
    int period_, phase_;

    Expr of_scalars(const Expr &expr, int lanes) const {
        if (is_kind(expr, ExprKind::Broadcast)) {
            return make_broadcast(expr->arg(0), lanes);
        }
        const Expr &stride = expr->arg(1);
        const auto times = [&](int count) {
            return vector_binary(ExprKind::Mul, stride, make_int(stride.type(), count), Use::Index);
        };
        return vector_ramp(vector_binary(ExprKind::Add, expr->arg(0), times(phase_), Use::Index), times(period_),
                           lanes);
    }

    /// The part of a vector that consists of copies of another vector, each shifted by a stride.
    Expr of_vectors(const Expr &expr) const {
        const int inner = expr->arg(0).type().lanes();
        if (inner % period_ != 0) {
            return {};
        }
        const int copies = expr.type().lanes() / inner;
        const Expr base = of(expr->arg(0));
        if (is_kind(expr, ExprKind::Broadcast)) {
            return base.defined() ? make_broadcast(base, copies) : base;
        }
        const Expr stride = of(expr->arg(1));
        return base.defined() && stride.defined() ? joined(vector_ramp(base, stride, copies)) : Expr();
    }

    static Expr binary(ExprKind kind, const Expr &a, const Expr &b) {
        if (!a.defined() || !b.defined()) {
            return {};
        }
        return kind == ExprKind::Mod ? remainder(a, b) : vector_binary(kind, a, b, Use::Index);
    }

    static Expr remainder(const Expr &a, const Expr &b) {
        const std::optional<int64_t> divisor = divisor_of_stride(a, b);
        if (!divisor) {
            return vector_binary(ExprKind::Mod, a, b, Use::Index);
        }
        const Expr &base = a->arg(0); // a vector, where lanes of the part are those of several loops
        const int copies = a.type().lanes() / base.type().lanes();
        return joined(make_broadcast(remainder(base, make_int(base.type(), *divisor)), copies));
    }
};

/// Whether an index is a scalar, or a ramp or broadcast of a simple index.
bool is_simple(const Expr &index) {
    const AccessShape shape = access_shape(index);
    return shape.kind == AccessShape::Kind::Blocks ? is_simple(shape.first) : shape.kind != AccessShape::Kind::Other;
}

class StridedGatherSplitter : public Mutator {
  public:
    explicit StridedGatherSplitter(const PassContext &context) : context_(context) {}

    Expr mutate(const Expr &expr) override {
        const auto known = done_.find(expr.get());
        if (known != done_.end()) {
            return known->second.second;
        }
        Expr result = recurse(expr);
        if (result->kind() == ExprKind::Load && result.type().is_vector() && is_true(result->arg(1))) {
            result = parted(result);
        }
        done_.emplace(expr.get(), std::pair(expr, result));
        return result;
    }
    using Mutator::mutate;

  private:
    const PassContext &context_;
    // The key's expression is kept alive, so that its address is not reused.
    std::unordered_map<const ExprNode *, std::pair<Expr, Expr>> done_;

    Expr parted(const Expr &load) const {
        const Expr &index = load->arg(0);
        const int64_t period = period_of(index);
        const int lanes = load.type().lanes();
        if (period < 2 || period > most_parts || lanes % period != 0 || lanes / period < least_lanes) {
            return load;
        }
        const int count = static_cast<int>(period), lanes_each = lanes / count;
        std::vector<Expr> parts;
        for (int phase = 0; phase < count; phase++) {
            const Expr at = Part(count, phase).of(index);
            if (!at.defined() || !is_simple(at)) {
                return load;
            }
            parts.push_back(make_load(load.type().with_lanes(lanes_each), load->symbol(), joined(at)));
        }
        context_.beyond(load->symbol(), concat("a gather of ", lanes, " lanes is ", count, " strided loads"));
        Indices order;
        for (int lane = 0; lane < lanes; lane++) {
            order.push_back(lane % count * lanes_each + lane / count);
        }
        return make_shuffle(parts, std::move(order));
    }
};

} // namespace

Stmt split_strided_gathers(const Stmt &stmt, const PassContext &context) {
    return StridedGatherSplitter(context).mutate(stmt);
}

} // namespace fluorite::lowering
