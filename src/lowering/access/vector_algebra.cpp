// Vector arithmetic in the form that later passes recognize.
//
// The index of a vector access determines whether it is a dense load, a strided load or a gather. The form of the index
// tells them apart: Ramp(base, stride) with a scalar base, Broadcast, or anything else. These functions build sums,
// products, quotients and casts of vectors in that form:
//   Ramp(b, s) + Broadcast(c)         -->  Ramp(b + c, s)
//   Ramp(b, s) + Ramp(c, t)           -->  Ramp(b + c, s + t)
//   Ramp(b, s) * Broadcast(c)         -->  Ramp(b * c, s * c)
//   Ramp(b, s * c) / Broadcast(c)     -->  Ramp(b / c, s)                            only as an index
//   cast<int64>(Ramp(b, s))           -->  Ramp(cast<int64>(b), cast<int64>(s))      only as an index
//   Broadcast(a) op Broadcast(b)      -->  Broadcast(a op b)
// Bases may be vectors themselves (of loops vectorized in two dimensions). The same equations hold, as a Ramp of n over
// a base of m lanes is the concatenation base, base + stride, base + 2 stride, ..., and a Broadcast is n copies in a
// row.
//
// Scalars are folded only as far as needed to recognize a stride or a difference of zero; the simplifier does the rest.
// Sums and products of integers are exact in wrapping arithmetic, so they apply to values too. Of operations on floats,
// only those on two Broadcasts are rewritten.
//
// Cost: constant for each operation; normalize_index is linear in distinct nodes.

#include "lowering/access/vector_algebra.h"

#include "ir/expr_traits.h"
#include "lowering/access/access_shape.h"
#include "support/numeric.h"

#include <optional>
#include <unordered_map>

namespace fluorite::lowering {

using namespace ir;

namespace {

bool is_integer_vector(Type type) { return type.is_int_or_uint() && type.bits() > 1; }

/// The number of copies of its operand in a Broadcast or Ramp.
int multiplicity(const Expr &vector) { return vector.type().lanes() / vector->arg(0).type().lanes(); }

bool is_unit(ExprKind kind, const Expr &b) {
    return kind == ExprKind::Add || kind == ExprKind::Sub ? is_zero(b) : kind == ExprKind::Mul && is_one(b);
}

std::optional<Expr> fold_constants(ExprKind kind, const Expr &a, const Expr &b) {
    if (a->kind() != ExprKind::IntImm || b->kind() != ExprKind::IntImm) {
        return std::nullopt;
    }
    const auto x = static_cast<uint64_t>(a->int_value());
    const auto y = static_cast<uint64_t>(b->int_value());
    switch (kind) {
    case ExprKind::Add:
        return make_int(a.type(), static_cast<int64_t>(x + y));
    case ExprKind::Sub:
        return make_int(a.type(), static_cast<int64_t>(x - y));
    case ExprKind::Mul:
        return make_int(a.type(), static_cast<int64_t>(x * y));
    default: // operations that are not folded here
        return std::nullopt;
    }
}

/// Add, Sub and Mul of integers of any lanes that do not combine as Ramps or Broadcasts.
Expr scalar_binary(ExprKind kind, const Expr &a, const Expr &b) {
    if (std::optional<Expr> constant = fold_constants(kind, a, b)) {
        return *constant;
    }
    if (is_unit(kind, b)) {
        return a;
    }
    if ((kind == ExprKind::Add && is_zero(a)) || (kind == ExprKind::Mul && is_one(a))) {
        return b;
    }
    if (kind == ExprKind::Mul && (is_zero(a) || is_zero(b))) {
        return make_zero(a.type());
    }
    if (kind == ExprKind::Sub) {
        if (equal(a, b)) {
            return make_zero(a.type());
        }
        // (x + y) - x: the offset of a coordinate within a region whose min is x.
        if (is_kind(a, ExprKind::Add) && equal(a->arg(0), b)) {
            return a->arg(1);
        }
        if (is_kind(a, ExprKind::Add) && equal(a->arg(1), b)) {
            return a->arg(0);
        }
    }
    return make_binary(kind, a, b);
}

/// The vector as base and stride, if it is a Ramp or Broadcast.
struct Affine {
    Expr base, stride;
    int lanes = 1;
};

std::optional<Affine> as_affine(const Expr &vector) {
    const AccessShape shape = access_shape(vector);
    if (shape.kind == AccessShape::Kind::Scalar || shape.kind == AccessShape::Kind::Other) {
        return std::nullopt;
    }
    return Affine{shape.first, shape.stride.defined() ? shape.stride : make_zero(shape.first.type()),
                  multiplicity(vector)};
}

Expr with_base_lanes(const Expr &value, int lanes) {
    return value.type().lanes() == lanes ? value : make_broadcast(value, lanes);
}

std::optional<Expr> affine_binary(ExprKind kind, const Expr &a, const Expr &b, Use use) {
    const std::optional<Affine> x = as_affine(a);
    const std::optional<Affine> y = as_affine(b);
    if (!x || !y || x->lanes != y->lanes || x->base.type() != y->base.type()) {
        return std::nullopt;
    }
    const int lanes = x->base.type().lanes();
    auto apply = [&](ExprKind op, const Expr &left, const Expr &right) {
        return vector_binary(op, with_base_lanes(left, lanes), with_base_lanes(right, lanes), use);
    };
    if (kind == ExprKind::Add || kind == ExprKind::Sub) {
        return vector_ramp(apply(kind, x->base, y->base), apply(kind, x->stride, y->stride), x->lanes);
    }
    if (kind == ExprKind::Mul && is_zero(y->stride)) {
        return vector_ramp(apply(kind, x->base, y->base), apply(kind, x->stride, y->base), x->lanes);
    }
    if (kind == ExprKind::Mul && is_zero(x->stride)) {
        return vector_ramp(apply(kind, x->base, y->base), apply(kind, x->base, y->stride), x->lanes);
    }
    return std::nullopt;
}

/// Broadcast op Broadcast, for any type and operation.
std::optional<Expr> uniform_binary(ExprKind kind, const Expr &a, const Expr &b, Use use) {
    if (!is_kind(a, ExprKind::Broadcast) || !is_kind(b, ExprKind::Broadcast) ||
        a->arg(0).type().lanes() != b->arg(0).type().lanes()) {
        return std::nullopt;
    }
    return make_broadcast(vector_binary(kind, a->arg(0), b->arg(0), use), multiplicity(a));
}

std::optional<Expr> divide_ramp(const Expr &a, const Expr &b) {
    const std::optional<int64_t> divisor = divisor_of_stride(a, b);
    int64_t stride = 0;
    if (!divisor || !is_const_int(a->arg(1), &stride)) {
        return std::nullopt;
    }
    const Expr &base = a->arg(0);
    return vector_ramp(make_binary(ExprKind::Div, base, make_int(base.type(), *divisor)),
                       make_int(base.type(), stride / *divisor), multiplicity(a));
}

} // namespace

Expr vector_binary(ExprKind kind, const Expr &a, const Expr &b, Use use) {
    if (std::optional<Expr> uniform = uniform_binary(kind, a, b, use)) {
        return *uniform;
    }
    if (a.type() != b.type() || !is_integer_vector(a.type())) {
        return make_binary(kind, a, b);
    }
    if (kind == ExprKind::Add || kind == ExprKind::Sub || kind == ExprKind::Mul) {
        if (std::optional<Expr> affine = affine_binary(kind, a, b, use)) {
            return *affine;
        }
        return scalar_binary(kind, a, b);
    }
    if (kind == ExprKind::Div && use == Use::Index && a.type().is_int()) {
        if (std::optional<Expr> quotient = divide_ramp(a, b)) {
            return *quotient;
        }
    }
    return make_binary(kind, a, b);
}

Expr vector_cast(Type type, const Expr &value, Use use) {
    if (value.type() == type) {
        return value;
    }
    if (is_kind(value, ExprKind::Broadcast)) {
        const Expr &inner = value->arg(0);
        return make_broadcast(vector_cast(type.with_lanes(inner.type().lanes()), inner, use), multiplicity(value));
    }
    const bool widens = type.is_int() && value.type().is_int() && type.bits() > value.type().bits();
    if (widens && value->kind() == ExprKind::IntImm) {
        return make_int(type, value->int_value());
    }
    if (use == Use::Index && widens && is_index_type(value.type()) && is_kind(value, ExprKind::Ramp)) {
        const Type inner = type.with_lanes(value->arg(0).type().lanes());
        return vector_ramp(vector_cast(inner, value->arg(0), use), vector_cast(inner, value->arg(1), use),
                           multiplicity(value));
    }
    return make_cast(type, value);
}

Expr vector_ramp(const Expr &base, const Expr &stride, int lanes) {
    return is_zero(stride) ? make_broadcast(base, lanes) : make_ramp(base, stride, lanes);
}

Expr extract_lane(const Expr &vector, int lane) {
    if (vector.type().is_scalar()) {
        return vector;
    }
    if (std::optional<Affine> affine = as_affine(vector);
        affine && (is_kind(vector, ExprKind::Broadcast) || is_integer_vector(vector.type()))) {
        const int inner = affine->base.type().lanes();
        const Expr base = extract_lane(affine->base, lane % inner);
        if (is_kind(vector, ExprKind::Broadcast)) {
            return base;
        }
        const Expr stride = extract_lane(affine->stride, lane % inner);
        const Expr step = scalar_binary(ExprKind::Mul, stride, make_int(stride.type(), lane / inner));
        return scalar_binary(ExprKind::Add, base, step);
    }
    return make_shuffle({&vector, 1}, {lane});
}

Expr extract_group(const Expr &vector, int group, int lanes) {
    if (lanes == 1) {
        return extract_lane(vector, group);
    }
    if (std::optional<Affine> affine = as_affine(vector);
        affine && affine->base.type().lanes() == lanes &&
        (is_kind(vector, ExprKind::Broadcast) || is_integer_vector(vector.type()))) {
        return is_kind(vector, ExprKind::Broadcast)
                   ? affine->base
                   : vector_binary(ExprKind::Add, affine->base,
                                   vector_binary(ExprKind::Mul, affine->stride, make_int(affine->stride.type(), group),
                                                 Use::Index),
                                   Use::Index);
    }
    Indices indices;
    for (int lane = 0; lane < lanes; lane++) {
        indices.push_back(group * lanes + lane);
    }
    return make_shuffle({&vector, 1}, std::move(indices));
}

Expr repeat_groups(const Expr &vector, int groups, int times) {
    const int lanes = vector.type().lanes();
    check(lanes % groups == 0, "groups of lanes must be of one size");
    if (times == 1) {
        return vector;
    }
    if (groups == 1) {
        return make_broadcast(vector, times);
    }
    if (std::optional<Affine> affine = as_affine(vector); affine && affine->lanes == groups) {
        return vector_ramp(make_broadcast(affine->base, times), make_broadcast(affine->stride, times), groups);
    }
    Indices indices;
    const int size = lanes / groups;
    for (int group = 0; group < groups; group++) {
        for (int i = 0; i < times * size; i++) {
            indices.push_back(group * size + i % size);
        }
    }
    return make_shuffle({&vector, 1}, std::move(indices));
}

namespace {

class IndexNormalizer {
  public:
    Expr normalize(const Expr &expr) {
        auto known = done_.find(expr.get());
        if (known != done_.end()) {
            return known->second;
        }
        Expr result = normalize_node(expr);
        done_.emplace(expr.get(), result);
        return result;
    }

  private:
    std::unordered_map<const ExprNode *, Expr> done_;

    Expr normalize_node(const Expr &expr) {
        // The result of a load inside an index is a value; only the load's own index is normalized.
        if (is_kind(expr, ExprKind::Load)) {
            return map_operands(expr, [&](const Expr &operand) { return normalize(operand); });
        }
        const Expr node = map_operands(expr, [&](const Expr &operand) { return normalize(operand); });
        switch (node->kind()) {
        case ExprKind::Add:
        case ExprKind::Sub:
        case ExprKind::Mul:
        case ExprKind::Div:
            return vector_binary(node->kind(), node->arg(0), node->arg(1), Use::Index);
        case ExprKind::Cast:
            return vector_cast(node.type(), node->arg(0), Use::Index);
        case ExprKind::Ramp:
            return vector_ramp(node->arg(0), node->arg(1), multiplicity(node));
        default: // kinds that do not combine ramps
            return node;
        }
    }
};

} // namespace

bool is_lanewise(ExprKind kind) {
    return is_elementwise(kind) && !is_hint(kind) && !is_count(kind) && kind != ExprKind::Math;
}

Expr joined(const Expr &index) {
    const std::optional<Affine> outer = as_affine(index);
    if (!outer || outer->base.type().is_scalar()) {
        return index;
    }
    const Expr base = joined(outer->base);
    const std::optional<Affine> inner = as_affine(base);
    const bool is_uniform = access_shape(outer->stride).is_uniform();
    int64_t step = 0, stride = 0;
    const bool continues = inner && inner->base.type().is_scalar() &&
                           (is_zero(outer->stride) || (is_uniform && is_const_int(outer->stride->arg(0), &step))) &&
                           is_const_int(inner->stride, &stride) && step == stride * inner->lanes;
    if (is_kind(index, ExprKind::Broadcast) && is_kind(base, ExprKind::Broadcast) && base->arg(0).type().is_scalar()) {
        return make_broadcast(base->arg(0), index.type().lanes());
    }
    return continues ? vector_ramp(inner->base, inner->stride, inner->lanes * outer->lanes) : index;
}

Expr normalize_index(const Expr &index) { return joined(IndexNormalizer().normalize(index)); }

Expr with_normal_index(const Expr &node) {
    const bool is_vector_load = node->kind() == ExprKind::Load && node.type().is_vector();
    return is_vector_load ? make_load(node.type(), node->symbol(), normalize_index(node->arg(0)), node->arg(1)) : node;
}

std::optional<int64_t> divisor_of_stride(const Expr &ramp, const Expr &divisor) {
    int64_t constant = 0, stride = 0;
    // Values of memory may wrap.
    const bool divides = is_kind(ramp, ExprKind::Ramp) && is_index_arithmetic(ramp) &&
                         is_const_int(divisor, &constant) && constant > 0 && is_const_int(ramp->arg(1), &stride) &&
                         stride % constant == 0;
    return divides ? std::optional(constant) : std::nullopt;
}

} // namespace fluorite::lowering
