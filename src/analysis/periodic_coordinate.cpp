// Coordinates of images that are continued beyond their edges by mirroring or repeating them.
//
// What: select(t < m || t > M, clamp(E(t), m, M), likely(clamp(likely(t), m, M))), where E takes t modulo a period, and
// mirrors it. The modulo makes interval arithmetic find all of [m, M] for any t. Yet while t ranges over [a, b], a
// mirrored coordinate lies in
//   [max(m, min(a, 2 M + s - b, M)), max(m, min(M, max(b, 2 m - s - a)))],
// where s is 1 if the edge is repeated (mirror_image), else 0: what lies above M is reflected to 2 M + s - b or above,
// what lies below m to 2 m - s - a or below. The formula is sound for any a and b: where t leaves the period next to
// the image, the reflected side lies beyond the other edge. A repeated image has no near side: where [a, b] leaves
// [m, M], all of it is needed, which is the same formula with m and M in place of the reflected sides.
//
// Method: t, m and M are read off the likely branch; the coordinate is made anew of them, and compared.
// Relies on: the form in which BoundaryConditions write coordinates, and on the simplifier giving equal expressions one
// form. Does not do: coordinates that simplify to less, such as those of an image of one point.
// Cost: three simplifications of a coordinate that is a select with a likely branch.

#include "analysis/periodic_coordinate.h"

#include "analysis/hints.h"
#include "rewrite/simplify.h"

namespace fluorite::analysis {

using namespace ir;
using rewrite::simplify;

namespace {

using Rule = PeriodicCoordinate::Rule;

Expr clamped(const Expr &value, const Expr &min, const Expr &max) { return max_of(min_of(value, max), min); }
Expr likely(const Expr &value) { return make_unary(ExprKind::Likely, value); }

/// t, m and M of likely(max(min(likely(t), M), m)), with operands in any order.
std::optional<PeriodicCoordinate> find_clamp(const Expr &inside) {
    if (!is_kind(inside, ExprKind::Likely) || !is_kind(inside->arg(0), ExprKind::Max)) {
        return std::nullopt;
    }
    const Expr &outer = inside->arg(0);
    for (size_t i = 0; i < 2; i++) {
        const Expr &inner = outer->arg(i);
        for (size_t j = 0; is_kind(inner, ExprKind::Min) && j < 2; j++) {
            if (is_kind(inner->arg(j), ExprKind::Likely)) {
                return PeriodicCoordinate{inner->arg(j)->arg(0), outer->arg(1 - i), inner->arg(1 - j)};
            }
        }
    }
    return std::nullopt;
}

/// As language/boundary_conditions.cpp writes it.
Expr coordinate_of(const PeriodicCoordinate &periodic) {
    const auto &[t, min, max, rule] = periodic;
    const Expr one = int32(1), two = int32(2), last = sub(max, min), extent = add(last, one);
    const Expr period = rule == Rule::RepeatImage   ? extent
                        : rule == Rule::MirrorImage ? mul(two, extent)
                                                    : max_of(mul(two, last), one);
    const Expr offset = mod(sub(t, min), period);
    Expr turned = offset;
    if (rule == Rule::MirrorImage) {
        turned =
            make_select(make_binary(ExprKind::GE, offset, extent), sub(sub(mul(two, extent), one), offset), offset);
    } else if (rule == Rule::MirrorInterior) {
        turned = make_select(make_binary(ExprKind::GT, offset, last), sub(mul(two, last), offset), offset);
    }
    const Expr is_outside = make_binary(ExprKind::Or, less(t, min), make_binary(ExprKind::GT, t, max));
    return make_select(is_outside, clamped(add(turned, min), min, max), likely(clamped(likely(t), min, max)));
}

} // namespace

Expr PeriodicCoordinate::reflected_min(const Interval &range) const {
    if (!is_mirrored()) {
        const Expr stays = logical_and(less_equal(min, range.min), less_equal(range.max, max));
        return simplify(make_select(stays, max, min));
    }
    return simplify(sub(add(add(max, max), int32(rule == Rule::MirrorImage ? 1 : 0)), range.max));
}

Expr PeriodicCoordinate::reflected_max(const Interval &range) const {
    if (!is_mirrored()) {
        const Expr stays = logical_and(less_equal(min, range.min), less_equal(range.max, max));
        return simplify(make_select(stays, min, max));
    }
    return simplify(sub(sub(add(min, min), int32(rule == Rule::MirrorImage ? 1 : 0)), range.min));
}

Interval PeriodicCoordinate::hull(const Interval &range, const Expr &reflected_min, const Expr &reflected_max) const {
    return {simplify(max_of(min_of(min_of(range.min, reflected_min), max), min)),
            simplify(max_of(min_of(max_of(range.max, reflected_max), max), min))};
}

std::optional<PeriodicCoordinate> find_periodic(const Expr &coordinate) {
    if (!is_kind(coordinate, ExprKind::Select) || coordinate.type() != Int(32)) {
        return std::nullopt;
    }
    std::optional<PeriodicCoordinate> found = find_clamp(coordinate->arg(2));
    if (!found) {
        return std::nullopt;
    }
    const Expr plain = strip_hints(coordinate);
    for (const Rule rule : {Rule::MirrorImage, Rule::MirrorInterior, Rule::RepeatImage}) {
        found->rule = rule;
        if (equal(strip_hints(simplify(coordinate_of(*found))), plain)) {
            return found;
        }
    }
    return std::nullopt;
}

} // namespace fluorite::analysis
