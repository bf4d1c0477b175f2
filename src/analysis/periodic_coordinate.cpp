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

/// The simplifier adds what is added to a coordinate, as the min of a buffer, to both values of its select. Gives the
/// coordinate inside, and what is added to it, if anything is.
std::pair<Expr, Expr> without_offset(const Expr &inside) {
    for (size_t i = 0; is_kind(inside, ExprKind::Add) && i < 2; i++) {
        if (is_kind(inside->arg(i), ExprKind::Likely)) {
            return {inside->arg(i), inside->arg(1 - i)};
        }
    }
    if (is_kind(inside, ExprKind::Sub) && is_kind(inside->arg(0), ExprKind::Likely)) {
        return {inside->arg(0), sub(make_zero(inside.type()), inside->arg(1))};
    }
    return {inside, Expr()};
}

/// What lies outside, moved into the image, before that is clamped; as language/boundary_conditions.cpp writes it.
Expr turned_into_image(const PeriodicCoordinate &periodic) {
    const auto &[t, min, max, rule] = periodic;
    const Expr one = make_int(t.type(), 1), two = make_int(t.type(), 2), last = sub(max, min), extent = add(last, one);
    const Expr period = rule == Rule::RepeatImage   ? extent
                        : rule == Rule::MirrorImage ? mul(two, extent)
                                                    : max_of(mul(two, last), one);
    const Expr offset = mod(sub(t, min), period);
    Expr turned = offset;
    if (rule == Rule::MirrorImage) {
        turned =
            make_select(make_binary(ExprKind::GE, offset, extent), sub(sub(mul(two, extent), one), offset), offset);
    } else if (rule == Rule::MirrorInterior) {
        turned = make_select(make_binary(ExprKind::GE, offset, extent), sub(mul(two, last), offset), offset);
    }
    return add(turned, min);
}

Expr coordinate_of(const PeriodicCoordinate &periodic) {
    const auto &[t, min, max, rule] = periodic;
    const Expr is_outside = make_binary(ExprKind::Or, less(t, min), make_binary(ExprKind::GT, t, max));
    return make_select(is_outside, clamped(turned_into_image(periodic), min, max),
                       likely(clamped(likely(t), min, max)));
}

/// Whether the values outside are the same. Of an image that has points, those inside of it need not be clamped, and
/// what is known of the program may have removed a part of the clamp.
bool is_same_outside(const PeriodicCoordinate &periodic, const Expr &own, const Expr &seen, Image image) {
    if (equal(own, seen) || image == Image::MayBeEmpty) {
        return equal(own, seen);
    }
    const Expr turned = turned_into_image(periodic);
    return equal(simplify(turned), seen) || equal(simplify(min_of(turned, periodic.max)), seen) ||
           equal(simplify(max_of(turned, periodic.min)), seen);
}

/// By how much the greater side of a comparison exceeds the other one, which is 1 or more where it holds. Undefined if
/// the expression is no comparison.
Expr excess(const Expr &comparison) {
    const Expr one = is_kind(comparison, ExprKind::LE) || is_kind(comparison, ExprKind::GE)
                         ? make_int(comparison->arg(0).type(), 1)
                         : Expr();
    const bool is_less = is_kind(comparison, ExprKind::LT) || is_kind(comparison, ExprKind::LE);
    if (!is_less && !is_kind(comparison, ExprKind::GT) && !is_kind(comparison, ExprKind::GE)) {
        return {};
    }
    const Expr difference = sub(comparison->arg(is_less ? 1 : 0), comparison->arg(is_less ? 0 : 1));
    return simplify(one.defined() ? add(difference, one) : difference);
}

/// Whether two disjunctions of comparisons of coordinates hold at the same points. Equal ones of vectors may have
/// their constants on different sides.
bool is_same_union(const Expr &a, const Expr &b) {
    if (!is_kind(a, ExprKind::Or) || !is_kind(b, ExprKind::Or)) {
        return false;
    }
    const Expr first = excess(a->arg(0)), second = excess(a->arg(1)), x = excess(b->arg(0)), y = excess(b->arg(1));
    const bool are_comparisons = first.defined() && second.defined() && x.defined() && y.defined();
    return are_comparisons && ((equal(first, x) && equal(second, y)) || (equal(first, y) && equal(second, x)));
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

std::optional<PeriodicCoordinate> find_periodic(const Expr &coordinate, Image image) {
    if (!is_kind(coordinate, ExprKind::Select) || coordinate.type().element_of() != Int(32)) {
        return std::nullopt;
    }
    const auto [inside, offset] = without_offset(coordinate->arg(2));
    std::optional<PeriodicCoordinate> found = find_clamp(inside);
    if (!found) {
        return std::nullopt;
    }
    if (offset.defined()) {
        for (Expr *each : {&found->inner, &found->min, &found->max}) {
            *each = simplify(add(*each, offset));
        }
    }
    const Expr plain = strip_hints(coordinate);
    for (const Rule rule : {Rule::MirrorImage, Rule::MirrorInterior, Rule::RepeatImage}) {
        found->rule = rule;
        const Expr own = strip_hints(simplify(coordinate_of(*found)));
        if (equal(own, plain)) {
            return found;
        }
        const bool has_same_values = is_kind(own, ExprKind::Select) &&
                                     is_same_outside(*found, own->arg(1), plain->arg(1), image) &&
                                     (offset.defined() || equal(own->arg(2), plain->arg(2)));
        if (has_same_values && is_same_union(own->arg(0), plain->arg(0))) {
            return found;
        }
    }
    return std::nullopt;
}

} // namespace fluorite::analysis
